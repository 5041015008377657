#pragma once
// Records what a function over fake tensors computes as a functional ATen graph. The tracer is a Mode below autograd:
// it sees each op call after the tape took note of it, and the tape's own calls while backward() runs, so that one run
// of the function and of its tape gives PyTorch's joint graph. Each call is functionalized (Aliases.h), decomposed to
// core ATen ops, and becomes one node.
//
// A fake tensor that the function sees and the value of the node that stands for it are different tensors: the first
// has the aliasing of eager (an in-place op changes it, its views share its storage), the second never changes.

#include "engine/aot/Aliases.h"
#include "engine/aot/Aot.h"
#include "engine/eager/Autograd.h"
#include "engine/eager/Dispatcher.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

/// What `setCurrentOrigin` said last on this thread; null: none.
const Origin* currentOrigin();

/// Something that tracing did to an op: a `functionalized` or `decomposed` record once the graph is final. Nodes are
/// named, since dead ones go later.
struct Step {
    std::string kind; // functionalized, decomposed
    std::string op;   // aten.add_.Tensor
    std::string from; // trace id of the captured node, may be empty
    std::vector<std::string> into;
};

class Tracer : public eager::Mode {
public:
    Tracer(fx::Graph& graph, bool decompose) : m_graph(graph), m_decompose(decompose), m_aliases(*this) {}

    /// A placeholder with the metadata of `like`; the tensor to give to the function.
    ops::Tensor input(const std::string& name, const ops::Tensor& like, fx::Role role);
    /// A size placeholder. Arguments that equal `value` become references to it.
    fx::Node* size(const std::string& name, symbolic::SymInt value);
    /// The node that now stands for a tensor of the trace; records the views that bring it up to date.
    /// support::Refusal for a tensor that tracing knows nothing of.
    fx::Node* nodeOf(const ops::Tensor& tensor);
    /// A tensor of its own storage, at `offset`, that stands for a node, to go on computing with it.
    ops::Tensor tensorOf(fx::Node* node, symbolic::SymInt offset = 0);
    /// The argument for a size; for sums and products of sizes, nodes that compute them.
    fx::Arg sizeArgument(symbolic::SymInt value);
    fx::Arg computedSize(symbolic::SymInt value);
    Aliases& aliases() { return m_aliases; }

    ops::Values handle(const ops::OpDef& op, ops::Values args) override;

    /// From now on nodes belong to the derivative; they get the place of the forward op whose tape node runs.
    void beginBackward();
    const std::vector<Step>& steps() const { return m_steps; }
    /// Whether the graph reads an input's storage at absolute offsets (as_strided).
    bool usesStorageOffset() const { return m_usesStorageOffset; }
    /// To be put in force while the function and its tape run.
    eager::TapeListener& listener();

private:
    ops::Values inPlace(const ops::OpDef& op, const ops::Values& args);
    ops::Values liftedConstant(const ops::Tensor& real);
    ops::Values view(const ops::OpDef& op, const ops::Values& args, int aliased);
    ops::Values decomposed(const ops::OpDef& op, const ops::Values& args);
    ops::Values plain(const ops::OpDef& op, const ops::Values& args);
    /// The arguments with each tensor replaced by its node's value.
    ops::Values innerArguments(const ops::Values& args);
    fx::Node* makeNode(const ops::OpDef& op, const ops::Values& args);
    /// One node a result of a call with several (getitem), or the node itself.
    std::vector<fx::Node*> resultNodes(fx::Node* node, const ops::OpDef& op, const ops::Values& inner);
    ops::Tensor constant(const ops::Tensor& real);
    ops::Values withNodeOffset(const ops::OpDef& op, ops::Values args);
    void addStep(const char* kind, const ops::OpDef& op, std::size_t firstMade);
    fx::Arg argument(const ops::Value& value);
    void place(fx::Node* node);

    fx::Graph& m_graph;
    bool m_decompose;
    Aliases m_aliases;
    std::vector<std::pair<symbolic::SymInt, fx::Node*>> m_sizes;
    std::map<std::string, fx::Node*> m_computedSizes;
    std::vector<std::string> m_made; // names of all nodes, in order
    bool m_usesStorageOffset = false;
    std::vector<Step> m_steps;
    int m_depth = 0; // of decompositions
    bool m_backward = false;
    eager::TapeListener m_listener;
    std::map<std::uint64_t, Origin> m_origins; // by tape node
    std::vector<fx::Node*> m_unplaced;         // backward nodes whose tape node still runs
    std::vector<std::size_t> m_unplacedSteps;
    std::map<const tensor::TensorImpl*, fx::Node*> m_constants;
};

} // namespace strata::aot
