#pragma once
// Element types, PyTorch's names and promotion categories. Kernels exist for those that the ops declare.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace strata::tensor {

enum class DType : std::uint8_t { Bool, UInt8, Int8, Int16, Int32, Int64, Float16, BFloat16, Float32, Float64 };

std::size_t itemSize(DType dtype);       // bytes of an element
std::string_view name(DType dtype);      // "float32"
std::string_view shortName(DType dtype); // "f32", as PyTorch's print_readable writes it
std::string_view cppName(DType dtype);   // "float", as generated C++ writes it
std::optional<DType> dtypeNamed(std::string_view name);
bool isFloating(DType dtype);
bool isIntegral(DType dtype, bool includeBool);
/// PyTorch's promotion of two tensors' dtypes of the same category rank (torch.promote_types).
DType promote(DType a, DType b);

struct Device {
    enum class Type : std::uint8_t { CPU, CUDA } type = Type::CPU;
    std::int8_t index = -1;
    bool operator==(const Device&) const = default;
    std::string str() const; // "cpu", "cuda:0"
};

/// Calls f.template operator()<T>() with the C++ type of `dtype` among bool, int64, float, double; throws
/// support::Error (NotImplemented) naming `op` for the others.
template <class F> decltype(auto) visit(DType dtype, std::string_view op, F&& f);

[[noreturn]] void throwNotImplemented(std::string_view op, DType dtype);

template <class F> decltype(auto) visit(DType dtype, std::string_view op, F&& f) {
    switch (dtype) {
    case DType::Bool:
        return f.template operator()<bool>();
    case DType::Int64:
        return f.template operator()<std::int64_t>();
    case DType::Float32:
        return f.template operator()<float>();
    case DType::Float64:
        return f.template operator()<double>();
    default:
        throwNotImplemented(op, dtype);
    }
}

} // namespace strata::tensor
