#include "engine/aot/Prims.h"

#include "engine/aot/Aot.h"
#include "engine/fx/Printer.h"
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Element.h"
#include "engine/ops/NodeArgs.h"
#include "engine/ops/Registry.h"
#include "engine/ops/Shape.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <set>

namespace strata::aot {

namespace {

using fx::Arg;
using fx::ArgList;
using fx::Node;
using ops::DType;
using ops::OpDef;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;

bool hasScalarType(DType dtype) {
    return dtype == DType::Bool || dtype == DType::Int64 || dtype == DType::Float32 || dtype == DType::Float64;
}

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

class PrimLowering : public ops::Caller {
public:
    PrimLowering(const fx::Graph& graph, std::string compile, std::string region, trace::Sink* sink)
        : m_from(graph), m_compile(std::move(compile)), m_region(std::move(region)), m_sink(sink),
          m_graph(std::make_unique<fx::Graph>(graph.title)), m_build(*m_graph) {}

    std::unique_ptr<fx::Graph> run() {
        for (const auto& node : m_from.nodes()) lower(*node);
        m_graph->writes = m_from.writes;
        m_graph->eliminateDeadCode([this](const Node& node) { return m_kept.contains(&node); });
        fx::verify(*m_graph);
        sendSteps();
        return std::move(m_graph);
    }

    // A decomposition calls ops: they are lowered in turn.
    Values call(const OpDef& op, Values args) override {
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

private:
    void lower(const Node& node) {
        m_build.setSource(node, fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region));
        switch (node.op) {
        case fx::Opcode::Placeholder: return input(node);
        case fx::Opcode::Output: {
            m_graph->output(fx::mapNodes(node.args.at(0), [this](Node* old) -> Arg { return plain(old); }));
            return;
        }
        case fx::Opcode::GetAttr: return keep(node, copy(node, node.target, {}, {}));
        case fx::Opcode::CallFunction: break;
        default: throw support::Refusal("prims_not_an_aten_op", {{"target", node.target}}, node.file, node.line);
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

    void input(const Node& node) {
        Node* made = m_graph->placeholder(node.name);
        made->role = node.role;
        made->isInt = node.isInt;
        made->intValue = node.intValue;
        made->from = {fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)};
        if (node.isInt && node.intValue.isSymbolic()) m_build.addSize(node.intValue, made);
        keep(node, made);
    }

    void keep(const Node& node, Node* made) {
        m_byNode[&node] = made;
        if (!node.value.defined()) return;
        made->value = node.value;
        m_byTensor[node.value.impl()] = made;
    }

    Node* plain(const Node* old) {
        const auto it = m_byNode.find(old);
        return it != m_byNode.end() ? it->second : nodeOf(old->value);
    }

    Node* nodeOf(const Tensor& tensor) const {
        const auto it = m_byTensor.find(tensor.impl());
        if (it == m_byTensor.end()) throw support::Error("prims: a tensor has no node");
        return it->second;
    }

    Node* copy(const Node& node, const std::string& target, ArgList args, fx::ArgDict kwargs) {
        Node* made = m_graph->call(node.op, target, std::move(args), std::move(kwargs), node.name);
        made->isInt = node.isInt;
        made->intValue = node.intValue;
        made->file = node.file;
        made->line = node.line;
        made->from = {fx::itemId(node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)};
        return made;
    }

    void lowerInteger(const Node& node) {
        ArgList args;
        for (const Arg& arg : node.args) args.push_back(fx::mapNodes(arg, [this](Node* old) -> Arg { return plain(old); }));
        keep(node, copy(node, node.target, std::move(args), {}));
    }

    void getItem(const Node& node) {
        const Node* source = *node.args.at(0).as<Node*>();
        const auto number = static_cast<std::size_t>(node.args.at(1).as<SymInt>()->asInt());
        keepResult(node.value, nodeOf(source->values.at(number)));
    }

    void keepResult(const Tensor& result, Node* node) {
        if (!result.defined()) return;
        m_alive.push_back(result);
        m_byTensor[result.impl()] = node;
    }

    void lowerCall(const OpDef& op, const Values& args, const Tensors& results) {
        for (const Value& arg : args)
            if (const auto* tensor = arg.as<Tensor>()) m_alive.push_back(*tensor);
        Node* made = nullptr;
        if (results.size() == 1) {
            if (op.kind == ops::Kind::View) made = lowerView(op, args, results[0]);
            else if (isFill(op)) made = lowerFill(op, args, results[0]);
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

    bool lowerDecomposed(const OpDef& op, const Values& args, const Tensors& results) {
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

    // ---- views ----

    Node* lowerView(const OpDef& op, const Values& args, const Tensor& result) {
        const Tensor& self = args.at(0).tensor();
        Node* source = nodeOf(self);
        const std::string& name = op.schema.name;
        const SymInts& to = result.sizes();
        const auto emit = [&](const char* target, ArgList list) { return m_build.emit(target, std::move(list), {}, to, result.dtype()); };
        if (name == "alias" || name == "detach" || name == "lift_fresh") return emit("prims.view_of", {source});
        if (name == "permute" || name == "t" || name == "transpose") return emit("prims.transpose", {source, PrimBuilder::numbers(order(name, args, self.dim()))});
        if (name == "expand") return m_build.broadcast(source, to);
        if (name == "view" || name == "_unsafe_view" || name == "_reshape_alias") return emit("prims.reshape", {source, m_build.sizes(to)});
        if (name == "unsqueeze") {
            const std::int64_t at = ops::shape::wrapDim(args.at(1).toInt().asInt(), result.dim());
            std::vector<std::int64_t> dims;
            for (std::int64_t d = 0; d < result.dim(); ++d)
                if (d != at) dims.push_back(d);
            return m_build.broadcast(source, to, dims);
        }
        if (name == "squeeze") return emit("prims.squeeze", {source, PrimBuilder::numbers(squeezed(args, self))});
        if (name == "select") return select(args, self, source, result);
        if (name == "slice") return slice(args, self, source, result);
        if (name == "as_strided")
            return emit("prims.as_strided", {source, m_build.sizes(to), m_build.sizes(result.strides()), m_build.size(result->offset - self->offset)});
        return nullptr;
    }

    static std::vector<std::int64_t> order(const std::string& name, const Values& args, std::int64_t rank) {
        std::vector<std::int64_t> dims;
        if (name == "permute") {
            for (const SymInt dim : args.at(1).ints()) dims.push_back(ops::shape::wrapDim(dim.asInt(), rank));
            return dims;
        }
        for (std::int64_t d = 0; d < rank; ++d) dims.push_back(d);
        if (rank < 2) return dims;
        if (name == "t") std::swap(dims[0], dims[1]);
        else
            std::swap(dims[static_cast<std::size_t>(ops::shape::wrapDim(args.at(1).toInt().asInt(), rank))],
                      dims[static_cast<std::size_t>(ops::shape::wrapDim(args.at(2).toInt().asInt(), rank))]);
        return dims;
    }

    static std::vector<std::int64_t> squeezed(const Values& args, const Tensor& self) {
        std::set<std::int64_t> named;
        const bool all = args.size() < 2;
        if (!all) {
            if (const auto* many = args[1].as<SymInts>())
                for (const SymInt d : *many) named.insert(ops::shape::wrapDim(d.asInt(), self.dim()));
            else named.insert(ops::shape::wrapDim(args[1].toInt().asInt(), self.dim()));
        }
        std::vector<std::int64_t> dims;
        for (std::int64_t d = 0; d < self.dim(); ++d)
            if ((all || named.contains(d)) && self.size(d).sameAs(1)) dims.push_back(d);
        return dims;
    }

    // prims.slice(a, starts, limits, steps) over all dims.
    Node* cut(Node* source, const Tensor& self, std::int64_t dim, SymInt start, SymInt count, SymInt step) {
        SymInts starts(self.sizes().size(), 0), limits = self.sizes(), steps(self.sizes().size(), 1), sizes = self.sizes();
        const auto at = static_cast<std::size_t>(dim);
        starts[at] = start;
        limits[at] = count.sameAs(0) ? start : start + (count - 1) * step + 1;
        steps[at] = step;
        sizes[at] = count;
        return m_build.emit("prims.slice", {source, m_build.sizes(starts), m_build.sizes(limits), m_build.sizes(steps)}, {}, sizes, self.dtype());
    }

    Node* select(const Values& args, const Tensor& self, Node* source, const Tensor& result) {
        const std::int64_t dim = ops::shape::wrapDim(args.at(1).toInt().asInt(), self.dim());
        SymInt index = args.at(2).toInt();
        if (!index.isSymbolic() && index.asInt() < 0) index = index + self.size(dim);
        Node* piece = cut(source, self, dim, index, 1, 1);
        return m_build.emit("prims.squeeze", {piece, PrimBuilder::numbers({dim})}, {}, result.sizes(), result.dtype());
    }

    Node* slice(const Values& args, const Tensor& self, Node* source, const Tensor& result) {
        const std::int64_t dim = ops::shape::wrapDim(args.at(1).toInt().asInt(), self.dim());
        const SymInt size = self.size(dim);
        SymInt start = args.at(2).isNone() ? SymInt(0) : args.at(2).toInt();
        if (!start.isSymbolic()) {
            if (start.asInt() < 0) start = start + size;
            if (!start.isSymbolic() && !size.isSymbolic()) start = std::clamp<std::int64_t>(start.asInt(), 0, size.asInt());
        }
        return cut(source, self, dim, start, result.size(dim), args.at(4).toInt());
    }

    // ---- creation and copies ----

    static bool isFill(const OpDef& op) {
        static const std::set<std::string> names{"full",      "full_like", "scalar_tensor", "zeros",    "zeros_like",
                                                 "new_zeros", "ones",      "ones_like",     "new_ones", "new_full"};
        return names.contains(op.schema.name);
    }

    Node* lowerFill(const OpDef& op, const Values& args, const Tensor& result) {
        const std::string& name = op.schema.name;
        const bool one = name.find("ones") != std::string::npos;
        Arg value = tensor::isFloating(result.dtype()) ? Arg(one ? 1.0 : 0.0) : result.dtype() == DType::Bool ? Arg(one) : Arg(one ? 1 : 0);
        const int given = name == "scalar_tensor" ? 0 : name == "new_full" ? 2 : name.rfind("full", 0) == 0 ? 1 : -1;
        if (given >= 0) {
            const ops::Scalar scalar = args.at(static_cast<std::size_t>(given)).scalar();
            if (const auto* size = std::get_if<SymInt>(&scalar)) value = tensor::isFloating(result.dtype()) && !size->isSymbolic()
                                                                             ? Arg(static_cast<double>(size->asInt()))
                                                                             : m_build.size(*size);
            else if (const auto* number = std::get_if<double>(&scalar)) value = *number;
            else value = std::get<bool>(scalar);
        }
        return m_build.full(result.sizes(), value, result.dtype());
    }

    Node* lowerCopy(const OpDef& op, const Values& args, const Tensor& result) {
        const std::string& name = op.schema.name;
        if (name != "clone" && name != "_to_copy" && name != "copy" && name != "lift_fresh_copy") return nullptr;
        Node* source = nodeOf(args.at(name == "copy" ? 1 : 0).tensor());
        Node* made = m_build.broadcast(m_build.convert(source, result.dtype()), result.sizes());
        return made == source ? m_build.emit("prims.clone", {source}, {}, result.sizes(), result.dtype()) : made;
    }

    // ---- reductions ----

    static std::vector<std::int64_t> reducedDims(const OpDef& op, const Values& args, std::int64_t rank) {
        std::set<std::int64_t> dims;
        for (std::size_t i = 0; i < args.size(); ++i) {
            if (op.schema.params[i].name != "dim" || args[i].isNone()) continue;
            if (const auto* many = args[i].as<SymInts>())
                for (const SymInt d : *many) dims.insert(ops::shape::wrapDim(d.asInt(), rank));
            else dims.insert(ops::shape::wrapDim(args[i].toInt().asInt(), rank));
        }
        std::vector<std::int64_t> all(dims.begin(), dims.end());
        if (all.empty())
            for (std::int64_t d = 0; d < rank; ++d) all.push_back(d);
        return all;
    }

    Node* lowerReduction(const OpDef& op, const Values& args, const Tensor& result) {
        if (!op.reduction || *op.reduction == ops::ReductionKind::ArgMax || *op.reduction == ops::ReductionKind::ArgMin) return nullptr;
        const auto* self = args.at(0).as<Tensor>();
        if (!self || !hasScalarType(self->dtype()) || !hasScalarType(result.dtype())) return nullptr;
        using ops::ReductionKind;
        const ReductionKind kind = *op.reduction;
        const bool logical = kind == ReductionKind::Any || kind == ReductionKind::All;
        Node* source = nodeOf(*self);
        // any(x) is sum(x != 0) != 0, and all(x) is not any(not x): PyTorch has no prims of their own for them.
        if (logical) {
            if (self->dtype() != DType::Bool) source = m_build.emit("prims.ne", {source, 0}, {}, self->sizes(), DType::Bool);
            if (kind == ReductionKind::All) source = m_build.emit("prims.bitwise_not", {source}, {}, self->sizes(), DType::Bool);
            source = m_build.convert(source, DType::Int64);
        } else {
            source = m_build.convert(source, result.dtype());
            if (op.body) source = m_build.elementwise(op.body(std::vector<loop::Value>{loop::Value::input(0, result.dtype())}, args).expr(), {source}, self->sizes());
        }
        Node* made = reduce(kind, source, reducedDims(op, args, self->dim()));
        if (logical) {
            made = m_build.emit("prims.ne", {made, 0}, {}, made->value.sizes(), DType::Bool);
            if (kind == ReductionKind::All) made = m_build.emit("prims.bitwise_not", {made}, {}, made->value.sizes(), DType::Bool);
        }
        return restoreKeptDims(op, args, *self, made, result);
    }

    Node* reduce(ops::ReductionKind kind, Node* source, const std::vector<std::int64_t>& dims) {
        using ops::ReductionKind;
        const char* target = kind == ReductionKind::Prod  ? "prims.prod"
                             : kind == ReductionKind::Max ? "prims.amax"
                             : kind == ReductionKind::Min ? "prims.amin"
                                                          : "prims.sum";
        SymInts left;
        for (std::size_t d = 0; d < source->value.sizes().size(); ++d)
            if (std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) == dims.end()) left.push_back(source->value.sizes()[d]);
        return m_build.emit(target, {source, PrimBuilder::numbers(dims)}, {}, left, source->value.dtype());
    }

    Node* restoreKeptDims(const OpDef& op, const Values& args, const Tensor& self, Node* made, const Tensor& result) {
        if (made->value.dim() == result.dim()) return made;
        const auto reduced = reducedDims(op, args, self.dim());
        std::vector<std::int64_t> dims;
        for (std::int64_t d = 0; d < self.dim(); ++d)
            if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) dims.push_back(d);
        return m_build.broadcast(made, result.sizes(), dims);
    }

    // ---- pointwise and the rest ----

    Node* lowerPointwise(const OpDef& op, const Values& args, const Tensor& result) {
        if (op.kind != ops::Kind::Pointwise || !op.element) return nullptr;
        if (!hasScalarType(ops::computeDType(op, args)) || !hasScalarType(result.dtype())) return nullptr;
        std::vector<loop::Value> loads;
        std::vector<Node*> operands;
        for (std::size_t i = 0; i < args.size(); ++i) {
            const auto* tensor = args[i].as<Tensor>();
            if (op.schema.params[i].type != ops::TypeName::Tensor || !tensor || !tensor->defined()) continue;
            if (!hasScalarType(tensor->dtype())) return nullptr;
            loads.push_back(loop::Value::input(static_cast<int>(loads.size()), tensor->dtype()));
            operands.push_back(nodeOf(*tensor));
        }
        Node* made = m_build.elementwise(ops::lowerElement(op, args, loads).expr(), operands, result.sizes());
        const bool operand = std::find(operands.begin(), operands.end(), made) != operands.end();
        return operand ? m_build.emit("prims.clone", {made}, {}, result.sizes(), result.dtype()) : made;
    }

    Arg externArgument(const Value& value) {
        if (const auto* tensor = value.as<Tensor>()) return tensor->defined() ? Arg(nodeOf(*tensor)) : Arg(fx::None{});
        if (const auto* list = value.as<Tensors>()) {
            fx::List out;
            for (const Tensor& each : *list) out.items.push_back(each.defined() ? Arg(nodeOf(each)) : Arg(fx::None{}));
            return out;
        }
        if (const auto* size = value.as<SymInt>()) return m_build.size(*size);
        if (const auto* sizes = value.as<SymInts>()) return m_build.sizes(*sizes);
        if (const auto* number = value.as<double>()) return *number;
        if (const auto* flag = value.as<bool>()) return *flag;
        if (const auto* text = value.as<std::string>()) return *text;
        if (const auto* dtype = value.as<DType>()) return *dtype;
        if (const auto* device = value.as<ops::Device>()) return *device;
        fx::List out;
        if (const auto* numbers = value.as<std::vector<double>>())
            for (const double each : *numbers) out.items.emplace_back(each);
        else if (const auto* flags = value.as<std::vector<bool>>())
            for (const bool each : *flags) out.items.emplace_back(each);
        else return fx::None{};
        return out;
    }

    void lowerExtern(const OpDef& op, const Values& args, const Tensors& results) {
        ArgList list;
        for (const Value& arg : args) list.push_back(externArgument(arg));
        while (!list.empty() && list.back().as<fx::None>()) list.pop_back();
        const Tensor first = results.empty() ? Tensor() : results[0];
        Node* made = m_build.emit(op.qualifiedName(), std::move(list), {}, first.defined() ? first.sizes() : SymInts{}, first.defined() ? first.dtype() : DType::Float32);
        if (m_random) m_kept.insert(made);
        const bool several = results.size() != 1 || (op.schema.returns.size() == 1 && op.schema.returns[0] == ops::TypeName::Tensors);
        if (!several) {
            made->value = first;
            return keepResult(first, made);
        }
        made->value = Tensor();
        made->values = results;
        for (std::size_t i = 0; i < results.size(); ++i) {
            if (!results[i].defined()) continue;
            Node* item = m_build.emit("getitem", {made, static_cast<int>(i)}, {}, results[i].sizes(), results[i].dtype());
            keepResult(results[i], item);
        }
    }

    // ---- records ----

    void remember(const Node& node, std::size_t before) {
        if (!m_sink || !m_sink->wantsSteps()) return;
        std::vector<std::string> names;
        for (auto it = std::next(m_graph->nodes().begin(), static_cast<std::ptrdiff_t>(before)); it != m_graph->nodes().end(); ++it) names.push_back((*it)->name);
        m_made.emplace_back(&node, std::move(names));
    }

    void sendSteps() {
        std::set<std::string> live;
        for (const auto& node : m_graph->nodes()) live.insert(node->name);
        for (const auto& [node, names] : m_made) {
            trace::Json into = trace::Json::array();
            for (const std::string& name : names)
                if (live.contains(name)) into.push_back("prims:" + m_compile + ":" + m_region + ":" + name);
            m_sink->write(trace::make("step", "decomposed",
                                      {{"compile", m_compile},
                                       {"region", m_region},
                                       {"from", fx::itemId(*node, m_region == "backward" ? "backward" : "forward", m_compile, m_region)},
                                       {"op", node->target},
                                       {"into", std::move(into)}}));
        }
    }

    const fx::Graph& m_from;
    std::string m_compile, m_region;
    trace::Sink* m_sink;
    std::unique_ptr<fx::Graph> m_graph;
    PrimBuilder m_build;
    std::map<const Node*, Node*> m_byNode; // placeholders and integers
    std::map<const tensor::TensorImpl*, Node*> m_byTensor;
    Tensors m_alive; // keys of m_byTensor stay alive
    std::set<const Node*> m_kept;
    bool m_random = false;
    std::vector<std::pair<const Node*, std::vector<std::string>>> m_made;
};

} // namespace

std::unique_ptr<fx::Graph> toPrims(const fx::Graph& graph, const std::string& compile, const std::string& region, trace::Sink* sink) {
    return PrimLowering(graph, compile, region, sink).run();
}

} // namespace strata::aot
