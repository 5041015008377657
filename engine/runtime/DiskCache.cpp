#include "engine/runtime/DiskCache.h"

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <tuple>

namespace strata::runtime {
namespace {

namespace fs = std::filesystem;

constexpr char magic[16] = "strata kernel 1"; // then the SHA-256 of the object, then the object
constexpr std::size_t headerSize = sizeof magic + 32;
constexpr const char* extension = ".kernel";

std::array<std::uint8_t, 32> checksum(const char* data, std::size_t size) {
    return llvm::SHA256::hash(llvm::ArrayRef(reinterpret_cast<const std::uint8_t*>(data), size));
}

struct Entry {
    fs::file_time_type used;
    std::uint64_t size;
    fs::path path;
};

} // namespace

DiskCache::DiskCache(std::string directory, std::uint64_t limit) : m_directory(std::move(directory)), m_limit(limit) {}

std::string DiskCache::defaultDirectory() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && cache[0] == '/')
        return std::string(cache) + "/strata/kernels";
    if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/')
        return std::string(home) + "/.cache/strata/kernels";
    return {};
}

std::string DiskCache::key(const std::string& text) {
    const auto hash = checksum(text.data(), text.size());
    return llvm::toHex(hash, true);
}

bool DiskCache::usable() const {
    struct stat info{};
    if (m_directory.empty() || stat(m_directory.c_str(), &info) != 0 || !S_ISDIR(info.st_mode)) return false;
    return info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

std::optional<std::vector<char>> DiskCache::load(const std::string& key) const {
    if (!usable()) return std::nullopt;
    std::ifstream file(path(key), std::ios::binary);
    if (!file) return std::nullopt;
    const std::vector<char> bytes{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    std::error_code ignored;
    if (bytes.size() > headerSize && std::memcmp(bytes.data(), magic, sizeof magic) == 0) {
        const auto sum = checksum(bytes.data() + headerSize, bytes.size() - headerSize);
        if (std::memcmp(bytes.data() + sizeof magic, sum.data(), sum.size()) == 0) {
            fs::last_write_time(path(key), fs::file_time_type::clock::now(), ignored);
            return std::vector<char>(bytes.begin() + headerSize, bytes.end());
        }
    }
    fs::remove(path(key), ignored);
    return std::nullopt;
}

void DiskCache::store(const std::string& key, const std::vector<char>& object) const {
    std::error_code error;
    if (m_directory.empty()) return;
    if (!fs::exists(m_directory, error)) {
        fs::create_directories(m_directory, error);
        fs::permissions(m_directory, fs::perms::owner_all, error);
    }
    if (!usable()) return;
    static std::atomic<unsigned> number{0};
    const std::string temporary =
        path(key) + "." + std::to_string(getpid()) + "." + std::to_string(number.fetch_add(1)) + ".part";
    const auto sum = checksum(object.data(), object.size());
    std::ofstream file(temporary, std::ios::binary);
    file.write(magic, sizeof magic);
    file.write(reinterpret_cast<const char*>(sum.data()), static_cast<std::streamsize>(sum.size()));
    file.write(object.data(), static_cast<std::streamsize>(object.size()));
    file.close();
    if (file) fs::rename(temporary, path(key), error);
    if (!file || error) fs::remove(temporary, error);
    evict();
}

void DiskCache::evict() const {
    std::error_code error;
    std::vector<Entry> entries;
    std::uint64_t total = 0;
    const auto longAgo = fs::file_time_type::clock::now() - std::chrono::hours(1);
    for (fs::directory_iterator it(m_directory, error), end; !error && it != end; it.increment(error)) {
        const fs::path& file = it->path();
        std::error_code gone; // another process may delete it meanwhile
        const auto used = fs::last_write_time(file, gone);
        const auto size = fs::file_size(file, gone);
        if (gone) continue;
        if (file.extension() == ".part" && used < longAgo) fs::remove(file, gone); // its writer died
        if (file.extension() != extension) continue;
        entries.push_back({used, size, file});
        total += size;
    }
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
    for (const Entry& entry : entries) {
        if (total <= m_limit) return;
        fs::remove(entry.path, error);
        total -= entry.size;
    }
}

} // namespace strata::runtime
