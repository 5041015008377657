#pragma once
// From a graph node's arguments to an op's boxed arguments.

#include "engine/fx/Graph.h"
#include "engine/ops/OpDef.h"

#include <functional>

namespace strata::ops {

/// The arguments of a call of `op` that `node` stands for, one a schema parameter, defaults filled in. `valueOf` gives
/// what an input node stands for: a tensor or an integer. Throws support::Error (Type) for what the schema does not
/// have.
Values argumentsOf(const fx::Node& node, const OpDef& op, const std::function<Value(const fx::Node*)>& valueOf);

} // namespace strata::ops
