#include "engine/runtime/Module.h"
#include "engine/support/Error.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <cmath>
#include <numeric>
#include <thread>

using namespace strata::runtime;
using namespace strata::runtime::tests;
using strata::support::Error;

namespace {

std::string messageOf(const std::string& cppText) {
    try {
        compile(cppText);
    } catch (const Error& error) {
        return error.what();
    }
    return {};
}

} // namespace

TEST_CASE("a kernel is compiled, linked and right") {
    const auto module = compile(unit(parallelLoop));
    std::vector<float> x(5000), y(5000);
    std::iota(x.begin(), x.end(), -7.0f);
    std::iota(y.begin(), y.end(), 0.5f);
    for (const std::size_t n : {1UL, 5UL, 16UL, 33UL, 1000UL, 5000UL}) {
        const std::vector<float> out = run(*module, {x.begin(), x.begin() + static_cast<long>(n)}, y);
        for (std::size_t i = 0; i < n; ++i) REQUIRE(out[i] == std::fma(x[i], y[i], 1.0f));
    }
    CHECK(module->source() == unit(parallelLoop));
    CHECK_FALSE(module->fromCache());
    CHECK(module->times().frontendMs > 0);
    CHECK(module->times().optimiseMs > 0);
    CHECK(module->times().codegenMs > 0);
    CHECK(module->times().linkMs > 0);
}

TEST_CASE("several kernels of one unit") {
    const auto module = compile("extern \"C\" int one() { return 1; }\nextern \"C\" int two() { return 2; }\n");
    CHECK(module->symbol("one") != module->symbol("two"));
    CHECK(module->functions() == std::vector<std::string>{"one", "two"});
}

TEST_CASE("a missing symbol is an error that names it") {
    const auto module = compile("extern \"C\" int one() { return 1; }\n");
    CHECK_THROWS_WITH(module->symbol("three"), Catch::Contains("three"));
    CHECK_THROWS_WITH(module->machineCode("three"), Catch::Contains("three"));
}

TEST_CASE("Clang's errors come with line, column and text") {
    const std::string message = messageOf("extern \"C\" int f() {\n    return undeclared;\n}\nint g( { }\n");
    CHECK_THAT(message, Catch::Contains("2:12: error: use of undeclared identifier 'undeclared'"));
    CHECK_THAT(message, Catch::Contains("4:11: error: expected ')'"));
    CHECK_THAT(messageOf("#include <cmath>\n"), Catch::Contains("1:10: error: 'cmath' file not found"));
    CHECK(messageOf("extern \"C\" int f() { int unused; return 1; }\n").empty()); // a warning is none
}

TEST_CASE("deeply nested expressions compile") {
    std::string value = "x[i]";
    for (int depth = 0; depth < 1000; ++depth) value = "(" + value + " + 1.0f)";
    CHECK(run("    for (long i = 0; i < n; ++i) out[i] = " + value + ";\n", {0.0f}) == std::vector<float>{1000.0f});
}

TEST_CASE("a call of something that is nowhere is refused when linking, not when called") {
    const std::string text = "extern \"C\" void nowhere_to_be_found();\n"
                             "extern \"C\" void f() { nowhere_to_be_found(); }\n";
    CHECK_THAT(messageOf(text), Catch::Contains("nowhere_to_be_found"));
    CHECK(messageOf("extern \"C\" int f() { return 1; }\n").empty()); // and the next one links
}

TEST_CASE("optimisation levels and OpenMP can be chosen") {
    CompileOptions plain;
    plain.openmp = false;
    for (const int level : {0, 1, 2, 3}) {
        plain.optimisation = level;
        const auto module = compile(unit(parallelLoop), plain);
        CHECK(run(*module, {2.0f}, {3.0f}) == std::vector<float>{7.0f});
        CHECK(lineOf(module->assembly().text, "__kmpc_fork_call") == 0);
        const int wide = lineOf(module->assembly().text, "%ymm") + lineOf(module->assembly().text, "%zmm");
        CHECK((wide > 0) == (level >= 1 && target().vectorBits > 128)); // simd is asked for: at -O1 it is heard
    }
    CHECK(lineOf(compile(unit(parallelLoop))->assembly().text, "__kmpc_fork_call") > 0);
}

TEST_CASE("a parallel loop runs on several threads") {
    const std::string text = "extern \"C\" int omp_get_thread_num();\n"
                             "extern \"C\" void launch_threads(void* const* buffers, const long* sizes) {\n"
                             "    int* seen = static_cast<int*>(buffers[0]);\n"
                             "    #pragma omp parallel num_threads(2)\n"
                             "    seen[omp_get_thread_num()] = 1;\n"
                             "    (void)sizes;\n"
                             "}\n";
    std::vector<int> seen(2, 0);
    call(*compile(text), "launch_threads", {seen.data()}, {});
    CHECK(seen == std::vector<int>{1, 1});
}

TEST_CASE("compiles run side by side") {
    std::vector<std::string> texts;
    for (int i = 0; i < 6; ++i)
        texts.push_back("extern \"C\" void launch_kernel(void* const* b, const long*) { *static_cast<int*>(b[0]) = " +
                        std::to_string(i) + "; }\n");
    const auto modules = compileAll(texts, {}, 3);
    REQUIRE(modules.size() == texts.size());
    for (int i = 0; i < 6; ++i) {
        int value = -1;
        call(*modules[static_cast<std::size_t>(i)], "launch_kernel", {&value}, {});
        CHECK(value == i);
    }
    texts[2] = "int broken(;\n";
    texts[4] = "int also broken;\n";
    CHECK_THROWS_WITH(compileAll(texts, {}, 3), Catch::Contains("1:12: error"));
    CHECK(compileAll({}).empty());
}

TEST_CASE("listings of one module may be asked for by several threads") {
    const auto module = compile(unit(tanhLoop));
    std::atomic<int> wrong{0};
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                if (module->assembly().text.empty() || module->llvm().text.empty()) ++wrong;
            });
    }
    CHECK(wrong == 0);
}

TEST_CASE("code lives as long as its module, and no longer matters to others") {
    auto first = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] + 1;\n"));
    auto second = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] + 2;\n"));
    first.reset();
    CHECK(run(*second, {1.0f}, {}) == std::vector<float>{3.0f});
    for (int i = 0; i < 5; ++i) {
        const auto next = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] + 3;\n"));
        CHECK(run(*next, {1.0f}, {}) == std::vector<float>{4.0f});
    }
}

TEST_CASE("warming up is repeatable, and the target is known") {
    warmUp();
    warmUp();
    CHECK_FALSE(target().cpu.empty());
    CHECK(target().clangVersion.rfind("19.1", 0) == 0);
    CHECK(target().vectorBits >= 128);
}
