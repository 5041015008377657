#include "engine/runtime/KernelCache.h"
#include "engine/runtime/Module.h"
#include "engine/runtime/Verify.h"
#include "engine/support/Error.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace strata::runtime;
using namespace strata::runtime::tests;

namespace {

const std::string softmax =
    unit("    #pragma omp parallel for if(n > 64)\n"
         "    for (long r = 0; r < n; ++r) {\n"
         "        float sum = 0.0f;\n"
         "        #pragma omp simd reduction(+ : sum)\n"
         "        for (long i = 0; i < 128; ++i) sum += __builtin_expf(x[r * 128 + i]);\n"
         "        #pragma omp simd\n"
         "        for (long i = 0; i < 128; ++i) out[r * 128 + i] = math::scale(__builtin_expf(x[r * 128 + i]), sum);\n"
         "    }\n",
         "namespace math { inline float scale(float a, float b) { return a / b; } }\n");

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    REQUIRE(at != std::string::npos);
    return text.replace(at, from.size(), to);
}

} // namespace

TEST_CASE("the assembly that is shown assembles to the bytes in memory") {
    for (const std::string& text : {unit(tanhLoop), unit(parallelLoop), softmax}) {
        const auto module = compile(text);
        CHECK(differences(module->assembly().text, *module) == std::vector<std::string>{});
    }
}

TEST_CASE("at every level of optimisation") {
    for (const int level : {0, 1, 2}) {
        CompileOptions options;
        options.optimisation = level;
        const auto module = compile(softmax, options);
        CHECK(differences(module->assembly().text, *module) == std::vector<std::string>{});
    }
}

TEST_CASE("the C++ text compiled afresh gives the same machine code") {
    const auto module = compile(softmax);
    module->assembly(); // asking for texts first must not change anything
    module->llvm();
    const auto again = compile(module->source());
    CHECK(differences(*module, *again) == std::vector<std::string>{});
    CHECK(again->assembly().text == module->assembly().text);
    CHECK(again->llvm().text == module->llvm().text);
}

TEST_CASE("an instruction that was changed, dropped or added is found") {
    const auto module = compile(unit(parallelLoop));
    const std::string& text = module->assembly().text;
    const std::string add = text.find("vfmadd213ps") != std::string::npos ? "vfmadd213ps" : "vfmadd213ss";
    const std::string other = add == "vfmadd213ps" ? "vfmsub213ps" : "vfmsub213ss";
    if (text.find(add) != std::string::npos) CHECK(differences(replaced(text, add, other), *module).size() == 1);
    CHECK_FALSE(differences(replaced(text, "\tretq\n", "\tnop\n\tretq\n"), *module).empty());
    std::string renamed = text;
    for (std::size_t at; (at = renamed.find("launch_kernel")) != std::string::npos;)
        renamed.replace(at, 13, "launch_other");
    CHECK_FALSE(differences(renamed, *module).empty());
    CHECK_THROWS_AS(differences("\tno such instruction\n", *module), strata::support::Error);
}

TEST_CASE("different C++ is different code") {
    const auto one = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] + 1.0f;\n"));
    const auto two = compile(unit("    for (long i = 0; i < n; ++i) out[i] = x[i] * y[i];\n"));
    CHECK_FALSE(differences(*one, *two).empty());
}

TEST_CASE("the functions in memory are those that are called, outlined ones included") {
    const auto module = compile(unit(parallelLoop));
    const auto functions = module->functions();
    REQUIRE(functions.size() == 2);
    bool outlined = false;
    for (const std::string& name : functions) {
        const MachineCode code = module->machineCode(name);
        CHECK_FALSE(code.bytes.empty());
        CHECK(code.bytes.size() == code.relocated.size());
        CHECK(lineOf(module->assembly().text, "\n" + name + ":") > 0);
        outlined |= name.find(".omp_outlined") != std::string::npos;
        if (name == "launch_kernel") CHECK(code.address == reinterpret_cast<std::uintptr_t>(module->symbol(name)));
    }
    CHECK(outlined);
}
