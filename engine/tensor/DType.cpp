#include "engine/tensor/DType.h"

#include "engine/support/Error.h"

#include <algorithm>
#include <array>

namespace strata::tensor {

namespace {

struct DTypeInfo {
    std::size_t size;
    std::string_view name, shortName, cppName, scalarType;
};

// In the order of the enum, which is also that of promotion within a category.
constexpr std::array<DTypeInfo, 10> infos{{{1, "bool", "b8", "bool", "Bool"},
                                           {1, "uint8", "u8", "uint8_t", "Byte"},
                                           {1, "int8", "i8", "int8_t", "Char"},
                                           {2, "int16", "i16", "int16_t", "Short"},
                                           {4, "int32", "i32", "int32_t", "Int"},
                                           {8, "int64", "i64", "int64_t", "Long"},
                                           {2, "float16", "f16", "_Float16", "Half"},
                                           {2, "bfloat16", "bf16", "__bf16", "BFloat16"},
                                           {4, "float32", "f32", "float", "Float"},
                                           {8, "float64", "f64", "double", "Double"}}};

const DTypeInfo& info(DType dtype) {
    return infos[static_cast<std::size_t>(dtype)];
}

} // namespace

std::size_t itemSize(DType dtype) {
    return info(dtype).size;
}
std::string_view name(DType dtype) {
    return info(dtype).name;
}
std::string_view shortName(DType dtype) {
    return info(dtype).shortName;
}
std::string_view cppName(DType dtype) {
    return info(dtype).cppName;
}

std::optional<DType> dtypeNamed(std::string_view name) {
    static constexpr std::pair<std::string_view, DType> aliases[] = {
        {"float", DType::Float32}, {"double", DType::Float64}, {"long", DType::Int64},
        {"int", DType::Int32},     {"short", DType::Int16},    {"half", DType::Float16}};
    for (std::size_t i = 0; i < infos.size(); ++i)
        if (infos[i].name == name) return static_cast<DType>(i);
    for (const auto& [alias, dtype] : aliases)
        if (alias == name) return dtype;
    return std::nullopt;
}

bool isFloating(DType dtype) {
    return dtype >= DType::Float16;
}

bool isIntegral(DType dtype, bool includeBool) {
    return !isFloating(dtype) && (includeBool || dtype != DType::Bool);
}

DType promote(DType a, DType b) {
    if (a == b) return a;
    if (a > b) std::swap(a, b);
    // Two types of which neither holds the other's values: the smallest that holds both.
    if (a == DType::Float16 && b == DType::BFloat16) return DType::Float32;
    if (a == DType::UInt8 && b == DType::Int8) return DType::Int16;
    return b;
}

std::string Device::str() const {
    const std::string kind = type == Type::CPU ? "cpu" : "cuda";
    return index < 0 ? kind : kind + ":" + std::to_string(index);
}

void throwNotImplemented(std::string_view op, DType dtype) {
    throw support::Error(support::ErrorKind::NotImplemented, "\"" + std::string(op) + "\" not implemented for '" +
                                                                 std::string(info(dtype).scalarType) + "'");
}

} // namespace strata::tensor
