#pragma once
// The vocabulary of op bodies for C++ scalars: the same names as loop::Value's (engine/loop/Expr.h), so that one
// generic callable is both. Everything inlines, so that the loops of ElementLoops.h vectorise. Semantics are PyTorch's:
// maximum and minimum give NaN when an operand is NaN, integer division floors or truncates and wraps, sign(NaN) is 0.

#include "engine/ops/ScalarMath.h"

namespace strata::ops::scalar {

template <Arithmetic T> STRATA_INLINE T where(bool condition, T a, T b) {
    return condition ? a : b;
}
template <Floating T> STRATA_INLINE bool isnan(T x) {
    return x != x;
}
template <std::integral T> STRATA_INLINE bool isnan(T) {
    return false;
}
template <Floating T> STRATA_INLINE bool isinf(T x) {
    return x == std::numeric_limits<T>::infinity() || x == -std::numeric_limits<T>::infinity();
}
template <std::integral T> STRATA_INLINE bool isinf(T) {
    return false;
}

// "a > b or a is NaN" keeps NaN of either side: of b because the comparison is then false.
template <Arithmetic T> STRATA_INLINE T maximum(T a, T b) {
    return (a > b || a != a) ? a : b;
}
template <Arithmetic T> STRATA_INLINE T minimum(T a, T b) {
    return (a < b || a != a) ? a : b;
}

template <Floating T> STRATA_INLINE T abs(T x) {
    return std::fabs(x);
}
/// -x; the smallest integer stays itself.
STRATA_INLINE std::int64_t negated(std::int64_t x) {
    return static_cast<std::int64_t>(0 - static_cast<std::uint64_t>(x));
}
STRATA_INLINE std::int64_t abs(std::int64_t x) {
    return x < 0 ? negated(x) : x;
}
STRATA_INLINE bool abs(bool x) {
    return x;
}
template <Arithmetic T> STRATA_INLINE T sign(T x) {
    return static_cast<T>((T(0) < x) - (x < T(0)));
}
template <Floating T> STRATA_INLINE T neg(T x) {
    return -x;
}
STRATA_INLINE std::int64_t neg(std::int64_t x) {
    return negated(x);
}
template <Floating T> STRATA_INLINE T reciprocal(T x) {
    return T(1) / x;
}
template <Floating T> STRATA_INLINE T sqrt(T x) {
    return std::sqrt(x);
}
template <Floating T> STRATA_INLINE T rsqrt(T x) {
    return T(1) / std::sqrt(x);
}

template <Floating T> STRATA_INLINE T floor(T x) {
    return std::floor(x);
}
template <Floating T> STRATA_INLINE T ceil(T x) {
    return std::ceil(x);
}
template <Floating T> STRATA_INLINE T trunc(T x) {
    return std::trunc(x);
}
template <Floating T> STRATA_INLINE T round(T x) {
    return std::nearbyint(x);
} // half to even
template <std::integral T> STRATA_INLINE T floor(T x) {
    return x;
}
template <std::integral T> STRATA_INLINE T ceil(T x) {
    return x;
}
template <std::integral T> STRATA_INLINE T trunc(T x) {
    return x;
}
template <std::integral T> STRATA_INLINE T round(T x) {
    return x;
}

template <Floating T> STRATA_INLINE T pow(T a, T b) {
    return std::pow(a, b);
}
/// By squaring; a negative exponent leaves 1, -1 and 0, as in PyTorch.
STRATA_INLINE std::int64_t pow(std::int64_t base, std::int64_t exponent) {
    if (exponent < 0) return base == 1 ? 1 : base == -1 ? (exponent % 2 == 0 ? 1 : -1) : 0;
    std::uint64_t result = 1, b = static_cast<std::uint64_t>(base);
    for (; exponent != 0; exponent >>= 1, b *= b)
        if (exponent & 1) result *= b;
    return static_cast<std::int64_t>(result);
}

template <Floating T> STRATA_INLINE T div(T a, T b) {
    return a / b;
}
// The divisor is not 0 (the kernel checked); -1 is apart because the smallest integer divided by it traps.
STRATA_INLINE std::int64_t div(std::int64_t a, std::int64_t b) {
    return b == -1 ? negated(a) : a / b;
}
STRATA_INLINE std::int64_t floor_div(std::int64_t a, std::int64_t b) {
    if (b == -1) return negated(a);
    return a / b - (a % b != 0 && (a < 0) != (b < 0));
}
template <Floating T> STRATA_INLINE T fmod(T a, T b) {
    return std::fmod(a, b);
}
STRATA_INLINE std::int64_t fmod(std::int64_t a, std::int64_t b) {
    return b == -1 ? 0 : a % b;
}
/// The remainder has the divisor's sign.
template <Floating T> STRATA_INLINE T remainder(T a, T b) {
    const T r = std::fmod(a, b);
    return r != T(0) && (b < T(0)) != (r < T(0)) ? r + b : r;
}
STRATA_INLINE std::int64_t remainder(std::int64_t a, std::int64_t b) {
    if (b == -1) return 0;
    const std::int64_t r = a % b;
    return r != 0 && (b < 0) != (r < 0) ? r + b : r;
}
/// Python's floor division of floats: from the exact remainder, not floor(a / b).
template <Floating T> STRATA_INLINE T floor_div(T a, T b) {
    if (b == T(0)) return a / b;
    const T r = std::fmod(a, b);
    T quotient = (a - r) / b;
    if (r != T(0) && (b < T(0)) != (r < T(0))) quotient -= T(1);
    if (quotient == T(0)) return std::copysign(T(0), a / b);
    const T whole = std::floor(quotient);
    return quotient - whole > T(0.5) ? whole + T(1) : whole;
}

template <std::integral T> STRATA_INLINE T bitwise_and(T a, T b) {
    return static_cast<T>(a & b);
}
template <std::integral T> STRATA_INLINE T bitwise_or(T a, T b) {
    return static_cast<T>(a | b);
}
template <std::integral T> STRATA_INLINE T bitwise_xor(T a, T b) {
    return static_cast<T>(a ^ b);
}
STRATA_INLINE std::int64_t bitwise_not(std::int64_t a) {
    return ~a;
}
STRATA_INLINE bool bitwise_not(bool a) {
    return !a;
}

} // namespace strata::ops::scalar
