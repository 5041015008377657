#pragma once
// The last key of a call: kernels on real CPU tensors, metadata alone on fake ones.

#include "engine/ops/OpDef.h"

namespace strata::eager::backend {

struct Result {
    ops::Values outputs;
    int launches = 0;
    bool decomposed = false; // the op has no kernel: it ran as other ops, which were dispatched on their own
};

/// Whether one of the tensors is fake, so that the call computes metadata only.
bool isFakeCall(const ops::Values& args);
/// Runs the op's kernel (one launch), or makes its view, or, on fake tensors, its metadata. Checks what writing in
/// place must keep: shape, dtype, no overlap. support::Error with PyTorch's words.
Result run(const ops::OpDef& op, const ops::Values& args);
ops::Values runFake(const ops::OpDef& op, const ops::Values& args);

} // namespace strata::eager::backend
