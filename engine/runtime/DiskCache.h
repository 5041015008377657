#pragma once
// Object files on disk, kept between runs and shared by processes.
//
// An entry is one file named after a hash of everything that decides the code. It is written beside its place and
// renamed into it, so that readers see whole files only, and carries a checksum, so that a damaged one counts as
// missing and is deleted. A read refreshes its time; a write deletes the longest unused files beyond the limit.
// Whoever can write the directory can make the engine run code: it is created for its owner alone, and one that
// belongs to somebody else or that others may write is not used.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace strata::runtime {

class DiskCache {
public:
    static constexpr std::uint64_t defaultLimit = 256ULL << 20; // bytes

    explicit DiskCache(std::string directory, std::uint64_t limit = defaultLimit);

    /// $XDG_CACHE_HOME/strata/kernels, or ~/.cache/strata/kernels; empty when there is no home.
    static std::string defaultDirectory();
    /// A file name for `text`, whatever its length: SHA-256 in hexadecimal digits.
    static std::string key(const std::string& text);

    /// The object of that key; nothing when it is missing, damaged, or the directory cannot be trusted.
    std::optional<std::vector<char>> load(const std::string& key) const;
    /// Keeps the object. A disk that is full or read-only is no error: the entry is just not there next time.
    void store(const std::string& key, const std::vector<char>& object) const;

private:
    bool usable() const;
    void evict() const;
    std::string path(const std::string& key) const { return m_directory + "/" + key + ".kernel"; }

    std::string m_directory;
    std::uint64_t m_limit;
};

} // namespace strata::runtime
