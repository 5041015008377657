#include "engine/runtime/KernelCache.h"

namespace strata::runtime {

/// One text's unit. Its lock is held while it is compiled, so that others who want it wait instead of compiling too.
struct KernelCache::Slot {
    std::mutex lock;
    std::shared_ptr<Module> module; // written with both this lock and the cache's held
};

KernelCache::KernelCache() = default;
KernelCache::~KernelCache() = default;

KernelCache& KernelCache::instance() {
    static auto* cache = new KernelCache; // never freed: compiled functions may be held by statics
    return *cache;
}

std::shared_ptr<Module> KernelCache::get(const std::string& cppText, const CompileOptions& options) {
    // The processor and the compiler cannot change under a running process: the options and the text tell units apart.
    const std::string key =
        std::string(options.openmp ? "openmp " : "serial ") + std::to_string(options.optimisation) + "\n" + cppText;
    std::shared_ptr<Slot> slot;
    {
        const std::lock_guard guard(m_lock);
        auto& found = m_slots[key];
        if (!found) found = std::make_shared<Slot>();
        slot = found;
    }
    const std::lock_guard guard(slot->lock);
    if (slot->module) {
        const std::lock_guard counting(m_lock);
        ++m_counters.hits;
        return slot->module;
    }
    {
        const std::lock_guard counting(m_lock);
        ++m_counters.misses;
    }
    auto module = compile(cppText, options);
    const std::lock_guard counting(m_lock);
    ++(module->fromCache() ? m_counters.fromDisk : m_counters.compiled);
    return slot->module = std::move(module);
}

KernelCache::Counters KernelCache::counters() const {
    const std::lock_guard guard(m_lock);
    return m_counters;
}

std::size_t KernelCache::size() const {
    const std::lock_guard guard(m_lock);
    std::size_t count = 0;
    for (const auto& [key, slot] : m_slots) count += slot->module != nullptr ? 1 : 0;
    return count;
}

void KernelCache::clear() {
    const std::lock_guard guard(m_lock);
    m_slots.clear();
}

} // namespace strata::runtime
