#pragma once
// The Autograd key: runs the op below, then records what the tape needs of it.

#include "engine/eager/Autograd.h"

namespace strata::eager::autogradKey {

using Below = ops::Values (*)(const ops::OpDef& op, ops::Values args);

/// Calls `below`, and gives differentiable results their history. Refuses in-place ops on leaves as PyTorch does.
ops::Values call(const ops::OpDef& op, ops::Values args, Below below);

} // namespace strata::eager::autogradKey
