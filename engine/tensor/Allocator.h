#pragma once
// The CPU allocator: 64-byte aligned blocks from free lists by size class, so that a loop of eager ops does not pay the
// system for every temporary. Counters feed trace records of kind `memory`.

#include <cstddef>
#include <cstdint>

namespace strata::tensor {

struct AllocatorStatistics {
    std::uint64_t liveBytes = 0, peakBytes = 0, allocations = 0, fromFreeList = 0;
};

/// Throws support::Error (Memory) with PyTorch's message when the system refuses.
void* allocateBytes(std::size_t bytes);
void freeBytes(void* data, std::size_t bytes);
AllocatorStatistics allocatorStatistics();
void resetPeakBytes();
/// Returns cached blocks to the system.
void emptyCache();

} // namespace strata::tensor
