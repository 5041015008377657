#include "engine/ops/Value.h"

#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

namespace strata::ops {

namespace {

using support::Error;

[[noreturn]] void mismatch(const char* wanted, const Value& value) {
    static constexpr const char* names[] = {"None",     "bool",    "int",    "float", "Tensor", "int[]",
                                            "Tensor[]", "float[]", "bool[]", "dtype", "device", "str"};
    throw Error(std::string("ops: expected ") + wanted + ", have " + names[value.variant().index()]);
}

} // namespace

double toDouble(const Scalar& scalar) {
    if (const auto* d = std::get_if<double>(&scalar)) return *d;
    if (const auto* b = std::get_if<bool>(&scalar)) return *b ? 1.0 : 0.0;
    return static_cast<double>(symbolic::toInt(std::get<SymInt>(scalar)));
}

DType dtypeOf(const Scalar& scalar) {
    if (std::holds_alternative<double>(scalar)) return DType::Float64;
    return std::holds_alternative<bool>(scalar) ? DType::Bool : DType::Int64;
}

const Tensor& Value::tensor() const {
    static const Tensor undefined;
    if (const auto* t = as<Tensor>()) return *t;
    if (isNone()) return undefined;
    mismatch("Tensor", *this);
}

const Tensors& Value::tensors() const {
    if (const auto* t = as<Tensors>()) return *t;
    mismatch("Tensor[]", *this);
}

SymInt Value::toInt() const {
    if (const auto* i = as<SymInt>()) return *i;
    if (const auto* b = as<bool>()) return *b ? 1 : 0;
    mismatch("int", *this);
}

double Value::toDouble() const {
    if (const auto* d = as<double>()) return *d;
    if (const auto* i = as<SymInt>()) return static_cast<double>(symbolic::toInt(*i));
    if (const auto* b = as<bool>()) return *b ? 1.0 : 0.0;
    mismatch("float", *this);
}

bool Value::toBool() const {
    if (const auto* b = as<bool>()) return *b;
    if (const auto* i = as<SymInt>()) return symbolic::toInt(*i) != 0;
    mismatch("bool", *this);
}

Scalar Value::scalar() const {
    if (const auto* d = as<double>()) return *d;
    if (const auto* i = as<SymInt>()) return *i;
    if (const auto* b = as<bool>()) return *b;
    mismatch("Scalar", *this);
}

const SymInts& Value::ints() const {
    if (const auto* i = as<SymInts>()) return *i;
    mismatch("int[]", *this);
}

DType Value::dtype() const {
    if (const auto* d = as<DType>()) return *d;
    mismatch("dtype", *this);
}

const std::string& Value::string() const {
    if (const auto* s = as<std::string>()) return *s;
    mismatch("str", *this);
}

} // namespace strata::ops
