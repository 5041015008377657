#include "engine/eager/TapeNodes.h"

#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Functional.h"
#include "engine/ops/Shape.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <atomic>
#include <limits>
#include <map>

namespace strata::eager {

namespace {

using ops::OpDef;
using ops::Value;
using ops::Values;
using support::Error;
using support::ErrorKind;

// Freed nodes whose own edges are still to be freed: destruction of a long tape works through this list.
thread_local std::vector<std::shared_ptr<Node>>* graveyard = nullptr;

void bury(std::shared_ptr<Node> node) {
    if (!node) return;
    if (graveyard) {
        graveyard->push_back(std::move(node));
        return;
    }
    std::vector<std::shared_ptr<Node>> pending;
    graveyard = &pending;
    pending.push_back(std::move(node));
    while (!pending.empty()) {
        const std::shared_ptr<Node> last = std::move(pending.back());
        pending.pop_back();
    }
    graveyard = nullptr;
}

std::string typeName(const Tensor& tensor) {
    return "torch." + std::string(ops::scalarTypeName(tensor.dtype())) + "Tensor";
}

[[noreturn]] void refuseModified(const Tensor& tensor, const Node* owner, int output, std::uint32_t expected) {
    std::string message =
        "one of the variables needed for gradient computation has been modified by an inplace operation: [" +
        typeName(tensor) + " " + ops::shape::text(tensor.sizes()) + "]";
    if (owner) message += ", which is output " + std::to_string(output) + " of " + owner->name + ",";
    message +=
        " is at version " + std::to_string(tensor.version()) + "; expected version " + std::to_string(expected) +
        " instead. Hint: enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True).";
    throw Error(message);
}

} // namespace

Node::Node(std::string nodeName) : name(std::move(nodeName)), sequence(nextSequence()) {}

Node::~Node() {
    for (Edge& edge : next) bury(std::move(edge.node));
}

AutogradMeta::~AutogradMeta() {
    if (self) *self = nullptr;
    bury(std::move(gradFn));
}

std::uint64_t nextSequence() {
    static std::atomic<std::uint64_t> last{0};
    return ++last;
}

SavedTensor::SavedTensor(const Tensor& tensor, int output)
    : m_version(tensor.defined() ? tensor.version() : 0), m_output(output) {
    if (!tensor.defined()) return;
    m_tensor = output < 0 ? tensor : detach(tensor);
}

Tensor SavedTensor::unpack(const std::shared_ptr<Node>& owner) const {
    if (!m_tensor.defined()) return {};
    const std::shared_ptr<Node> history = m_output >= 0 ? owner : gradFn(m_tensor);
    if (m_tensor.version() != m_version) {
        const AutogradMeta* meta = maybeAutogradMeta(m_tensor);
        refuseModified(m_tensor, history.get(), m_output >= 0 ? m_output : (meta ? meta->output : 0), m_version);
    }
    if (m_output < 0) return m_tensor;
    Tensor result = detach(m_tensor);
    if (owner) setHistory(result, owner, m_output);
    return result;
}

std::string SavedTensor::text() const {
    return tensor::describe(m_tensor);
}

namespace {

// Calls f(position, tensor) for each tensor place of the arguments; positions count list entries one by one.
template <class F> std::size_t forEachPlace(const OpDef& op, const Values& args, F&& f) {
    std::size_t position = 0;
    for (std::size_t i = 0; i < op.schema.params.size() && i < args.size(); ++i) {
        if (const auto* list = args[i].as<Tensors>()) {
            for (const Tensor& tensor : *list) f(position++, tensor);
        } else {
            const auto* tensor = args[i].as<Tensor>();
            f(position++, tensor ? *tensor : Tensor());
        }
    }
    return position;
}

} // namespace

OpNode::OpNode(const OpDef& definition, const Values& args) : Node(definition.nodeName) {
    op = &definition;
    forEachPlace(definition, args, [&](std::size_t position, const Tensor& tensor) {
        const bool wanted = tensor.defined() && requiresGrad(tensor);
        m_saved.needs.push_back(wanted);
        m_saved.argSizes.push_back(tensor.defined() ? tensor.sizes() : ops::SymInts{});
        m_saved.argStrides.push_back(tensor.defined() ? tensor.strides() : ops::SymInts{});
        m_saved.argOffsets.push_back(tensor.defined() ? tensor->offset : ops::SymInt(0));
        m_saved.argDTypes.push_back(tensor.defined() ? tensor.dtype() : tensor::DType::Float32);
        if (!wanted) return;
        next.push_back(gradEdge(tensor));
        m_positions.push_back(static_cast<int>(position));
    });
}

bool OpNode::savesArgument(std::size_t position) const {
    const ops::Derivative& derivative = *op->derivative;
    for (std::size_t i = 0; i < derivative.savesArgs.size(); ++i) {
        if (derivative.savesArgs[i] != static_cast<int>(position)) continue;
        if (i >= derivative.savedFor.size()) return true;
        for (std::size_t p = 0; p < m_saved.needs.size() && p < 32; ++p)
            if ((derivative.savedFor[i] >> p & 1U) && m_saved.needs[p]) return true;
    }
    return false;
}

void OpNode::save(const Values& args, const Tensors& results) {
    m_saved.args = args;
    for (Value& arg : m_saved.args) {
        if (arg.as<Tensor>())
            arg = Tensor();
        else if (const auto* list = arg.as<Tensors>())
            arg = Tensors(list->size());
    }
    forEachPlace(*op, args, [&](std::size_t position, const Tensor& tensor) {
        if (tensor.defined() && savesArgument(position))
            m_args.emplace_back(static_cast<int>(position), SavedTensor(tensor, -1));
    });
    for (const int number : op->derivative->savesOutputs)
        if (static_cast<std::size_t>(number) < results.size())
            m_results.emplace_back(number, SavedTensor(results[static_cast<std::size_t>(number)], number));
    m_saved.outputs.resize(results.size());
}

ops::Saved OpNode::unpack() {
    if (m_released)
        throw Error("Trying to backward through the graph a second time (or directly access saved tensors after they "
                    "have already been "
                    "freed). Saved intermediate values of the graph are freed when you call .backward() or "
                    "autograd.grad(). Specify "
                    "retain_graph=True if you need to backward through the graph a second time or if you need to "
                    "access saved tensors "
                    "after calling backward.");
    const std::shared_ptr<Node> self = shared_from_this();
    ops::Saved saved = m_saved;
    std::map<int, Tensor> byPosition;
    for (const auto& [position, tensor] : m_args) byPosition[position] = tensor.unpack(self);
    int position = 0;
    for (Value& arg : saved.args) {
        const std::size_t places = arg.as<Tensors>() ? arg.as<Tensors>()->size() : 1;
        if (const auto* list = arg.as<Tensors>()) {
            Tensors filled = *list;
            for (std::size_t i = 0; i < places; ++i)
                if (const auto it = byPosition.find(position + static_cast<int>(i)); it != byPosition.end())
                    filled[i] = it->second;
            arg = std::move(filled);
        } else if (const auto it = byPosition.find(position); it != byPosition.end()) {
            arg = it->second;
        }
        position += static_cast<int>(places);
    }
    for (const auto& [number, tensor] : m_results)
        saved.outputs[static_cast<std::size_t>(number)] = tensor.unpack(self);
    return saved;
}

Tensors OpNode::apply(Tensors grads) {
    const ops::Saved saved = unpack();
    const Tensors byPosition = op->derivative->formula(saved, grads);
    Tensors result;
    for (const int position : m_positions)
        result.push_back(static_cast<std::size_t>(position) < byPosition.size()
                             ? byPosition[static_cast<std::size_t>(position)]
                             : Tensor());
    return result;
}

void OpNode::release() {
    m_args.clear();
    m_results.clear();
    // A node that saved no tensor works again, from its numbers alone: add's gradient needs alpha.
    m_released = !op->derivative->savesArgs.empty() || !op->derivative->savesOutputs.empty();
    if (m_released) m_saved.args.clear();
}

std::vector<std::string> OpNode::savedText() const {
    std::vector<std::string> texts;
    for (const auto& [position, tensor] : m_args) {
        const bool named = static_cast<std::size_t>(position) < op->schema.params.size();
        texts.push_back(
            (named ? op->schema.params[static_cast<std::size_t>(position)].name : std::to_string(position)) + ": " +
            tensor.text());
    }
    for (const auto& [number, tensor] : m_results)
        texts.push_back((m_saved.outputs.size() == 1 ? "result" : "result" + std::to_string(number)) + ": " +
                        tensor.text());
    return texts;
}

AccumulateGrad::AccumulateGrad(Tensor leaf) : Node("AccumulateGrad"), variable(std::move(leaf)) {
    sequence = std::numeric_limits<std::uint64_t>::max();
    accumulates = true;
    outputSizes = {variable.sizes()};
    outputDTypes = {variable.dtype()};
}

namespace {

// PyTorch's layout contract: a gradient lies in memory as its variable when that is dense, else contiguous.
bool obeysLayout(const Tensor& grad, const Tensor& variable) {
    if (!ops::shape::isNonOverlappingAndDense(variable.sizes(), variable.strides())) return grad.isContiguous();
    for (std::size_t d = 0; d < variable.sizes().size(); ++d)
        if (!variable.sizes()[d].sameAs(1) && !grad.strides()[d].sameAs(variable.strides()[d])) return false;
    return true;
}

Tensor copyInLayoutOf(const Tensor& grad, const Tensor& variable) {
    if (!ops::shape::isNonOverlappingAndDense(variable.sizes(), variable.strides()))
        return ops::callTensor(ops::get("aten.clone.default"), {grad, "contiguous_format"});
    const Tensor copy =
        ops::callTensor(ops::get("aten.new_empty_strided.default"), {grad, variable.sizes(), variable.strides()});
    ops::f::copyInto(copy, grad);
    return copy;
}

} // namespace

Tensors AccumulateGrad::apply(Tensors grads) {
    Tensor incoming = std::move(grads.at(0));
    grads.clear();
    if (!incoming.defined()) return {};
    AutogradMeta& meta = autogradMeta(variable);
    if (!meta.grad.defined()) {
        const bool only = incoming.impl()->references.load() == 1;
        if (!gradEnabled() && only && obeysLayout(incoming, variable))
            meta.grad = detach(incoming);
        else
            meta.grad = copyInLayoutOf(incoming, variable);
    } else if (!gradEnabled()) {
        ops::call(ops::get("aten.add_.Tensor"), {meta.grad, incoming});
    } else {
        meta.grad = ops::f::add(meta.grad, incoming);
    }
    return {};
}

CopySlices::CopySlices(const Tensor& base, const Tensor& view, std::shared_ptr<Node> function)
    : Node("CopySlices"), m_baseSizes(base.sizes()), m_baseStrides(base.strides()), m_viewSizes(view.sizes()),
      m_viewStrides(view.strides()), m_baseOffset(base->offset), m_viewOffset(view->offset),
      m_function(std::move(function)) {
    op = m_function->op;
    next.push_back(gradEdge(base));
    // The function's edge for the view itself, where it has one, is replaced by the base's.
    const auto* opNode = dynamic_cast<const OpNode*>(m_function.get());
    m_ownEdges = opNode && opNode->needs(0) ? 1 : 0;
    for (std::size_t i = m_ownEdges; i < m_function->next.size(); ++i) next.push_back(m_function->next[i]);
    outputSizes = {base.sizes()};
    outputDTypes = {base.dtype()};
}

Tensors CopySlices::apply(Tensors grads) {
    Tensors result(next.size());
    if (!grads.at(0).defined()) return result;
    // A copy with the base's layout, so that the view's geometry holds in it.
    Tensor whole = ops::f::clone(grads[0]);
    if (!symbolic::sameAs(whole.strides(), m_baseStrides)) {
        Tensor laidOut =
            ops::callTensor(ops::get("aten.new_empty_strided.default"), {grads[0], m_baseSizes, m_baseStrides});
        ops::f::copyInto(laidOut, grads[0]);
        whole = laidOut;
    }
    const Tensor slice = ops::f::asStrided(whole, m_viewSizes, m_viewStrides, m_viewOffset - m_baseOffset);
    const Tensors inner = m_function->apply({ops::f::clone(slice)});
    for (std::size_t i = m_ownEdges; i < inner.size(); ++i) result[i - m_ownEdges + 1] = inner[i];
    if (!next[0]) return result;
    if (m_ownEdges > 0 && !inner.empty() && inner[0].defined())
        ops::f::copyInto(slice, inner[0]);
    else
        ops::call(ops::get("aten.zero_.default"), {slice});
    result[0] = whole;
    return result;
}

AsStridedBackward::AsStridedBackward(const Tensor& base, const Tensor& view)
    : Node("AsStridedBackward0"), m_baseSizes(base.sizes()), m_baseStrides(base.strides()), m_viewSizes(view.sizes()),
      m_viewStrides(view.strides()), m_offset(view->offset - base->offset) {
    next.push_back(gradEdge(base));
    outputSizes = {view.sizes()};
    outputDTypes = {view.dtype()};
}

Tensors AsStridedBackward::apply(Tensors grads) {
    if (!grads.at(0).defined()) return {Tensor()};
    const Tensor whole =
        ops::callTensor(ops::get("aten.new_empty_strided.default"), {grads[0], m_baseSizes, m_baseStrides});
    ops::call(ops::get("aten.zero_.default"), {whole});
    ops::f::copyInto(ops::f::asStrided(whole, m_viewSizes, m_viewStrides, m_offset), grads[0]);
    return {whole};
}

NotImplementedNode::NotImplementedNode(const OpDef& definition) : Node("NotImplemented") {
    op = &definition;
}

Tensors NotImplementedNode::apply(Tensors) {
    throw Error("derivative for aten::" + op->schema.name + " is not implemented");
}

} // namespace strata::eager
