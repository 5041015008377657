#pragma once
// Boxed arguments and results of ops: what a schema's types become in C++.

#include "engine/symbolic/SymInt.h"
#include "engine/tensor/Tensor.h"

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace strata::ops {

using symbolic::SymInt;
using symbolic::SymInts;
using tensor::Device;
using tensor::DType;
using tensor::Tensor;
using Tensors = std::vector<Tensor>;

/// A Python number given for a schema's Scalar.
using Scalar = std::variant<bool, SymInt, double>;
double toDouble(const Scalar& scalar); // specialises a symbolic value
/// Bool, Int64 or Float64: the category that promotion sees.
DType dtypeOf(const Scalar& scalar);

/// None stands for an optional argument that was not given. An int[] is SymInts; a Scalar argument arrives as
/// bool, SymInt or double.
class Value {
public:
    using Variant = std::variant<std::monostate, bool, SymInt, double, Tensor, SymInts, Tensors, std::vector<double>,
                                 std::vector<bool>, DType, Device, std::string>;
    Value() = default;
    Value(bool v) : m_value(v) {}
    Value(int v) : m_value(SymInt(v)) {}
    Value(std::int64_t v) : m_value(SymInt(v)) {}
    Value(const char* v) : m_value(std::string(v)) {}
    Value(const Scalar& v) {
        std::visit([this](auto x) { m_value = x; }, v);
    }
    template <class T>
        requires std::is_constructible_v<Variant, T>
    Value(T v) : m_value(std::move(v)) {}

    bool isNone() const { return std::holds_alternative<std::monostate>(m_value); }
    template <class T> const T* as() const { return std::get_if<T>(&m_value); }
    const Variant& variant() const { return m_value; }
    Variant& variant() { return m_value; }

    // Accessors for schema types; the schema was checked at the binding, so a mismatch is a bug and throws.
    const Tensor& tensor() const; // undefined when None
    const Tensors& tensors() const;
    SymInt toInt() const;    // bool converts
    double toDouble() const; // int and bool convert
    bool toBool() const;
    Scalar scalar() const;
    const SymInts& ints() const;
    DType dtype() const;
    const std::string& string() const;

private:
    Variant m_value;
};

using Values = std::vector<Value>;

} // namespace strata::ops
