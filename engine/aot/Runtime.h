#pragma once
// What a call of compiled code does around the graphs: it runs the forward graph outside of the tape, gives the outputs
// one tape node, copies new values into changed inputs, and makes outputs that are views of inputs or of one another
// anew, so that the caller cannot tell it from eager.

#include "engine/aot/Capture.h"

#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

/// Everything that calls of one compiled function share.
struct Program {
    FlatFunction function;
    std::vector<Input> inputs;
    Options options;
    Captured plan; // without its graph
    Executor forward;

    // A joint graph's backward.
    GraphCompiler compiler;
    std::shared_ptr<fx::Graph> backwardGraph;
    Executor backward;                    // compiled on first use
    int savedValues = 0;                  // follow the forward outputs
    std::vector<int> savedInput;          // by saved value: the input that it is, or -1
    int savedSizes = 0;                   // follow the saved values
    std::vector<std::string> freeSymbols; // come before them in the backward's inputs
    std::vector<int> gradientInputs;      // inputs that get a gradient, in order
};

CompiledFunction makeCallable(std::shared_ptr<Program> program);

} // namespace strata::aot
