#pragma once
// AOTAutograd: from a captured function over tensors to a functional ATen forward graph and backward graph, split by
// the min-cut partitioner, and a callable that runs them under the caller's autograd. Stage after Dynamo, before prims.

#include "engine/fx/Graph.h"
#include "engine/ops/Value.h"
#include "engine/symbolic/ShapeEnv.h"
#include "engine/trace/Record.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

/// The function to compile: tensors and sizes in, tensors (or None) out. It is run on fake tensors once or twice.
using FlatFunction = std::function<ops::Values(const ops::Values& inputs)>;

struct Input {
    ops::Value example; // a fake tensor (requires_grad as the real one's) or a SymInt
    std::string name;   // of the FX placeholder
    fx::Role role = fx::Role::Input;
    std::vector<std::string> from; // trace ids
};

/// Runs one graph: its placeholders' values in, its outputs out.
using Executor = std::function<ops::Values(const ops::Values& inputs)>;
/// A backend: inductor, or the graph interpreter. `region` is inference, forward or backward.
using GraphCompiler = std::function<Executor(std::shared_ptr<const fx::Graph> graph, const std::string& region)>;

struct Options {
    trace::Sink* sink = nullptr;
    std::string compile; // "0/0"
    symbolic::ShapeEnv* shapeEnv = nullptr;
    /// Called while tracing the captured graph's node number i; lets AOT put provenance on what is traced.
    /// Set by whoever interprets the captured graph (see currentOrigin).
    bool decompose = true; // core ATen decompositions
    bool recompute = true; // min-cut partition; else the backward computes nothing of the forward again but views
};

/// Where the node being interpreted came from; set around each captured node while `FlatFunction` runs.
struct Origin {
    std::string id; // "fx:0/0:add"
    std::string file;
    int line = 0;
    std::string module;
};
void setCurrentOrigin(const Origin* origin); // thread-local; null: none

/// What the real calls go through. Outputs are the FlatFunction's, in order; mutated inputs are updated in place;
/// outputs that alias inputs are views of them; a grad_fn named CompiledFunctionBackward is set where gradients are
/// needed.
using CompiledFunction = std::function<ops::Values(const ops::Values& inputs)>;

/// Captures, partitions and compiles. The backward graph is compiled on the first backward call.
/// Throws support::Refusal for what it does not handle; the caller then runs the captured function in eager.
CompiledFunction compile(const FlatFunction& function, std::vector<Input> inputs, const GraphCompiler& compiler,
                         Options options);

/// Lowers a functional ATen graph to the prim level (prims.sin, prims.broadcast_in_dim, prims.convert_element_type,
/// ..).
std::unique_ptr<fx::Graph> toPrims(const fx::Graph& graph, const std::string& compile, const std::string& region,
                                   trace::Sink* sink);

/// Runs a graph of ATen ops through the dispatcher, one op a node: the aot_eager backend.
Executor interpret(std::shared_ptr<const fx::Graph> graph);

} // namespace strata::aot
