#pragma once
// An integer that may be an expression over symbolic sizes. Sizes, strides, offsets and loop indices are of this type.
//
// A SymInt is 8 bytes, trivially copyable: a plain 62-bit integer, or a pointer to an interned, immutable, immortal
// expression node. Expressions are kept in a normal form (a sum of products, constants folded, operands ordered by
// name), so that equal expressions of this class are the same node; there is no unordered iteration in what is printed.
// Comparing symbolic values asks the ShapeEnv in force (ShapeEnv.h), which answers from the sizes seen while tracing
// and keeps the answer as a guard.

#include <concepts>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace strata::symbolic {

enum class ExprKind : std::uint8_t { Constant, Symbol, Add, Mul, FloorDiv, Mod, Min, Max };

class SymInt;

/// An interned node. Two nodes are equal exactly when their addresses are.
struct Expr {
    ExprKind kind;
    std::int64_t value = 0;        // Constant
    std::string name;              // Symbol: s0, s1 (sizes), i0, i1 (loops), r0 (reduction loops)
    std::vector<const Expr*> args; // Add, Mul: two or more, sorted; FloorDiv, Mod: two; Min, Max: two
    std::uint64_t id = 0;          // order of creation; for maps, never printed
};

class SymInt {
public:
    constexpr SymInt() = default;
    template <std::integral T> constexpr SymInt(T value) : m_bits(static_cast<std::int64_t>(value)) {}
    SymInt(const Expr* expr); // a Constant node becomes a plain integer

    static SymInt symbol(std::string_view name);

    bool isSymbolic() const { return m_bits < plainMin; }
    /// The plain integer; throws support::Error when symbolic.
    std::int64_t asInt() const;
    /// The plain integer; `fallback` when symbolic.
    std::int64_t maybeInt(std::int64_t fallback) const { return isSymbolic() ? fallback : m_bits; }
    /// The expression node (made for a plain integer).
    const Expr* expr() const;
    /// As printed in graphs, shapes and guards: "s0", "2*s0 + 1", "s0//2".
    std::string str() const;

    /// Structural equality: never asks a ShapeEnv. Use symbolic::equal for a guarded comparison.
    bool sameAs(SymInt other) const { return m_bits == other.m_bits; }

private:
    static constexpr std::int64_t plainMin = -(std::int64_t{1} << 62);
    std::int64_t m_bits = 0;
};

SymInt operator+(SymInt a, SymInt b);
SymInt operator-(SymInt a, SymInt b);
SymInt operator*(SymInt a, SymInt b);
SymInt operator-(SymInt a);
/// Python's // and % (floor towards minus infinity). Throws support::Error (ZeroDivision) when b is 0.
SymInt floorDiv(SymInt a, SymInt b);
SymInt mod(SymInt a, SymInt b);
SymInt min(SymInt a, SymInt b);
SymInt max(SymInt a, SymInt b);

/// Replaces symbols by name; symbols that are not in the map stay.
SymInt substitute(SymInt value, const std::map<std::string, SymInt>& by);
/// The value with every symbol bound; throws support::Error naming a symbol that is not.
std::int64_t evaluate(SymInt value, const std::map<std::string, std::int64_t>& symbols);
/// Names of the symbols that occur, sorted.
std::vector<std::string> symbolsOf(SymInt value);
/// Reads what str() prints. Throws support::Error with the position on a syntax error.
SymInt parseSymInt(std::string_view text);

using SymInts = std::vector<SymInt>;
/// "[2, s0]"
std::string str(const SymInts& values);
bool sameAs(const SymInts& a, const SymInts& b);
SymInt product(const SymInts& values);
/// Contiguous strides for these sizes (a size of 0 counts as 1).
SymInts contiguousStrides(const SymInts& sizes);

} // namespace strata::symbolic
