#include "engine/aot/Cse.h"

#include "engine/fx/Printer.h"
#include "engine/ops/Registry.h"

namespace strata::aot {

bool isRandom(const fx::Node& node) {
    const ops::OpDef* op = node.op == fx::Opcode::CallFunction ? ops::find(node.target) : nullptr;
    return op && op->kind == ops::Kind::Random;
}

std::map<std::string, std::vector<std::string>> eliminateCommonSubexpressions(fx::Graph& graph) {
    std::map<std::string, fx::Node*> seen; // printed arguments tell 1, 1.0 and True apart
    std::map<fx::Node*, fx::Node*> replaced;
    std::map<std::string, std::vector<std::string>> merged;
    const auto now = [&](fx::Node* node) -> fx::Arg {
        const auto it = replaced.find(node);
        return it == replaced.end() ? node : it->second;
    };
    for (const auto& node : graph.nodes()) {
        for (fx::Arg& arg : node->args) arg = fx::mapNodes(arg, now);
        for (auto& [key, arg] : node->kwargs) arg = fx::mapNodes(arg, now);
        if (node->op != fx::Opcode::CallFunction || isRandom(*node)) continue;
        std::string text = node->target;
        for (const fx::Arg& arg : node->args) text += "|" + fx::print(arg);
        for (const auto& [key, arg] : node->kwargs) text += "|" + key + "=" + fx::print(arg);
        const auto [first, added] = seen.emplace(std::move(text), node.get());
        if (added) continue;
        replaced[node.get()] = first->second;
        merged[first->second->name].push_back(node->name);
    }
    graph.eliminateDeadCode([&](const fx::Node& node) { return isRandom(node); });
    return merged;
}

} // namespace strata::aot
