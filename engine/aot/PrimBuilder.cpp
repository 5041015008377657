#include "engine/aot/PrimBuilder.h"
#include "engine/ops/Shape.h"

#include <algorithm>
#include <numeric>

namespace strata::aot {

using fx::Arg;
using fx::ArgList;
using fx::Node;
using ops::DType;
using ops::SymInt;
using ops::SymInts;

void PrimBuilder::setSource(const Node& node, std::string id) {
    m_source = &node;
    m_sourceId = std::move(id);
}

Arg PrimBuilder::size(SymInt value) const {
    if (value.isSymbolic())
        for (const auto& [known, node] : m_sizes)
            if (known.sameAs(value)) return node;
    return value;
}

fx::List PrimBuilder::sizes(const SymInts& values) const {
    fx::List list;
    for (const SymInt value : values) list.items.push_back(size(value));
    return list;
}

fx::List PrimBuilder::numbers(const std::vector<std::int64_t>& values) {
    fx::List list;
    for (const std::int64_t value : values) list.items.emplace_back(value);
    return list;
}

Node* PrimBuilder::emit(const std::string& target, ArgList args, fx::ArgDict kwargs, const SymInts& sizes,
                        DType dtype) {
    Node* node = m_graph.callFunction(target, std::move(args), std::move(kwargs));
    node->value = ops::Tensor::fake(sizes, symbolic::contiguousStrides(sizes), dtype);
    if (!m_source) return node;
    node->file = m_source->file;
    node->line = m_source->line;
    node->module = m_source->module;
    node->isBackward = m_source->isBackward;
    node->from = {m_sourceId};
    return node;
}

Node* PrimBuilder::convert(Node* node, DType dtype) {
    if (node->value.dtype() == dtype) return node;
    return emit("prims.convert_element_type", {node, dtype}, {}, node->value.sizes(), dtype);
}

Node* PrimBuilder::broadcast(Node* node, const SymInts& sizes) {
    if (symbolic::sameAs(node->value.sizes(), sizes)) return node;
    std::vector<std::int64_t> dims(node->value.sizes().size());
    std::iota(dims.begin(), dims.end(), static_cast<std::int64_t>(sizes.size() - dims.size()));
    return broadcast(node, sizes, dims);
}

Node* PrimBuilder::broadcast(Node* node, const SymInts& to, const std::vector<std::int64_t>& dims) {
    return emit("prims.broadcast_in_dim", {node, sizes(to), numbers(dims)}, {}, to, node->value.dtype());
}

Node* PrimBuilder::full(const SymInts& shape, Arg value, DType dtype) {
    return emit("prims.full", {sizes(shape), std::move(value)}, {{"dtype", dtype}}, shape, dtype);
}

namespace {

Arg numberOf(const loop::ScalarExpr& expr, DType dtype) {
    const double value = tensor::isFloating(expr.dtype) ? expr.constant : static_cast<double>(expr.intConstant);
    if (tensor::isFloating(dtype)) return value;
    if (dtype == DType::Bool) return value != 0;
    return tensor::isFloating(expr.dtype) ? static_cast<std::int64_t>(value) : expr.intConstant;
}

} // namespace

PrimBuilder::Operand PrimBuilder::call(const loop::ScalarExpr& expr, std::vector<Operand> operands) {
    std::vector<SymInts> shapes;
    for (std::size_t i = 0; i < operands.size(); ++i) {
        // Prims need a tensor among their operands, and where a tensor as its condition.
        const bool lone = std::all_of(operands.begin(), operands.end(), [](const Operand& o) { return !o.node; });
        const bool condition = i == 0 && expr.prim == loop::Prim::Where;
        if (!operands[i].node && (lone || condition))
            operands[i].node = full({}, operands[i].number, expr.args[i]->dtype);
        if (operands[i].node) shapes.push_back(operands[i].node->value.sizes());
    }
    const SymInts common = ops::shape::broadcast(shapes);
    ArgList args;
    for (const Operand& operand : operands)
        args.push_back(operand.node ? Arg(broadcast(operand.node, common)) : operand.number);
    if (expr.prim == loop::Prim::IsNan) return {emit("prims.ne", {args[0], args[0]}, {}, common, DType::Bool), {}};
    return {emit("prims." + std::string(loop::name(expr.prim)), std::move(args), {}, common, expr.dtype), {}};
}

PrimBuilder::Operand PrimBuilder::walk(const loop::ScalarRef& expr, const std::vector<Node*>& operands, Memo& memo) {
    if (const auto it = memo.find(expr.get()); it != memo.end()) return it->second;
    Operand result;
    switch (expr->prim) {
    case loop::Prim::Input:
        result.node = operands.at(static_cast<std::size_t>(expr->slot));
        break;
    case loop::Prim::Constant:
        result.number = numberOf(*expr, expr->dtype);
        break;
    case loop::Prim::Index:
        result.number = size(expr->index);
        break;
    case loop::Prim::Cast:
        if (expr->args[0]->prim == loop::Prim::Constant)
            result.number = numberOf(*expr->args[0], expr->dtype);
        else {
            result = walk(expr->args[0], operands, memo);
            if (!result.node) result.node = full({}, result.number, expr->args[0]->dtype);
            result.node = convert(result.node, expr->dtype);
        }
        break;
    default: {
        std::vector<Operand> inner;
        for (const loop::ScalarRef& arg : expr->args) inner.push_back(walk(arg, operands, memo));
        result = call(*expr, std::move(inner));
    }
    }
    memo[expr.get()] = result;
    return result;
}

Node* PrimBuilder::elementwise(const loop::ScalarRef& expr, const std::vector<Node*>& operands, const SymInts& shape) {
    Memo memo;
    const Operand result = walk(expr, operands, memo);
    if (!result.node) return full(shape, result.number, expr->dtype);
    return broadcast(result.node, shape);
}

} // namespace strata::aot
