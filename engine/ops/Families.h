#pragma once
// Where ops are declared. Each family file defines one of these; Registry.cpp concatenates them in this order, fills in
// what is derived, and adds in-place forms. A declaration reads
//
//     {.schema = "sigmoid(Tensor self) -> Tensor",
//      .doc = "1 / (1 + exp(-x))",
//      .dtype = DTypeRule::IntToFloat,
//      .element = element<1>(Floats{}, [](auto x) { return sigmoid(x); }),   // Element.h; or .meta + .kernel
//      .derivative = Derivative{{}, {0}, [](const Saved& s, const Tensors& g) -> Tensors {
//          return {f::sigmoidBackward(g[0], s.outputs[0])}; }},
//      .samples = [] { return samples::unary(-4, 4); },                     // Samples.h
//      .inPlaceVariant = true},
//
// Fields keep the order of OpDef. Derived when absent:
//   meta      Pointwise: broadcast shapes, output strides like TensorIterator's, dtype by the rule.
//   body, kernel   Pointwise: from `element`.
//   in-place  with inPlaceVariant: name_ with self written, the same kernel, the same derivative.
// A View has meta with `aliases = 0`, no kernel. A Composite has only `composite` (and samples).
// A gradient that comes back larger than its input is summed to size, and converted to its dtype, by the tape: formulas
// need not (PyTorch's validate_outputs).

#include "engine/ops/OpDef.h"

namespace strata::ops {

std::vector<OpDef> arithmeticOps();       // add, mul, div, pow
std::vector<OpDef> comparisonOps();       // eq, lt, logical_and, bitwise_or, ..
std::vector<OpDef> selectionOps();        // where, clamp, maximum, lerp, addcmul
std::vector<OpDef> unaryOps();            // exp, sin, floor, ..
std::vector<OpDef> activationOps();       // relu, sigmoid, tanh, silu, .. and their backward ops
std::vector<OpDef> smoothActivationOps(); // gelu, softplus, elu and their backward ops
std::vector<OpDef> copyOps();             // copy, clone, _to_copy, fill, zero, detach, alias
std::vector<OpDef> reductionOps();        // sum, mean, amax, argmax, softmax, ..
std::vector<OpDef> viewOps();             // view, expand, permute, slice, ..
std::vector<OpDef> creationOps();         // zeros, full, arange, ..
std::vector<OpDef> gatherOps();           // cat, gather, embedding, scatter, ..
std::vector<OpDef> matmulOps();           // mm, addmm, bmm, matmul
std::vector<OpDef> nnOps();               // linear, cross_entropy_loss, layer_norm, ..
std::vector<OpDef> randomOps();           // rand, uniform_, normal_, dropout, ..

} // namespace strata::ops
