#pragma once
// Cuts a joint graph at chosen values: what the forward needs, and what the backward needs with those values given.

#include "engine/aot/Partitioner.h"

namespace strata::aot {

/// `decisions` are left empty. Values in `saved` that the backward does not read are dropped.
Partition split(const fx::Graph& joint, const fx::ArgList& forwardOutputs, const fx::ArgList& backwardOutputs,
                const std::vector<fx::Node*>& saved);

} // namespace strata::aot
