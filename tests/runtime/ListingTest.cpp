#include "engine/runtime/Listings.h"
#include "tests/runtime/Kernels.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <sstream>

using namespace strata::runtime;
using namespace strata::runtime::tests;

namespace {

std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

/// The C++ lines of the listing's lines that hold `text`.
std::vector<int> cppLinesOf(const Listing& listing, const std::string& text) {
    const auto lines = split(listing.text);
    std::vector<int> out;
    for (std::size_t i = 0; i < lines.size(); ++i)
        if (lines[i].find(text) != std::string::npos) out.push_back(listing.cppLine[i]);
    return out;
}

} // namespace

TEST_CASE("line tables become lines, and what makes no code goes") {
    const Listing listing = readAssembly("\t.text\n"
                                         "\t.file\t\"kernel.cpp\"\n"
                                         "\t.globl\tf\n"
                                         "f:                    # @f\n"
                                         ".Lfunc_begin0:\n"
                                         "\t.file\t0 \".\" \"kernel.cpp\"\n"
                                         "\t.loc\t0 3 0                 # kernel.cpp:3:0\n"
                                         "\t.cfi_startproc\n"
                                         "# %bb.0:\n"
                                         "\tmovl\t$1, %eax\n"
                                         ".Ltmp0:\n"
                                         "\t.loc\t0 4 5 prologue_end is_stmt 0\n"
                                         "\tjmp\t.LBB0_2\n"
                                         "\t.loc\t0 0 5\n"
                                         ".LBB0_2:\n"
                                         "\tretq\n"
                                         ".Lfunc_end0:\n"
                                         "\t.size\tf, .Lfunc_end0-f\n"
                                         "g:\n"
                                         "\tretq\n"
                                         "\t.section\t.debug_abbrev,\"\",@progbits\n"
                                         "\t.byte\t1\n"
                                         ".Lline_table_start0:\n"
                                         "\t.section\t.rodata,\"a\",@progbits\n"
                                         "\t.byte\t2\n"
                                         "\t.ident\t\"clang\"\n");
    CHECK(listing.text == "\t.text\n"
                          "\t.globl\tf\n"
                          "f:                    # @f\n"
                          "# %bb.0:\n"
                          "\tmovl\t$1, %eax\n"
                          "\tjmp\t.LBB0_2\n"
                          ".LBB0_2:\n"
                          "\tretq\n"
                          ".Lfunc_end0:\n"
                          "\t.size\tf, .Lfunc_end0-f\n"
                          "g:\n"
                          "\tretq\n"
                          "\t.section\t.rodata,\"a\",@progbits\n"
                          "\t.byte\t2\n");
    CHECK(listing.cppLine == std::vector<int>{0, 0, 0, 0, 3, 4, 0, 0, 0, 0, 0, 0, 0, 0});
}

TEST_CASE("an empty or cut file is read as far as it goes") {
    CHECK(readAssembly("").text.empty());
    CHECK(readAssembly("\tretq").text == "\tretq\n");
    CHECK(readAssembly("\t.loc").text.empty());
    CHECK(readAssembly("\t.loc 1 x").text.empty());
}

TEST_CASE("instructions are credited to the kernel's statement, not to helpers or the entry") {
    const auto module = compile(unit("    #pragma omp simd\n"
                                     "    for (long i = 0; i < n; ++i) {\n"
                                     "        const float sum = x[i] + y[i];\n"
                                     "        const float t = math::tanh(sum);\n"
                                     "        out[i] = math::maximum(t, 0.5f);\n"
                                     "    }\n",
                                     "namespace math {\n"
                                     "inline float tanh(float x) { return __builtin_tanhf(x); }\n"
                                     "template <class T> T maximum(T a, T b) { return a > b || a != a ? a : b; }\n"
                                     "}\n"));
    const std::string& source = module->source();
    const int sum = lineOf(source, "float sum"), call = lineOf(source, "t = math::tanh"),
              store = lineOf(source, "out[i] ="), entry = lineOf(source, "launch_kernel");
    for (const Listing* listing : {&module->assembly(), &module->llvm()}) {
        CHECK(split(listing->text).size() == listing->cppLine.size());
        for (const int line : listing->cppLine) CHECK((line == 0 || line >= lineOf(source, "static void kernel")));
        // The entry's frame is entered, and buffers are read, before the kernel's loop.
        CHECK(std::count_if(listing->cppLine.begin(), listing->cppLine.end(), [&](int l) { return l >= entry; }) > 0);
    }
    CHECK(cppLinesOf(module->llvm(), "fadd contract float").front() == sum);
    for (const int line : cppLinesOf(module->llvm(), "@llvm.tanh.f32(float %")) CHECK(line == call);
    for (const int line : cppLinesOf(module->assembly(), "\tcallq\t_ZGV")) CHECK(line == call);
    CHECK(cppLinesOf(module->llvm(), "store float").front() == store);
    for (const int line : cppLinesOf(module->assembly(), "vaddps")) CHECK(line == sum);
}

TEST_CASE("the IR text is the module without debug metadata") {
    const auto module = compile(unit(parallelLoop));
    const std::string& text = module->llvm().text;
    CHECK_THAT(text, Catch::Contains("void @launch_kernel("));
    CHECK_THAT(text, !Catch::Contains("!dbg"));
    CHECK_THAT(text, !Catch::Contains("DILocation"));
    CHECK_THAT(text, !Catch::Contains(";@"));
    CHECK_THAT(module->assembly().text, !Catch::Contains(".loc\t"));
    CHECK_THAT(module->assembly().text, !Catch::Contains(".cfi_"));
    CHECK_THAT(module->assembly().text, !Catch::Contains(".debug_"));
}
