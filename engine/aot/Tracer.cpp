#include "engine/aot/Tracer.h"

#include "engine/ops/Functional.h"
#include "engine/ops/Shape.h"
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

/// The argument that the results are views of; -1: none.
int aliasedArgument(const OpDef& op, const Values& args) {
    if (!op.meta) return -1;
    for (const ops::TensorMeta& meta : op.meta(args))
        if (meta.aliases >= 0) return meta.aliases;
    return -1;
}

// Eager refuses to write over elements that another operand holds elsewhere; on fake tensors it does not look.
void refuseOverlap(const Tensor& written, const Values& args) {
    const auto dense = [](const Tensor& t) { return ops::shape::isNonOverlappingAndDense(t.sizes(), t.strides()); };
    for (std::size_t i = 1; i < args.size(); ++i) {
        const auto* read = args[i].as<Tensor>();
        if (!read || !read->defined() || !read->sharesStorage(written) || !dense(*read) || !dense(written)) continue;
        const SymInt a = written->offset, b = (*read)->offset, n = written.numel(), m = read->numel();
        if (a.isSymbolic() || b.isSymbolic() || n.isSymbolic() || m.isSymbolic()) continue;
        const bool same = a.sameAs(b) && n.sameAs(m) && symbolic::sameAs(written.strides(), read->strides());
        if (!same && a.asInt() < b.asInt() + m.asInt() && b.asInt() < a.asInt() + n.asInt())
            throw Refusal("aot_overlapping_operands");
    }
}

} // namespace

void setCurrentOrigin(const Origin* current) {
    origin = current;
}
const Origin* currentOrigin() {
    return origin;
}

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
    refuseOverlap(self, args);
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
            throw Refusal("aot_changed_layout",
                          {{"op", op.qualifiedName()}, {"now", symbolic::str(source->value.strides())}});
        }
        nodes = resultNodes(makeNode(op, shifted), op, inner);
    }
    const Tensors results = several ? seen[0].tensors() : Tensors{seen.at(0).tensor()};
    for (std::size_t i = 0; i < results.size(); ++i)
        if (!results[i].is(self))
            m_aliases.addView(results[i], *m_aliases.find(self), {&op, args, static_cast<int>(i), several},
                              nodes.at(i));
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
                    if (const auto* given = arg.as<Tensor>();
                        given && given->defined() && given->sharesStorage(*made)) {
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

void Tracer::beginBackward() {
    m_backward = true;
}

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
