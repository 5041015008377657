#include "engine/fx/Printer.h"
#include "engine/support/Error.h"

#include <set>

namespace strata::fx {

namespace {
[[noreturn]] void fail(const Node& node, const std::string& what) {
    throw support::Error("the graph '" + node.graph->title + "' is malformed at node " + node.name + ": " + what);
}
} // namespace

void verify(const Graph& graph) {
    std::set<const Node*> defined;
    std::set<std::string> names;
    bool computing = false, ended = false;
    for (const auto& owned : graph.nodes()) {
        const Node& node = *owned;
        if (ended) fail(node, "it stands after the output");
        if (!names.insert(node.name).second) fail(node, "its name is taken");
        if (node.op == Opcode::Placeholder) {
            if (computing) fail(node, "a placeholder stands after a call");
            if (!node.args.empty()) fail(node, "a placeholder has arguments");
        } else {
            computing = true;
        }
        if (node.target.empty()) fail(node, "it has no target");
        if (node.op == Opcode::CallMethod && node.args.empty()) fail(node, "a method call has no object");
        if (node.op == Opcode::Output) {
            if (node.args.size() != 1) fail(node, "the output takes one argument");
            ended = true;
        }
        for (const Node* input : node.inputs())
            if (!defined.count(input)) fail(node, "it uses " + input->name + ", which is not defined before it");
        defined.insert(&node);
    }
    if (!ended) throw support::Error("the graph '" + graph.title + "' has no output");
}

} // namespace strata::fx
