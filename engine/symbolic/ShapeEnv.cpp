#include "engine/symbolic/ShapeEnv.h"

#include "engine/support/Error.h"

#include <limits>

namespace strata::symbolic {

namespace {

thread_local ShapeEnv* currentEnv = nullptr;

bool compare(Relation relation, std::int64_t a, std::int64_t b) {
    switch (relation) {
    case Relation::Equal:
        return a == b;
    case Relation::NotEqual:
        return a != b;
    case Relation::Less:
        return a < b;
    case Relation::LessEqual:
        return a <= b;
    }
    return false;
}

// The range of an expression when every symbol is at least 2 (0 and 1 are specialised); unknown ends are the extremes.
struct Range {
    std::int64_t low, high;
};
constexpr std::int64_t minusInfinity = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t infinity = std::numeric_limits<std::int64_t>::max();

std::int64_t saturatingAdd(std::int64_t a, std::int64_t b) {
    if (a == minusInfinity || b == minusInfinity) return minusInfinity;
    if (a == infinity || b == infinity) return infinity;
    return a + b;
}

// Bounds are at least 0 here, or the constant is the whole range.
Range scale(Range r, std::int64_t by) {
    const auto times = [](std::int64_t v, std::int64_t k) {
        if (k == 0) return std::int64_t{0};
        if (v == infinity) return k > 0 ? infinity : minusInfinity;
        if (v == minusInfinity) return k > 0 ? minusInfinity : infinity;
        std::int64_t out = 0;
        if (__builtin_mul_overflow(v, k, &out)) return (v > 0) == (k > 0) ? infinity : minusInfinity;
        return out;
    };
    const Range out{times(r.low, by), times(r.high, by)};
    return by < 0 ? Range{out.high, out.low} : out;
}

Range rangeOf(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Constant:
        return {e->value, e->value};
    case ExprKind::Symbol:
        return {2, infinity};
    case ExprKind::Add: {
        Range sum{0, 0};
        for (const Expr* arg : e->args) {
            const Range r = rangeOf(arg);
            sum = {saturatingAdd(sum.low, r.low), saturatingAdd(sum.high, r.high)};
        }
        return sum;
    }
    case ExprKind::Mul: {
        Range out{1, 1};
        std::int64_t coefficient = 1;
        for (const Expr* arg : e->args) {
            if (arg->kind == ExprKind::Constant) {
                coefficient *= arg->value;
                continue;
            }
            const Range r = rangeOf(arg);
            if (r.low < 0) return {minusInfinity, infinity};
            out = {r.low == infinity ? infinity : scale(out, r.low).low,
                   r.high == infinity ? infinity : scale(out, r.high).high};
        }
        return scale(out, coefficient);
    }
    case ExprKind::FloorDiv: {
        const Range a = rangeOf(e->args[0]), b = rangeOf(e->args[1]);
        if (a.low < 0 || b.low < 1) return {minusInfinity, infinity};
        return {b.high == infinity ? 0 : a.low / b.high, a.high == infinity ? infinity : a.high / b.low};
    }
    case ExprKind::Mod: {
        const Range b = rangeOf(e->args[1]);
        return b.low < 1 ? Range{minusInfinity, infinity} : Range{0, b.high == infinity ? infinity : b.high - 1};
    }
    case ExprKind::Min: {
        const Range a = rangeOf(e->args[0]), b = rangeOf(e->args[1]);
        return {std::min(a.low, b.low), std::min(a.high, b.high)};
    }
    case ExprKind::Max: {
        const Range a = rangeOf(e->args[0]), b = rangeOf(e->args[1]);
        return {std::max(a.low, b.low), std::max(a.high, b.high)};
    }
    }
    return {minusInfinity, infinity};
}

bool compareIn(Relation relation, SymInt a, SymInt b) {
    if (!a.isSymbolic() && !b.isSymbolic()) return compare(relation, a.asInt(), b.asInt());
    ShapeEnv* env = ShapeEnv::current();
    if (!env)
        throw support::Error("symbolic sizes " + a.str() + " and " + b.str() + " are compared outside of tracing");
    return env->decide(relation, a, b);
}

} // namespace

std::string ShapeGuard::str() const {
    static constexpr const char* signs[] = {"==", "!=", "<", "<="};
    return left.str() + " " + signs[static_cast<int>(relation)] + " " + right.str();
}

SymInt ShapeEnv::create(std::int64_t hint, SymbolSource source) {
    if (hint == 0 || hint == 1) return hint;
    const std::string name = "s" + std::to_string(m_symbols.size());
    m_symbols.emplace_back(name, std::move(source));
    m_hints[name] = hint;
    return SymInt::symbol(name);
}

std::int64_t ShapeEnv::hint(SymInt value) const {
    return evaluate(value, m_hints);
}

std::optional<bool> ShapeEnv::known(Relation relation, SymInt left, SymInt right) const {
    const Range difference = rangeOf((left - right).expr());
    switch (relation) {
    case Relation::Equal:
    case Relation::NotEqual:
        if (difference.low == 0 && difference.high == 0) return relation == Relation::Equal;
        if (difference.low > 0 || difference.high < 0) return relation == Relation::NotEqual;
        return std::nullopt;
    case Relation::Less:
        if (difference.high < 0) return true;
        if (difference.low >= 0) return false;
        return std::nullopt;
    case Relation::LessEqual:
        if (difference.high <= 0) return true;
        if (difference.low > 0) return false;
        return std::nullopt;
    }
    return std::nullopt;
}

bool ShapeEnv::decide(Relation relation, SymInt left, SymInt right) {
    if (const auto answer = known(relation, left, right)) return *answer;
    const bool answer = compare(relation, hint(left), hint(right));
    ShapeGuard guard{relation, left, right, m_file, m_line};
    if (!answer) { // keep what is true: not (a < b) is b <= a
        switch (relation) {
        case Relation::Equal:
            guard.relation = Relation::NotEqual;
            break;
        case Relation::NotEqual:
            guard.relation = Relation::Equal;
            break;
        case Relation::Less:
            guard = {Relation::LessEqual, right, left, m_file, m_line};
            break;
        case Relation::LessEqual:
            guard = {Relation::Less, right, left, m_file, m_line};
            break;
        }
    }
    for (const ShapeGuard& old : m_guards)
        if (old.relation == guard.relation && old.left.sameAs(guard.left) && old.right.sameAs(guard.right))
            return answer;
    m_guards.push_back(std::move(guard));
    return answer;
}

std::int64_t ShapeEnv::specialize(SymInt value) {
    if (!value.isSymbolic()) return value.asInt();
    const std::int64_t seen = hint(value);
    decide(Relation::Equal, value, seen);
    return seen;
}

ShapeEnv* ShapeEnv::current() {
    return currentEnv;
}

ShapeEnvScope::ShapeEnvScope(ShapeEnv* env) : m_before(currentEnv) {
    currentEnv = env;
}
ShapeEnvScope::~ShapeEnvScope() {
    currentEnv = m_before;
}

bool equal(SymInt a, SymInt b) {
    return a.sameAs(b) || compareIn(Relation::Equal, a, b);
}
bool less(SymInt a, SymInt b) {
    return compareIn(Relation::Less, a, b);
}
bool lessEqual(SymInt a, SymInt b) {
    return a.sameAs(b) || compareIn(Relation::LessEqual, a, b);
}

std::int64_t toInt(SymInt value) {
    if (!value.isSymbolic()) return value.asInt();
    ShapeEnv* env = ShapeEnv::current();
    if (!env)
        throw support::Error("the symbolic size " + value.str() + " is needed as a plain integer outside of tracing");
    return env->specialize(value);
}

bool equal(const SymInts& a, const SymInts& b) {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (!equal(a[i], b[i])) return false;
    return true;
}

} // namespace strata::symbolic
