// The tracer's nodes: arguments, placement, results.
#include "engine/aot/Tracer.h"

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

bool isStrided(const OpDef& op) {
    return op.schema.name.rfind("as_strided", 0) == 0;
}

} // namespace

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
    static const std::map<ExprKind, const char*> targets{{ExprKind::Add, "add"},           {ExprKind::Mul, "mul"},
                                                         {ExprKind::FloorDiv, "floordiv"}, {ExprKind::Mod, "mod"},
                                                         {ExprKind::Min, "sym_min"},       {ExprKind::Max, "sym_max"}};
    const auto target = targets.find(expr->kind);
    if (target == targets.end()) return plain;
    const bool product = expr->kind == ExprKind::Mul;
    SymInt so = expr->args[0];
    fx::Arg last = computedSize(so);
    for (std::size_t i = 1; i < expr->args.size(); ++i) {
        const SymInt next(expr->args[i]);
        switch (expr->kind) {
        case ExprKind::Add:
            so = so + next;
            break;
        case ExprKind::Mul:
            so = so * next;
            break;
        default:
            so = value;
            break;
        }
        // Constants stand last in Python's source order: s0 + 1.
        fx::Node* node = product || !last.as<fx::Node*>()
                             ? m_graph.callFunction(target->second, {computedSize(next), last})
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
        if (const auto* t = arg.as<Tensor>(); t && t->defined())
            arg = nodeOf(*t)->value;
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

void Tracer::place(fx::Node* node) {
    const Origin* origin = currentOrigin();
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
        if (!params[i].keywordOnly && !(params[i].hasDefault && sameDefault(args[i], params[i].defaultValue)))
            positional = i + 1;
    fx::ArgList list;
    fx::ArgDict named;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (i < positional)
            list.push_back(argument(args[i]));
        else if (params[i].keywordOnly && !sameDefault(args[i], params[i].defaultValue))
            named.emplace_back(params[i].name, argument(args[i]));
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
    if (list)
        node->values = inner[0].tensors();
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
    const Origin* origin = currentOrigin();
    Step step{kind, op.qualifiedName(), origin && !m_backward ? origin->id : "", {}};
    step.into.assign(m_made.begin() + static_cast<std::ptrdiff_t>(firstMade), m_made.end());
    if (m_backward) m_unplacedSteps.push_back(m_steps.size());
    m_steps.push_back(std::move(step));
}

} // namespace strata::aot
