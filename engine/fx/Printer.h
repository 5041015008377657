#pragma once
// The text form of a graph, after print_readable of torch.fx: one node a line, with dtype and shape, names as targets.
//
//     def forward(self, x: "f32[64, 64]", y: "f32[64, 64]"):
//         # program.py:6
//         sin: "f32[64, 64]" = torch.sin(x)
//         add: "f32[64, 64]" = aten.add.Tensor(sin, y)
//         return (add,)

#include "engine/fx/Graph.h"
#include "engine/trace/Record.h"

#include <memory>

namespace strata::fx {

std::string print(const Arg& arg);
std::string print(const Graph& graph);
/// The line of print() that a node stands on, from 1.
std::vector<std::pair<const Node*, int>> linesOf(const Graph& graph);
/// Reads print()'s text; parse(print(g)) prints the same. Throws support::Error with line and column.
std::unique_ptr<Graph> parse(const std::string& text);
/// Throws support::Error naming the first node that breaks a rule (defined before use, names unique, one output last,
/// ..).
void verify(const Graph& graph);
/// The artifact record of engine/trace/README.md: kind is fx, joint, forward, backward or prims.
trace::Record artifact(const Graph& graph, const std::string& kind, const std::string& compile,
                       const std::string& region);
/// "fx:0/0:add" or, with a region and kind prims, "prims:0/0:forward:add".
std::string itemId(const Node& node, const std::string& kind, const std::string& compile, const std::string& region);

} // namespace strata::fx
