#pragma once
// Iteration over strided CPU tensors, shared by kernels: sizes are plain here. Dims are reordered and merged so that a
// kernel sees as few and as long rows as the strides allow.

#include "engine/ops/OpDef.h"

#include <array>

namespace strata::ops {

/// Calls for `count` elements at `data[k]`, apart by `strides[k]` bytes.
constexpr int maxOperands = 6;
constexpr int maxDims = 16;

/// The iteration space of up to maxOperands operands of one broadcast shape. Strides are in bytes, dim 0 is innermost.
struct StridedSpace {
    int rank = 0, operands = 0;
    std::int64_t numel = 1;
    std::array<std::int64_t, maxDims> sizes{};
    std::array<std::array<std::int64_t, maxDims>, maxOperands> strides{}; // [operand][dim]
    std::array<char*, maxOperands> data{};
    /// Whether operand k is one run of consecutive elements of `itemSize` bytes (or there is at most one element).
    bool isDense(int operand, std::size_t itemSize) const;
    bool isOneElement(int operand) const; // all strides 0
};

/// Operand 0 is the output (its strides decide the order). Operands broadcast to its shape; `shape` is the output's.
StridedSpace stridedSpace(const SymInts& shape, std::span<const Tensor* const> operands);

/// Walks positions [begin, end) of the space in its own order as rows: row(pointers, count), each operand's elements in
/// the row apart by space.strides[operand][0].
template <class Row> void forEachRow(const StridedSpace& space, std::int64_t begin, std::int64_t end, Row&& row);

/// Copies `count` elements from `from` (apart by fromStride bytes) to `to`, converting as PyTorch's casts do.
void convertStrided(char* to, std::int64_t toStride, DType toDType, const char* from, std::int64_t fromStride,
                    DType fromDType, std::int64_t count);
/// to[...] = from[...] for tensors of one shape (from broadcasts), any strides and dtypes. Parallel when large.
void copyTensor(const Tensor& to, const Tensor& from);
/// A dense contiguous copy, or the tensor itself when it is contiguous.
Tensor denseContiguous(const Tensor& tensor);
/// Fills a tensor of any strides.
void fillTensor(const Tensor& tensor, const Scalar& value);

/// Runs body(begin, end) over [0, count), on OpenMP threads when count * costPerItem is worth it (grain in cost units
/// of one simple element, 32768). Exceptions thrown by body reach the caller.
void parallelFor(std::int64_t count, double costPerItem, const std::function<void(std::int64_t, std::int64_t)>& body);

template <class Row> void forEachRow(const StridedSpace& space, std::int64_t begin, std::int64_t end, Row&& row) {
    if (begin >= end) return;
    std::array<std::int64_t, maxDims> index{};
    std::array<char*, maxOperands> at = space.data;
    std::int64_t rest = begin;
    for (int d = 0; d < space.rank; ++d) {
        index[d] = rest % space.sizes[d];
        rest /= space.sizes[d];
        for (int k = 0; k < space.operands; ++k) at[k] += index[d] * space.strides[k][d];
    }
    const std::int64_t inner = space.rank ? space.sizes[0] : 1;
    while (begin < end) {
        const std::int64_t count = std::min(inner - index[0], end - begin);
        row(at, count);
        begin += count;
        if (begin >= end) return;
        for (int k = 0; k < space.operands; ++k) at[k] -= index[0] * space.strides[k][0]; // to the row's start
        index[0] = 0;
        for (int d = 1; d < space.rank; ++d) {
            for (int k = 0; k < space.operands; ++k) at[k] += space.strides[k][d];
            if (++index[d] < space.sizes[d]) break;
            for (int k = 0; k < space.operands; ++k) at[k] -= space.sizes[d] * space.strides[k][d];
            index[d] = 0;
        }
    }
}

} // namespace strata::ops
