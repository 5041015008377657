#pragma once
// Lowers one ATen graph to prims, node by node; implements toPrims(). Decompositions run with this object as the ops'
// caller, so that what they call is lowered in turn.

#include "engine/aot/PrimBuilder.h"
#include "engine/ops/Registry.h"
#include "engine/trace/Record.h"

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace strata::aot {

class PrimLowering : public ops::Caller {
public:
    PrimLowering(const fx::Graph& graph, std::string compile, std::string region, trace::Sink* sink)
        : m_from(graph), m_compile(std::move(compile)), m_region(std::move(region)), m_sink(sink),
          m_graph(std::make_unique<fx::Graph>(graph.title)), m_build(*m_graph) {}

    std::unique_ptr<fx::Graph> run();
    /// What a decomposition calls.
    ops::Values call(const ops::OpDef& op, ops::Values args) override;

private:
    // Nodes (Prims.cpp).
    void lower(const fx::Node& node);
    void input(const fx::Node& node);
    void keep(const fx::Node& node, fx::Node* made);
    fx::Node* plain(const fx::Node* old);
    fx::Node* nodeOf(const ops::Tensor& tensor) const;
    fx::Node* copy(const fx::Node& node, const std::string& target, fx::ArgList args, fx::ArgDict kwargs);
    void lowerInteger(const fx::Node& node);
    void getItem(const fx::Node& node);
    void keepResult(const ops::Tensor& result, fx::Node* node);

    // Calls: the first that applies of view, fill, decomposition, copy, reduction, pointwise; else an ATen call stays.
    // Each returns the node of the result, or null when it does not apply.
    void lowerCall(const ops::OpDef& op, const ops::Values& args, const ops::Tensors& results);
    bool lowerDecomposed(const ops::OpDef& op, const ops::Values& args, const ops::Tensors& results);

    // Views (PrimViews.cpp).
    fx::Node* lowerView(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& result);
    static std::vector<std::int64_t> order(const std::string& name, const ops::Values& args, std::int64_t rank);
    static std::vector<std::int64_t> squeezed(const ops::Values& args, const ops::Tensor& self);
    fx::Node* cut(fx::Node* source, const ops::Tensor& self, std::int64_t dim, ops::SymInt start, ops::SymInt count,
                  ops::SymInt step);
    fx::Node* select(const ops::Values& args, const ops::Tensor& self, fx::Node* source, const ops::Tensor& result);
    fx::Node* slice(const ops::Values& args, const ops::Tensor& self, fx::Node* source, const ops::Tensor& result);

    // The rest (PrimValues.cpp).
    static bool isFill(const ops::OpDef& op);
    fx::Node* lowerFill(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& result);
    fx::Node* lowerCopy(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& result);
    static std::vector<std::int64_t> reducedDims(const ops::OpDef& op, const ops::Values& args, std::int64_t rank);
    fx::Node* lowerReduction(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& result);
    fx::Node* reduce(ops::ReductionKind kind, fx::Node* source, const std::vector<std::int64_t>& dims);
    fx::Node* restoreKeptDims(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& self, fx::Node* made,
                              const ops::Tensor& result);
    fx::Node* lowerPointwise(const ops::OpDef& op, const ops::Values& args, const ops::Tensor& result);
    fx::Arg externArgument(const ops::Value& value);
    void lowerExtern(const ops::OpDef& op, const ops::Values& args, const ops::Tensors& results);

    // Records: what each node became.
    void remember(const fx::Node& node, std::size_t before);
    void sendSteps();

    const fx::Graph& m_from;
    std::string m_compile, m_region;
    trace::Sink* m_sink;
    std::unique_ptr<fx::Graph> m_graph;
    PrimBuilder m_build;
    std::map<const fx::Node*, fx::Node*> m_byNode; // placeholders and integers
    std::map<const tensor::TensorImpl*, fx::Node*> m_byTensor;
    ops::Tensors m_alive;             // keys of m_byTensor stay alive
    std::set<const fx::Node*> m_kept; // random calls: they run even when nothing reads them
    bool m_random = false;            // the node being lowered is one
    std::vector<std::pair<const fx::Node*, std::vector<std::string>>> m_made;
};

} // namespace strata::aot
