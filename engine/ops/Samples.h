#pragma once
// Argument lists for tests of an op: small float64 tensors whose values are spread over a range, at fixed places.

#include "engine/ops/OpDef.h"

namespace strata::ops::samples {

/// Real float64 tensor: values spread evenly over [low, high] in an order that a fixed linear congruence shuffles;
/// `seed` chooses another order. Never exactly at the ends' midpoint, so that kinks at 0 are avoided for even ranges.
Tensor tensor(const std::vector<std::int64_t>& sizes, double low, double high, unsigned seed = 1);
Tensor ints(const std::vector<std::int64_t>& sizes, std::int64_t low, std::int64_t high,
            unsigned seed = 1); // inclusive
Tensor bools(const std::vector<std::int64_t>& sizes, unsigned seed = 1);
/// Exactly these values, float64.
Tensor of(const std::vector<std::int64_t>& sizes, const std::vector<double>& values);
/// The same values in a tensor whose last two dims are swapped in memory.
Tensor transposed(const Tensor& tensor);

/// One tensor argument of shape (2, 3), a transposed one, a 0-dim one and an empty one, followed by `rest`.
std::vector<Values> unary(double low, double high, const Values& rest = {});
/// Two tensor arguments: equal shapes, broadcast (2, 3) with (3), with (2, 1), 0-dim, a Python number, then `rest`.
std::vector<Values> binary(double low, double high, double otherLow, double otherHigh, const Values& rest = {});

} // namespace strata::ops::samples
