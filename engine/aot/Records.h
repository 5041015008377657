#pragma once
// What AOTAutograd tells the trace: its graphs, and its decisions.

#include "engine/aot/Capture.h"
#include "engine/aot/Partitioner.h"

#include <chrono>
#include <string>

namespace strata::aot {

/// stage_finished with the milliseconds since `start`.
void sendStage(const Options& options, const std::string& region, const char* stage,
               std::chrono::steady_clock::time_point start);
/// The artifact of a graph, with `outputs` (those that are not None), and for a joint graph with each item's side
/// (`forward`, `backward`, `both`) and whether it is saved.
void sendGraph(const Options& options, const fx::Graph& graph, const std::string& kind, const std::string& region,
               const Partition* partition = nullptr);
/// functionalized and decomposed steps, as far as their nodes are in the graph. `kind` is joint or forward.
void sendSteps(const Options& options, const std::vector<Step>& steps, const fx::Graph& graph, const std::string& kind,
               const std::string& region);
/// saved and recomputed.
void sendDecisions(const Options& options, const Partition& partition);

} // namespace strata::aot
