// The autograd record of tensors: requires_grad, histories, hooks.
#include "engine/eager/Autograd.h"

#include "engine/eager/TapeNodes.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <algorithm>

namespace strata::eager {

namespace {

using support::Error;

TapeListener* currentListener = nullptr;

// A view's own history is stale once its base was changed in place: then it is a part of the base's history.
bool isStale(const Tensor& tensor, const AutogradMeta& meta) {
    return meta.base.defined() && !meta.createdInNoGrad && !meta.requiresGrad && meta.viewVersion != tensor.version() &&
           requiresGrad(meta.base);
}

void refresh(const Tensor& tensor, AutogradMeta& meta) {
    if (!isStale(tensor, meta)) return;
    auto node = std::make_shared<AsStridedBackward>(meta.base, tensor);
    meta.gradFn = node;
    meta.output = 0;
    meta.viewVersion = tensor.version();
    announce(*node);
}

} // namespace

AutogradMeta* maybeAutogradMeta(const Tensor& tensor) {
    return static_cast<AutogradMeta*>(tensor->autograd.get());
}

AutogradMeta& autogradMeta(const Tensor& tensor) {
    if (!tensor->autograd) tensor->autograd = std::make_unique<AutogradMeta>();
    return *maybeAutogradMeta(tensor);
}

bool requiresGrad(const Tensor& tensor) {
    const AutogradMeta* meta = maybeAutogradMeta(tensor);
    if (!meta) return false;
    return meta->requiresGrad || meta->gradFn ||
           (meta->base.defined() && !meta->createdInNoGrad && requiresGrad(meta->base));
}

void setRequiresGrad(const Tensor& tensor, bool value) {
    if (!isLeaf(tensor)) {
        std::string message = "you can only change requires_grad flags of leaf variables.";
        if (!value)
            message += " If you want to use a computed variable in a subgraph that doesn't require differentiation use "
                       "var_no_grad = var.detach().";
        throw Error(message);
    }
    if (value && !tensor::isFloating(tensor.dtype()))
        throw Error("only Tensors of floating point and complex dtype can require gradients");
    if (!value && !tensor->autograd) return;
    autogradMeta(tensor).requiresGrad = value;
}

bool isLeaf(const Tensor& tensor) {
    return gradFn(tensor) == nullptr;
}

std::shared_ptr<Node> gradFn(const Tensor& tensor) {
    AutogradMeta* meta = maybeAutogradMeta(tensor);
    if (!meta) return nullptr;
    refresh(tensor, *meta);
    return meta->gradFn;
}

Edge gradEdge(const Tensor& tensor) {
    AutogradMeta* meta = maybeAutogradMeta(tensor);
    if (!meta) return {};
    refresh(tensor, *meta);
    if (meta->gradFn) return {meta->gradFn, meta->output};
    if (!meta->requiresGrad) return {};
    std::shared_ptr<Node> accumulator = meta->accumulator.lock();
    if (!accumulator) {
        accumulator = std::make_shared<AccumulateGrad>(tensor);
        meta->accumulator = accumulator;
    }
    return {accumulator, 0};
}

Tensor grad(const Tensor& tensor) {
    const AutogradMeta* meta = maybeAutogradMeta(tensor);
    return meta ? meta->grad : Tensor();
}

void setGrad(const Tensor& tensor, Tensor value) {
    if (!value.defined() && !tensor->autograd) return;
    autogradMeta(tensor).grad = std::move(value);
}

void setHistory(const Tensor& tensor, std::shared_ptr<Node> node, int output) {
    AutogradMeta& meta = autogradMeta(tensor);
    // Hooks and retain_grad of a tensor that is changed in place go on with its new history's gradient (retain_grad) or
    // stay with the old one (hooks), as in PyTorch.
    meta.gradFn = std::move(node);
    meta.output = output;
    meta.viewVersion = tensor.version();
    if (!meta.retainsGrad || !meta.gradFn) return;
    meta.retainsGrad = false;
    retainGrad(tensor);
}

int addHook(const Tensor& tensor, Hook hook) {
    if (!requiresGrad(tensor)) throw Error("cannot register a hook on a tensor that doesn't require gradient");
    static int lastId = 0;
    const int id = ++lastId;
    AutogradMeta& meta = autogradMeta(tensor);
    if (const std::shared_ptr<Node> node = gradFn(tensor)) node->preHooks.push_back({id, meta.output, hook, false});
    meta.hooks.emplace_back(id, std::move(hook));
    return id;
}

void removeHook(const Tensor& tensor, int id) {
    AutogradMeta* meta = maybeAutogradMeta(tensor);
    if (!meta) return;
    std::erase_if(meta->hooks, [&](const auto& hook) { return hook.first == id; });
    if (meta->gradFn) std::erase_if(meta->gradFn->preHooks, [&](const NodeHook& hook) { return hook.id == id; });
}

void retainGrad(const Tensor& tensor) {
    if (!requiresGrad(tensor)) throw Error("can't retain_grad on Tensor that has requires_grad=False");
    const std::shared_ptr<Node> node = gradFn(tensor);
    if (!node) return;
    AutogradMeta& meta = autogradMeta(tensor);
    if (meta.retainsGrad) return;
    meta.retainsGrad = true;
    if (!meta.self) meta.self = std::make_shared<AutogradMeta*>(&meta);
    const Hook store = [cell = meta.self](const Tensor& grad) {
        if (AutogradMeta* owner = *cell) {
            // The first gradient is kept as it is, later ones are added: what .grad of a leaf does.
            owner->grad =
                owner->grad.defined() ? ops::callTensor(ops::get("aten.add.Tensor"), {owner->grad, grad}) : grad;
        }
        return Tensor();
    };
    node->preHooks.push_back({0, meta.output, store, true});
}

Tensor detach(const Tensor& tensor) {
    static const ops::OpDef& op = ops::get("aten.detach.default");
    return Dispatcher::instance().callBelowAutograd(op, {tensor}).at(0).tensor();
}

void announce(const Node& node) {
    if (currentListener && currentListener->created) currentListener->created(node);
}

TapeListener* tapeListener() {
    return currentListener;
}

void setTapeListener(TapeListener* listener) {
    currentListener = listener;
}

} // namespace strata::eager
