#include "engine/eager/AutogradKey.h"

#include "engine/eager/TapeNodes.h"
#include "engine/ops/Functional.h"
#include "engine/support/Error.h"

namespace strata::eager::autogradKey {

namespace {

using ops::OpDef;
using ops::Value;
using ops::Values;
using support::Error;

bool anyRequiresGrad(const Values& args) {
    for (const Value& arg : args) {
        if (const auto* tensor = arg.as<Tensor>()) {
            if (tensor->defined() && requiresGrad(*tensor)) return true;
        } else if (const auto* list = arg.as<Tensors>()) {
            for (const Tensor& each : *list)
                if (each.defined() && requiresGrad(each)) return true;
        }
    }
    return false;
}

void refuseInPlace(const Tensor& self) {
    const AutogradMeta* meta = maybeAutogradMeta(self);
    if (!meta || !requiresGrad(self)) return;
    if (meta->base.defined()) {
        if (isLeaf(meta->base) && requiresGrad(meta->base))
            throw Error("a view of a leaf Variable that requires grad is being used in an in-place operation.");
        if (meta->createdInNoGrad)
            throw Error("A view was created in no_grad mode and is being modified inplace with grad mode enabled. "
                        "Given that this use case "
                        "is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both the "
                        "view and the inplace "
                        "either both inside the no_grad block (if you don't want the inplace to be tracked) or both "
                        "outside (if you want "
                        "the inplace to be tracked).");
    } else if (isLeaf(self)) {
        throw Error("a leaf Variable that requires grad is being used in an in-place operation.");
    }
}

// Results as tensors by number; a Tensor[] result counts its entries.
Tensors tensorsOf(const Values& outputs) {
    Tensors result;
    for (const Value& output : outputs) {
        if (const auto* tensor = output.as<Tensor>())
            result.push_back(*tensor);
        else if (const auto* list = output.as<Tensors>())
            result.insert(result.end(), list->begin(), list->end());
    }
    return result;
}

// A view remembers the tensor at the root of its storage, so that an in-place change of either reaches the other's
// history.
void noteViews(const OpDef& op, const Values& args, const Tensors& outputs) {
    if (!op.differentiable || args.empty() || !args[0].as<Tensor>()) return;
    const Tensor& self = args[0].tensor();
    for (const Tensor& output : outputs) {
        if (output.is(self) || !output.sharesStorage(self)) continue;
        AutogradMeta& meta = autogradMeta(output);
        const AutogradMeta* source = maybeAutogradMeta(self);
        meta.base = source && source->base.defined() ? source->base : self;
        meta.createdInNoGrad = !gradEnabled() || (source && source->createdInNoGrad);
        meta.viewVersion = output.version();
    }
}

bool isDifferentiable(const Tensor& tensor) {
    return tensor.defined() && tensor::isFloating(tensor.dtype());
}

std::shared_ptr<Node> makeNode(const OpDef& op, const Values& args) {
    if (op.derivative) return std::make_shared<OpNode>(op, args);
    auto node = std::make_shared<NotImplementedNode>(op);
    for (const Value& arg : args)
        if (const auto* tensor = arg.as<Tensor>(); tensor && tensor->defined() && requiresGrad(*tensor))
            node->next.push_back(gradEdge(*tensor));
    return node;
}

void describeOutputs(Node& node, const Tensors& outputs) {
    node.outputs = static_cast<int>(outputs.size());
    for (const Tensor& output : outputs) {
        node.outputSizes.push_back(output.defined() ? output.sizes() : ops::SymInts{});
        node.outputDTypes.push_back(output.defined() ? output.dtype() : tensor::DType::Float32);
    }
}

// self's history now ends in `node`; of a view, the base's history does.
void rebase(const Tensor& self, const std::shared_ptr<Node>& node) {
    AutogradMeta& meta = autogradMeta(self);
    if (!meta.base.defined()) {
        setHistory(self, node, 0);
        return;
    }
    auto slices = std::make_shared<CopySlices>(meta.base, self, node);
    setHistory(meta.base, slices, 0);
    announce(*slices);
}

Values callInPlace(const OpDef& op, Values args, Below below) {
    const Tensor self = args.at(0).tensor();
    const bool recording = gradEnabled() && op.differentiable && anyRequiresGrad(args) && isDifferentiable(self);
    if (gradEnabled()) refuseInPlace(self);
    if (!recording) return below(op, std::move(args));
    const std::shared_ptr<Node> node = makeNode(op, args);
    Values kept = args;
    auto* opNode = dynamic_cast<OpNode*>(node.get());
    if (opNode && opNode->savesArgument(0)) { // the formula reads self as it was
        const GradModeScope noGrad(false);
        kept[0] = ops::f::clone(self);
    }
    Values outputs = below(op, std::move(args));
    // PyTorch keeps an edge for self even when it needed no gradient, which CopySlices relies on.
    if (!node->next.empty() || opNode) {
        describeOutputs(*node, {self});
        if (opNode) opNode->save(kept, {self});
        rebase(self, node);
        announce(*node);
    }
    return outputs;
}

} // namespace

Values call(const OpDef& op, Values args, Below below) {
    if (op.inPlace) return callInPlace(op, std::move(args), below);
    const bool recording = gradEnabled() && op.differentiable && anyRequiresGrad(args);
    const bool view = op.kind == ops::Kind::View;
    if (!recording) {
        if (!view) return below(op, std::move(args));
        const Values kept = args;
        Values outputs = below(op, std::move(args));
        noteViews(op, kept, tensorsOf(outputs));
        return outputs;
    }
    const Values kept = args;
    Values outputs = below(op, std::move(args));
    const Tensors results = tensorsOf(outputs);
    bool differentiable = false;
    for (const Tensor& result : results) differentiable = differentiable || isDifferentiable(result);
    if (view) noteViews(op, kept, results);
    if (!differentiable) return outputs;
    const std::shared_ptr<Node> node = makeNode(op, kept);
    describeOutputs(*node, results);
    for (std::size_t i = 0; i < results.size(); ++i)
        if (isDifferentiable(results[i])) setHistory(results[i], node, static_cast<int>(i));
    if (auto* opNode = dynamic_cast<OpNode*>(node.get())) opNode->save(kept, results);
    announce(*node);
    return outputs;
}

} // namespace strata::eager::autogradKey
