#include "engine/ops/Samples.h"

#include <algorithm>
#include <numeric>

namespace strata::ops::samples {

namespace {

SymInts symbolicSizes(const std::vector<std::int64_t>& sizes) {
    return {sizes.begin(), sizes.end()};
}

std::int64_t numelOf(const std::vector<std::int64_t>& sizes) {
    return std::accumulate(sizes.begin(), sizes.end(), std::int64_t{1}, std::multiplies<>());
}

// 0 .. count - 1 in an order fixed by the seed.
std::vector<std::int64_t> shuffled(std::int64_t count, unsigned seed) {
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    std::uint64_t state = seed * 0x9E3779B97F4A7C15ULL + 1;
    for (std::int64_t i = count - 1; i > 0; --i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        std::swap(order[static_cast<std::size_t>(i)],
                  order[static_cast<std::size_t>((state >> 33) % static_cast<std::uint64_t>(i + 1))]);
    }
    return order;
}

} // namespace

Tensor tensor(const std::vector<std::int64_t>& sizes, double low, double high, unsigned seed) {
    Tensor result = Tensor::empty(symbolicSizes(sizes), DType::Float64);
    const std::int64_t count = numelOf(sizes);
    const auto order = shuffled(count, seed);
    // Off the grid of simple fractions by a seed-dependent share of a step.
    const double shift = 0.29 + 0.13 * (seed % 4);
    for (std::int64_t i = 0; i < count; ++i)
        result.data<double>()[i] = low + (high - low) *
                                             (static_cast<double>(order[static_cast<std::size_t>(i)]) + shift) /
                                             static_cast<double>(count);
    return result;
}

Tensor ints(const std::vector<std::int64_t>& sizes, std::int64_t low, std::int64_t high, unsigned seed) {
    Tensor result = Tensor::empty(symbolicSizes(sizes), DType::Int64);
    const auto order = shuffled(numelOf(sizes), seed);
    for (std::size_t i = 0; i < order.size(); ++i) result.data<std::int64_t>()[i] = low + order[i] % (high - low + 1);
    return result;
}

Tensor bools(const std::vector<std::int64_t>& sizes, unsigned seed) {
    Tensor result = Tensor::empty(symbolicSizes(sizes), DType::Bool);
    const auto order = shuffled(numelOf(sizes), seed);
    for (std::size_t i = 0; i < order.size(); ++i) result.data<bool>()[i] = order[i] % 2 == 0;
    return result;
}

Tensor of(const std::vector<std::int64_t>& sizes, const std::vector<double>& values) {
    Tensor result = Tensor::empty(symbolicSizes(sizes), DType::Float64);
    std::copy(values.begin(), values.end(), result.data<double>());
    return result;
}

Tensor transposed(const Tensor& tensor) {
    const auto rank = static_cast<std::size_t>(tensor.dim());
    SymInts sizes = tensor.sizes(), strides = tensor.strides();
    std::swap(sizes[rank - 1], sizes[rank - 2]);
    std::swap(strides[rank - 1], strides[rank - 2]);
    return tensor.alias(sizes, strides, tensor->offset);
}

std::vector<Values> unary(double low, double high, const Values& rest) {
    std::vector<Values> calls;
    for (const Tensor& self : {tensor({2, 3}, low, high), transposed(tensor({4, 3}, low, high, 2)),
                               tensor({}, low, high, 3), tensor({0, 2}, low, high)}) {
        Values args{self};
        args.insert(args.end(), rest.begin(), rest.end());
        calls.push_back(std::move(args));
    }
    return calls;
}

std::vector<Values> binary(double low, double high, double otherLow, double otherHigh, const Values& rest) {
    std::vector<Values> calls;
    const auto call = [&](const Tensor& self, const Value& other) {
        Values args{self, other};
        args.insert(args.end(), rest.begin(), rest.end());
        calls.push_back(std::move(args));
    };
    const Tensor self = tensor({2, 3}, low, high);
    call(self, tensor({2, 3}, otherLow, otherHigh, 2));
    call(self, tensor({3}, otherLow, otherHigh, 3));
    call(tensor({3}, low, high, 2), tensor({2, 1}, otherLow, otherHigh, 5));
    call(transposed(tensor({3, 2}, low, high, 3)), tensor({}, otherLow, otherHigh, 2));
    call(self, tensor({}, otherLow, otherHigh, 6).itemDouble());
    return calls;
}

} // namespace strata::ops::samples
