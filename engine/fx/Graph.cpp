#include "engine/fx/Graph.h"

#include "engine/support/Error.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace strata::fx {

std::string_view name(Opcode opcode) {
    static constexpr std::string_view names[] = {"placeholder", "get_attr",    "call_function",
                                                 "call_method", "call_module", "output"};
    return names[static_cast<std::size_t>(opcode)];
}

void forEachNode(const Arg& arg, const std::function<void(Node*)>& f) {
    if (const auto* node = arg.as<Node*>()) f(*node);
    if (const auto* tuple = arg.as<Tuple>())
        for (const Arg& item : tuple->items) forEachNode(item, f);
    if (const auto* list = arg.as<List>())
        for (const Arg& item : list->items) forEachNode(item, f);
    if (const auto* dict = arg.as<Dict>())
        for (const auto& [key, item] : dict->items) forEachNode(item, f);
    if (const auto* slice = arg.as<Slice>())
        for (const Arg& item : *slice->parts) forEachNode(item, f);
}

namespace {
ArgList mapList(const ArgList& items, const std::function<Arg(Node*)>& f) {
    ArgList out;
    out.reserve(items.size());
    for (const Arg& item : items) out.push_back(mapNodes(item, f));
    return out;
}

ArgDict mapDict(const ArgDict& items, const std::function<Arg(Node*)>& f) {
    ArgDict out;
    out.reserve(items.size());
    for (const auto& [key, item] : items) out.emplace_back(key, mapNodes(item, f));
    return out;
}
} // namespace

Arg mapNodes(const Arg& arg, const std::function<Arg(Node*)>& f) {
    if (const auto* node = arg.as<Node*>()) return f(*node);
    if (const auto* tuple = arg.as<Tuple>()) return Tuple{mapList(tuple->items, f), tuple->typeName};
    if (const auto* list = arg.as<List>()) return List{mapList(list->items, f)};
    if (const auto* dict = arg.as<Dict>()) return Dict{mapDict(dict->items, f)};
    if (const auto* slice = arg.as<Slice>()) return Slice{std::make_shared<ArgList>(mapList(*slice->parts, f))};
    return arg;
}

std::vector<Node*> Node::inputs() const {
    std::vector<Node*> out;
    std::set<const Node*> seen;
    const auto add = [&](Node* node) {
        if (seen.insert(node).second) out.push_back(node);
    };
    for (const Arg& arg : args) forEachNode(arg, add);
    for (const auto& [key, arg] : kwargs) forEachNode(arg, add);
    return out;
}

Node* Graph::add(std::unique_ptr<Node> node) {
    node->graph = this;
    Node* raw = node.get();
    auto at = m_nodes.end();
    if (m_insertionPoint)
        at = std::find_if(m_nodes.begin(), m_nodes.end(), [&](const auto& n) { return n.get() == m_insertionPoint; });
    m_nodes.insert(at, std::move(node));
    return raw;
}

Node* Graph::placeholder(const std::string& name) {
    auto node = std::make_unique<Node>();
    node->op = Opcode::Placeholder;
    node->name = node->target = uniqueName(name);
    return add(std::move(node));
}

Node* Graph::call(Opcode op, const std::string& target, ArgList args, ArgDict kwargs, const std::string& nameHint) {
    auto node = std::make_unique<Node>();
    node->op = op;
    node->target = target;
    node->name = uniqueName(nameHint.empty() ? target : nameHint);
    node->args = std::move(args);
    node->kwargs = std::move(kwargs);
    return add(std::move(node));
}

Node* Graph::output(Arg value) {
    auto node = std::make_unique<Node>();
    node->op = Opcode::Output;
    node->name = node->target = "output";
    node->args.push_back(std::move(value));
    return add(std::move(node));
}

Node* Graph::outputNode() const {
    for (auto it = m_nodes.rbegin(); it != m_nodes.rend(); ++it)
        if ((*it)->op == Opcode::Output) return it->get();
    return nullptr;
}

std::vector<Node*> Graph::placeholders() const {
    std::vector<Node*> out;
    for (const auto& node : m_nodes)
        if (node->op == Opcode::Placeholder) out.push_back(node.get());
    return out;
}

std::size_t Graph::callCount() const {
    return static_cast<std::size_t>(std::count_if(m_nodes.begin(), m_nodes.end(), [](const auto& node) {
        return node->op != Opcode::Placeholder && node->op != Opcode::Output;
    }));
}

std::vector<Node*> Graph::users(const Node* node) const {
    std::vector<Node*> out;
    for (const auto& other : m_nodes) {
        const auto inputs = other->inputs();
        if (std::find(inputs.begin(), inputs.end(), node) != inputs.end()) out.push_back(other.get());
    }
    return out;
}

void Graph::replaceAllUses(Node* old, Node* by) {
    const std::function<Arg(Node*)> replace = [&](Node* node) -> Arg { return node == old ? by : node; };
    for (const auto& node : m_nodes) {
        if (node.get() == by) continue;
        node->args = mapList(node->args, replace);
        node->kwargs = mapDict(node->kwargs, replace);
    }
}

void Graph::erase(Node* node) {
    if (const auto left = users(node); !left.empty())
        throw support::Error("the node " + node->name + " cannot be erased: " + left.front()->name + " uses it");
    if (m_insertionPoint == node) m_insertionPoint = nullptr;
    m_nodes.remove_if([&](const auto& n) { return n.get() == node; });
}

int Graph::eliminateDeadCode(const std::function<bool(const Node&)>& keep) {
    std::set<const Node*> live;
    for (auto it = m_nodes.rbegin(); it != m_nodes.rend(); ++it) {
        const Node& node = **it;
        const bool root = node.op == Opcode::Output || node.op == Opcode::Placeholder || (keep && keep(node));
        if (!root && !live.count(&node)) continue;
        live.insert(&node);
        for (const Node* input : node.inputs()) live.insert(input);
    }
    const std::size_t before = m_nodes.size();
    m_nodes.remove_if([&](const auto& node) { return !live.count(node.get()); });
    return static_cast<int>(before - m_nodes.size());
}

std::string Graph::uniqueName(const std::string& hint) {
    // "aten.add.Tensor" -> "add", "prims.sin" -> "sin", "torch.sin" -> "sin": the last word that is not an overload.
    std::string base = hint;
    if (base.rfind("aten.", 0) == 0) base = base.substr(5, base.find('.', 5) - 5);
    if (const auto dot = base.rfind('.'); dot != std::string::npos && hint.rfind("aten.", 0) != 0)
        base = base.substr(dot + 1);
    for (char& c : base)
        if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
    if (base.empty() || std::isdigit(static_cast<unsigned char>(base[0]))) base = "_" + base;
    if (!m_names.count(base)) {
        m_names.emplace(base, 1);
        return base;
    }
    // A hint that ends in _N counts on with its stem's numbers, as in torch.fx.
    std::string stem = base;
    if (const auto bar = base.rfind('_'); bar != std::string::npos && bar > 0 && bar + 1 < base.size() &&
                                          base.find_first_not_of("0123456789", bar + 1) == std::string::npos)
        stem = base.substr(0, bar);
    int& next = m_names.emplace(stem, 1).first->second;
    std::string candidate;
    do candidate = stem + "_" + std::to_string(next++);
    while (m_names.count(candidate));
    m_names.emplace(candidate, 1);
    return candidate;
}

Node* Graph::insertBefore(Node* point) {
    return std::exchange(m_insertionPoint, point);
}

std::unique_ptr<Graph> Graph::clone(std::vector<std::pair<const Node*, Node*>>* mapping) const {
    auto copy = std::make_unique<Graph>(title);
    std::map<const Node*, Node*> to;
    const std::function<Arg(Node*)> replace = [&](Node* node) -> Arg { return to.at(node); };
    for (const auto& node : m_nodes) {
        auto twin = std::make_unique<Node>(*node);
        twin->args = mapList(node->args, replace);
        twin->kwargs = mapDict(node->kwargs, replace);
        to[node.get()] = copy->add(std::move(twin));
        if (mapping) mapping->emplace_back(node.get(), to[node.get()]);
    }
    copy->m_names = m_names;
    copy->writes = writes;
    return copy;
}

} // namespace strata::fx
