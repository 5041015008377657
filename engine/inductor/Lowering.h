#pragma once
// First pass: a functional ATen graph becomes a loop program. Pointwise ops and reductions become loop nests from their
// declared bodies; views become index expressions on their base's buffer; constants are folded into the bodies that use
// them; ops that decompose further for the loop compiler do so here; everything else stays a call of the op (extern).

#include "engine/fx/Graph.h"
#include "engine/loop/Program.h"
#include "engine/ops/Value.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strata::inductor {

/// How to call an extern node: the op's arguments, with the tensors standing for layouts of buffers.
struct ExternCall {
    std::string target;
    ops::Values args;
    std::map<const tensor::TensorImpl*, loop::Layout> tensors;
    int output = 0;  // which of the op's results this buffer is
    int callOf = -1; // node index of the first result of the same call; -1: this is it
};

/// What a graph output is: a layout of a buffer, an integer, or nothing.
struct Result {
    enum class Kind { Tensor, Int, None } kind = Kind::None;
    loop::Layout layout;
    tensor::DType dtype = tensor::DType::Float32;
    symbolic::SymInt value = 0;
};

/// Where the value of a size symbol is found among the inputs: an int input, or a dim of a tensor input.
struct SymbolBinding {
    std::string symbol;
    int input = 0;
    int dim = -1; // -1: the input is the integer itself
};

struct Lowered {
    loop::Program program;
    std::map<std::string, ExternCall> externs;                     // by buffer
    std::vector<std::string> inputNames;                           // a name a placeholder; "" for integers
    std::vector<std::pair<std::string, tensor::Tensor>> constants; // tensors that the graph holds itself
    std::vector<Result> results;                                   // the graph's outputs
    std::vector<SymbolBinding> bindings;
};

/// Throws support::Refusal for a node that is no ATen op.
Lowered lower(const fx::Graph& graph, const std::string& compile, const std::string& region);

} // namespace strata::inductor
