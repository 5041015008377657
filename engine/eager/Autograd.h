#pragma once
// The autograd tape: built as the program runs, one Node an op, and executed by backward(). Works alike on fake
// tensors, which is how AOTAutograd captures a backward graph.

#include "engine/eager/Dispatcher.h"
#include "engine/tensor/Tensor.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace strata::eager {

using ops::Tensor;
using ops::Tensors;

class Node;

/// An output slot of a tape node; for a leaf, the node that accumulates into its .grad.
struct Edge {
    std::shared_ptr<Node> node;
    int output = 0;
    explicit operator bool() const { return node != nullptr; }
};

/// Hook on a gradient: returns a replacement, or undefined to keep it.
using Hook = std::function<Tensor(const Tensor& grad)>;

/// Identifies a hook for removal.
struct NodeHook {
    int id = 0;
    int output = 0; // of which of the node's outputs the gradient is
    Hook hook;
    bool retains = false; // stores .grad of a non-leaf: runs after the others
};

class Node : public std::enable_shared_from_this<Node> {
public:
    explicit Node(std::string nodeName);
    Node(const Node&) = delete;
    Node& operator=(const Node&) = delete;
    virtual ~Node(); // iterative: a tape of any length frees without deep recursion
    /// Gradients of this node's outputs (undefined entries are zero) -> one an edge.
    virtual Tensors apply(Tensors grads) = 0;
    /// Frees saved tensors after backward without retain_graph.
    virtual void release() {}
    /// For the tape pane: "self: f32[4, 4]".
    virtual std::vector<std::string> savedText() const { return {}; }

    std::string name; // "MulBackward0"
    std::vector<Edge> next;
    std::uint64_t sequence; // order of creation: later ones run first
    int outputs = 1;
    std::vector<ops::SymInts> outputSizes; // to make zeros for undefined gradients
    std::vector<ops::DType> outputDTypes;
    const ops::OpDef* op = nullptr; // null for accumulation and custom nodes
    std::vector<NodeHook> preHooks; // run on the summed gradients before apply
    bool accumulates = false;       // a leaf's node: runs as soon as its gradient is there
};

struct AutogradMeta : tensor::AutogradMetaBase {
    bool requiresGrad = false;
    Tensor grad;
    std::shared_ptr<Node> gradFn; // null for a leaf
    int output = 0;
    std::weak_ptr<Node> accumulator; // of a leaf
    std::vector<std::pair<int, Hook>> hooks;
    bool retainsGrad = false;
    // A differentiable view: in-place changes of it rebase the base's history.
    // The view is base.as_strided(sizes, strides, offset) of this tensor, unless viewFn says otherwise.
    Tensor base;
    std::function<Tensor(const Tensor&)> viewFn; // base -> this view
    bool createdInNoGrad = false;
    std::uint32_t viewVersion = 0; // of the base when gradFn was made; an in-place change since then makes it stale

    AutogradMeta() = default;
    ~AutogradMeta() override;
    /// Points at this object while it lives: what the hook of retain_grad holds. Null until one needs it.
    std::shared_ptr<AutogradMeta*> self;
};

bool requiresGrad(const Tensor& tensor);
/// Throws support::Error (Runtime) with PyTorch's message for integral dtypes and non-leaves.
void setRequiresGrad(const Tensor& tensor, bool value);
bool isLeaf(const Tensor& tensor);
std::shared_ptr<Node> gradFn(const Tensor& tensor); // null for leaves
Edge gradEdge(const Tensor& tensor);                // empty when it needs no gradient
Tensor grad(const Tensor& tensor);                  // undefined when none
void setGrad(const Tensor& tensor, Tensor value);
/// Makes `node` the history of `tensor`, as output number `output`.
void setHistory(const Tensor& tensor, std::shared_ptr<Node> node, int output);
int addHook(const Tensor& tensor, Hook hook);
void removeHook(const Tensor& tensor, int id);
void retainGrad(const Tensor& tensor);
/// A new tensor on the same storage that needs no gradient.
Tensor detach(const Tensor& tensor);

struct BackwardOptions {
    bool retainGraph = false;
    bool createGraph = false;
};
/// Runs the tape from `roots`; `gradients` may hold undefined entries for one-element roots (ones).
/// Accumulates into the leaves' .grad, or, with `inputs` given, returns a gradient an input instead (undefined where
/// unused).
Tensors backward(const Tensors& roots, const Tensors& gradients, const Tensors& inputs, BackwardOptions options);

/// Told about the tape: null to stop.
struct TapeListener {
    std::function<void(const Node& node)> created;
    std::function<void(const Node& node, int order, double microseconds)> ran;
};
void setTapeListener(TapeListener* listener);

} // namespace strata::eager
