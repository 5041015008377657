#pragma once
// Second pass: which nodes share a kernel. Every loop node starts as a kernel of its own; pairs that depend on one
// another or read the same buffer are considered, the pair that saves most memory traffic first, and merged when
//
//   - both are loops (a library call is never fused into),
//   - their iteration domains agree: equal ranges, or one's ranges are the other's without its reduced dims,
//   - what the later one reads of the earlier one's buffers is the very element that the same iteration wrote (a read
//   at
//     other positions is never fused into the kernel that writes the buffer),
//   - no path leads from one to the other through a third kernel.
//
// It does not reorder loops for locality, tile, or recompute a producer to fuse it twice.

#include "engine/inductor/Lowering.h"
#include "engine/trace/Record.h"

#include <string>
#include <vector>

namespace strata::inductor {

/// The iteration space of a kernel: the dims of its loops, and which of them its reductions reduce.
struct Domain {
    symbolic::SymInts sizes; // without dims of size 1
    std::vector<bool> reduced;
    bool hasReduction() const;
    symbolic::SymInts outer() const; // sizes of the dims that are not reduced
};

/// A node inside a kernel, with its indices renamed to the kernel's: d0, d1, .. one a dim of the domain.
struct Member {
    int node = 0;       // in the program
    bool outer = false; // runs once an outer iteration, not for every reduced index
    loop::ScalarRef body;
    symbolic::SymInt store = 0;
};

struct Kernel {
    std::string name; // "cpp_fused_add_relu_0"; the op's name for an extern
    bool isExtern = false;
    Domain domain;
    std::vector<Member> members;            // in program order
    std::vector<std::string> reads, writes; // buffers; writes: those that something outside the kernel needs
};

struct Decision {
    std::string a, b; // buffers
    bool fused = false;
    std::string rule;
    std::int64_t score = 0; // bytes of memory traffic saved, with symbolic sizes at their smallest
    trace::Json values = trace::Json::object();
};

struct Schedule {
    std::vector<Kernel> kernels; // in execution order
    std::vector<Decision> decisions;
};

Schedule schedule(const Lowered& lowered);

} // namespace strata::inductor
