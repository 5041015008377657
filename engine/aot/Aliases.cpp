#include "engine/aot/Aliases.h"

#include "engine/aot/Tracer.h"
#include "engine/support/Error.h"

namespace strata::aot {

Alias& Aliases::addBase(const ops::Tensor& tensor, fx::Node* node) {
    auto group = std::make_shared<StorageGroup>();
    group->base = tensor;
    group->node = node;
    group->members.push_back(tensor.impl());
    m_byStorage[tensor->storage.get()] = group;
    return m_byTensor[tensor.impl()] = Alias{tensor, std::move(group), {}, node, 0};
}

Alias& Aliases::addView(const ops::Tensor& tensor, const Alias& of, View view, fx::Node* node) {
    Alias alias{tensor, of.group, of.chain, node, of.group->generation};
    alias.chain.push_back(std::move(view));
    alias.group->members.push_back(tensor.impl());
    return m_byTensor[tensor.impl()] = std::move(alias);
}

Alias* Aliases::find(const ops::Tensor& tensor) {
    if (const auto it = m_byTensor.find(tensor.impl()); it != m_byTensor.end()) return &it->second;
    const auto group = m_byStorage.find(tensor->storage.get());
    if (group == m_byStorage.end()) return nullptr;
    for (const tensor::TensorImpl* member : group->second->members) {
        if (member->dtype != tensor.dtype() || !symbolic::sameAs(member->sizes, tensor.sizes()) ||
            !symbolic::sameAs(member->strides, tensor.strides()) || !member->offset.sameAs(tensor->offset))
            continue;
        Alias copy = m_byTensor.at(member);
        copy.tensor = tensor;
        group->second->members.push_back(tensor.impl());
        return &(m_byTensor[tensor.impl()] = std::move(copy));
    }
    throw support::Refusal("aot_unknown_view", {{"shape", symbolic::str(tensor.sizes())}});
}

void requireBaseLayout(const StorageGroup& group) {
    if (!symbolic::sameAs(group.base.strides(), group.node->value.strides()))
        throw support::Refusal("aot_changed_layout", {{"strides", symbolic::str(group.base.strides())},
                                                      {"now", symbolic::str(group.node->value.strides())}});
}

namespace {

bool countsInStorage(const std::vector<View>& chain) {
    for (const View& view : chain)
        if (view.op->schema.name == "as_strided") return true;
    return false;
}

} // namespace

fx::Node* Aliases::read(Alias& alias) {
    const std::shared_ptr<StorageGroup> group = alias.group;
    if (alias.generation == group->generation) return alias.node;
    // The calls below add records: `alias` may not be used across them.
    const ops::Tensor key = alias.tensor;
    const std::vector<View> chain = alias.chain;
    if (countsInStorage(chain)) requireBaseLayout(*group);
    ops::Tensor now = m_tracer.tensorOf(group->node, group->base->offset);
    for (const View& view : chain)
        if (!isIdentityView(*view.op)) now = applyView(view, now);
    fx::Node* node = m_tracer.nodeOf(now);
    Alias& same = m_byTensor.at(key.impl());
    same.node = node;
    same.generation = group->generation;
    return node;
}

void Aliases::write(Alias& alias, fx::Node* value, bool withGrad) {
    const std::shared_ptr<StorageGroup> group = alias.group;
    const ops::Tensor key = alias.tensor;
    std::vector<View> chain;
    for (const View& view : alias.chain)
        if (!isIdentityView(*view.op)) chain.push_back(view);
    ops::Tensors prefix; // prefix[i]: the base through the first i views
    if (countsInStorage(chain)) requireBaseLayout(*group);
    if (!chain.empty()) prefix.push_back(m_tracer.tensorOf(group->node, group->base->offset));
    for (std::size_t i = 0; i + 1 < chain.size(); ++i) prefix.push_back(applyView(chain[i], prefix.back()));
    if (!chain.empty()) {
        ops::Tensor part = m_tracer.tensorOf(value);
        for (std::size_t i = chain.size(); i-- > 0;) part = undoView(chain[i], prefix[i], part);
        value = m_tracer.nodeOf(part);
    }
    group->node = value;
    ++group->generation;
    group->changedWithGrad = group->changedWithGrad || withGrad;
    if (!chain.empty()) return; // the tensor itself is read again through its chain, as PyTorch does
    Alias& same = m_byTensor.at(key.impl());
    same.node = value;
    same.generation = group->generation;
}

} // namespace strata::aot
