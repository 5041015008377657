#include "engine/ops/DTypePromotion.h"

#include "engine/ops/Element.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <atomic>

namespace strata::ops {

namespace {

std::atomic<DType> currentDefault{DType::Float32};

void merge(std::optional<DType>& slot, DType dtype) {
    slot = slot ? tensor::promote(*slot, dtype) : dtype;
}

// A lower rank counts only when its category is higher.
std::optional<DType> combine(std::optional<DType> higher, std::optional<DType> lower) {
    if (!lower || (higher && tensor::isFloating(*higher))) return higher;
    if (!higher) return lower;
    if (*higher == DType::Bool || tensor::isFloating(*lower)) return tensor::promote(*higher, *lower);
    return higher;
}

bool takesPart(const Param& param) {
    if (param.type != TypeName::Scalar) return false;
    for (const char* name : {"self", "other", "exponent", "min", "max"})
        if (param.name == name) return true;
    return false;
}

} // namespace

DType defaultDType() {
    return currentDefault.load(std::memory_order_relaxed);
}

void setDefaultDType(DType dtype) {
    if (!tensor::isFloating(dtype))
        throw support::Error(support::ErrorKind::Type, "only floating-point types are supported as the default type");
    currentDefault = dtype;
}

void Promotion::add(const Tensor& tensor) {
    if (!tensor.defined()) return;
    if (tensor->wrappedNumber)
        merge(m_number, tensor::isFloating(tensor.dtype()) ? defaultDType() : tensor.dtype());
    else
        merge(tensor.dim() > 0 ? m_dimensioned : m_zeroDim, tensor.dtype());
}

void Promotion::add(const Scalar& scalar) {
    merge(m_number, std::holds_alternative<double>(scalar) ? defaultDType() : dtypeOf(scalar));
}

void Promotion::add(const Value& value) {
    if (const auto* tensor = value.as<Tensor>())
        add(*tensor);
    else if (const auto* list = value.as<Tensors>())
        std::for_each(list->begin(), list->end(), [&](auto& t) { add(t); });
    else if (!value.isNone())
        add(value.scalar());
}

DType Promotion::result() const {
    return combine(m_dimensioned, combine(m_zeroDim, m_number)).value_or(defaultDType());
}

DType promotedDType(const OpDef& op, const Values& args) {
    const unsigned conditions = op.element ? op.element->form(args).boolOperands : 0;
    Promotion promotion;
    unsigned operand = 0;
    for (std::size_t i = 0; i < op.schema.params.size() && i < args.size(); ++i) {
        const Param& param = op.schema.params[i];
        if (args[i].isNone()) continue;
        if (param.type == TypeName::Tensor) {
            if (!((conditions >> operand++) & 1U)) promotion.add(args[i]);
        } else if (param.type == TypeName::Tensors || takesPart(param)) {
            promotion.add(args[i]);
        }
    }
    return promotion.result();
}

DType computeDType(const OpDef& op, const Values& args) {
    if (op.dtype == DTypeRule::Same) {
        for (const Value& arg : args)
            if (const auto* tensor = arg.as<Tensor>(); tensor && tensor->defined()) return tensor->dtype();
    }
    const DType promoted = promotedDType(op, args);
    const bool toFloat = op.dtype == DTypeRule::IntToFloat || (op.element && op.element->form(args).intToFloat);
    return toFloat && !tensor::isFloating(promoted) ? defaultDType() : promoted;
}

DType resultDType(const OpDef& op, const Values& args) {
    switch (op.dtype) {
    case DTypeRule::ToBool:
        return DType::Bool;
    case DTypeRule::SumLike: {
        const DType promoted = promotedDType(op, args);
        return tensor::isIntegral(promoted, true) ? DType::Int64 : promoted;
    }
    case DTypeRule::Given:
        for (const Value& arg : args)
            if (const auto* given = arg.as<DType>()) return *given;
        return computeDType(op, args);
    default:
        return computeDType(op, args);
    }
}

bool canCast(DType from, DType to) {
    if (tensor::isFloating(from) && !tensor::isFloating(to)) return false;
    return from == DType::Bool || to != DType::Bool;
}

std::string_view scalarTypeName(DType dtype) {
    switch (dtype) {
    case DType::Bool:
        return "Bool";
    case DType::UInt8:
        return "Byte";
    case DType::Int8:
        return "Char";
    case DType::Int16:
        return "Short";
    case DType::Int32:
        return "Int";
    case DType::Int64:
        return "Long";
    case DType::Float16:
        return "Half";
    case DType::BFloat16:
        return "BFloat16";
    case DType::Float32:
        return "Float";
    case DType::Float64:
        return "Double";
    }
    return "Undefined";
}

} // namespace strata::ops
