#pragma once
// Common subexpressions: of calls with one target and equal arguments the first stays, as in PyTorch's fx_graph_cse,
// which runs on the joint graph before it is partitioned. Random ops are never merged.

#include "engine/fx/Graph.h"

#include <map>
#include <string>
#include <vector>

namespace strata::aot {

/// Whether the node draws random numbers: it is not merged, not recomputed, and runs even when nothing reads it.
bool isRandom(const fx::Node& node);

/// Merges in place. Returns, for each node that stays, the names of those merged into it.
std::map<std::string, std::vector<std::string>> eliminateCommonSubexpressions(fx::Graph& graph);

} // namespace strata::aot
