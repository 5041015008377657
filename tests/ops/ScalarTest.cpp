// Scalars of op bodies: accuracy against long double, and the values at the edges.
#include "engine/ops/Scalar.h"

#include <catch2/catch.hpp>

using namespace strata::ops;

namespace {

template <class T> double ulps(T got, long double want) {
    const T nearest = static_cast<T>(want);
    if (got == nearest) return 0;
    const T unit = std::nextafter(std::fabs(nearest), std::numeric_limits<T>::infinity()) - std::fabs(nearest);
    return static_cast<double>(std::fabs(static_cast<long double>(got) - want) / unit);
}

template <class T, class F, class G> double worst(F f, G reference, double low, double high) {
    double result = 0;
    constexpr int steps = 20000;
    for (int i = 0; i <= steps; ++i) {
        const T x = static_cast<T>(low + (high - low) * i / steps);
        result = std::max(result, ulps(f(x), reference(static_cast<long double>(x))));
    }
    return result;
}

constexpr float inf = std::numeric_limits<float>::infinity(), notANumber = std::numeric_limits<float>::quiet_NaN();

} // namespace

#define STRATA_WORST(T, name, reference, low, high)                                                                    \
    worst<T>([](T x) { return scalar::name(x); }, [](long double x) { return reference(x); }, low, high)

TEST_CASE("functions of our own are within a few units in the last place") {
    CHECK(STRATA_WORST(float, exp, expl, -103, 88.7) <= 1.1);
    CHECK(STRATA_WORST(double, exp, expl, -745, 709) <= 1.1);
    CHECK(STRATA_WORST(float, exp2, exp2l, -149, 127.9) <= 1.1);
    CHECK(STRATA_WORST(double, exp2, exp2l, -1074, 1023) <= 1.1);
    CHECK(STRATA_WORST(float, log, logl, 1e-3, 3) <= 1);
    CHECK(STRATA_WORST(double, log, logl, 1e-3, 3) <= 1);
    CHECK(STRATA_WORST(float, log, logl, 1e-44, 1e-37) <= 1); // below the smallest normal number
    CHECK(STRATA_WORST(float, log2, log2l, 1e-3, 3) <= 2);
    CHECK(STRATA_WORST(float, tanh, tanhl, -4, 4) <= 2);
    CHECK(STRATA_WORST(double, tanh, tanhl, -4, 4) <= 2);
    CHECK(STRATA_WORST(float, erf, erfl, -4, 4) <= 3);
    CHECK(STRATA_WORST(float, log1p, log1pl, -0.99, 5) <= 3);
    CHECK(STRATA_WORST(float, expm1, expm1l, -5, 5) <= 3);
}

TEST_CASE("special values") {
    CHECK(scalar::exp(inf) == inf);
    CHECK(scalar::exp(-inf) == 0);
    CHECK(scalar::isnan(scalar::exp(notANumber)));
    CHECK(scalar::log(0.0F) == -inf);
    CHECK(scalar::log(inf) == inf);
    CHECK(scalar::isnan(scalar::log(-1.0F)));
    CHECK(scalar::log2(8.0F) == 3);
    CHECK(scalar::exp2(-149.0F) == std::numeric_limits<float>::denorm_min());
    CHECK(scalar::tanh(inf) == 1);
    CHECK(std::signbit(scalar::tanh(-0.0F)));
    CHECK(scalar::erf(-inf) == -1);
    CHECK(scalar::isnan(scalar::erf(notANumber)));
    CHECK(scalar::log1p(-1.0F) == -inf);
    CHECK(scalar::expm1(-inf) == -1);
    CHECK(scalar::sign(notANumber) == 0);
    CHECK(scalar::round(2.5F) == 2);
    CHECK(scalar::round(3.5F) == 4);
}

TEST_CASE("maximum and minimum give NaN when an operand is NaN") {
    CHECK(scalar::isnan(scalar::maximum(notANumber, 1.0F)));
    CHECK(scalar::isnan(scalar::maximum(1.0F, notANumber)));
    CHECK(scalar::isnan(scalar::minimum(notANumber, 1.0F)));
    CHECK(scalar::isnan(scalar::minimum(1.0F, notANumber)));
    CHECK(scalar::maximum(1.0F, 2.0F) == 2);
}

TEST_CASE("division and powers of integers") {
    constexpr std::int64_t smallest = std::numeric_limits<std::int64_t>::min();
    const auto i = [](std::int64_t x) { return x; };
    CHECK(scalar::floor_div(i(-7), i(2)) == -4);
    CHECK(scalar::floor_div(i(7), i(-2)) == -4);
    CHECK(scalar::div(i(-7), i(2)) == -3);
    CHECK(scalar::remainder(i(-7), i(3)) == 2);
    CHECK(scalar::fmod(i(-7), i(3)) == -1);
    CHECK(scalar::floor_div(smallest, i(-1)) == smallest); // wraps
    CHECK(scalar::pow(i(3), i(4)) == 81);
    CHECK(scalar::pow(i(2), i(-1)) == 0);
    CHECK(scalar::pow(i(-1), i(-3)) == -1);
}

TEST_CASE("floor division of floats follows the exact remainder") {
    CHECK(scalar::floor_div(1.0, 0.1) == 9); // floor(1 / 0.1) would be 10
    CHECK(scalar::floor_div(-1.0, 3.0) == -1);
    CHECK(scalar::floor_div(1.0, 0.0) == std::numeric_limits<double>::infinity());
    CHECK(scalar::remainder(-1.0, 3.0) == 2);
    CHECK(scalar::fmod(-1.0, 3.0) == -1);
}
