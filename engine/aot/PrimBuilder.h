#pragma once
// The prim level: every ATen op as PyTorch's prims (torch/_prims), where broadcasting, dtype conversion and keepdim are
// ops of their own. Pointwise ops come from their declared scalar bodies: the body's expression is walked, and each
// scalar operation becomes one prim over whole tensors. Reductions and views become one or two prims each. What has no
// prim (matrix products, gathers, random numbers, sorting) stays an ATen call.
//
// The graph is one to read: the loop compiler lowers the ATen graph itself, from the same bodies.

#include "engine/fx/Graph.h"
#include "engine/loop/Expr.h"
#include "engine/ops/OpDef.h"

#include <map>
#include <memory>
#include <string>
#include <vector>

namespace strata::aot {

/// Makes prims nodes in a graph, each with its value's metadata.
class PrimBuilder {
public:
    explicit PrimBuilder(fx::Graph& graph) : m_graph(graph) {}
    /// Where following nodes come from.
    void setSource(const fx::Node& node, std::string id);
    void addSize(symbolic::SymInt value, fx::Node* node) { m_sizes.emplace_back(value, node); }

    fx::Node* emit(const std::string& target, fx::ArgList args, fx::ArgDict kwargs, const ops::SymInts& sizes,
                   ops::DType dtype);
    fx::Node* convert(fx::Node* node, ops::DType dtype);
    fx::Node* broadcast(fx::Node* node, const ops::SymInts& sizes);
    /// `dims`: where each dim of the node stands in `sizes`.
    fx::Node* broadcast(fx::Node* node, const ops::SymInts& sizes, const std::vector<std::int64_t>& dims);
    fx::Node* full(const ops::SymInts& sizes, fx::Arg value, ops::DType dtype);
    /// A scalar expression over the operands' elements, by slot; of shape `sizes` in the end.
    fx::Node* elementwise(const loop::ScalarRef& expr, const std::vector<fx::Node*>& operands,
                          const ops::SymInts& sizes);

    fx::Arg size(symbolic::SymInt value) const;
    fx::List sizes(const ops::SymInts& values) const;
    static fx::List numbers(const std::vector<std::int64_t>& values);

private:
    /// A tensor, or a number.
    struct Operand {
        fx::Node* node = nullptr;
        fx::Arg number;
    };
    using Memo = std::map<const loop::ScalarExpr*, Operand>;
    Operand walk(const loop::ScalarRef& expr, const std::vector<fx::Node*>& operands, Memo& memo);
    Operand call(const loop::ScalarExpr& expr, std::vector<Operand> operands);

    fx::Graph& m_graph;
    const fx::Node* m_source = nullptr;
    std::string m_sourceId;
    std::vector<std::pair<symbolic::SymInt, fx::Node*>> m_sizes;
};

} // namespace strata::aot
