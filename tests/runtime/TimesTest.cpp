// Not run by default: strata_tests_runtime "[times]" -s prints what a compile costs on this machine.

#include "engine/runtime/Module.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>

using namespace strata::runtime;
using namespace strata::runtime::tests;

namespace {

template <class Action> double milliseconds(Action&& action) {
    const auto start = std::chrono::steady_clock::now();
    action();
    return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
}

double median(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

} // namespace

TEST_CASE("what a compile costs", "[.][times]") {
    WARN("warm-up: " << milliseconds([] { warmUp(); }) << " ms");
    for (const auto& [name, loop] : {std::pair{"tanh", tanhLoop}, std::pair{"parallel", parallelLoop}}) {
        std::vector<double> frontend, optimise, codegen, link, whole, texts;
        for (int i = 0; i < 15; ++i) {
            std::shared_ptr<Module> module;
            whole.push_back(milliseconds([&] { module = compile(unit(loop) + "// " + std::to_string(i)); }));
            frontend.push_back(module->times().frontendMs);
            optimise.push_back(module->times().optimiseMs);
            codegen.push_back(module->times().codegenMs);
            link.push_back(module->times().linkMs);
            texts.push_back(milliseconds([&] { module->llvm(), module->assembly(); }));
        }
        WARN(name << ": frontend " << median(frontend) << ", optimise " << median(optimise) << ", codegen "
                  << median(codegen) << ", link " << median(link) << ", whole " << median(whole) << ", texts on demand "
                  << median(texts) << " ms");
    }
}
