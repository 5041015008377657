#include "engine/loop/Expr.h"

#include "engine/support/Error.h"

#include <array>
#include <cmath>
#include <sstream>

namespace strata::loop {

namespace {

struct PrimInfo {
    std::string_view name;
    int arity;
};

constexpr std::array primTable{
#define X(Name, name, arity) PrimInfo{#name, arity},
    STRATA_SCALAR_PRIMS(X)
#undef X
        PrimInfo{"constant", 0},
    PrimInfo{"index", 0},
    PrimInfo{"load", 0},
    PrimInfo{"input", 0},
    PrimInfo{"cast", 1},
};

bool isComparison(Prim prim) {
    switch (prim) {
    case Prim::Eq:
    case Prim::Ne:
    case Prim::Lt:
    case Prim::Le:
    case Prim::Gt:
    case Prim::Ge:
    case Prim::IsNan:
    case Prim::IsInf:
        return true;
    default:
        return false;
    }
}

std::string number(double value) {
    if (std::isnan(value)) return "nan";
    if (std::isinf(value)) return value > 0 ? "inf" : "-inf";
    std::ostringstream out;
    out.precision(17);
    out << value;
    std::string text = out.str();
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

} // namespace

std::string_view name(Prim prim) {
    return primTable.at(static_cast<std::size_t>(prim)).name;
}
int arity(Prim prim) {
    return primTable.at(static_cast<std::size_t>(prim)).arity;
}

Value Value::input(int slot, tensor::DType dtype) {
    ScalarExpr e{Prim::Input, dtype, {}};
    e.slot = slot;
    return Value(std::make_shared<const ScalarExpr>(std::move(e)));
}

Value Value::constant(double value, tensor::DType dtype) {
    ScalarExpr e{Prim::Constant, dtype, {}};
    if (tensor::isFloating(dtype))
        e.constant = dtype == tensor::DType::Float32 ? static_cast<double>(static_cast<float>(value)) : value;
    else
        e.intConstant = dtype == tensor::DType::Bool ? value != 0 : static_cast<std::int64_t>(value);
    return Value(std::make_shared<const ScalarExpr>(std::move(e)));
}

Value Value::index(symbolic::SymInt index) {
    ScalarExpr e{Prim::Index, tensor::DType::Int64, {}};
    e.index = index;
    return Value(std::make_shared<const ScalarExpr>(std::move(e)));
}

Value Value::load(std::string buffer, symbolic::SymInt index, tensor::DType dtype) {
    ScalarExpr e{Prim::Load, dtype, {}};
    e.buffer = std::move(buffer);
    e.index = index;
    return Value(std::make_shared<const ScalarExpr>(std::move(e)));
}

Value Value::make(Prim prim, std::vector<Value> args) {
    if (static_cast<int>(args.size()) != loop::arity(prim))
        throw support::Error("the scalar operation " + std::string(loop::name(prim)) + " takes " +
                             std::to_string(loop::arity(prim)) + " operands");
    ScalarExpr e{prim, args[prim == Prim::Where ? 1 : 0].dtype(), {}};
    for (std::size_t i = prim == Prim::Where ? 1 : 0; i < args.size(); ++i)
        if (args[i].dtype() != e.dtype)
            throw support::Error("the scalar operation " + std::string(loop::name(prim)) + " mixes " +
                                 std::string(tensor::name(e.dtype)) + " and " +
                                 std::string(tensor::name(args[i].dtype())));
    if (prim == Prim::Where && args[0].dtype() != tensor::DType::Bool)
        throw support::Error("where needs a bool condition");
    if (isComparison(prim)) e.dtype = tensor::DType::Bool;
    for (const Value& arg : args) e.args.push_back(arg.expr());
    return Value(std::make_shared<const ScalarExpr>(std::move(e)));
}

Value Value::cast(tensor::DType dtype) const {
    if (dtype == this->dtype()) return *this;
    return Value(std::make_shared<const ScalarExpr>(ScalarExpr{Prim::Cast, dtype, {m_expr}}));
}

std::string str(const ScalarRef& expr) {
    switch (expr->prim) {
    case Prim::Constant:
        return tensor::isFloating(expr->dtype)
                   ? number(expr->constant) + (expr->dtype == tensor::DType::Float64 ? "f64" : "")
               : expr->dtype == tensor::DType::Bool ? (expr->intConstant ? "true" : "false")
                                                    : std::to_string(expr->intConstant);
    case Prim::Index:
        return "index(" + expr->index.str() + ")";
    case Prim::Load:
        return expr->buffer + "[" + expr->index.str() + "]";
    case Prim::Input:
        return "in" + std::to_string(expr->slot);
    default:
        break;
    }
    std::string text =
        expr->prim == Prim::Cast ? std::string(tensor::name(expr->dtype)) : std::string(name(expr->prim));
    text += "(";
    for (std::size_t i = 0; i < expr->args.size(); ++i) text += (i ? ", " : "") + str(expr->args[i]);
    return text + ")";
}

} // namespace strata::loop
