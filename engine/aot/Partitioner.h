#pragma once
// Splits a joint graph into a forward and a backward graph: which values does the forward save for the backward, and
// which does the backward compute again?
//
// The algorithm is PyTorch's min_cut_rematerialization_partition (Horace He and Shangdi Yu, "Transcending
// Runtime-Memory Tradeoffs in Checkpointing by being Fusion Aware", MLSys 2023; torch/_functorch/partitioners.py).
// Every node of the joint graph becomes two vertices with an edge between them, as heavy as saving the node's value;
// uses are edges of infinite capacity. The source feeds the inputs and every node that may not be recomputed; the sink
// drains every node that depends on a tangent. A minimum cut is then the cheapest set of values to save; where several
// cost the same, the one nearest to the backward is taken.
//
//   weight    bytes * 1.1^(distance to the backward); twice that unless the value is in memory anyway, that is an input
//             or read by an op that does not fuse. Parameters and buffers are kept alive by the caller and cost
//             nothing.
//   banned    ops that are not on PyTorch's list of recomputable ops (matrix products, convolutions, softmax, random
//             ops, ..); values that an op of the backward, which does not fuse, reads; reductions, whose result is less
//             than a quarter of their inputs; fusible ops that read a value far above an op that does not fuse; the end
//             of a fusible chain longer than 100 nodes. Views are never banned.
//
// Before that equal subexpressions are merged (Cse.h). The backward's nodes then stand in the order of the autograd
// engine, so that a recomputed value is made just before its first use. What PyTorch also has and this does not: a
// memory budget below 1 (knapsack), activation checkpoint regions, offloading, effect tokens.

#include "engine/fx/Graph.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

/// Why a value is saved or recomputed: a record's fields.
struct SavingDecision {
    std::string node; // of the joint graph
    bool saved = false;
    std::int64_t bytes = 0;
    double cost = 0; // its weight in the network
    /// saved: input, compute_intensive, random, not_recomputable, materialized_backward, reduction, far_apart,
    /// long_chain, cut (recomputing was allowed, saving is cheaper). recomputed: view, fusible.
    std::string code;
};

struct Partition {
    std::shared_ptr<fx::Graph> forward;  // outputs: the joint graph's first ones, saved values, saved sizes
    std::shared_ptr<fx::Graph> backward; // placeholders: free symbols, saved sizes, saved values, tangents
    std::vector<std::string> saved;      // names of the saved values, in order
    std::vector<std::string> sizes; // placeholders of sizes that the backward needs; in the forward's outputs as well
    std::vector<std::string> freeSymbols; // symbols that the backward needs and no size placeholder binds
    std::vector<SavingDecision> decisions;
};

/// The joint graph's outputs are `forwardOutputs` results, then gradients. `hint` is the size seen while tracing. The
/// joint graph is changed: equal subexpressions are merged. Without `recompute` only views are computed again
/// (PyTorch's default_partition). Throws support::Refusal when no finite cut exists.
Partition partition(fx::Graph& joint, int forwardOutputs, const std::function<std::int64_t(symbolic::SymInt)>& hint,
                    bool recompute = true);

} // namespace strata::aot
