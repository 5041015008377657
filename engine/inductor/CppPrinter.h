#pragma once
// Third pass: each fused kernel becomes a C++ function with OpenMP pragmas. The text is what runtime compiles, and what
// the window shows.
//
// A kernel without reductions is one loop nest, dims merged where every access allows it. A kernel with reductions
// loops over the outer dims and, inside, runs one inner loop after another: a new one starts where a node needs the
// finished result of a reduction. Values that a later inner loop needs again are kept in a row on the stack, recomputed
// when that is cheap, or read back from the buffer that they are stored in. When the memory runs along an outer dim (a
// sum over rows), that dim is cut into lanes and vectorised instead.
//
// It does not tile for strides that conflict, and it runs maxima over everything on one thread.

#include "engine/inductor/Scheduler.h"

#include <string>
#include <vector>

namespace strata::inductor {

/// One parameter of a kernel: a buffer's pointer.
struct Parameter {
    std::string buffer;
    bool written = false;
};

struct PrintedKernel {
    std::string name; // the extern "C" entry takes (void* const* buffers, const long* sizes)
    std::vector<Parameter> parameters;
    std::vector<std::string> sizes; // symbols, in the order of the entry's `sizes`
};

struct PrintedProgram {
    std::string text;
    std::vector<PrintedKernel> kernels;             // one a non-extern kernel, in order
    std::vector<std::vector<std::string>> lineFrom; // a line of text: the buffers whose nodes it computes
    std::vector<int> lineKernel;                    // a line of text: the kernel's number in the schedule, -1 none
};

/// Buffers that a kernel must store although nothing outside it reads them: later inner loops read them back.
std::vector<std::string> keptInMemory(const Lowered& lowered, const Kernel& kernel);

/// `inPlace`: buffers that are stored over an input (same elements), which must not be declared as not aliasing.
PrintedProgram printCpp(const Lowered& lowered, const Schedule& schedule,
                        const std::map<std::string, std::string>& inPlace);

} // namespace strata::inductor
