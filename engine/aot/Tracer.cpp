#include "engine/aot/Tracer.h"

#include "engine/ops/Functional.h"
#include "engine/support/Error.h"

#include <algorithm>

namespace strata::aot {

namespace {

using ops::OpDef;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
using support::Refusal;

thread_local const Origin* origin = nullptr;

// What tracing calls on its own account is traced, and is no part of the tape.
struct Tracing {
    explicit Tracing(Tracer& tracer) : mode(tracer) {}
    eager::ModeScope mode;
    eager::GradModeScope noGrad{false};
};

Tensor fakeLike(const Tensor& tensor, SymInt offset) {
    Tensor result = Tensor::fake(tensor.sizes(), tensor.strides(), tensor.dtype(), tensor.device());
    result->offset = offset;
    result->wrappedNumber = tensor->wrappedNumber;
    return result;
}

bool sameDefault(const Value& a, const Value& b) {
    if (a.variant().index() != b.variant().index()) return false;
    if (a.isNone()) return true;
    if (const auto* v = a.as<SymInt>()) return v->sameAs(*b.as<SymInt>());
    if (const auto* v = a.as<SymInts>()) return symbolic::sameAs(*v, *b.as<SymInts>());
    if (const auto* v = a.as<bool>()) return *v == *b.as<bool>();
    if (const auto* v = a.as<double>()) return *v == *b.as<double>();
    if (const auto* v = a.as<std::string>()) return *v == *b.as<std::string>();
    if (const auto* v = a.as<ops::DType>()) return *v == *b.as<ops::DType>();
    if (const auto* v = a.as<ops::Device>()) return *v == *b.as<ops::Device>();
    return false;
}

/// The argument that the results are views of; -1: none.
int aliasedArgument(const OpDef& op, const Values& args) {
    if (!op.meta) return -1;
    for (const ops::TensorMeta& meta : op.meta(args))
        if (meta.aliases >= 0) return meta.aliases;
    return -1;
}

bool isStrided(const OpDef& op) { return op.schema.name.rfind("as_strided", 0) == 0; }

} // namespace

void setCurrentOrigin(const Origin* current) { origin = current; }
const Origin* currentOrigin() { return origin; }

// ---- inputs ----

Tensor Tracer::input(const std::string& name, const Tensor& like, fx::Role role) {
    fx::Node* node = m_graph.placeholder(name);
    node->role = role;
    node->value = fakeLike(like, 0);
    const Tensor seen = fakeLike(like, like->offset);
    m_aliases.addBase(seen, node);
    return seen;
}

fx::Node* Tracer::size(const std::string& name, SymInt value) {
    fx::Node* node = m_graph.placeholder(name);
    node->role = fx::Role::Size;
    node->isInt = true;
    node->intValue = value;
    if (value.isSymbolic()) m_sizes.emplace_back(value, node);
    return node;
}

Tensor Tracer::tensorOf(fx::Node* node, SymInt offset) {
    const Tensor tensor = fakeLike(node->value, offset);
    m_aliases.addBase(tensor, node);
    return tensor;
}

fx::Node* Tracer::nodeOf(const Tensor& tensor) {
    if (Alias* alias = m_aliases.find(tensor)) {
        if (alias->generation == alias->group->generation) return alias->node;
        const Tracing tracing(*this);
        return m_aliases.read(*alias);
    }
    if (!tensor.isFake()) return m_aliases.find(constant(tensor))->node;
    throw Refusal("aot_unknown_tensor", {{"tensor", tensor::describe(tensor)}});
}

// A tensor that the function holds by itself: get_attr, as PyTorch's _tensor_constant0.
Tensor Tracer::constant(const Tensor& real) {
    if (eager::requiresGrad(real)) throw Refusal("aot_constant_requires_grad", {{"tensor", tensor::describe(real)}});
    fx::Node* node = m_graph.call(fx::Opcode::GetAttr, "_tensor_constant" + std::to_string(m_constants.size()), {});
    node->target = node->name;
    node->value = real;
    m_constants[real.impl()] = node;
    place(node);
    m_aliases.addBase(real, node);
    return real;
}

// ---- arguments ----

fx::Arg Tracer::sizeArgument(SymInt value) {
    if (value.isSymbolic())
        for (const auto& [size, node] : m_sizes)
            if (size.sameAs(value)) return node;
    return value;
}

fx::Arg Tracer::computedSize(SymInt value) {
    fx::Arg plain = sizeArgument(value);
    if (!value.isSymbolic() || plain.as<fx::Node*>()) return plain;
    const std::string text = value.str();
    if (const auto it = m_computedSizes.find(text); it != m_computedSizes.end()) return it->second;
    using symbolic::ExprKind;
    const symbolic::Expr* expr = value.expr();
    static const std::map<ExprKind, const char*> targets{{ExprKind::Add, "add"},           {ExprKind::Mul, "mul"}, {ExprKind::FloorDiv, "floordiv"},
                                                         {ExprKind::Mod, "mod"},           {ExprKind::Min, "sym_min"}, {ExprKind::Max, "sym_max"}};
    const auto target = targets.find(expr->kind);
    if (target == targets.end()) return plain;
    const bool product = expr->kind == ExprKind::Mul;
    SymInt so = expr->args[0];
    fx::Arg last = computedSize(so);
    for (std::size_t i = 1; i < expr->args.size(); ++i) {
        const SymInt next(expr->args[i]);
        switch (expr->kind) {
        case ExprKind::Add: so = so + next; break;
        case ExprKind::Mul: so = so * next; break;
        default: so = value; break;
        }
        // Constants stand last in Python's source order: s0 + 1.
        fx::Node* node = product || !last.as<fx::Node*>() ? m_graph.callFunction(target->second, {computedSize(next), last})
                                                          : m_graph.callFunction(target->second, {last, computedSize(next)});
        node->isInt = true;
        node->intValue = so;
        place(node);
        last = node;
    }
    m_computedSizes[text] = *last.as<fx::Node*>();
    return last;
}

fx::Arg Tracer::argument(const Value& value) {
    const auto list = [](const auto& items, const auto& convert) {
        fx::List out;
        for (const auto& item : items) out.items.push_back(convert(item));
        return fx::Arg(std::move(out));
    };
    const auto tensor = [this](const Tensor& t) -> fx::Arg {
        if (!t.defined()) return fx::None{};
        return nodeOf(t);
    };
    if (const auto* v = value.as<Tensor>()) return tensor(*v);
    if (const auto* v = value.as<Tensors>()) return list(*v, tensor);
    if (const auto* v = value.as<SymInt>()) return sizeArgument(*v);
    if (const auto* v = value.as<SymInts>()) return list(*v, [this](SymInt size) { return sizeArgument(size); });
    if (const auto* v = value.as<std::vector<double>>()) return list(*v, [](double d) { return fx::Arg(d); });
    if (const auto* v = value.as<std::vector<bool>>()) return list(*v, [](bool b) { return fx::Arg(b); });
    if (const auto* v = value.as<bool>()) return *v;
    if (const auto* v = value.as<double>()) return *v;
    if (const auto* v = value.as<ops::DType>()) return *v;
    if (const auto* v = value.as<ops::Device>()) return *v;
    if (const auto* v = value.as<std::string>()) return *v;
    return fx::None{};
}

Values Tracer::innerArguments(const Values& args) {
    Values inner = args;
    for (Value& arg : inner) {
        if (const auto* t = arg.as<Tensor>(); t && t->defined()) arg = nodeOf(*t)->value;
        else if (const auto* list = arg.as<Tensors>()) {
            Tensors values = *list;
            for (Tensor& each : values)
                if (each.defined()) each = nodeOf(each)->value;
            arg = std::move(values);
        }
    }
    return inner;
}

// as_strided's offset counts from the storage's start, and the node's value lies elsewhere in its own.
Values Tracer::withNodeOffset(const OpDef& op, Values args) {
    if (!isStrided(op)) return args;
    const Tensor& self = args.at(0).tensor();
    const Alias* alias = m_aliases.find(self);
    if (alias) requireBaseLayout(*alias->group);
    m_usesStorageOffset = true;
    const SymInt shift = nodeOf(self)->value->offset - self->offset;
    Value& offset = args.back();
    offset = (offset.isNone() ? self->offset : offset.toInt()) + shift;
    return args;
}

// ---- nodes ----

void Tracer::place(fx::Node* node) {
    node->isBackward = m_backward;
    m_made.push_back(node->name);
    if (m_backward) m_unplaced.push_back(node);
    if (m_backward || !origin) return;
    node->file = origin->file;
    node->line = origin->line;
    node->module = origin->module;
    if (!origin->id.empty()) node->from = {origin->id};
}

fx::Node* Tracer::makeNode(const OpDef& op, const Values& args) {
    const auto& params = op.schema.params;
    std::size_t positional = 0;
    for (std::size_t i = 0; i < args.size(); ++i)
        if (!params[i].keywordOnly && !(params[i].hasDefault && sameDefault(args[i], params[i].defaultValue))) positional = i + 1;
    fx::ArgList list;
    fx::ArgDict named;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (i < positional) list.push_back(argument(args[i]));
        else if (params[i].keywordOnly && !sameDefault(args[i], params[i].defaultValue)) named.emplace_back(params[i].name, argument(args[i]));
    }
    fx::Node* node = m_graph.callFunction(op.qualifiedName(), std::move(list), std::move(named));
    place(node);
    return node;
}

std::vector<fx::Node*> Tracer::resultNodes(fx::Node* node, const OpDef& op, const Values& inner) {
    const bool list = !inner.empty() && inner[0].as<Tensors>();
    if (!list && op.schema.returns.size() == 1) {
        node->value = inner.at(0).tensor();
        return {node};
    }
    if (list) node->values = inner[0].tensors();
    else
        for (const Value& value : inner) node->values.push_back(value.tensor());
    std::vector<fx::Node*> out;
    for (std::size_t i = 0; i < node->values.size(); ++i) {
        if (!node->values[i].defined()) {
            out.push_back(nullptr);
            continue;
        }
        fx::Node* item = m_graph.callFunction("getitem", {node, static_cast<int>(i)});
        item->value = node->values[i];
        place(item);
        out.push_back(item);
    }
    return out;
}

void Tracer::addStep(const char* kind, const OpDef& op, std::size_t firstMade) {
    Step step{kind, op.qualifiedName(), origin && !m_backward ? origin->id : "", {}};
    step.into.assign(m_made.begin() + static_cast<std::ptrdiff_t>(firstMade), m_made.end());
    if (m_backward) m_unplacedSteps.push_back(m_steps.size());
    m_steps.push_back(std::move(step));
}

// ---- calls ----

Values Tracer::handle(const OpDef& op, Values args) {
    if (op.inPlace) return inPlace(op, args);
    if (op.decomposition && (m_decompose || !op.meta)) return decomposed(op, args);
    const int aliased = aliasedArgument(op, args);
    return aliased >= 0 ? view(op, args, aliased) : plain(op, args);
}

Values Tracer::inPlace(const OpDef& op, const Values& args) {
    const Tensor self = args.at(0).tensor();
    Alias* alias = m_aliases.find(self);
    if (!self.isFake()) throw Refusal("aot_constant_mutated", {{"op", op.qualifiedName()}});
    if (!alias) throw Refusal("aot_unknown_tensor", {{"tensor", tensor::describe(self)}});
    if (op.kind == ops::Kind::View) throw Refusal("aot_metadata_mutated", {{"op", op.qualifiedName()}});
    if (!op.functional) throw Refusal("aot_no_functional_form", {{"op", op.qualifiedName()}});
    const bool withGrad = eager::gradEnabled();
    const std::size_t firstMade = m_made.size();
    eager::Dispatcher::instance().callFake(op, args); // what eager checks; the version goes up
    const Tracing tracing(*this);
    Tensor value = ops::call(*op.functional, args).at(0).tensor();
    if (value.dtype() != self.dtype()) value = ops::f::toCopy(value, self.dtype());
    m_aliases.write(*alias, nodeOf(value), withGrad);
    if (m_depth == 0) addStep("functionalized", op, firstMade);
    return {args[0]};
}

// A tensor literal enters the graph as a copy of a constant, which may then be written.
Values Tracer::liftedConstant(const Tensor& real) {
    const OpDef* copy = ops::find("aten.lift_fresh_copy.default");
    return plain(copy ? *copy : ops::get("aten.clone.default"), copy ? Values{real} : Values{real, Value()});
}

Values Tracer::view(const OpDef& op, const Values& args, int aliased) {
    if (op.schema.name == "lift_fresh" && !args.at(0).tensor().isFake()) return liftedConstant(args[0].tensor());
    if (aliased != 0) throw Refusal("aot_view_of_later_argument", {{"op", op.qualifiedName()}});
    const Tensor self = args[0].tensor();
    fx::Node* source = nodeOf(self);
    const Values seen = eager::Dispatcher::instance().callFake(op, args);
    const bool several = !seen.empty() && seen[0].as<Tensors>();
    std::vector<fx::Node*> nodes{source};
    if (!isIdentityView(op)) {
        const Values shifted = withNodeOffset(op, args);
        Values inner;
        try {
            inner = eager::Dispatcher::instance().callFake(op, innerArguments(shifted));
        } catch (const support::Error&) { // eager's tensor can be viewed so, its functional stand-in not
            throw Refusal("aot_changed_layout", {{"op", op.qualifiedName()}, {"now", symbolic::str(source->value.strides())}});
        }
        nodes = resultNodes(makeNode(op, shifted), op, inner);
    }
    const Tensors results = several ? seen[0].tensors() : Tensors{seen.at(0).tensor()};
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i].is(self)) m_aliases.addView(results[i], *m_aliases.find(self), {&op, args, static_cast<int>(i), several}, nodes.at(i));
    return seen;
}

Values Tracer::decomposed(const OpDef& op, const Values& args) {
    const std::size_t firstMade = m_made.size();
    ++m_depth;
    Values results;
    {
        const Tracing tracing(*this);
        results = op.decomposition(args);
        // An op that is no view gives a tensor of its own, whatever its decomposition found enough.
        if (op.kind != ops::Kind::View)
            for (Value& result : results) {
                const auto* made = result.as<Tensor>();
                if (!made || !made->defined()) continue;
                for (const Value& arg : args)
                    if (const auto* given = arg.as<Tensor>(); given && given->defined() && given->sharesStorage(*made)) {
                        result = ops::f::clone(*made);
                        break;
                    }
            }
    }
    --m_depth;
    if (m_depth == 0) addStep("decomposed", op, firstMade);
    return results;
}

Values Tracer::plain(const OpDef& op, const Values& args) {
    const Values shifted = withNodeOffset(op, args);
    const Values inner = eager::Dispatcher::instance().callFake(op, innerArguments(shifted));
    const std::vector<fx::Node*> nodes = resultNodes(makeNode(op, shifted), op, inner);
    Tensors results;
    for (fx::Node* node : nodes) results.push_back(node ? tensorOf(node) : Tensor());
    if (!inner.empty() && inner[0].as<Tensors>()) return {results};
    return {results.begin(), results.end()};
}

// ---- the derivative ----

void Tracer::beginBackward() { m_backward = true; }

eager::TapeListener& Tracer::listener() {
    m_listener.created = [this](const eager::Node& node) {
        if (origin && !m_backward) m_origins[node.sequence] = *origin;
    };
    m_listener.ran = [this](const eager::Node& node, int, double) {
        const auto it = m_origins.find(node.sequence);
        for (fx::Node* made : m_unplaced) {
            if (it == m_origins.end()) break;
            made->file = it->second.file;
            made->line = it->second.line;
            made->module = it->second.module;
            if (!it->second.id.empty()) made->from = {it->second.id};
        }
        if (it != m_origins.end())
            for (const std::size_t step : m_unplacedSteps) m_steps[step].from = it->second.id;
        m_unplaced.clear();
        m_unplacedSteps.clear();
    };
    return m_listener;
}

} // namespace strata::aot
