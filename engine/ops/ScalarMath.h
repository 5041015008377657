#pragma once
// Elementary functions of C++ scalars for op bodies. exp, exp2, log, log2, tanh in both precisions and erf, log1p,
// expm1 in single are polynomials of our own (minimax fits; the error in units in the last place stands at each),
// branch-free, so that a loop over them vectorises at any width; the rest is libm, vectorised through libmvec where
// that has the function.

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#define STRATA_INLINE [[gnu::always_inline]] inline

namespace strata::ops::scalar {

template <class T>
concept Arithmetic = std::is_arithmetic_v<T>;
template <class T>
concept Floating = std::is_floating_point_v<T>;

/// A constant of the operand's type: number(x, 0.5).
template <Arithmetic T> STRATA_INLINE constexpr T number(T, double value) {
    return static_cast<T>(value);
}

namespace detail {

// What exp needs of a type: adding `magic` rounds to an integer that stands in the low bits.
template <class T> struct ExpTraits;
template <> struct ExpTraits<float> {
    using Bits = std::int32_t;
    static constexpr float magic = 12582912.0F, log2e = 1.44269504F, ln2High = 0.693145751953125F,
                           ln2Low = 1.42860677e-6F;
    static constexpr float low = -104.5F, high = 89.5F;
    static constexpr int mantissaBits = 23, bias = 127;
    STRATA_INLINE static float polynomial(float r) {
        return r * r * (0.49999993F + r * (0.16666515F + r * (0.04166846F + r * (0.00836942F + r * 0.0013813145F)))) +
               r + 1.0F;
    }
};
template <> struct ExpTraits<double> {
    using Bits = std::int64_t;
    static constexpr double magic = 6755399441055744.0, log2e = 1.4426950408889634, ln2High = 0.693147180369123816490,
                            ln2Low = 1.90821492927058770002e-10, low = -746.0, high = 710.5;
    static constexpr int mantissaBits = 52, bias = 1023;
    STRATA_INLINE static double polynomial(double r) {
        double p = 2.083168606692648012e-9;
        p = p * r + 2.511243660306814576e-8;
        p = p * r + 2.755756080255179595e-7;
        p = p * r + 2.755723413242671618e-6;
        p = p * r + 0.00002480158696455470497;
        p = p * r + 0.0001984126989654192572;
        p = p * r + 0.001388888888908049169;
        p = p * r + 0.008333333333317307302;
        p = p * r + 0.04166666666666625111;
        p = p * r + 0.1666666666666668235;
        p = p * r + 0.5;
        return p * r * r + r + 1.0;
    }
};

template <class T, class Bits> STRATA_INLINE T powerOfTwo(Bits n) {
    using Traits = ExpTraits<T>;
    return std::bit_cast<T>(static_cast<Bits>((n + Traits::bias) << Traits::mantissaBits));
}

} // namespace detail

/// exp(x) = 2^n * exp(r), |r| <= ln(2) / 2. Within 1 unit in the last place; 2^n in two factors, so that results near
/// overflow and below the smallest normal number come out right.
template <Floating T> STRATA_INLINE T exp(T x) {
    using Traits = detail::ExpTraits<T>;
    using Bits = typename Traits::Bits;
    T bounded = x < Traits::low ? Traits::low : x; // written so that NaN stays
    bounded = bounded > Traits::high ? Traits::high : bounded;
    const T shifted = bounded * Traits::log2e + Traits::magic;
    const T n = shifted - Traits::magic;
    const T r = (bounded - n * Traits::ln2High) - n * Traits::ln2Low;
    const Bits exponent = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(Traits::magic);
    const Bits half = exponent >> 1;
    return Traits::polynomial(r) * detail::powerOfTwo<T>(half) *
           detail::powerOfTwo<T>(static_cast<Bits>(exponent - half));
}

namespace detail {

template <class T> struct LogTraits;
template <> struct LogTraits<float> {
    using Bits = std::int32_t;
    static constexpr Bits rootHalf = 0x3f3504f3, mantissa = 0x007fffff; // bits of sqrt(1/2)
    static constexpr int shift = 23;
    static constexpr float subnormalScale = 8388608.0F, subnormalExponent = 23.0F;
    static constexpr float ln2High = 0.693145751953125F, ln2Low = 1.42860677e-6F, log2e = 1.44269504F;
    STRATA_INLINE static float series(float z) {
        return z * (0.66666667F + z * (0.40000124F + z * (0.28550651F + z * 0.23334721F)));
    }
};
template <> struct LogTraits<double> {
    using Bits = std::int64_t;
    static constexpr Bits rootHalf = 0x3fe6a09e667f3bcd, mantissa = 0x000fffffffffffff;
    static constexpr int shift = 52;
    static constexpr double subnormalScale = 4503599627370496.0, subnormalExponent = 52.0;
    static constexpr double ln2High = 0.693147180369123816490, ln2Low = 1.90821492927058770002e-10,
                            log2e = 1.4426950408889634;
    STRATA_INLINE static double series(double z) {
        double p = 0.1309081635641479814;
        p = p * z + 0.1326836313450349562;
        p = p * z + 0.1538625541719518222;
        p = p * z + 0.1818179534245932374;
        p = p * z + 0.2222222239459772439;
        p = p * z + 0.2857142857079036446;
        p = p * z + 0.4000000000000089969;
        p = p * z + 0.6666666666666666646;
        return p * z;
    }
};

/// x = 2^exponent * (1 + f), 1 + f between sqrt(1/2) and sqrt(2); log(1 + f) = f - correction.
template <class T> struct LogParts {
    T exponent, f, correction;
};

// With s = f / (2 + f): log(1 + f) = 2 atanh(s) = f - (f^2/2 - s (f^2/2 + R(s^2))), R the tail of the series.
template <Floating T> STRATA_INLINE LogParts<T> logParts(T x) {
    using Traits = LogTraits<T>;
    using Bits = typename Traits::Bits;
    const bool subnormal = x < std::numeric_limits<T>::min();
    const T scaled = subnormal ? x * Traits::subnormalScale : x;
    const Bits offset = std::bit_cast<Bits>(scaled) - Traits::rootHalf;
    const T exponent = static_cast<T>(offset >> Traits::shift) - (subnormal ? Traits::subnormalExponent : T(0));
    const T f = std::bit_cast<T>(static_cast<Bits>((offset & Traits::mantissa) + Traits::rootHalf)) - T(1);
    const T s = f / (T(2) + f), half = T(0.5) * f * f;
    return {exponent, f, half - s * (half + Traits::series(s * s))};
}

// Zero, negative, infinite and NaN arguments.
template <Floating T> STRATA_INLINE T logSpecial(T x, T value) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const T finite = x == T(0) ? -infinity : value;
    const T positive = x < T(0) ? std::numeric_limits<T>::quiet_NaN() : finite;
    return x < infinity ? positive : x; // NaN comes through too
}

} // namespace detail

/// Within 1 unit in the last place.
template <Floating T> STRATA_INLINE T log(T x) {
    using Traits = detail::LogTraits<T>;
    const detail::LogParts<T> p = detail::logParts(x);
    return detail::logSpecial(x, p.exponent * Traits::ln2High - ((p.correction - p.exponent * Traits::ln2Low) - p.f));
}

/// Exact for powers of two, elsewhere within 2 units in the last place.
template <Floating T> STRATA_INLINE T log2(T x) {
    const detail::LogParts<T> p = detail::logParts(x);
    return detail::logSpecial(x, p.exponent + (p.f - p.correction) * detail::LogTraits<T>::log2e);
}
template <Floating T> STRATA_INLINE T log10(T x) {
    return std::log10(x);
}

/// As exp, with n = round(x): exact for whole numbers.
template <Floating T> STRATA_INLINE T exp2(T x) {
    using Traits = detail::ExpTraits<T>;
    using Bits = typename Traits::Bits;
    constexpr T limit = T(Traits::bias + Traits::mantissaBits + 2);
    T bounded = x < -limit ? -limit : x;
    bounded = bounded > limit ? limit : bounded;
    const T shifted = bounded + Traits::magic;
    const T r = (bounded - (shifted - Traits::magic)) * T(0.69314718055994530942);
    const Bits exponent = std::bit_cast<Bits>(shifted) - std::bit_cast<Bits>(Traits::magic);
    const Bits half = exponent >> 1;
    return Traits::polynomial(r) * detail::powerOfTwo<T>(half) *
           detail::powerOfTwo<T>(static_cast<Bits>(exponent - half));
}

/// log(1 + x) = log(u) * x / (u - 1) with u = 1 + x rounded: the quotient makes good what rounding lost (Kahan).
/// Within 3 units in the last place.
STRATA_INLINE float log1p(float x) {
    const float u = 1.0F + x, d = u - 1.0F;
    const float value = log(u) * (x / d);
    return d == 0.0F ? x : (u > std::numeric_limits<float>::max() ? u : value);
}
STRATA_INLINE double log1p(double x) {
    return std::log1p(x);
}

/// exp(x) - 1 by the same device: (u - 1) * x / log(u) with u = exp(x). Within 3 units.
STRATA_INLINE float expm1(float x) {
    const float u = exp(x), d = u - 1.0F;
    const float value = d * (x / log(u));
    return u == 1.0F ? x : (d == -1.0F || u > std::numeric_limits<float>::max() ? d : value);
}
STRATA_INLINE double expm1(double x) {
    return std::expm1(x);
}

template <Floating T> STRATA_INLINE T sin(T x) {
    return std::sin(x);
}
template <Floating T> STRATA_INLINE T cos(T x) {
    return std::cos(x);
}
template <Floating T> STRATA_INLINE T tan(T x) {
    return std::tan(x);
}
template <Floating T> STRATA_INLINE T asin(T x) {
    return std::asin(x);
}
template <Floating T> STRATA_INLINE T acos(T x) {
    return std::acos(x);
}
template <Floating T> STRATA_INLINE T atan(T x) {
    return std::atan(x);
}
template <Floating T> STRATA_INLINE T sinh(T x) {
    return std::sinh(x);
}
template <Floating T> STRATA_INLINE T cosh(T x) {
    return std::cosh(x);
}
template <Floating T> STRATA_INLINE T atan2(T y, T x) {
    return std::atan2(y, x);
}

namespace detail {
STRATA_INLINE float tanhTerms(float z) {
    return -0.3333331207866F + z * (0.13332010174F + z * (-0.05377492565F + z * (0.02072720907F + z * -0.0057816088F)));
}
STRATA_INLINE double tanhTerms(double z) {
    double p = -0.0000161563660943063616;
    p = p * z + 0.00007738959814004456539;
    p = p * z - 0.0002288567687889409451;
    p = p * z + 0.0005865068146032894736;
    p = p * z - 0.001455033895329255954;
    p = p * z + 0.003592007854861752268;
    p = p * z - 0.008863223952504327346;
    p = p * z + 0.02186948786322073741;
    p = p * z - 0.05396825394732769634;
    p = p * z + 0.1333333333330658774;
    return p * z - 0.3333333333333327562;
}
} // namespace detail

/// Odd polynomial below 0.63, 1 - 2 / (exp(2|x|) + 1) above. Within 2 units in the last place.
template <Floating T> STRATA_INLINE T tanh(T x) {
    const T a = std::fabs(x), z = x * x;
    const T small = a + a * (z * detail::tanhTerms(z));
    const T large = T(1) - T(2) / (exp(T(2) * a) + T(1));
    return std::copysign(a < T(0.63) ? small : large, x);
}

/// x * P(x^2) below 1, 1 - exp(P(|x|)) with a fit of log(erfc) above. Within 3 units in the last place.
STRATA_INLINE float erf(float x) {
    const float a = std::fabs(x), z = x * x;
    const float small =
        x * (1.1283791F +
             z * (-0.37612626F +
                  z * (0.11283585F +
                       z * (-0.026853812F + z * (0.0051883277F + z * (-0.00080101934F + z * 0.000078538608F))))));
    const float b = a > 4.0F ? 4.0F : a;
    float p = -0.000021445514F;
    p = p * b + 0.00043852935F;
    p = p * b - 0.004190853F;
    p = p * b + 0.025171801F;
    p = p * b - 0.10836154F;
    p = p * b - 0.63327242F;
    p = p * b - 1.129552F;
    p = p * b + 0.00018245919F;
    const float large = std::copysign(1.0F - exp(p), x);
    return a < 1.0F ? small : (x != x ? x : large);
}
STRATA_INLINE double erf(double x) {
    return std::erf(x);
}
template <Floating T> STRATA_INLINE T erfc(T x) {
    return std::erfc(x);
}

} // namespace strata::ops::scalar
