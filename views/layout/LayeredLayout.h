#pragma once
// A layered drawing of a directed graph in the manner of Sugiyama, Tagawa and Toda (1981), fast enough to show
// thousands of nodes at once:
//
//   1. cycles are opened by turning round the edges that close them in a depth-first walk,
//   2. a node's layer is its longest path from a source; sources then sink to just above their first user,
//   3. edges that pass layers get a bend a layer, unless they pass more than `longestBentEdge` layers,
//   4. layers are put in order by sweeps of barycentres, keeping the order with the fewest crossings,
//   5. x coordinates: in alternating sweeps every node is drawn to the mean of its neighbours; the least squares under
//      "keep the order and the gaps" are exact, by pooling adjacent violators.
//
// A group is laid out by itself, becomes one big node of the outer graph, and is put back. The time is
// O((nodes + edges) log nodes) with a fixed number of sweeps. It does not minimise edge length (network simplex) and
// does not route around boxes of other layers: a very long edge runs behind what lies between.

#include "views/layout/Geometry.h"

namespace strata::layout {

inline constexpr int longestBentEdge = 24;

/// Edges to or from nodes that do not exist are given an empty route. Deterministic.
GraphLayout layered(const GraphInput& input);

} // namespace strata::layout
