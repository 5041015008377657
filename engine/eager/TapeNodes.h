#pragma once
// The kinds of tape nodes: one an op, one a leaf, and the node that an in-place change of a view puts into its base's
// history.

#include "engine/eager/Autograd.h"

namespace strata::eager {

/// A tensor kept for backward. Its version is compared on use: an in-place change since saving is an error, not a wrong
/// gradient. Results of the saving node itself are kept detached, so that node and tensor do not own each other.
class SavedTensor {
public:
    SavedTensor() = default;
    /// `output` >= 0: result number `output` of the saving node.
    SavedTensor(const Tensor& tensor, int output);
    /// With `owner` as the history of a saved result.
    Tensor unpack(const std::shared_ptr<Node>& owner) const;
    bool defined() const { return m_tensor.defined(); }
    std::string text() const; // "f32[4, 4]"

private:
    Tensor m_tensor;
    std::uint32_t m_version = 0;
    int m_output = -1;
};

/// The node of an op: saved values and the op's formula.
class OpNode : public Node {
public:
    OpNode(const ops::OpDef& op, const ops::Values& args);
    /// Keeps what the formula reads. `outputs` are the op's results.
    void save(const ops::Values& args, const Tensors& results);
    Tensors apply(Tensors grads) override;
    void release() override;
    std::vector<std::string> savedText() const override;
    /// Of the schema position (lists flattened) `position`: does it need a gradient?
    bool needs(std::size_t position) const { return m_saved.needs.at(position); }
    bool savesArgument(std::size_t position) const;

private:
    ops::Saved unpack();

    ops::Saved m_saved;                                         // tensors taken out: they are in m_args and m_results
    std::vector<std::pair<int, SavedTensor>> m_args, m_results; // by position, by number
    std::vector<int> m_positions;                               // of each edge
    bool m_released = false;
};

/// Adds a leaf's gradient to its .grad.
class AccumulateGrad : public Node {
public:
    explicit AccumulateGrad(Tensor variable);
    Tensors apply(Tensors grads) override;
    const Tensor variable;
};

/// An in-place op on a view: the base's gradient outside of the view passes, that inside goes through the op's node.
class CopySlices : public Node {
public:
    CopySlices(const Tensor& base, const Tensor& view, std::shared_ptr<Node> function);
    Tensors apply(Tensors grads) override;
    void release() override { m_function->release(); }
    std::vector<std::string> savedText() const override { return m_function->savedText(); }

private:
    ops::SymInts m_baseSizes, m_baseStrides, m_viewSizes, m_viewStrides;
    ops::SymInt m_baseOffset, m_viewOffset;
    std::shared_ptr<Node> m_function;
    std::size_t m_ownEdges = 0; // edges of the function that lead to the view itself: 0 or 1
};

/// History of a view whose base was changed in place after the view was made: the view's part of the base's history.
class AsStridedBackward : public Node {
public:
    AsStridedBackward(const Tensor& base, const Tensor& view);
    Tensors apply(Tensors grads) override;

private:
    ops::SymInts m_baseSizes, m_baseStrides, m_viewSizes, m_viewStrides;
    ops::SymInt m_offset; // of the view within the base
};

/// The node of a differentiable op without a formula: backward through it is an error.
class NotImplementedNode : public Node {
public:
    explicit NotImplementedNode(const ops::OpDef& op);
    Tensors apply(Tensors grads) override;
};

/// The autograd record of a tensor, made when there is none.
AutogradMeta& autogradMeta(const Tensor& tensor);
AutogradMeta* maybeAutogradMeta(const Tensor& tensor);
/// Told of a node that became a tensor's history.
void announce(const Node& node);
/// The listener in force, or null.
TapeListener* tapeListener();
std::uint64_t nextSequence();

} // namespace strata::eager
