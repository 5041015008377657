#include "engine/aot/Split.h"

#include "engine/aot/Cse.h"
#include "engine/fx/Printer.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::aot {

namespace {

using fx::Node;
using fx::Opcode;
using Names = std::set<std::string>;

Node* copyNode(const Node& node, fx::Graph& to, const std::map<const Node*, Node*>& known) {
    const auto replace = [&](Node* input) -> fx::Arg { return known.at(input); };
    Node* twin = nullptr;
    if (node.op == Opcode::Placeholder) {
        twin = to.placeholder(node.name);
    } else {
        fx::ArgList args;
        fx::ArgDict kwargs;
        for (const fx::Arg& arg : node.args) args.push_back(fx::mapNodes(arg, replace));
        for (const auto& [key, arg] : node.kwargs) kwargs.emplace_back(key, fx::mapNodes(arg, replace));
        twin = to.call(node.op, node.target, std::move(args), std::move(kwargs), node.name);
    }
    twin->value = node.value;
    twin->values = node.values;
    twin->intValue = node.intValue;
    twin->isInt = node.isInt;
    twin->role = node.role;
    twin->module = node.module;
    twin->file = node.file;
    twin->line = node.line;
    twin->from = node.from;
    twin->isBackward = node.isBackward;
    return twin;
}

// The part of a graph that computes `outputs` when `inputs` are given as placeholders.
std::shared_ptr<fx::Graph> extract(const fx::Graph& joint, const std::vector<Node*>& inputs, const fx::ArgList& outputs,
                                   const char* title, bool keepRandom) {
    auto graph = std::make_shared<fx::Graph>(title);
    std::map<const Node*, Node*> known;
    for (Node* input : inputs) {
        Node* made = graph->placeholder(input->name);
        made->value = input->value;
        made->intValue = input->intValue;
        made->isInt = input->isInt;
        made->role = input->op == Opcode::Placeholder && keepRandom ? input->role
                     : input->isInt                                 ? fx::Role::Size
                     : input->role == fx::Role::Tangent             ? fx::Role::Tangent
                                                                    : fx::Role::Saved;
        made->from = input->from;
        known[input] = made;
    }
    for (const auto& node : joint.nodes()) {
        if (known.contains(node.get()) || node->op == Opcode::Placeholder || node->op == Opcode::Output) continue;
        const auto needs = node->inputs();
        if (!std::all_of(needs.begin(), needs.end(), [&](const Node* input) { return known.contains(input); }))
            continue;
        known[node.get()] = copyNode(*node, *graph, known);
    }
    fx::ArgList results;
    for (const fx::Arg& output : outputs)
        results.push_back(fx::mapNodes(output, [&](Node* node) -> fx::Arg {
            const auto it = known.find(node);
            if (it == known.end()) throw support::Refusal("aot_partition_incomplete", {{"node", node->name}});
            return it->second;
        }));
    graph->output(fx::Tuple{std::move(results), ""});
    graph->eliminateDeadCode([&](const Node& node) { return keepRandom && isRandom(node) && !node.isBackward; });
    return graph;
}

void addSymbols(Names& symbols, symbolic::SymInt value) {
    if (!value.isSymbolic()) return;
    for (const std::string& name : symbolic::symbolsOf(value)) symbols.insert(name);
}

void addSymbols(Names& symbols, const fx::Arg& arg) {
    if (const auto* value = arg.as<symbolic::SymInt>()) addSymbols(symbols, *value);
    if (const auto* list = arg.as<fx::List>())
        for (const fx::Arg& item : list->items) addSymbols(symbols, item);
    if (const auto* tuple = arg.as<fx::Tuple>())
        for (const fx::Arg& item : tuple->items) addSymbols(symbols, item);
}

// Symbols that a graph computes with, or that its tensors' shapes and strides hold.
Names symbolsOf(const fx::Graph& graph) {
    Names symbols;
    for (const auto& node : graph.nodes()) {
        for (const fx::Arg& arg : node->args) addSymbols(symbols, arg);
        for (const auto& [key, arg] : node->kwargs) addSymbols(symbols, arg);
        if (node->isInt) addSymbols(symbols, node->intValue);
        if (!node->value.defined()) continue;
        for (const symbolic::SymInt size : node->value.sizes()) addSymbols(symbols, size);
        for (const symbolic::SymInt stride : node->value.strides()) addSymbols(symbols, stride);
    }
    return symbols;
}

// A recomputed value is made just before the first node of the backward proper that needs it
// (reordering_to_mimic_autograd_engine).
std::shared_ptr<fx::Graph> inEngineOrder(const fx::Graph& backward, const std::vector<std::string>& freeSymbols) {
    std::vector<Node*> nodes;
    std::map<const Node*, std::size_t> order;
    for (const auto& node : backward.nodes()) {
        order[node.get()] = nodes.size();
        nodes.push_back(node.get());
    }
    std::size_t first = nodes.size();
    for (std::size_t i = 0; i < nodes.size(); ++i)
        for (const Node* input : nodes[i]->inputs())
            if (input->op == Opcode::Placeholder && input->role == fx::Role::Tangent && nodes[i]->op != Opcode::Output)
                first = std::min(first, i);
    auto ordered = std::make_shared<fx::Graph>(backward.title);
    std::map<const Node*, Node*> known;
    for (const std::string& symbol : freeSymbols) {
        Node* size = ordered->placeholder(symbol);
        size->role = fx::Role::Size;
        size->isInt = true;
        size->intValue = symbolic::SymInt::symbol(symbol);
    }
    for (Node* node : nodes)
        if (node->op == Opcode::Placeholder) known[node] = copyNode(*node, *ordered, known);
    const auto insert = [&](Node* wanted) {
        std::set<std::size_t> missing;
        std::vector<Node*> work{wanted};
        while (!work.empty()) {
            Node* node = work.back();
            work.pop_back();
            if (known.contains(node) || !missing.insert(order.at(node)).second) continue;
            for (Node* input : node->inputs()) work.push_back(input);
        }
        for (const std::size_t i : missing) known[nodes[i]] = copyNode(*nodes[i], *ordered, known);
    };
    for (std::size_t i = first; i < nodes.size(); ++i)
        if (nodes[i]->op != Opcode::Output) insert(nodes[i]);
    Node* output = backward.outputNode();
    for (Node* input : output->inputs()) insert(input);
    ordered->output(fx::mapNodes(output->args.at(0), [&](Node* node) -> fx::Arg { return known.at(node); }));
    return ordered;
}

} // namespace

Partition split(const fx::Graph& joint, const fx::ArgList& forwardOutputs, const fx::ArgList& backwardOutputs,
                const std::vector<Node*>& saved) {
    std::vector<Node*> primals, tangents, sizes, values;
    for (Node* node : joint.placeholders()) (node->role == fx::Role::Tangent ? tangents : primals).push_back(node);
    for (Node* node : saved) (node->isInt ? sizes : values).push_back(node);
    const auto backwardInputs = [&] {
        std::vector<Node*> inputs = sizes;
        inputs.insert(inputs.end(), values.begin(), values.end());
        inputs.insert(inputs.end(), tangents.begin(), tangents.end());
        return inputs;
    };
    Partition out;
    // A first extraction tells which saved values and sizes are read at all.
    const auto draft = extract(joint, backwardInputs(), backwardOutputs, "backward", false);
    Names read;
    for (const auto& node : draft->nodes())
        for (const Node* input : node->inputs()) read.insert(input->name);
    const auto unread = [&](const Node* node) { return !read.contains(node->name); };
    std::erase_if(values, unread);
    std::erase_if(sizes, unread);
    Names symbols = symbolsOf(*extract(joint, backwardInputs(), backwardOutputs, "backward", false));
    std::vector<Node*> bound;
    for (Node* node : primals) {
        if (!node->isInt || !node->intValue.isSymbolic() || node->intValue.expr()->kind != symbolic::ExprKind::Symbol)
            continue;
        if (symbols.erase(node->intValue.str()) == 0) continue;
        bound.push_back(node);
        std::erase(sizes, node);
    }
    sizes.insert(sizes.begin(), bound.begin(), bound.end());
    for (const Node* node : sizes) out.sizes.push_back(node->name);
    for (const Node* node : values) out.saved.push_back(node->name);
    out.freeSymbols.assign(symbols.begin(), symbols.end());
    fx::ArgList results = forwardOutputs;
    for (Node* node : values) results.emplace_back(node);
    for (Node* node : sizes) results.emplace_back(node);
    out.forward = extract(joint, primals, results, "forward", true);
    out.backward =
        inEngineOrder(*extract(joint, backwardInputs(), backwardOutputs, "backward", false), out.freeSymbols);
    fx::verify(*out.forward);
    fx::verify(*out.backward);
    return out;
}

} // namespace strata::aot
