#pragma once
// The sizes of one traced frame: which symbols there are, the value each had while tracing, and the guards that tracing
// relied on. Comparisons of SymInts go through the ShapeEnv in force (a thread-local stack), as in PyTorch.

#include "engine/symbolic/SymInt.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace strata::symbolic {

enum class Relation : std::uint8_t { Equal, NotEqual, Less, LessEqual };

/// A relation between sizes that the traced code relies on.
struct ShapeGuard {
    Relation relation;
    SymInt left, right;
    std::string file; // the user's line that asked, when known
    int line = 0;
    std::string str() const; // "s0 <= 8", as PyTorch prints it
};

/// Where a symbol's value comes from at run time, e.g. source "L['x']", kind Size, dim 0 -> L['x'].size()[0].
struct SymbolSource {
    enum class Kind : std::uint8_t { Size, Stride, Offset, Int } kind = Kind::Size;
    std::string source;
    int dim = 0;
};

class ShapeEnv {
public:
    /// A symbol for a value seen while tracing. 0 and 1 are specialised: they come back as plain integers.
    SymInt create(std::int64_t hint, SymbolSource source);
    std::int64_t hint(SymInt value) const; // the value that `value` had while tracing
    const std::vector<std::pair<std::string, SymbolSource>>& symbols() const { return m_symbols; }

    /// Answers from the hints and adds a guard, unless the answer is known for all sizes (symbols are at least 2).
    bool decide(Relation relation, SymInt left, SymInt right);
    /// The answer when it holds for all sizes; never adds a guard.
    std::optional<bool> known(Relation relation, SymInt left, SymInt right) const;
    /// The traced value itself, with an equality guard (specialisation).
    std::int64_t specialize(SymInt value);
    const std::vector<ShapeGuard>& guards() const { return m_guards; }
    /// The user's place that guards are put down to from now on.
    void setPlace(std::string file, int line) { m_file = std::move(file), m_line = line; }

    /// The environment in force on this thread; null outside tracing.
    static ShapeEnv* current();

private:
    friend class ShapeEnvScope;
    std::vector<std::pair<std::string, SymbolSource>> m_symbols;
    std::map<std::string, std::int64_t> m_hints;
    std::vector<ShapeGuard> m_guards;
    std::string m_file;
    int m_line = 0;
};

/// Puts an environment in force for a scope.
class ShapeEnvScope {
public:
    explicit ShapeEnvScope(ShapeEnv* env);
    ~ShapeEnvScope();
    ShapeEnvScope(const ShapeEnvScope&) = delete;
    ShapeEnvScope& operator=(const ShapeEnvScope&) = delete;

private:
    ShapeEnv* m_before;
};

/// Comparisons for shape arithmetic: plain integers compare plainly; symbolic ones ask the current ShapeEnv
/// (support::Error without one).
bool equal(SymInt a, SymInt b);
bool less(SymInt a, SymInt b);
bool lessEqual(SymInt a, SymInt b);
/// The plain value, specialising a symbolic one.
std::int64_t toInt(SymInt value);
bool equal(const SymInts& a, const SymInts& b);

} // namespace strata::symbolic
