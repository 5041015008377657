#pragma once
// Scalar expressions: what a loop body computes for one element. The primitive operations are listed once, here; the
// enum, the names, the printers, the interpreter and the functions on loop::Value expand from the list.
//
// An op's body (engine/ops) is a generic callable. Called with float, double, int64 or bool it is the eager kernel;
// called with loop::Value it builds this expression, which is the op's lowering.

#include "engine/symbolic/SymInt.h"
#include "engine/tensor/DType.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strata::loop {

// X(Name, name, arity). Names follow PyTorch's prims. Integer division and remainder truncate as C++'s do;
// FloorDiv and Remainder floor as Python's do. Maximum and Minimum give NaN when an operand is NaN.
// clang-format off
#define STRATA_SCALAR_PRIMS(X)                                                                                  \
    X(Add, add, 2) X(Sub, sub, 2) X(Mul, mul, 2) X(Div, div, 2) X(FloorDiv, floor_div, 2) X(Fmod, fmod, 2)      \
    X(Remainder, remainder, 2) X(Pow, pow, 2) X(Atan2, atan2, 2) X(Maximum, maximum, 2) X(Minimum, minimum, 2)  \
    X(Eq, eq, 2) X(Ne, ne, 2) X(Lt, lt, 2) X(Le, le, 2) X(Gt, gt, 2) X(Ge, ge, 2)                               \
    X(BitwiseAnd, bitwise_and, 2) X(BitwiseOr, bitwise_or, 2) X(BitwiseXor, bitwise_xor, 2)                     \
    X(BitwiseNot, bitwise_not, 1) X(ShiftLeft, shift_left, 2) X(ShiftRight, shift_right, 2)                     \
    X(Neg, neg, 1) X(Abs, abs, 1) X(Sign, sign, 1) X(Exp, exp, 1) X(Exp2, exp2, 1) X(Expm1, expm1, 1)           \
    X(Log, log, 1) X(Log1p, log1p, 1) X(Log2, log2, 1) X(Log10, log10, 1) X(Sqrt, sqrt, 1) X(Rsqrt, rsqrt, 1)   \
    X(Reciprocal, reciprocal, 1) X(Sin, sin, 1) X(Cos, cos, 1) X(Tan, tan, 1) X(Asin, asin, 1)                  \
    X(Acos, acos, 1) X(Atan, atan, 1) X(Sinh, sinh, 1) X(Cosh, cosh, 1) X(Tanh, tanh, 1) X(Erf, erf, 1)         \
    X(Erfc, erfc, 1) X(Floor, floor, 1) X(Ceil, ceil, 1) X(Round, round, 1) X(Trunc, trunc, 1)                  \
    X(IsNan, isnan, 1) X(IsInf, isinf, 1) X(Where, where, 3)
// clang-format on

enum class Prim : std::uint8_t {
#define X(Name, name, arity) Name,
    STRATA_SCALAR_PRIMS(X)
#undef X
        Constant, // value
    Index,        // an integer expression over loop indices and sizes, as an int64 value
    Load,         // buffer[index]
    Input,        // operand `slot` of a body, before it is bound to a load or an expression
    Cast,         // to `dtype`
};

struct ScalarExpr;
using ScalarRef = std::shared_ptr<const ScalarExpr>;

struct ScalarExpr {
    Prim prim;
    tensor::DType dtype; // of the result
    std::vector<ScalarRef> args;
    double constant = 0;          // Constant of floating dtype
    std::int64_t intConstant = 0; // Constant of integral or bool dtype
    symbolic::SymInt index = 0;   // Index, Load (element offset from the buffer's start, over loop symbols)
    std::string buffer;           // Load
    int slot = 0;                 // Input
};

/// A scalar inside a loop body. Arithmetic on two Values wants equal dtypes (bodies run after promotion).
class Value {
public:
    Value() = default;
    explicit Value(ScalarRef expr) : m_expr(std::move(expr)) {}
    static Value input(int slot, tensor::DType dtype);
    static Value constant(double value, tensor::DType dtype); // converted to dtype
    static Value index(symbolic::SymInt index);
    static Value load(std::string buffer, symbolic::SymInt index, tensor::DType dtype);
    static Value make(Prim prim, std::vector<Value> args); // result dtype by the prim's rule
    Value cast(tensor::DType dtype) const;
    tensor::DType dtype() const { return m_expr->dtype; }
    const ScalarRef& expr() const { return m_expr; }
    explicit operator bool() const { return m_expr != nullptr; }

private:
    ScalarRef m_expr;
};

std::string_view name(Prim prim);
int arity(Prim prim); // 0 for Constant, Index, Load, Input; 1 for Cast
/// "sin(in0) + 1.0", for tests and tooltips.
std::string str(const ScalarRef& expr);

// The vocabulary of bodies: the same names exist for scalars in engine/ops/Scalar.h.
#define X1(Name, name)                                                                                                 \
    inline Value name(const Value& a) {                                                                                \
        return Value::make(Prim::Name, {a});                                                                           \
    }
#define X2(Name, name)                                                                                                 \
    inline Value name(const Value& a, const Value& b) {                                                                \
        return Value::make(Prim::Name, {a, b});                                                                        \
    }
#define X3(Name, name)                                                                                                 \
    inline Value name(const Value& a, const Value& b, const Value& c) {                                                \
        return Value::make(Prim::Name, {a, b, c});                                                                     \
    }
#define X(Name, name, arity) X##arity(Name, name)
STRATA_SCALAR_PRIMS(X)
#undef X
#undef X1
#undef X2
#undef X3

inline Value operator+(const Value& a, const Value& b) {
    return add(a, b);
}
inline Value operator-(const Value& a, const Value& b) {
    return sub(a, b);
}
inline Value operator*(const Value& a, const Value& b) {
    return mul(a, b);
}
inline Value operator/(const Value& a, const Value& b) {
    return div(a, b);
}
inline Value operator-(const Value& a) {
    return neg(a);
}
inline Value operator==(const Value& a, const Value& b) {
    return eq(a, b);
}
inline Value operator!=(const Value& a, const Value& b) {
    return ne(a, b);
}
inline Value operator<(const Value& a, const Value& b) {
    return lt(a, b);
}
inline Value operator<=(const Value& a, const Value& b) {
    return le(a, b);
}
inline Value operator>(const Value& a, const Value& b) {
    return gt(a, b);
}
inline Value operator>=(const Value& a, const Value& b) {
    return ge(a, b);
}
inline Value operator&(const Value& a, const Value& b) {
    return bitwise_and(a, b);
}
inline Value operator|(const Value& a, const Value& b) {
    return bitwise_or(a, b);
}
inline Value operator^(const Value& a, const Value& b) {
    return bitwise_xor(a, b);
}

/// Constants of the operand's type, so that one body serves all: one(x), number(x, 0.5).
inline Value number(const Value& like, double value) {
    return Value::constant(value, like.dtype());
}

} // namespace strata::loop
