#pragma once
// The one list of stages, in the order a program flows. What `--emit` knows, what the trace calls them, and which text
// each leaves behind come from here.

#include <array>
#include <string_view>

namespace strata::pipeline {

struct Stage {
    std::string_view name;     // as in stage_finished and --emit
    std::string_view artifact; // the trace kind that it leaves; empty: none of its own
    std::string_view does;     // one clause
};

inline constexpr std::array stages{
    Stage{"source", "source", "the program as given"},
    Stage{"bytecode", "bytecode", "CPython's bytecode of a frame"},
    Stage{"dynamo", "fx", "the graph that Dynamo captured"},
    Stage{"guards", "guards", "what the capture relied on"},
    Stage{"transformed_bytecode", "transformed_bytecode", "the frame rewritten to call the compiled graph"},
    Stage{"joint", "joint", "AOTAutograd's forward and backward in one graph"},
    Stage{"forward", "forward", "the forward, or inference, graph"},
    Stage{"backward", "backward", "the backward graph"},
    Stage{"prims", "prims", "the graph in primitive operations"},
    Stage{"lowering", "loops", "loop nests, one a node"},
    Stage{"scheduling", "fused_loops", "loop nests fused into kernels"},
    Stage{"memory_plan", "memory_plan", "which buffers share memory"},
    Stage{"wrapper", "wrapper", "the calls that run a graph"},
    Stage{"codegen", "cpp", "C++ with OpenMP"},
    Stage{"llvm", "llvm", "optimised LLVM IR"},
    Stage{"asm", "asm", "the machine's assembly"},
};

/// The stage of this name or artifact kind; null when there is none.
constexpr const Stage* stageNamed(std::string_view name) {
    for (const Stage& stage : stages)
        if (stage.name == name || stage.artifact == name) return &stage;
    return nullptr;
}

} // namespace strata::pipeline
