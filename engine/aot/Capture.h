#pragma once
// One run of a function over fake tensors: its inference or joint graph, and what must happen around the graph's calls
// so that a caller sees eager's effects: inputs changed, outputs that are inputs or views of them or of one another.
//
// The graph's outputs are PyTorch's: new values of changed inputs, the function's outputs, the bases of outputs that
// alias one another, and in a joint graph then a gradient (or None) an input.

#include "engine/aot/Tracer.h"

#include <memory>
#include <vector>

namespace strata::aot {

/// How a call makes one output of the function.
struct OutputPlan {
    enum class Kind : std::uint8_t {
        Constant,  // `constant`: None or a number
        Graph,     // the graph's own output
        Input,     // the input itself
        InputView, // the chain on an input
        BaseView,  // the chain on another output of the graph
        Same,      // the same object as an earlier output of the function
    } kind = Kind::Graph;
    int from = -1; // input, graph output or earlier output
    std::vector<View> chain;
    bool differentiable = true; // of a view: made with the caller's grad mode, else with grad mode off
    ops::Value constant;
};

struct Mutation {
    int input = 0;
    int output = 0;        // of the graph
    bool withGrad = false; // recorded by the caller's tape
};

struct Captured {
    std::shared_ptr<fx::Graph> graph;
    bool joint = false;
    int forwardOutputs = 0; // the joint graph's further outputs are gradients
    std::vector<Mutation> mutations;
    std::vector<OutputPlan> outputs;
    std::vector<int> tangents;        // the forward output of each tangent
    std::vector<bool> differentiable; // by forward output
    std::vector<Step> steps;
    bool usesStorageOffset = false; // an input's storage offset is built in
};

/// Throws support::Refusal for what cannot be made functional; support::Error where the function itself is wrong.
Captured capture(const FlatFunction& function, const std::vector<Input>& inputs, const Options& options);

} // namespace strata::aot
