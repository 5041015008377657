#pragma once
// Compiled units of this process, found again by their text and everything else that decides the code.

#include "engine/runtime/Module.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>

namespace strata::runtime {

/// Thread safe; two threads that ask for one text at once share one compile.
class KernelCache {
public:
    struct Counters {
        std::uint64_t hits = 0;     // found in memory
        std::uint64_t misses = 0;   // not found in memory
        std::uint64_t compiled = 0; // compiled by Clang
        std::uint64_t fromDisk = 0; // read from the disk cache
    };

    KernelCache();
    KernelCache(const KernelCache&) = delete;
    KernelCache& operator=(const KernelCache&) = delete;
    ~KernelCache();

    /// The process's own cache.
    static KernelCache& instance();

    /// The unit of this text, compiled unless it is there. Throws as compile() does, and does not remember failures.
    std::shared_ptr<Module> get(const std::string& cppText, const CompileOptions& options = {});
    Counters counters() const;
    std::size_t size() const;
    /// Forgets all units; those in use live on with their users. Counters stay.
    void clear();

private:
    struct Slot;
    mutable std::mutex m_lock;
    std::map<std::string, std::shared_ptr<Slot>> m_slots;
    Counters m_counters;
};

} // namespace strata::runtime
