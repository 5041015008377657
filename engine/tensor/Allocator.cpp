#include "engine/tensor/Allocator.h"

#include "engine/support/Error.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <string>
#include <vector>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define STRATA_ADDRESS_SANITIZER 1
#endif
#endif

namespace strata::tensor {

namespace {

constexpr std::size_t alignment = 64;
// Bytes kept for reuse; what is freed beyond goes back to the system. With the address sanitizer everything does, so
// that a use after free is seen.
#ifdef STRATA_ADDRESS_SANITIZER
constexpr std::size_t cacheLimit = 0;
#else
constexpr std::size_t cacheLimit = std::size_t{1} << 30;
#endif

// Four classes a power of two, from 64 bytes: at most a quarter of a block is unused.
std::size_t classOf(std::size_t bytes) {
    if (bytes <= 4 * alignment) return (std::max<std::size_t>(bytes, 1) - 1) / alignment;
    const int top = std::bit_width(bytes - 1) - 1; // 2^top < bytes <= 2^(top + 1)
    const std::size_t quarter = (bytes - 1 - (std::size_t{1} << top)) >> (top - 2);
    return 4 + static_cast<std::size_t>(top - 8) * 4 + quarter;
}

std::size_t classBytes(std::size_t index) {
    if (index < 4) return (index + 1) * alignment;
    const std::size_t top = (index - 4) / 4 + 8, quarter = (index - 4) % 4;
    return (std::size_t{1} << top) + ((quarter + 1) << (top - 2));
}

class Cache {
public:
    static Cache& instance() {
        static auto* const cache = new Cache; // tensors may outlive static destruction
        return *cache;
    }

    void* allocate(std::size_t bytes) {
        if (bytes > (std::size_t{1} << 47)) refuse(bytes);
        const std::size_t index = classOf(bytes);
        const std::lock_guard lock(m_mutex);
        ++m_statistics.allocations;
        void* block = nullptr;
        if (!m_free[index].empty()) {
            block = m_free[index].back();
            m_free[index].pop_back();
            m_cached -= classBytes(index);
            ++m_statistics.fromFreeList;
        } else {
            block = std::aligned_alloc(alignment, classBytes(index));
            if (!block && m_cached > 0) {
                clear();
                block = std::aligned_alloc(alignment, classBytes(index));
            }
            if (!block) refuse(bytes);
        }
        m_statistics.liveBytes += bytes;
        m_statistics.peakBytes = std::max(m_statistics.peakBytes, m_statistics.liveBytes);
        return block;
    }

    void release(void* block, std::size_t bytes) {
        const std::size_t index = classOf(bytes);
        const std::lock_guard lock(m_mutex);
        m_statistics.liveBytes -= bytes;
        if (m_cached + classBytes(index) > cacheLimit) {
            std::free(block);
            return;
        }
        m_free[index].push_back(block);
        m_cached += classBytes(index);
    }

    AllocatorStatistics statistics() {
        const std::lock_guard lock(m_mutex);
        return m_statistics;
    }
    void resetPeak() {
        const std::lock_guard lock(m_mutex);
        m_statistics.peakBytes = m_statistics.liveBytes;
    }
    void emptyAll() {
        const std::lock_guard lock(m_mutex);
        clear();
    }

private:
    void clear() {
        for (auto& blocks : m_free) {
            for (void* block : blocks) std::free(block);
            blocks.clear();
        }
        m_cached = 0;
    }
    [[noreturn]] static void refuse(std::size_t bytes) {
        throw support::Error(support::ErrorKind::Memory,
                             "DefaultCPUAllocator: can't allocate memory: you tried to allocate " +
                                 std::to_string(bytes) + " bytes. Error code 12 (Cannot allocate memory)");
    }

    std::mutex m_mutex;
    std::array<std::vector<void*>, 4 * 48> m_free;
    std::size_t m_cached = 0;
    AllocatorStatistics m_statistics;
};

} // namespace

void* allocateBytes(std::size_t bytes) {
    return Cache::instance().allocate(bytes);
}
void freeBytes(void* data, std::size_t bytes) {
    Cache::instance().release(data, bytes);
}
AllocatorStatistics allocatorStatistics() {
    return Cache::instance().statistics();
}
void resetPeakBytes() {
    Cache::instance().resetPeak();
}
void emptyCache() {
    Cache::instance().emptyAll();
}

} // namespace strata::tensor
