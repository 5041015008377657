// Fills, copies, reductions, pointwise ops and plain ATen calls at the prim level.
#include "engine/aot/PrimLowering.h"
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Element.h"
#include "engine/ops/Shape.h"

#include <algorithm>
#include <set>

namespace strata::aot {

using fx::Arg;
using fx::ArgList;
using fx::Node;
using ops::DType;
using ops::OpDef;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;

namespace {

bool hasScalarType(DType dtype) {
    return dtype == DType::Bool || dtype == DType::Int64 || dtype == DType::Float32 || dtype == DType::Float64;
}

} // namespace

bool PrimLowering::isFill(const OpDef& op) {
    static const std::set<std::string> names{"full",      "full_like", "scalar_tensor", "zeros",    "zeros_like",
                                             "new_zeros", "ones",      "ones_like",     "new_ones", "new_full"};
    return names.contains(op.schema.name);
}

Node* PrimLowering::lowerFill(const OpDef& op, const Values& args, const Tensor& result) {
    const std::string& name = op.schema.name;
    const bool one = name.find("ones") != std::string::npos;
    Arg value = tensor::isFloating(result.dtype()) ? Arg(one ? 1.0 : 0.0)
                : result.dtype() == DType::Bool    ? Arg(one)
                                                   : Arg(one ? 1 : 0);
    const int given = name == "scalar_tensor" ? 0 : name == "new_full" ? 2 : name.rfind("full", 0) == 0 ? 1 : -1;
    if (given >= 0) {
        const ops::Scalar scalar = args.at(static_cast<std::size_t>(given)).scalar();
        if (const auto* size = std::get_if<SymInt>(&scalar))
            value = tensor::isFloating(result.dtype()) && !size->isSymbolic() ? Arg(static_cast<double>(size->asInt()))
                                                                              : m_build.size(*size);
        else if (const auto* number = std::get_if<double>(&scalar))
            value = *number;
        else
            value = std::get<bool>(scalar);
    }
    return m_build.full(result.sizes(), value, result.dtype());
}

Node* PrimLowering::lowerCopy(const OpDef& op, const Values& args, const Tensor& result) {
    const std::string& name = op.schema.name;
    if (name != "clone" && name != "_to_copy" && name != "copy" && name != "lift_fresh_copy") return nullptr;
    Node* source = nodeOf(args.at(name == "copy" ? 1 : 0).tensor());
    Node* made = m_build.broadcast(m_build.convert(source, result.dtype()), result.sizes());
    return made == source ? m_build.emit("prims.clone", {source}, {}, result.sizes(), result.dtype()) : made;
}

std::vector<std::int64_t> PrimLowering::reducedDims(const OpDef& op, const Values& args, std::int64_t rank) {
    std::set<std::int64_t> dims;
    for (std::size_t i = 0; i < args.size(); ++i) {
        if (op.schema.params[i].name != "dim" || args[i].isNone()) continue;
        if (const auto* many = args[i].as<SymInts>())
            for (const SymInt d : *many) dims.insert(ops::shape::wrapDim(d.asInt(), rank));
        else
            dims.insert(ops::shape::wrapDim(args[i].toInt().asInt(), rank));
    }
    std::vector<std::int64_t> all(dims.begin(), dims.end());
    if (all.empty())
        for (std::int64_t d = 0; d < rank; ++d) all.push_back(d);
    return all;
}

Node* PrimLowering::lowerReduction(const OpDef& op, const Values& args, const Tensor& result) {
    if (!op.reduction || *op.reduction == ops::ReductionKind::ArgMax || *op.reduction == ops::ReductionKind::ArgMin)
        return nullptr;
    const auto* self = args.at(0).as<Tensor>();
    if (!self || !hasScalarType(self->dtype()) || !hasScalarType(result.dtype())) return nullptr;
    using ops::ReductionKind;
    const ReductionKind kind = *op.reduction;
    const bool logical = kind == ReductionKind::Any || kind == ReductionKind::All;
    Node* source = nodeOf(*self);
    // any(x) is sum(x != 0) != 0, and all(x) is not any(not x): PyTorch has no prims of their own for them.
    if (logical) {
        if (self->dtype() != DType::Bool)
            source = m_build.emit("prims.ne", {source, 0}, {}, self->sizes(), DType::Bool);
        if (kind == ReductionKind::All)
            source = m_build.emit("prims.bitwise_not", {source}, {}, self->sizes(), DType::Bool);
        source = m_build.convert(source, DType::Int64);
    } else {
        source = m_build.convert(source, result.dtype());
        if (op.body)
            source = m_build.elementwise(
                op.body(std::vector<loop::Value>{loop::Value::input(0, result.dtype())}, args).expr(), {source},
                self->sizes());
    }
    Node* made = reduce(kind, source, reducedDims(op, args, self->dim()));
    if (logical) {
        made = m_build.emit("prims.ne", {made, 0}, {}, made->value.sizes(), DType::Bool);
        if (kind == ReductionKind::All)
            made = m_build.emit("prims.bitwise_not", {made}, {}, made->value.sizes(), DType::Bool);
    }
    return restoreKeptDims(op, args, *self, made, result);
}

Node* PrimLowering::reduce(ops::ReductionKind kind, Node* source, const std::vector<std::int64_t>& dims) {
    using ops::ReductionKind;
    const char* target = kind == ReductionKind::Prod  ? "prims.prod"
                         : kind == ReductionKind::Max ? "prims.amax"
                         : kind == ReductionKind::Min ? "prims.amin"
                                                      : "prims.sum";
    SymInts left;
    for (std::size_t d = 0; d < source->value.sizes().size(); ++d)
        if (std::find(dims.begin(), dims.end(), static_cast<std::int64_t>(d)) == dims.end())
            left.push_back(source->value.sizes()[d]);
    return m_build.emit(target, {source, PrimBuilder::numbers(dims)}, {}, left, source->value.dtype());
}

Node* PrimLowering::restoreKeptDims(const OpDef& op, const Values& args, const Tensor& self, Node* made,
                                    const Tensor& result) {
    if (made->value.dim() == result.dim()) return made;
    const auto reduced = reducedDims(op, args, self.dim());
    std::vector<std::int64_t> dims;
    for (std::int64_t d = 0; d < self.dim(); ++d)
        if (std::find(reduced.begin(), reduced.end(), d) == reduced.end()) dims.push_back(d);
    return m_build.broadcast(made, result.sizes(), dims);
}

Node* PrimLowering::lowerPointwise(const OpDef& op, const Values& args, const Tensor& result) {
    if (op.kind != ops::Kind::Pointwise || !op.element) return nullptr;
    if (!hasScalarType(ops::computeDType(op, args)) || !hasScalarType(result.dtype())) return nullptr;
    std::vector<loop::Value> loads;
    std::vector<Node*> operands;
    for (std::size_t i = 0; i < args.size(); ++i) {
        const auto* tensor = args[i].as<Tensor>();
        if (op.schema.params[i].type != ops::TypeName::Tensor || !tensor || !tensor->defined()) continue;
        if (!hasScalarType(tensor->dtype())) return nullptr;
        loads.push_back(loop::Value::input(static_cast<int>(loads.size()), tensor->dtype()));
        operands.push_back(nodeOf(*tensor));
    }
    Node* made = m_build.elementwise(ops::lowerElement(op, args, loads).expr(), operands, result.sizes());
    const bool operand = std::find(operands.begin(), operands.end(), made) != operands.end();
    return operand ? m_build.emit("prims.clone", {made}, {}, result.sizes(), result.dtype()) : made;
}

Arg PrimLowering::externArgument(const Value& value) {
    if (const auto* tensor = value.as<Tensor>()) return tensor->defined() ? Arg(nodeOf(*tensor)) : Arg(fx::None{});
    if (const auto* list = value.as<Tensors>()) {
        fx::List out;
        for (const Tensor& each : *list) out.items.push_back(each.defined() ? Arg(nodeOf(each)) : Arg(fx::None{}));
        return out;
    }
    if (const auto* size = value.as<SymInt>()) return m_build.size(*size);
    if (const auto* sizes = value.as<SymInts>()) return m_build.sizes(*sizes);
    if (const auto* number = value.as<double>()) return *number;
    if (const auto* flag = value.as<bool>()) return *flag;
    if (const auto* text = value.as<std::string>()) return *text;
    if (const auto* dtype = value.as<DType>()) return *dtype;
    if (const auto* device = value.as<ops::Device>()) return *device;
    fx::List out;
    if (const auto* numbers = value.as<std::vector<double>>())
        for (const double each : *numbers) out.items.emplace_back(each);
    else if (const auto* flags = value.as<std::vector<bool>>())
        for (const bool each : *flags) out.items.emplace_back(each);
    else
        return fx::None{};
    return out;
}

void PrimLowering::lowerExtern(const OpDef& op, const Values& args, const Tensors& results) {
    ArgList list;
    for (const Value& arg : args) list.push_back(externArgument(arg));
    while (!list.empty() && list.back().as<fx::None>()) list.pop_back();
    const Tensor first = results.empty() ? Tensor() : results[0];
    Node* made = m_build.emit(op.qualifiedName(), std::move(list), {}, first.defined() ? first.sizes() : SymInts{},
                              first.defined() ? first.dtype() : DType::Float32);
    if (m_random) m_kept.insert(made);
    const bool several =
        results.size() != 1 || (op.schema.returns.size() == 1 && op.schema.returns[0] == ops::TypeName::Tensors);
    if (!several) {
        made->value = first;
        return keepResult(first, made);
    }
    made->value = Tensor();
    made->values = results;
    for (std::size_t i = 0; i < results.size(); ++i) {
        if (!results[i].defined()) continue;
        Node* item = m_build.emit("getitem", {made, static_cast<int>(i)}, {}, results[i].sizes(), results[i].dtype());
        keepResult(results[i], item);
    }
}

} // namespace strata::aot
