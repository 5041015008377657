#pragma once
// Dense loops over one run of elements, compiled ahead of time for three x86-64 levels (v2, v3 with AVX2 and FMA, v4
// with AVX-512) in one translation unit: the body has no target attribute, so it inlines into all three. Element.h uses
// them; nothing else needs to.

#include "engine/ops/Scalar.h"
#include "engine/tensor/DType.h"

#include <array>
#include <cstdint>
#include <tuple>
#include <type_traits>
#include <utility>

namespace strata::ops::loops {

using tensor::DType;

/// data[0] is the output, data[1..] the operands, all dense; `parameters` are of the compute dtype.
using Loop = void (*)(char* const* data, std::int64_t count, const void* parameters);

enum class Level : std::uint8_t { Baseline, V3, V4 };
/// The best level that this processor has; STRATA_CPU_LEVEL=baseline|v3|v4 lowers it.
Level level();

/// The loops of one compute dtype.
struct Row {
    std::array<Loop, 3> byLevel{};
    DType result = DType::Float32; // Bool for comparisons, else the compute dtype
    explicit operator bool() const { return byLevel[0] != nullptr; }
};

/// Position of a compute dtype in a table of rows; -1 for those without kernels.
constexpr int rowOf(DType dtype) {
    switch (dtype) {
    case DType::Bool:
        return 0;
    case DType::Int64:
        return 1;
    case DType::Float32:
        return 2;
    case DType::Float64:
        return 3;
    default:
        return -1;
    }
}

/// The compute dtypes that a body takes.
struct Floats {
    template <class T> static constexpr bool takes = std::is_floating_point_v<T>;
};
struct Numbers {
    template <class T> static constexpr bool takes = !std::is_same_v<T, bool>;
};
struct Integers {
    template <class T> static constexpr bool takes = std::is_integral_v<T>;
};
struct Bools {
    template <class T> static constexpr bool takes = std::is_same_v<T, bool>;
};
struct AllTypes {
    template <class T> static constexpr bool takes = true;
};

template <class F, class T, int N, int P, unsigned BoolOperands> struct Loops {
    template <std::size_t I> using Operand = std::conditional_t<((BoolOperands >> I) & 1U) != 0, bool, T>;

    template <std::size_t> using Repeat = T;

    template <std::size_t... I, std::size_t... J>
    static auto resultOf(std::index_sequence<I...>, std::index_sequence<J...>)
        -> decltype(F{}(std::declval<Operand<I>>()..., std::declval<Repeat<J>>()...));
    using Computed = decltype(resultOf(std::make_index_sequence<N>{}, std::make_index_sequence<P>{}));
    using Result = std::conditional_t<std::is_same_v<Computed, bool>, bool, T>;

    // An operand may be the output itself (in-place): element i is read before it is written, so iterations stay
    // independent, which is what assume_safety says.
    template <std::size_t... I, std::size_t... J>
    [[gnu::always_inline]] static inline void run(char* const* data, std::int64_t count, const void* parameters,
                                                  std::index_sequence<I...>, std::index_sequence<J...>) {
        auto* out = reinterpret_cast<Result*>(data[0]);
        const std::tuple<const Operand<I>*...> in{reinterpret_cast<const Operand<I>*>(data[I + 1])...};
        const std::array<T, P> p{static_cast<const T*>(parameters)[J]...};
        (void)in, (void)p;
#pragma clang loop vectorize(assume_safety) interleave(enable)
        for (std::int64_t i = 0; i < count; ++i) {
            [[clang::always_inline]] out[i] = static_cast<Result>(F{}(std::get<I>(in)[i]..., p[J]...));
        }
    }

    static void baseline(char* const* data, std::int64_t count, const void* parameters) {
        run(data, count, parameters, std::make_index_sequence<N>{}, std::make_index_sequence<P>{});
    }
#if defined(__x86_64__)
    [[gnu::target("arch=x86-64-v3")]] static void v3(char* const* data, std::int64_t count, const void* parameters) {
        run(data, count, parameters, std::make_index_sequence<N>{}, std::make_index_sequence<P>{});
    }
    [[gnu::target("arch=x86-64-v4")]] static void v4(char* const* data, std::int64_t count, const void* parameters) {
        run(data, count, parameters, std::make_index_sequence<N>{}, std::make_index_sequence<P>{});
    }
    static constexpr std::array<Loop, 3> levels{baseline, v3, v4};
#else
    static constexpr std::array<Loop, 3> levels{baseline, baseline, baseline};
#endif
};

template <class Types, class F, class T, int N, int P, unsigned BoolOperands> Row row(DType dtype) {
    if constexpr (Types::template takes<T>) {
        using L = Loops<F, T, N, P, BoolOperands>;
        return {L::levels, std::is_same_v<typename L::Result, bool> ? DType::Bool : dtype};
    } else {
        return {};
    }
}

template <class Types, class F, int N, int P, unsigned BoolOperands> std::array<Row, 4> rows() {
    return {row<Types, F, bool, N, P, BoolOperands>(DType::Bool),
            row<Types, F, std::int64_t, N, P, BoolOperands>(DType::Int64),
            row<Types, F, float, N, P, BoolOperands>(DType::Float32),
            row<Types, F, double, N, P, BoolOperands>(DType::Float64)};
}

} // namespace strata::ops::loops
