#include "engine/inductor/Lowering.h"

#include "engine/fx/Printer.h"
#include "engine/ops/Element.h"
#include "engine/ops/NodeArgs.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <set>

namespace strata::inductor {

namespace {

using loop::Layout;
using ops::OpDef;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Value;
using ops::Values;
using tensor::DType;

/// What a tensor of the graph is here: elements of a buffer, or one number everywhere.
struct Operand {
    Layout layout;
    std::optional<loop::Value> constant;
};

SymInts indices(char prefix, std::size_t count) {
    SymInts out;
    for (std::size_t d = 0; d < count; ++d) out.push_back(loop::index(prefix, d));
    return out;
}

std::optional<loop::Reduction> reductionOf(const OpDef& op) {
    if (!op.reduction) return std::nullopt;
    switch (*op.reduction) {
    case ops::ReductionKind::Sum:
        return loop::Reduction::Sum;
    case ops::ReductionKind::Prod:
        return loop::Reduction::Prod;
    case ops::ReductionKind::Max:
        return loop::Reduction::Max;
    case ops::ReductionKind::Min:
        return loop::Reduction::Min;
    case ops::ReductionKind::Any:
        return loop::Reduction::Any;
    case ops::ReductionKind::All:
        return loop::Reduction::All;
    default:
        return std::nullopt; // arg reductions carry an index: the op's own kernel runs
    }
}

bool hasLoopType(DType dtype) {
    return dtype == DType::Bool || dtype == DType::Int64 || dtype == DType::Float32 || dtype == DType::Float64;
}

class Lowerer : public ops::Caller {
public:
    Lowerer(const fx::Graph& graph, std::string compile, std::string region)
        : m_graph(graph), m_compile(std::move(compile)), m_region(std::move(region)) {}

    Lowered run() {
        m_out.program.title = m_graph.title;
        for (const auto& node : m_graph.nodes()) lowerNode(*node);
        dropUnused();
        loop::verify(m_out.program);
        return std::move(m_out);
    }

    // A decomposition calls ops: they are lowered in turn.
    Values call(const OpDef& op, Values args) override {
        if (op.composite) return op.composite(args);
        std::vector<Tensor> results;
        for (const ops::TensorMeta& meta : op.meta(args)) {
            Tensor result = Tensor::fake(meta.sizes, meta.strides, meta.dtype, meta.device);
            result->offset = meta.offset;
            results.push_back(result);
        }
        lowerCall(op, args, results);
        return {results.begin(), results.end()};
    }

private:
    void lowerNode(const fx::Node& node) {
        switch (node.op) {
        case fx::Opcode::Placeholder:
            return input(node);
        case fx::Opcode::Output:
            return output(node);
        case fx::Opcode::GetAttr:
            return constant(node);
        case fx::Opcode::CallFunction:
            break;
        default:
            throw support::Refusal("inductor_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
        }
        if (node.isInt) return; // its expression stands in the users' arguments
        if (node.target == "getitem" || node.target == "operator.getitem") return getItem(node);
        const OpDef* op = ops::find(node.target);
        if (!op) throw support::Refusal("inductor_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
        m_node = &node;
        const Values args = ops::argumentsOf(node, *op, [this](const fx::Node* n) -> Value {
            if (n->isInt) return n->intValue;
            return m_values.at(n).at(0);
        });
        std::vector<Tensor> results = node.values.empty() ? std::vector<Tensor>{node.value} : node.values;
        lowerCall(*op, args, results);
        m_values[&node] = results;
    }

    void input(const fx::Node& node) {
        m_out.inputNames.push_back(node.isInt ? "" : node.name);
        const int position = static_cast<int>(m_out.inputNames.size()) - 1;
        const auto bind = [&](SymInt value, int dim) {
            if (!value.isSymbolic() || value.expr()->kind != symbolic::ExprKind::Symbol) return;
            const std::string& symbol = value.expr()->name;
            auto& symbols = m_out.program.sizeSymbols;
            if (std::find(symbols.begin(), symbols.end(), symbol) != symbols.end()) return;
            symbols.push_back(symbol);
            m_out.bindings.push_back({symbol, position, dim});
        };
        if (node.isInt) return bind(node.intValue, -1);
        for (std::int64_t d = 0; d < node.value.dim(); ++d) bind(node.value.size(d), static_cast<int>(d));
        const Tensor& value = node.value;
        m_out.program.inputs.push_back({node.name, value.dtype(), value.sizes(), value.strides()});
        m_operands[value.impl()] = {Layout{node.name, value.sizes(), value.strides(), 0}, std::nullopt};
        m_values[&node] = {value};
    }

    // A tensor that the graph holds is one more buffer to read; it is bound to the real one.
    void constant(const fx::Node& node) {
        const Tensor& value = node.value;
        if (!value.defined() || value.isFake())
            throw support::Refusal("inductor_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
        m_out.constants.emplace_back(node.name, value);
        m_out.program.inputs.push_back({node.name, value.dtype(), value.sizes(), value.strides()});
        m_operands[value.impl()] = {Layout{node.name, value.sizes(), value.strides(), 0}, std::nullopt};
        m_values[&node] = {value};
    }

    void getItem(const fx::Node& node) {
        const auto* source = node.args.at(0).as<fx::Node*>();
        const auto* which = node.args.at(1).as<SymInt>();
        m_values[&node] = {m_values.at(*source).at(static_cast<std::size_t>(which->asInt()))};
    }

    void output(const fx::Node& node) {
        fx::ArgList items;
        if (const auto* tuple = node.args[0].as<fx::Tuple>())
            items = tuple->items;
        else if (const auto* list = node.args[0].as<fx::List>())
            items = list->items;
        else
            items = {node.args[0]};
        m_node = &node;
        for (const fx::Arg& item : items) {
            Result result;
            if (const auto* source = item.as<fx::Node*>()) {
                if ((*source)->isInt) {
                    result.kind = Result::Kind::Int;
                    result.value = (*source)->intValue;
                } else {
                    const Tensor& value = m_values.at(*source).at(0);
                    result.kind = Result::Kind::Tensor;
                    result.layout = realized(value);
                    result.dtype = value.dtype();
                }
            } else if (const auto* number = item.as<SymInt>()) {
                result.kind = Result::Kind::Int;
                result.value = *number;
            }
            m_out.results.push_back(result);
            m_out.program.outputs.push_back(result.layout);
        }
    }

    void lowerCall(const OpDef& op, const Values& args, std::vector<Tensor>& results) {
        m_keep.insert(m_keep.end(), results.begin(), results.end());
        for (const Value& arg : args)
            if (const auto* t = arg.as<Tensor>()) m_keep.push_back(*t);
        if (lowerView(op, args, results)) return;
        if (lowerConstant(op, args, results)) return;
        if (decompose(op, args, results)) return;
        if (lowerCopy(op, args, results)) return;
        if (lowerReduction(op, args, results)) return;
        if (lowerPointwise(op, args, results)) return;
        lowerExtern(op, args, results);
    }

    // The result's fake strides are the view's strides on its base's buffer, since buffers have their fake's strides.
    bool lowerView(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        if (op.kind != ops::Kind::View || results.size() != 1) return false;
        const auto* base = args.empty() ? nullptr : args[0].as<Tensor>();
        if (!base) return false;
        const Operand& from = operand(*base);
        const Tensor& to = results[0];
        if (from.constant) {
            m_operands[to.impl()] = from;
            return true;
        }
        const SymInt offset = from.layout.offset + (to->offset - (*base)->offset);
        m_operands[to.impl()] = {Layout{from.layout.buffer, to.sizes(), to.strides(), offset}, std::nullopt};
        return true;
    }

    bool lowerConstant(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        static const std::map<std::string, int> fillArgument{
            {"full", 1},       {"scalar_tensor", 0}, {"full_like", 1},  {"zeros", -1},    {"zeros_like", -1},
            {"new_zeros", -1}, {"ones", -2},         {"ones_like", -2}, {"new_ones", -2}, {"new_full", 2}};
        const auto it = fillArgument.find(op.schema.name);
        if (it == fillArgument.end() || results.size() != 1 || !hasLoopType(results[0].dtype())) return false;
        double value = it->second == -2 ? 1 : 0;
        if (it->second >= 0) {
            const Value& given = args.at(static_cast<std::size_t>(it->second));
            if (const auto* symbolicValue = given.as<SymInt>(); symbolicValue && symbolicValue->isSymbolic())
                return false;
            value = given.toDouble();
        }
        m_operands[results[0].impl()] = {Layout{}, loop::Value::constant(value, results[0].dtype())};
        return true;
    }

    // What decomposes further for loops: softmax, means, norms.
    bool decompose(const OpDef& op, const Values& args, std::vector<Tensor>& results) {
        const ops::Decomposition& rule = op.loweringDecomposition ? op.loweringDecomposition : op.decomposition;
        if (!rule) return false;
        ops::Caller* before = ops::caller();
        ops::setCaller(this);
        Values values;
        try {
            values = rule(args);
        } catch (...) {
            ops::setCaller(before);
            throw;
        }
        ops::setCaller(before);
        for (std::size_t i = 0; i < results.size() && i < values.size(); ++i) {
            const Tensor& made = values[i].tensor();
            if (!results[i].defined() || !made.defined()) continue;
            // The decomposition's strides may differ from the op's own: users go by the op's, so copy where they do.
            if (symbolic::sameAs(made.strides(), results[i].strides()) || !results[i].impl())
                m_operands[results[i].impl()] = operand(made);
            else
                copyInto(made, results[i]);
        }
        return true;
    }

    bool lowerCopy(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        const std::string& name = op.schema.name;
        if (name != "clone" && name != "_to_copy" && name != "copy" && name != "contiguous") return false;
        const auto* source = args[name == "copy" ? 1 : 0].as<Tensor>();
        if (!source || !hasLoopType(source->dtype()) || !hasLoopType(results[0].dtype())) return false;
        copyInto(*source, results[0]);
        return true;
    }

    void copyInto(const Tensor& source, const Tensor& result) {
        if (operand(source).constant) {
            m_operands[result.impl()] = {Layout{}, operand(source).constant->cast(result.dtype())};
            return;
        }
        addNode(loop::NodeKind::Pointwise, result, loadBroadcast(source, result).cast(result.dtype()), "copy");
    }

    bool lowerPointwise(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        if (op.kind != ops::Kind::Pointwise || !op.element || results.size() != 1) return false;
        const DType compute = ops::computeDType(op, args);
        if (!hasLoopType(compute) || !hasLoopType(results[0].dtype())) return false;
        // Integer division by zero must raise, which a loop cannot.
        if (op.element->integerDivision && tensor::isIntegral(compute, true)) return false;
        std::vector<loop::Value> loads;
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (op.schema.params[i].type != ops::TypeName::Tensor) continue;
            const auto* t = args[i].as<Tensor>();
            if (!t || !t->defined()) continue;
            if (!hasLoopType(t->dtype())) return false;
            loads.push_back(loadBroadcast(*t, results[0]));
        }
        addNode(loop::NodeKind::Pointwise, results[0], ops::lowerElement(op, args, loads), op.schema.name);
        return true;
    }

    bool lowerReduction(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        const auto kind = reductionOf(op);
        if (!kind || results.size() != 1) return false;
        const auto* source = args[0].as<Tensor>();
        if (!source || !hasLoopType(source->dtype()) || !hasLoopType(results[0].dtype())) return false;
        const std::set<std::int64_t> dims = reducedDims(op, args, source->dim());
        const bool keepdim = source->dim() == results[0].dim();
        SymInts at, reduced;
        std::size_t kept = 0;
        for (std::int64_t d = 0; d < source->dim(); ++d) {
            if (!dims.count(d)) {
                at.push_back(loop::index('i', keepdim ? static_cast<std::size_t>(d) : kept++));
                continue;
            }
            if (source->size(d).sameAs(1)) { // nothing to reduce
                at.push_back(0);
                continue;
            }
            at.push_back(loop::index('r', reduced.size()));
            reduced.push_back(source->size(d));
        }
        loop::Value element = load(*source, at);
        const bool logical = *kind == loop::Reduction::Any || *kind == loop::Reduction::All;
        element = element.cast(logical ? DType::Bool : results[0].dtype());
        if (op.body) element = op.body(std::vector<loop::Value>{element}, args);
        if (reduced.empty())
            addNode(loop::NodeKind::Pointwise, results[0], element, op.schema.name);
        else
            addNode(loop::NodeKind::Reduction, results[0], element, op.schema.name, reduced, *kind);
        return true;
    }

    static std::set<std::int64_t> reducedDims(const OpDef& op, const Values& args, std::int64_t rank) {
        std::set<std::int64_t> dims;
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (op.schema.params[i].name != "dim" || args[i].isNone()) continue;
            if (const auto* many = args[i].as<SymInts>())
                for (const SymInt d : *many) dims.insert((d.asInt() + rank) % rank);
            else
                dims.insert((args[i].toInt().asInt() + rank) % rank);
        }
        if (dims.empty())
            for (std::int64_t d = 0; d < rank; ++d) dims.insert(d);
        return dims;
    }

    void lowerExtern(const OpDef& op, const Values& args, const std::vector<Tensor>& results) {
        ExternCall call{op.qualifiedName(), args, {}, 0, -1};
        loop::Node node;
        node.kind = loop::NodeKind::Extern;
        node.target = op.qualifiedName();
        const auto read = [&](const Tensor& t) {
            if (!t.defined()) return;
            const Layout layout = realized(t);
            call.tensors[t.impl()] = layout;
            node.reads.push_back(layout.buffer);
            node.externText += (node.externText.empty() ? "" : ", ") + layout.buffer + symbolic::str(layout.sizes);
        };
        for (const Value& arg : args) {
            if (const auto* t = arg.as<Tensor>()) read(*t);
            if (const auto* list = arg.as<ops::Tensors>())
                for (const Tensor& t : *list) read(t);
        }
        const int first = static_cast<int>(m_out.program.nodes.size());
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i].defined()) continue;
            loop::Node part = node;
            call.output = static_cast<int>(i);
            call.callOf = static_cast<int>(m_out.program.nodes.size()) == first ? -1 : first;
            const std::string name = push(std::move(part), results[i], op.schema.name);
            m_out.externs[name] = call;
        }
    }

    void addNode(loop::NodeKind kind, const Tensor& result, const loop::Value& body, const std::string& op,
                 SymInts reduced = {}, loop::Reduction reduction = loop::Reduction::Sum) {
        loop::Node node;
        node.kind = kind;
        node.body = body.expr();
        node.reductionRanges = std::move(reduced);
        node.reduction = reduction;
        push(std::move(node), result, op);
    }

    // Gives the node its buffer, laid out as the result's fake is, and makes the result stand for it.
    std::string push(loop::Node node, const Tensor& result, const std::string& op) {
        node.buffer = {"buf" + std::to_string(m_out.program.nodes.size()), result.dtype(), result.sizes(),
                       result.strides()};
        node.ranges = result.sizes();
        node.op = op;
        const Layout layout{node.buffer.name, result.sizes(), result.strides(), 0};
        if (node.kind != loop::NodeKind::Extern) node.store = layout.at(indices('i', result.sizes().size()));
        if (m_node)
            node.origins.push_back(
                fx::itemId(*m_node, m_region == "backward" ? "backward" : "forward", m_compile, m_region));
        m_operands[result.impl()] = {layout, std::nullopt};
        m_out.program.nodes.push_back(std::move(node));
        return layout.buffer;
    }

    const Operand& operand(const Tensor& t) const {
        const auto it = m_operands.find(t.impl());
        if (it == m_operands.end())
            throw support::Error("a tensor that the graph did not compute was used while lowering");
        return it->second;
    }

    loop::Value load(const Tensor& t, const SymInts& at) const {
        const Operand& from = operand(t);
        if (from.constant) return *from.constant;
        return loop::Value::load(from.layout.buffer, from.layout.at(at), t.dtype());
    }

    // The element of `t` that broadcasts to the result's element (i0, i1, ..).
    loop::Value loadBroadcast(const Tensor& t, const Tensor& result) const {
        SymInts at;
        const std::int64_t shift = result.dim() - t.dim();
        for (std::int64_t d = 0; d < t.dim(); ++d)
            at.push_back(t.size(d).sameAs(1) ? SymInt(0) : loop::index('i', static_cast<std::size_t>(d + shift)));
        return load(t, at);
    }

    // A layout in memory: constants get a buffer of their own.
    Layout realized(const Tensor& t) {
        const Operand from = operand(t);
        if (!from.constant) return from.layout;
        Tensor dense = Tensor::fake(t.sizes(), symbolic::contiguousStrides(t.sizes()), t.dtype(), t.device());
        m_keep.push_back(dense);
        addNode(loop::NodeKind::Pointwise, dense, *from.constant, "full");
        m_operands[t.impl()] = m_operands[dense.impl()];
        return m_operands[t.impl()].layout;
    }

    void dropUnused() {
        auto& nodes = m_out.program.nodes;
        std::set<std::string> used;
        for (const Layout& output : m_out.program.outputs) used.insert(output.buffer);
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            const bool live = used.count(it->buffer.name) || it->kind == loop::NodeKind::Extern;
            if (live) used.merge(loop::readsOf(*it));
        }
        // Externs go by node numbers, so only loops are dropped, and externs keep their numbers by name.
        std::map<int, std::string> firstOf;
        for (auto& [name, call] : m_out.externs)
            if (call.callOf >= 0) firstOf[call.callOf] = nodes[static_cast<std::size_t>(call.callOf)].buffer.name;
        nodes.erase(std::remove_if(nodes.begin(), nodes.end(),
                                   [&](const loop::Node& n) {
                                       return n.kind != loop::NodeKind::Extern && !used.count(n.buffer.name);
                                   }),
                    nodes.end());
        for (auto& [name, call] : m_out.externs) {
            if (call.callOf < 0) continue;
            const std::string& first = firstOf.at(call.callOf);
            const auto at =
                std::find_if(nodes.begin(), nodes.end(), [&](const loop::Node& n) { return n.buffer.name == first; });
            call.callOf = static_cast<int>(at - nodes.begin());
        }
    }

    const fx::Graph& m_graph;
    std::string m_compile, m_region;
    Lowered m_out;
    std::map<const tensor::TensorImpl*, Operand> m_operands;
    std::map<const fx::Node*, std::vector<Tensor>> m_values;
    std::vector<Tensor> m_keep; // keys of m_operands stay alive
    const fx::Node* m_node = nullptr;
};

} // namespace

Lowered lower(const fx::Graph& graph, const std::string& compile, const std::string& region) {
    return Lowerer(graph, compile, region).run();
}

} // namespace strata::inductor
