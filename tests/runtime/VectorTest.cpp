// Which C++ becomes vector code, and that it stays right: the idioms of engine/runtime/README.md.

#include "engine/runtime/Module.h"
#include "engine/runtime/VectorMath.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

using namespace strata::runtime;
using namespace strata::runtime::tests;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
const float notANumber = std::nanf("");

bool usesWideRegisters(Module& module) {
    const std::string name = target().vectorBits == 512 ? "%zmm" : target().vectorBits == 256 ? "%ymm" : "%xmm";
    return lineOf(module.assembly().text, name) > 0;
}

bool vectorised(Module& module) {
    return std::any_of(module.remarks().begin(), module.remarks().end(), [](const Remark& r) { return r.vectorised; });
}

std::vector<float> ramp(std::size_t n, float from, float to) {
    std::vector<float> out(n);
    for (std::size_t i = 0; i < n; ++i) out[i] = from + (to - from) * static_cast<float>(i) / static_cast<float>(n - 1);
    return out;
}

/// Distance in units of the last place of `exact`.
double ulps(float value, double exact) {
    const auto rounded = static_cast<float>(exact);
    const double ulp = std::nextafter(std::fabs(rounded), inf) - std::fabs(rounded);
    return std::fabs(static_cast<double>(value) - exact) / ulp;
}

struct Function {
    const char* name;
    double (*exact)(double);
    float from, to;
};

} // namespace

TEST_CASE("an element-wise loop is vector code, and says so") {
    const auto module = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] * y[i] + 1.0f;\n"));
    CHECK(usesWideRegisters(*module));
    CHECK(vectorised(*module));
    CHECK(lineOf(module->assembly().text, "vfmadd") > 0);
    const auto remark =
        std::find_if(module->remarks().begin(), module->remarks().end(), [](const Remark& r) { return r.vectorised; });
    CHECK(remark->cppLine == 2);
    CHECK(remark->text.find("vectorization width: " + std::to_string(target().vectorBits / 32)) != std::string::npos);
}

TEST_CASE("a loop that carries a value is not, and says why") {
    const auto module =
        compile(unit("    float s = 0;\n    for (long i = 0; i < n; ++i) out[i] = s = s * x[i] + y[i];\n"));
    CHECK_FALSE(vectorised(*module));
    REQUIRE_FALSE(module->remarks().empty());
    CHECK(module->remarks()[0].cppLine == 3);
    CHECK_THAT(module->remarks()[0].text, Catch::StartsWith("loop not vectorized"));
}

TEST_CASE("an if clause must name the directive that it is about") {
    const std::string loop = "    for (long i = 0; i < n; ++i) out[i] = x[i] * y[i];\n";
    const auto named = compile(unit("    #pragma omp parallel for simd if(parallel : n > 100)\n" + loop));
    const auto unnamed = compile(unit("    #pragma omp parallel for simd if(n > 100)\n" + loop));
    const auto refused = [](Module& m) {
        return std::any_of(m.remarks().begin(), m.remarks().end(),
                           [](const Remark& r) { return r.text.find("explicitly disabled") != std::string::npos; });
    };
    CHECK_FALSE(refused(*named));
    CHECK(refused(*unnamed)); // it also switches simd off for the short loop
}

TEST_CASE("functions of libmvec are called in vector form, at most 4 ulp off") {
    if (target().vectorFunctions == 0) return;
    const Function functions[] = {
        {"tanh", std::tanh, -5, 5},     {"exp", std::exp, -80, 80},      {"expm1", std::expm1, -3, 3},
        {"exp2", std::exp2, -100, 100}, {"log", std::log, 1e-3f, 1e4f},  {"log1p", std::log1p, -0.9f, 50},
        {"log2", std::log2, 1e-3f, 9},  {"log10", std::log10, 1e-3f, 9}, {"sin", std::sin, -9, 9},
        {"cos", std::cos, -9, 9},       {"tan", std::tan, -1.5f, 1.5f},  {"asin", std::asin, -1, 1},
        {"acos", std::acos, -1, 1},     {"atan", std::atan, -9, 9},      {"sinh", std::sinh, -9, 9},
        {"cosh", std::cosh, -9, 9},     {"erf", std::erf, -3, 3},        {"erfc", std::erfc, -3, 3},
        {"cbrt", std::cbrt, -9, 9},
    };
    for (const Function& f : functions) {
        INFO(f.name);
        const std::string scalar = std::string(f.name) + "f";
        const auto module = compile(
            unit("    #pragma omp simd\n    for (long i = 0; i < n; ++i) out[i] = __builtin_" + scalar + "(x[i]);\n"));
        const auto& table = vectorFunctions(target().vectorBits);
        const auto entry =
            std::find_if(table.begin(), table.end(), [&](const VectorFunction& v) { return v.scalar == scalar; });
        if (entry == table.end()) continue; // this glibc lacks it
        CHECK(lineOf(module->assembly().text, entry->vector) > 0);
        const auto x = ramp(1003, f.from, f.to);
        const auto out = run(*module, x, {});
        double worst = 0;
        for (std::size_t i = 0; i < x.size(); ++i)
            if (std::fabs(f.exact(x[i])) > 1e-6) worst = std::max(worst, ulps(out[i], f.exact(x[i])));
        CHECK(worst <= 4.0);
    }
}

TEST_CASE("vector functions keep infinities and NaN") {
    const auto module = compile(unit(tanhLoop));
    std::vector<float> x(32, 0.25f), y(32, 0.0f);
    x[0] = inf, x[1] = -inf, x[2] = notANumber, x[17] = notANumber;
    const auto out = run(*module, x, y);
    CHECK(out[0] == 1.0f);
    CHECK(out[1] == -1.0f);
    CHECK(std::isnan(out[2]));
    CHECK(std::isnan(out[17]));
    CHECK(out[3] == Approx(std::tanh(0.25)));
}

TEST_CASE("pow and atan2 have two vector arguments") {
    const auto power =
        compile(unit("    #pragma omp simd\n    for (long i = 0; i < n; ++i) out[i] = __builtin_powf(x[i], y[i]);\n"));
    const auto angle = compile(
        unit("    #pragma omp simd\n    for (long i = 0; i < n; ++i) out[i] = __builtin_atan2f(x[i], y[i]);\n"));
    if (target().vectorFunctions > 0) {
        CHECK(lineOf(power->assembly().text, "vv_powf") > 0);
        CHECK(lineOf(angle->assembly().text, "vv_atan2f") > 0);
    }
    const auto x = ramp(100, 0.1f, 4), y = ramp(100, -2, 3);
    const auto p = run(*power, x, y), a = run(*angle, x, y);
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(p[i] == Approx(std::pow(x[i], y[i])));
        CHECK(a[i] == Approx(std::atan2(x[i], y[i])));
    }
}

TEST_CASE("double has its own vector functions") {
    const auto module = compile("extern \"C\" void launch_kernel(void* const* b, const long* sizes) {\n"
                                "    const double* __restrict x = static_cast<const double*>(b[0]);\n"
                                "    double* __restrict out = static_cast<double*>(b[2]);\n"
                                "    #pragma omp simd\n"
                                "    for (long i = 0; i < sizes[0]; ++i) out[i] = __builtin_exp(x[i]);\n"
                                "}\n");
    if (target().vectorFunctions > 0) CHECK(lineOf(module->assembly().text, "v_exp") > 0);
    std::vector<double> x{0, 1, -1, 2, 3, 4, 5, 6, 7}, out(9);
    call(*module, "launch_kernel", {x.data(), nullptr, out.data()}, {9});
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(out[i] == Approx(std::exp(x[i])).epsilon(1e-14));
}

TEST_CASE("a sum is a simd reduction") {
    const auto module = compile(unit("    float sum = 0.0f;\n"
                                     "    #pragma omp simd reduction(+ : sum)\n"
                                     "    for (long i = 0; i < n; ++i) sum += x[i];\n"
                                     "    out[0] = sum;\n"));
    CHECK(vectorised(*module));
    CHECK(usesWideRegisters(*module));
    CHECK(run(*module, std::vector<float>(1000, 0.5f), {}, 1)[0] == 500.0f);
}

TEST_CASE("a maximum over lanes is vector code and keeps NaN wherever it stands") {
    const auto module = compile(unit("    float max[64];\n"
                                     "    for (long lane = 0; lane < 64; ++lane) max[lane] = -__builtin_inff();\n"
                                     "    for (long strip = 0; strip < n; strip += 64) {\n"
                                     "        const long count = n - strip < 64 ? n - strip : 64;\n"
                                     "        #pragma omp simd\n"
                                     "        for (long lane = 0; lane < count; ++lane)\n"
                                     "            max[lane] = maximum(max[lane], x[strip + lane]);\n"
                                     "    }\n"
                                     "    float all = max[0];\n"
                                     "    for (long lane = 1; lane < 64; ++lane) all = maximum(all, max[lane]);\n"
                                     "    out[0] = all;\n",
                                     "template <class T> T maximum(T a, T b) { return a > b || a != a ? a : b; }\n"));
    CHECK(vectorised(*module));
    CHECK(usesWideRegisters(*module));
    for (const std::size_t n : {1UL, 63UL, 64UL, 65UL, 300UL}) {
        std::vector<float> x = ramp(std::max<std::size_t>(n, 2), -3, -1);
        x.resize(n);
        CHECK(run(*module, x, {}, 1)[0] == *std::max_element(x.begin(), x.end()));
        for (const std::size_t at : {std::size_t{0}, n / 2, n - 1}) {
            for (const float bad : {notANumber, -notANumber}) {
                auto y = x;
                y[at] = bad;
                CHECK(std::isnan(run(*module, y, {}, 1)[0]));
            }
        }
    }
    CHECK(run(*module, {-inf, -inf}, {}, 1)[0] == -inf);
}

TEST_CASE("sigmoid and gelu vectorise through exp and erf") {
    const auto sigmoid = compile(unit(
        "    #pragma omp simd\n    for (long i = 0; i < n; ++i) out[i] = 1.0f / (1.0f + __builtin_expf(-x[i]));\n"));
    const auto gelu = compile(unit("    #pragma omp simd\n    for (long i = 0; i < n; ++i) out[i] = x[i] * 0.5f * "
                                   "(1.0f + __builtin_erff(x[i] * 0.70710678f));\n"));
    CHECK(vectorised(*sigmoid));
    CHECK(vectorised(*gelu));
    const auto x = ramp(200, -6, 6);
    const auto s = run(*sigmoid, x, {}), g = run(*gelu, x, {});
    for (std::size_t i = 0; i < x.size(); ++i) {
        CHECK(s[i] == Approx(1 / (1 + std::exp(-static_cast<double>(x[i])))).epsilon(1e-6));
        CHECK(g[i] == Approx(x[i] * 0.5 * (1 + std::erf(x[i] * M_SQRT1_2))).epsilon(1e-5).margin(3e-6));
    }
}

TEST_CASE("narrower machines get their own functions") {
    for (const VectorFunction& f : vectorFunctions(128)) CHECK(f.lanes <= 4);
    CHECK(vectorFunctions(128).size() < vectorFunctions(512).size() + 1);
    CHECK(vectorFunctions(64).empty());
}
