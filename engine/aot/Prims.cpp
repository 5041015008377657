// The walk over a graph that is lowered to prims.
#include "engine/aot/Aot.h"
#include "engine/aot/PrimLowering.h"
#include "engine/fx/Printer.h"
#include "engine/ops/NodeArgs.h"
#include "engine/support/Error.h"

#include <set>

namespace strata::aot {

using fx::Arg;
using fx::ArgList;
using fx::Node;
using ops::OpDef;
using ops::SymInt;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;

namespace {

/// While it lives, ops that decompositions call go to `caller`.
class CallerScope {
public:
    explicit CallerScope(ops::Caller* caller) : m_before(ops::caller()) { ops::setCaller(caller); }
    CallerScope(const CallerScope&) = delete;
    CallerScope& operator=(const CallerScope&) = delete;
    ~CallerScope() { ops::setCaller(m_before); }

private:
    ops::Caller* m_before;
};

} // namespace

std::unique_ptr<fx::Graph> PrimLowering::run() {
    for (const auto& node : m_from.nodes()) lower(*node);
    m_graph->writes = m_from.writes;
    m_graph->eliminateDeadCode([this](const Node& node) { return m_kept.contains(&node); });
    fx::verify(*m_graph);
    sendSteps();
    return std::move(m_graph);
}

// A decomposition calls ops: they are lowered in turn.
Values PrimLowering::call(const OpDef& op, Values args) {
    if (op.composite) return op.composite(args);
    if (!op.meta) return op.decomposition(args);
    Tensors results;
    for (const ops::TensorMeta& meta : op.meta(args)) {
        results.push_back(Tensor::fake(meta.sizes, meta.strides, meta.dtype, meta.device));
        results.back()->offset = meta.offset;
    }
    lowerCall(op, args, results);
    if (op.schema.returns.size() == 1 && op.schema.returns[0] == ops::TypeName::Tensors) return {results};
    return {results.begin(), results.end()};
}

void PrimLowering::lower(const Node& node) {
    m_build.setSource(node, fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region));
    switch (node.op) {
    case fx::Opcode::Placeholder:
        return input(node);
    case fx::Opcode::Output: {
        m_graph->output(fx::mapNodes(node.args.at(0), [this](Node* old) -> Arg { return plain(old); }));
        return;
    }
    case fx::Opcode::GetAttr:
        return keep(node, copy(node, node.target, {}, {}));
    case fx::Opcode::CallFunction:
        break;
    default:
        throw support::Refusal("prims_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
    }
    if (node.isInt) return lowerInteger(node);
    if (node.target == "getitem") return getItem(node);
    const OpDef* op = ops::find(node.target);
    if (!op) throw support::Refusal("prims_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
    const Values args = ops::argumentsOf(node, *op, [](const Node* input) -> Value {
        if (input->isInt) return input->intValue;
        return input->value;
    });
    const std::size_t before = m_graph->nodes().size();
    Tensors results = node.values.empty() ? Tensors{node.value} : node.values;
    m_random = op->kind == ops::Kind::Random;
    lowerCall(*op, args, results);
    remember(node, before);
}

void PrimLowering::input(const Node& node) {
    Node* made = m_graph->placeholder(node.name);
    made->role = node.role;
    made->isInt = node.isInt;
    made->intValue = node.intValue;
    made->from = {fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)};
    if (node.isInt && node.intValue.isSymbolic()) m_build.addSize(node.intValue, made);
    keep(node, made);
}

void PrimLowering::keep(const Node& node, Node* made) {
    m_byNode[&node] = made;
    if (!node.value.defined()) return;
    made->value = node.value;
    m_byTensor[node.value.impl()] = made;
}

Node* PrimLowering::plain(const Node* old) {
    const auto it = m_byNode.find(old);
    return it != m_byNode.end() ? it->second : nodeOf(old->value);
}

Node* PrimLowering::nodeOf(const Tensor& tensor) const {
    const auto it = m_byTensor.find(tensor.impl());
    if (it == m_byTensor.end()) throw support::Error("prims: a tensor has no node");
    return it->second;
}

Node* PrimLowering::copy(const Node& node, const std::string& target, ArgList args, fx::ArgDict kwargs) {
    Node* made = m_graph->call(node.op, target, std::move(args), std::move(kwargs), node.name);
    made->isInt = node.isInt;
    made->intValue = node.intValue;
    made->file = node.file;
    made->line = node.line;
    made->from = {fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)};
    return made;
}

void PrimLowering::lowerInteger(const Node& node) {
    ArgList args;
    for (const Arg& arg : node.args) args.push_back(fx::mapNodes(arg, [this](Node* old) -> Arg { return plain(old); }));
    keep(node, copy(node, node.target, std::move(args), {}));
}

void PrimLowering::getItem(const Node& node) {
    const Node* source = *node.args.at(0).as<Node*>();
    const auto number = static_cast<std::size_t>(node.args.at(1).as<SymInt>()->asInt());
    keepResult(node.value, nodeOf(source->values.at(number)));
}

void PrimLowering::keepResult(const Tensor& result, Node* node) {
    if (!result.defined()) return;
    m_alive.push_back(result);
    m_byTensor[result.impl()] = node;
}

void PrimLowering::lowerCall(const OpDef& op, const Values& args, const Tensors& results) {
    for (const Value& arg : args)
        if (const auto* tensor = arg.as<Tensor>()) m_alive.push_back(*tensor);
    Node* made = nullptr;
    if (results.size() == 1) {
        if (op.kind == ops::Kind::View)
            made = lowerView(op, args, results[0]);
        else if (isFill(op))
            made = lowerFill(op, args, results[0]);
    }
    if (!made && op.kind != ops::Kind::View && lowerDecomposed(op, args, results)) return;
    if (!made && results.size() == 1) {
        made = lowerCopy(op, args, results[0]);
        if (!made) made = lowerReduction(op, args, results[0]);
        if (!made) made = lowerPointwise(op, args, results[0]);
    }
    if (!made) return lowerExtern(op, args, results);
    keepResult(results[0], made);
}

bool PrimLowering::lowerDecomposed(const OpDef& op, const Values& args, const Tensors& results) {
    const ops::Decomposition& rule = op.loweringDecomposition ? op.loweringDecomposition : op.decomposition;
    if (!rule) return false;
    Values values;
    {
        const CallerScope scope(this);
        values = rule(args);
    }
    if (values.size() == 1 && values[0].as<Tensors>()) {
        const Tensors list = values[0].tensors();
        values.assign(list.begin(), list.end());
    }
    for (std::size_t i = 0; i < results.size() && i < values.size(); ++i)
        if (values[i].tensor().defined()) keepResult(results[i], nodeOf(values[i].tensor()));
    return true;
}

void PrimLowering::remember(const Node& node, std::size_t before) {
    if (!m_sink || !m_sink->wantsSteps()) return;
    std::vector<std::string> names;
    for (auto it = std::next(m_graph->nodes().begin(), static_cast<std::ptrdiff_t>(before));
         it != m_graph->nodes().end(); ++it)
        names.push_back((*it)->name);
    m_made.emplace_back(&node, std::move(names));
}

void PrimLowering::sendSteps() {
    std::set<std::string> live;
    for (const auto& node : m_graph->nodes()) live.insert(node->name);
    for (const auto& [node, names] : m_made) {
        trace::Json into = trace::Json::array();
        for (const std::string& name : names)
            if (live.contains(name)) into.push_back("prims:" + m_compile + ":" + m_region + ":" + name);
        m_sink->write(trace::make(
            "step", "decomposed",
            {{"compile", m_compile},
             {"region", m_region},
             {"from", fx::itemId(*node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)},
             {"op", node->target},
             {"into", std::move(into)}}));
    }
}

std::unique_ptr<fx::Graph> toPrims(const fx::Graph& graph, const std::string& compile, const std::string& region,
                                   trace::Sink* sink) {
    return PrimLowering(graph, compile, region, sink).run();
}

} // namespace strata::aot
