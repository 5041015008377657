#include "engine/symbolic/SymInt.h"

#include "engine/support/Error.h"

#include <algorithm>
#include <bit>
#include <deque>
#include <limits>
#include <mutex>
#include <optional>
#include <set>
#include <tuple>

namespace strata::symbolic {

namespace {

using support::Error;
using support::ErrorKind;

// Interning: nodes live for ever, so that a SymInt can be a bare pointer. A process makes few thousand of them.
class Interner {
public:
    static Interner& instance() {
        static auto* interner = new Interner;
        return *interner;
    }

    const Expr* intern(ExprKind kind, std::int64_t value, std::string_view name, std::vector<const Expr*> args) {
        const std::lock_guard lock(m_mutex);
        std::vector<std::uint64_t> ids;
        ids.reserve(args.size());
        for (const Expr* arg : args) ids.push_back(arg->id);
        const auto key = std::make_tuple(kind, value, std::string(name), ids);
        if (const auto it = m_index.find(key); it != m_index.end()) return it->second;
        m_nodes.push_back(Expr{kind, value, std::string(name), std::move(args), m_nodes.size() + 1});
        m_index.emplace(key, &m_nodes.back());
        return &m_nodes.back();
    }

private:
    std::mutex m_mutex;
    std::deque<Expr> m_nodes;
    std::map<std::tuple<ExprKind, std::int64_t, std::string, std::vector<std::uint64_t>>, const Expr*> m_index;
};

const Expr* constantNode(std::int64_t value) {
    return Interner::instance().intern(ExprKind::Constant, value, "", {});
}

// Symbols sort by prefix, then number: s2 before s10.
int compareNames(const std::string& a, const std::string& b) {
    const auto digitsOf = [](const std::string& s) { return std::min(s.find_first_of("0123456789"), s.size()); };
    const std::size_t da = digitsOf(a), db = digitsOf(b);
    if (const int c = a.substr(0, da).compare(b.substr(0, db)); c != 0) return c;
    if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
    return a.compare(b);
}

// A total order that does not depend on addresses or creation, for printing.
int compareExprs(const Expr* a, const Expr* b) {
    if (a == b) return 0;
    if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
    if (a->value != b->value) return a->value < b->value ? -1 : 1;
    if (const int c = compareNames(a->name, b->name); c != 0) return c;
    if (a->args.size() != b->args.size()) return a->args.size() < b->args.size() ? -1 : 1;
    for (std::size_t i = 0; i < a->args.size(); ++i)
        if (const int c = compareExprs(a->args[i], b->args[i]); c != 0) return c;
    return 0;
}

struct ExprLess {
    bool operator()(const Expr* a, const Expr* b) const { return compareExprs(a, b) < 0; }
};

// The normal form: a sum of (product of atoms) * coefficient. An atom is a symbol or a node that is neither Add nor
// Mul.
using Monomial = std::vector<const Expr*>; // sorted, with repetition
struct MonomialLess {
    bool operator()(const Monomial& a, const Monomial& b) const {
        if (a.size() != b.size()) return a.size() > b.size(); // higher degree first, the constant last
        for (std::size_t i = 0; i < a.size(); ++i)
            if (const int c = compareExprs(a[i], b[i]); c != 0) return c < 0;
        return false;
    }
};
using Polynomial = std::map<Monomial, std::int64_t, MonomialLess>;

void addTerm(Polynomial& sum, const Monomial& monomial, std::int64_t coefficient) {
    const auto it = sum.emplace(monomial, 0).first;
    it->second += coefficient;
    if (it->second == 0) sum.erase(it);
}

Polynomial multiply(const Polynomial& a, const Polynomial& b) {
    Polynomial out;
    for (const auto& [ma, ca] : a)
        for (const auto& [mb, cb] : b) {
            Monomial m = ma;
            m.insert(m.end(), mb.begin(), mb.end());
            std::sort(m.begin(), m.end(), ExprLess{});
            addTerm(out, m, ca * cb);
        }
    return out;
}

Polynomial polynomialOf(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Constant:
        return e->value == 0 ? Polynomial{} : Polynomial{{{}, e->value}};
    case ExprKind::Add: {
        Polynomial sum;
        for (const Expr* arg : e->args)
            for (const auto& [m, c] : polynomialOf(arg)) addTerm(sum, m, c);
        return sum;
    }
    case ExprKind::Mul: {
        Polynomial product{{{}, 1}};
        for (const Expr* arg : e->args) product = multiply(product, polynomialOf(arg));
        return product;
    }
    default:
        return {{{e}, 1}};
    }
}

const Expr* nodeOf(const Monomial& monomial, std::int64_t coefficient) {
    if (monomial.empty()) return constantNode(coefficient);
    std::vector<const Expr*> args;
    if (coefficient != 1) args.push_back(constantNode(coefficient));
    args.insert(args.end(), monomial.begin(), monomial.end());
    if (args.size() == 1) return args[0];
    return Interner::instance().intern(ExprKind::Mul, 0, "", std::move(args));
}

const Expr* nodeOf(const Polynomial& polynomial) {
    if (polynomial.empty()) return constantNode(0);
    std::vector<const Expr*> args;
    for (const auto& [m, c] : polynomial) args.push_back(nodeOf(m, c));
    if (args.size() == 1) return args[0];
    return Interner::instance().intern(ExprKind::Add, 0, "", std::move(args));
}

std::int64_t floorDivide(std::int64_t a, std::int64_t b) {
    if (b == 0) throw Error(ErrorKind::ZeroDivision, "integer division or modulo by zero");
    const std::int64_t q = a / b;
    return q * b != a && (a < 0) != (b < 0) ? q - 1 : q;
}

// Divides every coefficient and one occurrence of every atom of a one-term divisor; empty when a term is no multiple.
std::optional<Polynomial> divideExactly(const Polynomial& a, const Polynomial& b) {
    if (b.size() != 1) return std::nullopt;
    const auto& [divisor, coefficient] = *b.begin();
    Polynomial out;
    for (const auto& [m, c] : a) {
        if (c % coefficient != 0) return std::nullopt;
        Monomial rest = m;
        for (const Expr* atom : divisor) {
            const auto it = std::find(rest.begin(), rest.end(), atom);
            if (it == rest.end()) return std::nullopt;
            rest.erase(it);
        }
        addTerm(out, rest, c / coefficient);
    }
    return out;
}

int precedence(ExprKind kind) {
    switch (kind) {
    case ExprKind::Add:
        return 1;
    case ExprKind::Mul:
    case ExprKind::FloorDiv:
    case ExprKind::Mod:
        return 2;
    default:
        return 3;
    }
}

std::string print(const Expr* e);

std::string printInside(const Expr* e, int level) {
    std::string text = print(e);
    return precedence(e->kind) < level || (e->kind == ExprKind::Constant && e->value < 0 && level > 1)
               ? "(" + text + ")"
               : text;
}

std::string printSum(const Expr* e) {
    std::string text;
    for (const Expr* arg : e->args) {
        const bool negative =
            (arg->kind == ExprKind::Constant && arg->value < 0) ||
            (arg->kind == ExprKind::Mul && arg->args[0]->kind == ExprKind::Constant && arg->args[0]->value < 0);
        if (text.empty())
            text = print(arg);
        else if (negative)
            text += " - " + print((-SymInt(arg)).expr());
        else
            text += " + " + print(arg);
    }
    return text;
}

std::string print(const Expr* e) {
    switch (e->kind) {
    case ExprKind::Constant:
        return std::to_string(e->value);
    case ExprKind::Symbol:
        return e->name;
    case ExprKind::Add:
        return printSum(e);
    case ExprKind::Mul: {
        std::string text;
        for (const Expr* arg : e->args) {
            if (!text.empty()) text += "*";
            const bool first = text.empty();
            text += first && arg->kind == ExprKind::Constant ? print(arg) : printInside(arg, 3);
        }
        return text;
    }
    case ExprKind::FloorDiv:
        return printInside(e->args[0], 2) + "//" + printInside(e->args[1], 3);
    case ExprKind::Mod:
        return printInside(e->args[0], 2) + "%" + printInside(e->args[1], 3);
    case ExprKind::Min:
        return "Min(" + print(e->args[0]) + ", " + print(e->args[1]) + ")";
    case ExprKind::Max:
        return "Max(" + print(e->args[0]) + ", " + print(e->args[1]) + ")";
    }
    return {};
}

void collectSymbols(const Expr* e, std::set<std::string>& out) {
    if (e->kind == ExprKind::Symbol) out.insert(e->name);
    for (const Expr* arg : e->args) collectSymbols(arg, out);
}

// Recursive descent over what print() writes: sum := product (('+'|'-') product)*; product := unary (('*'|'//'|'%')
// unary)*.
class Reader {
public:
    explicit Reader(std::string_view text) : m_text(text) {}

    SymInt whole() {
        const SymInt value = sum();
        skip();
        if (m_at != m_text.size()) fail("unexpected text");
        return value;
    }

private:
    SymInt sum() {
        SymInt value = product();
        for (;;) {
            if (take("+"))
                value = value + product();
            else if (take("-"))
                value = value - product();
            else
                return value;
        }
    }

    SymInt product() {
        SymInt value = unary();
        for (;;) {
            if (take("//"))
                value = floorDiv(value, unary());
            else if (take("*"))
                value = value * unary();
            else if (take("%"))
                value = mod(value, unary());
            else
                return value;
        }
    }

    SymInt unary() {
        if (take("-")) return -unary();
        if (take("(")) return closed(sum());
        if (take("Min(")) return pair(&min);
        if (take("Max(")) return pair(&max);
        skip();
        const std::size_t start = m_at;
        while (m_at < m_text.size() && (std::isalnum(static_cast<unsigned char>(m_text[m_at])) || m_text[m_at] == '_'))
            ++m_at;
        const std::string word(m_text.substr(start, m_at - start));
        if (word.empty()) fail("a number or a symbol was expected");
        if (!std::isdigit(static_cast<unsigned char>(word[0]))) return SymInt::symbol(word);
        try {
            return std::stoll(word);
        } catch (const std::out_of_range&) {
            fail("the number is too large");
        }
    }

    SymInt pair(SymInt (*f)(SymInt, SymInt)) {
        const SymInt a = sum();
        if (!take(",")) fail("',' was expected");
        return closed(f(a, sum()));
    }

    SymInt closed(SymInt value) {
        if (!take(")")) fail("')' was expected");
        return value;
    }

    void skip() {
        while (m_at < m_text.size() && m_text[m_at] == ' ') ++m_at;
    }

    bool take(std::string_view word) {
        skip();
        if (m_text.substr(m_at, word.size()) != word) return false;
        m_at += word.size();
        return true;
    }

    [[noreturn]] void fail(const std::string& what) const {
        throw Error(ErrorKind::Value,
                    what + " at column " + std::to_string(m_at) + " of '" + std::string(m_text) + "'");
    }

    std::string_view m_text;
    std::size_t m_at = 0;
};

} // namespace

// A pointer is kept with its top bits set to 10: below every plain integer, which has 62 bits and a sign.
SymInt::SymInt(const Expr* expr) {
    if (expr->kind == ExprKind::Constant)
        m_bits = expr->value;
    else
        m_bits = static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(expr) | std::uint64_t{1} << 63);
}

SymInt SymInt::symbol(std::string_view name) {
    return SymInt(Interner::instance().intern(ExprKind::Symbol, 0, name, {}));
}

std::int64_t SymInt::asInt() const {
    if (isSymbolic()) throw Error("the size " + str() + " is symbolic where a plain integer is needed");
    return m_bits;
}

const Expr* SymInt::expr() const {
    if (!isSymbolic()) return constantNode(m_bits);
    return reinterpret_cast<const Expr*>(static_cast<std::uintptr_t>(m_bits) & ~(std::uint64_t{1} << 63));
}

std::string SymInt::str() const {
    return isSymbolic() ? print(expr()) : std::to_string(m_bits);
}

SymInt operator+(SymInt a, SymInt b) {
    if (!a.isSymbolic() && !b.isSymbolic()) return a.asInt() + b.asInt();
    Polynomial sum = polynomialOf(a.expr());
    for (const auto& [m, c] : polynomialOf(b.expr())) addTerm(sum, m, c);
    return SymInt(nodeOf(sum));
}

SymInt operator-(SymInt a, SymInt b) {
    return a + -b;
}

SymInt operator-(SymInt a) {
    return a * SymInt(-1);
}

SymInt operator*(SymInt a, SymInt b) {
    if (!a.isSymbolic() && !b.isSymbolic()) return a.asInt() * b.asInt();
    return SymInt(nodeOf(multiply(polynomialOf(a.expr()), polynomialOf(b.expr()))));
}

SymInt floorDiv(SymInt a, SymInt b) {
    if (!a.isSymbolic() && !b.isSymbolic()) return floorDivide(a.asInt(), b.asInt());
    if (a.sameAs(0)) return 0;
    if (b.sameAs(0)) throw Error(ErrorKind::ZeroDivision, "integer division or modulo by zero");
    if (const auto exact = divideExactly(polynomialOf(a.expr()), polynomialOf(b.expr()))) return SymInt(nodeOf(*exact));
    return SymInt(Interner::instance().intern(ExprKind::FloorDiv, 0, "", {a.expr(), b.expr()}));
}

SymInt mod(SymInt a, SymInt b) {
    if (!a.isSymbolic() && !b.isSymbolic()) return a.asInt() - floorDivide(a.asInt(), b.asInt()) * b.asInt();
    if (b.sameAs(1)) return 0;
    if (b.sameAs(0)) throw Error(ErrorKind::ZeroDivision, "integer division or modulo by zero");
    if (divideExactly(polynomialOf(a.expr()), polynomialOf(b.expr()))) return 0;
    return SymInt(Interner::instance().intern(ExprKind::Mod, 0, "", {a.expr(), b.expr()}));
}

namespace {
SymInt extreme(ExprKind kind, SymInt a, SymInt b) {
    if (a.sameAs(b)) return a;
    if (!a.isSymbolic() && !b.isSymbolic())
        return kind == ExprKind::Min ? std::min(a.asInt(), b.asInt()) : std::max(a.asInt(), b.asInt());
    const Expr *x = a.expr(), *y = b.expr();
    if (compareExprs(y, x) < 0) std::swap(x, y);
    return SymInt(Interner::instance().intern(kind, 0, "", {x, y}));
}
} // namespace

SymInt min(SymInt a, SymInt b) {
    return extreme(ExprKind::Min, a, b);
}
SymInt max(SymInt a, SymInt b) {
    return extreme(ExprKind::Max, a, b);
}

namespace {
// Rebuilds an expression from its leaves through the ordinary operators, which normalise again.
template <class Leaf> SymInt rebuild(const Expr* e, const Leaf& leaf) {
    const auto at = [&](std::size_t i) { return rebuild(e->args[i], leaf); };
    switch (e->kind) {
    case ExprKind::Constant:
        return e->value;
    case ExprKind::Symbol:
        return leaf(e);
    case ExprKind::Add: {
        SymInt sum = 0;
        for (std::size_t i = 0; i < e->args.size(); ++i) sum = sum + at(i);
        return sum;
    }
    case ExprKind::Mul: {
        SymInt out = 1;
        for (std::size_t i = 0; i < e->args.size(); ++i) out = out * at(i);
        return out;
    }
    case ExprKind::FloorDiv:
        return floorDiv(at(0), at(1));
    case ExprKind::Mod:
        return mod(at(0), at(1));
    case ExprKind::Min:
        return min(at(0), at(1));
    case ExprKind::Max:
        return max(at(0), at(1));
    }
    return 0;
}
} // namespace

SymInt substitute(SymInt value, const std::map<std::string, SymInt>& by) {
    if (!value.isSymbolic()) return value;
    return rebuild(value.expr(), [&](const Expr* e) {
        const auto it = by.find(e->name);
        return it == by.end() ? SymInt(e) : it->second;
    });
}

std::int64_t evaluate(SymInt value, const std::map<std::string, std::int64_t>& symbols) {
    if (!value.isSymbolic()) return value.asInt();
    return rebuild(value.expr(),
                   [&](const Expr* e) -> SymInt {
                       const auto it = symbols.find(e->name);
                       if (it == symbols.end()) throw Error("the symbolic size " + e->name + " has no value here");
                       return it->second;
                   })
        .asInt();
}

std::vector<std::string> symbolsOf(SymInt value) {
    std::set<std::string> names;
    if (value.isSymbolic()) collectSymbols(value.expr(), names);
    return {names.begin(), names.end()};
}

SymInt parseSymInt(std::string_view text) {
    return Reader(text).whole();
}

std::string str(const SymInts& values) {
    std::string text = "[";
    for (std::size_t i = 0; i < values.size(); ++i) text += (i ? ", " : "") + values[i].str();
    return text + "]";
}

bool sameAs(const SymInts& a, const SymInts& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](SymInt x, SymInt y) { return x.sameAs(y); });
}

SymInt product(const SymInts& values) {
    SymInt out = 1;
    for (const SymInt v : values) out = out * v;
    return out;
}

SymInts contiguousStrides(const SymInts& sizes) {
    SymInts strides(sizes.size());
    SymInt running = 1;
    for (std::size_t i = sizes.size(); i-- > 0;) {
        strides[i] = running;
        if (!sizes[i].sameAs(0)) running = running * sizes[i];
    }
    return strides;
}

} // namespace strata::symbolic
