#include "engine/loop/Program.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strata::loop {

namespace {

using tensor::DType;
using Symbols = std::map<std::string, std::int64_t>;
using Memory = std::map<std::string, std::vector<double>>;

// A value of this dtype: float32 is rounded to float, integers are whole.
double rounded(double value, DType dtype) {
    if (dtype == DType::Float32) return static_cast<double>(static_cast<float>(value));
    if (dtype == DType::Bool) return value != 0;
    return tensor::isFloating(dtype) ? value : std::trunc(value);
}

double maximum(double a, double b) {
    return std::isnan(a) || std::isnan(b) ? std::numeric_limits<double>::quiet_NaN() : std::max(a, b);
}
double minimum(double a, double b) {
    return -maximum(-a, -b);
}

double pythonRemainder(double a, double b) {
    const double m = std::fmod(a, b);
    return m != 0 && (b < 0) != (m < 0) ? m + b : m;
}

double binary(Prim prim, double a, double b, bool floating) {
    const auto ia = [&] { return static_cast<std::int64_t>(a); };
    const auto ib = [&] { return static_cast<std::int64_t>(b); };
    switch (prim) {
    case Prim::Add:
        return a + b;
    case Prim::Sub:
        return a - b;
    case Prim::Mul:
        return a * b;
    case Prim::Div:
        return floating ? a / b : std::trunc(a / b);
    case Prim::FloorDiv:
        return floating && b == 0 ? a / b : std::round((a - pythonRemainder(a, b)) / b);
    case Prim::Fmod:
        return std::fmod(a, b);
    case Prim::Remainder:
        return pythonRemainder(a, b);
    case Prim::Pow:
        return std::pow(a, b);
    case Prim::Atan2:
        return std::atan2(a, b);
    case Prim::Maximum:
        return maximum(a, b);
    case Prim::Minimum:
        return minimum(a, b);
    case Prim::Eq:
        return a == b;
    case Prim::Ne:
        return a != b;
    case Prim::Lt:
        return a < b;
    case Prim::Le:
        return a <= b;
    case Prim::Gt:
        return a > b;
    case Prim::Ge:
        return a >= b;
    case Prim::BitwiseAnd:
        return static_cast<double>(ia() & ib());
    case Prim::BitwiseOr:
        return static_cast<double>(ia() | ib());
    case Prim::BitwiseXor:
        return static_cast<double>(ia() ^ ib());
    case Prim::ShiftLeft:
        return std::ldexp(a, static_cast<int>(b));
    case Prim::ShiftRight:
        return std::floor(std::ldexp(a, -static_cast<int>(b)));
    default:
        throw support::Error("the scalar operation " + std::string(name(prim)) + " does not take two operands");
    }
}

double unary(Prim prim, double a, DType dtype) {
    switch (prim) {
    case Prim::BitwiseNot:
        return dtype == DType::Bool ? a == 0 : static_cast<double>(~static_cast<std::int64_t>(a));
    case Prim::Neg:
        return -a;
    case Prim::Abs:
        return std::abs(a);
    case Prim::Sign:
        return std::isnan(a) ? a : (a > 0) - (a < 0);
    case Prim::Exp:
        return std::exp(a);
    case Prim::Exp2:
        return std::exp2(a);
    case Prim::Expm1:
        return std::expm1(a);
    case Prim::Log:
        return std::log(a);
    case Prim::Log1p:
        return std::log1p(a);
    case Prim::Log2:
        return std::log2(a);
    case Prim::Log10:
        return std::log10(a);
    case Prim::Sqrt:
        return std::sqrt(a);
    case Prim::Rsqrt:
        return 1 / std::sqrt(a);
    case Prim::Reciprocal:
        return 1 / a;
    case Prim::Sin:
        return std::sin(a);
    case Prim::Cos:
        return std::cos(a);
    case Prim::Tan:
        return std::tan(a);
    case Prim::Asin:
        return std::asin(a);
    case Prim::Acos:
        return std::acos(a);
    case Prim::Atan:
        return std::atan(a);
    case Prim::Sinh:
        return std::sinh(a);
    case Prim::Cosh:
        return std::cosh(a);
    case Prim::Tanh:
        return std::tanh(a);
    case Prim::Erf:
        return std::erf(a);
    case Prim::Erfc:
        return std::erfc(a);
    case Prim::Floor:
        return std::floor(a);
    case Prim::Ceil:
        return std::ceil(a);
    case Prim::Round:
        return std::nearbyint(a);
    case Prim::Trunc:
        return std::trunc(a);
    case Prim::IsNan:
        return std::isnan(a);
    case Prim::IsInf:
        return std::isinf(a);
    default:
        throw support::Error("the scalar operation " + std::string(name(prim)) + " does not take one operand");
    }
}

double& element(Memory& memory, const std::string& buffer, std::int64_t at) {
    std::vector<double>& elements = memory.at(buffer);
    if (at < 0 || at >= static_cast<std::int64_t>(elements.size()))
        throw support::Error(buffer + " has " + std::to_string(elements.size()) + " elements; element " +
                             std::to_string(at) + " was touched");
    return elements[static_cast<std::size_t>(at)];
}

double evaluate(const ScalarRef& e, const Symbols& symbols, Memory& memory) {
    const auto arg = [&](std::size_t i) { return evaluate(e->args[i], symbols, memory); };
    switch (e->prim) {
    case Prim::Constant:
        return tensor::isFloating(e->dtype) ? e->constant : static_cast<double>(e->intConstant);
    case Prim::Index:
        return static_cast<double>(symbolic::evaluate(e->index, symbols));
    case Prim::Load:
        return element(memory, e->buffer, symbolic::evaluate(e->index, symbols));
    case Prim::Cast:
        return rounded(arg(0), e->dtype);
    case Prim::Where:
        return arg(0) != 0 ? arg(1) : arg(2);
    case Prim::Input:
        throw support::Error("a body's operand was never bound");
    default:
        break;
    }
    const DType operands = e->args[0]->dtype;
    const double value = e->args.size() == 1 ? unary(e->prim, arg(0), operands)
                                             : binary(e->prim, arg(0), arg(1), tensor::isFloating(operands));
    return rounded(value, e->dtype);
}

double neutral(Reduction reduction) {
    switch (reduction) {
    case Reduction::Sum:
    case Reduction::Any:
        return 0;
    case Reduction::Prod:
    case Reduction::All:
        return 1;
    case Reduction::Max:
        return -std::numeric_limits<double>::infinity();
    case Reduction::Min:
        return std::numeric_limits<double>::infinity();
    }
    return 0;
}

double combine(Reduction reduction, double a, double b) {
    switch (reduction) {
    case Reduction::Sum:
        return a + b;
    case Reduction::Prod:
        return a * b;
    case Reduction::Any:
        return a != 0 || b != 0;
    case Reduction::All:
        return a != 0 && b != 0;
    case Reduction::Max:
        return maximum(a, b);
    case Reduction::Min:
        return minimum(a, b);
    }
    return 0;
}

// Calls f for every index, binding prefix0, prefix1, ..
void forEachIndex(char prefix, const SymInts& ranges, Symbols& symbols, std::size_t dim,
                  const std::function<void()>& f) {
    if (dim == ranges.size()) return f();
    const std::int64_t size = symbolic::evaluate(ranges[dim], symbols);
    for (std::int64_t i = 0; i < size; ++i) {
        symbols[prefix + std::to_string(dim)] = i;
        forEachIndex(prefix, ranges, symbols, dim + 1, f);
    }
}

} // namespace

void interpret(const Program& program, const Symbols& sizes, Memory& memory) {
    for (const Node& node : program.nodes) {
        if (node.kind == NodeKind::Extern) throw support::Error("the loop interpreter does not run " + node.target);
        Symbols symbols = sizes;
        memory[node.buffer.name].assign(
            static_cast<std::size_t>(symbolic::evaluate(symbolic::product(node.buffer.sizes), symbols)), 0.0);
        forEachIndex('i', node.ranges, symbols, 0, [&] {
            double value = 0;
            if (node.kind == NodeKind::Pointwise) {
                value = evaluate(node.body, symbols, memory);
            } else {
                value = neutral(node.reduction);
                forEachIndex('r', node.reductionRanges, symbols, 0,
                             [&] { value = combine(node.reduction, value, evaluate(node.body, symbols, memory)); });
            }
            element(memory, node.buffer.name, symbolic::evaluate(node.store, symbols)) =
                rounded(value, node.buffer.dtype);
        });
    }
}

} // namespace strata::loop
