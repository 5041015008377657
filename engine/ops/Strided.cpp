#include "engine/ops/Strided.h"

#include "engine/support/Error.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <mutex>
#include <numeric>
#include <omp.h>

namespace strata::ops {

namespace {

using support::Error;

constexpr double parallelGrain = 32768;

// Dim order from innermost to outermost by the output's strides, then the other operands'.
bool inside(const StridedSpace& space, int a, int b) {
    for (int k = 0; k < space.operands; ++k) {
        const std::int64_t x = std::abs(space.strides[k][a]), y = std::abs(space.strides[k][b]);
        if (x == 0 || y == 0) continue;
        if (x != y) return x < y;
    }
    return false;
}

void swapDims(StridedSpace& space, int a, int b) {
    std::swap(space.sizes[a], space.sizes[b]);
    for (int k = 0; k < space.operands; ++k) std::swap(space.strides[k][a], space.strides[k][b]);
}

void sortDims(StridedSpace& space) {
    for (int i = 1; i < space.rank; ++i)
        for (int j = i; j > 0 && inside(space, j, j - 1); --j) swapDims(space, j, j - 1);
}

// Drops dims of size 1 and merges neighbours that lie in memory as one, for all operands alike.
void mergeDims(StridedSpace& space) {
    int kept = -1;
    for (int d = 0; d < space.rank; ++d) {
        if (space.sizes[d] == 1) continue;
        bool merges = kept >= 0;
        for (int k = 0; k < space.operands && merges; ++k)
            merges = space.strides[k][d] == space.strides[k][kept] * space.sizes[kept];
        if (merges) {
            space.sizes[kept] *= space.sizes[d];
            continue;
        }
        ++kept;
        space.sizes[kept] = space.sizes[d];
        for (int k = 0; k < space.operands; ++k) space.strides[k][kept] = space.strides[k][d];
    }
    space.rank = kept + 1;
}

template <class To, class From>
void convertTyped(char* to, std::int64_t toStride, const char* from, std::int64_t fromStride, std::int64_t count) {
    if (fromStride == 0) {
        const To value = static_cast<To>(*reinterpret_cast<const From*>(from));
        if (toStride == sizeof(To)) {
            std::fill_n(reinterpret_cast<To*>(to), count, value);
            return;
        }
        for (std::int64_t i = 0; i < count; ++i) *reinterpret_cast<To*>(to + i * toStride) = value;
        return;
    }
    if (toStride == sizeof(To) && fromStride == sizeof(From)) {
        if constexpr (std::is_same_v<To, From>) {
            std::memcpy(to, from, static_cast<std::size_t>(count) * sizeof(To));
        } else {
            auto* out = reinterpret_cast<To*>(to);
            const auto* in = reinterpret_cast<const From*>(from);
#pragma clang loop vectorize(assume_safety)
            for (std::int64_t i = 0; i < count; ++i) out[i] = static_cast<To>(in[i]);
        }
        return;
    }
    for (std::int64_t i = 0; i < count; ++i)
        *reinterpret_cast<To*>(to + i * toStride) =
            static_cast<To>(*reinterpret_cast<const From*>(from + i * fromStride));
}

} // namespace

bool StridedSpace::isDense(int operand, std::size_t itemSize) const {
    return rank == 0 || (rank == 1 && strides[operand][0] == static_cast<std::int64_t>(itemSize));
}

bool StridedSpace::isOneElement(int operand) const {
    for (int d = 0; d < rank; ++d)
        if (strides[operand][d] != 0) return false;
    return true;
}

StridedSpace stridedSpace(const SymInts& shape, std::span<const Tensor* const> operands) {
    StridedSpace space;
    space.rank = static_cast<int>(shape.size());
    space.operands = static_cast<int>(operands.size());
    if (space.rank > maxDims)
        throw Error("tensors of more than " + std::to_string(maxDims) + " dimensions are not supported");
    if (space.operands > maxOperands) throw Error("ops: too many operands");
    for (int d = 0; d < space.rank; ++d) {
        space.sizes[d] = shape[shape.size() - 1 - d].asInt();
        space.numel *= space.sizes[d];
    }
    for (int k = 0; k < space.operands; ++k) {
        const Tensor& tensor = *operands[k];
        const auto item = static_cast<std::int64_t>(tensor::itemSize(tensor.dtype()));
        const auto rank = static_cast<int>(tensor.sizes().size());
        for (int d = 0; d < rank; ++d) {
            const bool stretched = tensor.sizes()[rank - 1 - d].sameAs(1) && space.sizes[d] != 1;
            space.strides[k][d] = stretched ? 0 : tensor.strides()[rank - 1 - d].asInt() * item;
        }
        space.data[k] = static_cast<char*>(tensor.data());
    }
    if (space.rank > 1) sortDims(space);
    mergeDims(space);
    return space;
}

void convertStrided(char* to, std::int64_t toStride, DType toDType, const char* from, std::int64_t fromStride,
                    DType fromDType, std::int64_t count) {
    tensor::visit(toDType, "copy_", [&]<class To>() {
        tensor::visit(fromDType, "copy_",
                      [&]<class From>() { convertTyped<To, From>(to, toStride, from, fromStride, count); });
    });
}

void copyTensor(const Tensor& to, const Tensor& from) {
    const Tensor* operands[] = {&to, &from};
    const StridedSpace space = stridedSpace(to.sizes(), operands);
    if (space.numel == 0) return;
    parallelFor(space.numel, 1, [&](std::int64_t begin, std::int64_t end) {
        forEachRow(space, begin, end, [&](auto& at, std::int64_t count) {
            convertStrided(at[0], space.strides[0][0], to.dtype(), at[1], space.strides[1][0], from.dtype(), count);
        });
    });
}

Tensor denseContiguous(const Tensor& tensor) {
    if (tensor.isContiguous()) return tensor;
    Tensor result = Tensor::empty(tensor.sizes(), tensor.dtype(), tensor.device());
    copyTensor(result, tensor);
    return result;
}

void fillTensor(const Tensor& tensor, const Scalar& value) {
    const Tensor one = std::holds_alternative<double>(value)
                           ? Tensor::scalar(std::get<double>(value), tensor.dtype())
                           : Tensor::scalarInt(std::holds_alternative<bool>(value) ? std::get<bool>(value)
                                                                                   : std::get<SymInt>(value).asInt(),
                                               tensor.dtype());
    copyTensor(tensor, one);
}

void parallelFor(std::int64_t count, double costPerItem, const std::function<void(std::int64_t, std::int64_t)>& body) {
    if (count <= 0) return;
    const double work = static_cast<double>(count) * costPerItem;
    const int threads = std::min<int>(omp_get_max_threads(), static_cast<int>(std::min(work / parallelGrain, 1024.0)));
    if (threads < 2 || omp_in_parallel()) {
        body(0, count);
        return;
    }
    std::exception_ptr error;
    std::mutex mutex;
#pragma omp parallel num_threads(threads)
    {
        const std::int64_t team = omp_get_num_threads(), id = omp_get_thread_num();
        // Cuts at multiples of 64 items, so that two threads never write one cache line of a dense output.
        const std::int64_t share = ((count + team - 1) / team + 63) / 64 * 64;
        const std::int64_t begin = std::min(count, id * share), end = std::min(count, begin + share);
        try {
            if (begin < end) body(begin, end);
        } catch (...) {
            const std::lock_guard lock(mutex);
            error = std::current_exception();
        }
    }
    if (error) std::rethrow_exception(error);
}

} // namespace strata::ops
