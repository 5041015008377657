#include "engine/inductor/CppExpr.h"

#include <cmath>
#include <sstream>

namespace strata::inductor {

using loop::Prim;
using loop::ScalarExpr;
using loop::ScalarRef;
using tensor::DType;

namespace {

struct Helper {
    const char* name;
    const char* text;
};

// In an order in which they compile. T is float or double but where integers are named.
constexpr Helper helpers[] = {
#define UNARY(name, builtin)                                                                                           \
    {#name, "inline float " #name "(float x) { return __builtin_" builtin "f(x); }\n"                                  \
            "inline double " #name "(double x) { return __builtin_" builtin "(x); }\n"}
    UNARY(exp, "exp"),
    UNARY(exp2, "exp2"),
    UNARY(expm1, "expm1"),
    UNARY(log, "log"),
    UNARY(log1p, "log1p"),
    UNARY(log2, "log2"),
    UNARY(log10, "log10"),
    UNARY(sqrt, "sqrt"),
    UNARY(sin, "sin"),
    UNARY(cos, "cos"),
    UNARY(tan, "tan"),
    UNARY(asin, "asin"),
    UNARY(acos, "acos"),
    UNARY(atan, "atan"),
    UNARY(sinh, "sinh"),
    UNARY(cosh, "cosh"),
    UNARY(tanh, "tanh"),
    UNARY(erf, "erf"),
    UNARY(erfc, "erfc"),
    UNARY(floor, "floor"),
    UNARY(ceil, "ceil"),
    UNARY(trunc, "trunc"),
    UNARY(round, "nearbyint"), // halves to even, as PyTorch rounds
#undef UNARY
    {"rsqrt", "inline float rsqrt(float x) { return 1.0f / __builtin_sqrtf(x); }\n"
              "inline double rsqrt(double x) { return 1.0 / __builtin_sqrt(x); }\n"},
    {"abs", "inline float abs(float x) { return __builtin_fabsf(x); }\n"
            "inline double abs(double x) { return __builtin_fabs(x); }\n"
            "inline long abs(long x) { return x < 0 ? -x : x; }\n"},
    {"sign", "template <class T> T sign(T x) { return x != x ? x : T((x > 0) - (x < 0)); }\n"},
    {"pow", "inline float pow(float x, float y) { return __builtin_powf(x, y); }\n"
            "inline double pow(double x, double y) { return __builtin_pow(x, y); }\n"
            "inline long pow(long x, long n) { long p = n < 0 ? (x == 1 || (x == -1 && n % 2 == 0)) : 1;\n"
            "    if (n < 0) return x == -1 && n % 2 ? -1 : p;\n"
            "    for (; n; n /= 2, x *= x) if (n % 2) p *= x;\n"
            "    return p; }\n"},
    {"atan2", "inline float atan2(float y, float x) { return __builtin_atan2f(y, x); }\n"
              "inline double atan2(double y, double x) { return __builtin_atan2(y, x); }\n"},
    {"fmod", "inline float fmod(float x, float y) { return __builtin_fmodf(x, y); }\n"
             "inline double fmod(double x, double y) { return __builtin_fmod(x, y); }\n"},
    // Python's %: the sign is the divisor's.
    {"remainder", "inline float remainder(float x, float y) { float m = __builtin_fmodf(x, y); return m != 0 && (y < "
                  "0) != (m < 0) ? m + y : m; }\n"
                  "inline double remainder(double x, double y) { double m = __builtin_fmod(x, y); return m != 0 && (y "
                  "< 0) != (m < 0) ? m + y : m; }\n"},
    // Python's // on floats: the quotient of what is left after the remainder, not floor(x / y).
    {"floor_div",
     "template <class T> T floor_div(T x, T y) {\n"
     "    if (y == 0) return x / y;\n"
     "    T m = sizeof(T) == 4 ? T(__builtin_fmodf(float(x), float(y))) : T(__builtin_fmod(double(x), double(y)));\n"
     "    T q = (x - m) / y;\n"
     "    if (m != 0 && (y < 0) != (m < 0)) q -= 1;\n"
     "    if (q == 0) return __builtin_copysign(T(0), x / y);\n"
     "    T f = T(__builtin_floor(double(q)));\n"
     "    return q - f > T(0.5) ? f + 1 : f; }\n"},
    {"isinf", "inline bool isinf(float x) { return __builtin_fabsf(x) == __builtin_inff(); }\n"
              "inline bool isinf(double x) { return __builtin_fabs(x) == __builtin_inf(); }\n"},
    // NaN if either is: the comparison is false for NaN, so the second operand is taken unless the first is NaN.
    {"maximum", "template <class T> T maximum(T a, T b) { return a > b || a != a ? a : b; }\n"},
    {"minimum", "template <class T> T minimum(T a, T b) { return a < b || a != a ? a : b; }\n"},
    {"floor_index", "inline long floor_index(long a, long b) { long q = a / b; return q * b != a && (a < 0) != (b < 0) "
                    "? q - 1 : q; }\n"},
};

const char* infix(Prim prim, DType dtype) {
    const bool logical = dtype == DType::Bool;
    switch (prim) {
    case Prim::Add:
        return logical ? "|" : "+";
    case Prim::Sub:
        return "-";
    case Prim::Mul:
        return logical ? "&" : "*";
    case Prim::Div:
        return "/";
    case Prim::Eq:
        return "==";
    case Prim::Ne:
        return "!=";
    case Prim::Lt:
        return "<";
    case Prim::Le:
        return "<=";
    case Prim::Gt:
        return ">";
    case Prim::Ge:
        return ">=";
    case Prim::BitwiseAnd:
        return "&";
    case Prim::BitwiseOr:
        return "|";
    case Prim::BitwiseXor:
        return "^";
    case Prim::ShiftLeft:
        return "<<";
    case Prim::ShiftRight:
        return ">>";
    default:
        return nullptr;
    }
}

// An operand inside a larger expression: bracketed unless it is one word or one call.
std::string inside(const std::string& text) {
    int depth = 0;
    for (const char c : text) {
        if (c == '(' || c == '[') ++depth;
        if (c == ')' || c == ']') --depth;
        if (c == ' ' && depth == 0) return "(" + text + ")";
    }
    return text.rfind('-', 0) == 0 || text.rfind('!', 0) == 0 ? "(" + text + ")" : text;
}

std::string indexNode(const symbolic::Expr* e);

std::string indexInside(const symbolic::Expr* e) {
    const std::string text = indexNode(e);
    return e->kind == symbolic::ExprKind::Add ? "(" + text + ")" : text;
}

std::string indexNode(const symbolic::Expr* e) {
    using symbolic::ExprKind;
    std::string text;
    switch (e->kind) {
    case ExprKind::FloorDiv:
        return "floor_index(" + indexNode(e->args[0]) + ", " + indexNode(e->args[1]) + ")";
    case ExprKind::Mod: {
        const std::string a = indexInside(e->args[0]), b = indexInside(e->args[1]);
        return "(" + a + " - floor_index(" + a + ", " + b + ")*" + b + ")";
    }
    case ExprKind::Min:
    case ExprKind::Max: {
        const std::string a = indexInside(e->args[0]), b = indexInside(e->args[1]);
        return "(" + a + (e->kind == ExprKind::Min ? " < " : " > ") + b + " ? " + a + " : " + b + ")";
    }
    case ExprKind::Add:
        for (const symbolic::Expr* arg : e->args) {
            std::string term = indexNode(arg);
            if (!text.empty()) {
                const bool negative = term[0] == '-';
                text += negative ? " - " : " + ";
                if (negative) term.erase(0, 1);
            }
            text += term;
        }
        return text;
    case ExprKind::Mul:
        for (const symbolic::Expr* arg : e->args) {
            if (text.empty() && arg->kind == ExprKind::Constant && arg->value == -1) {
                text = "-";
                continue;
            }
            text += (text.empty() || text == "-" ? "" : "*") + indexInside(arg);
        }
        return text;
    case ExprKind::Constant:
        return std::to_string(e->value);
    case ExprKind::Symbol:
        return e->name;
    }
    return text;
}

} // namespace

std::string indexText(symbolic::SymInt index) {
    return indexNode(index.expr());
}

std::string cppType(DType dtype) {
    return dtype == DType::Int64 ? "long" : std::string(tensor::cppName(dtype));
}

std::string constantText(double value, std::int64_t intValue, DType dtype) {
    if (dtype == DType::Bool) return intValue ? "true" : "false";
    if (!tensor::isFloating(dtype)) return std::to_string(intValue) + "L";
    const bool single = dtype == DType::Float32;
    if (std::isnan(value)) return single ? "__builtin_nanf(\"\")" : "__builtin_nan(\"\")";
    if (std::isinf(value)) return std::string(value < 0 ? "-" : "") + (single ? "__builtin_inff()" : "__builtin_inf()");
    for (int digits = 6; digits <= 17; ++digits) {
        std::ostringstream out;
        out.precision(digits);
        out << value;
        const double back = std::stod(out.str());
        if (single ? static_cast<float>(back) != static_cast<float>(value) : back != value) continue;
        std::string text = out.str();
        if (text.find_first_of(".e") == std::string::npos) text += ".0";
        return text + (single ? "f" : "");
    }
    return std::to_string(value);
}

std::string helperText(const std::set<std::string>& used) {
    std::string text;
    for (const Helper& helper : helpers)
        if (used.count(helper.name)) text += helper.text;
    if (text.empty()) return text;
    return "namespace math {\n" + text + "}\n" + (used.count("floor_index") ? "using math::floor_index;\n" : "") + "\n";
}

std::string CppExpr::text(const ScalarRef& body, const std::string& nameHint, std::vector<std::string>& statements) {
    m_hint = nameHint;
    m_uses.clear();
    const std::function<void(const ScalarRef&)> count = [&](const ScalarRef& e) {
        if (++m_uses[e.get()] > 1) return;
        for (const ScalarRef& arg : e->args) count(arg);
    };
    count(body);
    m_uses[body.get()] = 1; // the root gets its name from the caller
    return visit(body, statements);
}

std::string CppExpr::visit(const ScalarRef& e, std::vector<std::string>& statements) {
    if (const auto it = m_named.find(e.get()); it != m_named.end()) return it->second;
    std::string text = compute(e, statements);
    const bool leaf = e->prim == Prim::Constant || e->prim == Prim::Index;
    const bool word = text.find_first_of(" ([") == std::string::npos;
    if (m_uses[e.get()] < 2 || leaf || word) return text;
    const std::string name =
        m_names(e->prim == Prim::Load ? e->buffer + "_x" : m_hint + "_" + std::string(loop::name(e->prim)));
    statements.push_back("const " + cppType(e->dtype) + " " + name + " = " + text + ";");
    return m_named[e.get()] = name;
}

std::string CppExpr::compute(const ScalarRef& e, std::vector<std::string>& statements) {
    const auto arg = [&](std::size_t i) { return visit(e->args[i], statements); };
    switch (e->prim) {
    case Prim::Constant:
        return constantText(e->constant, e->intConstant, e->dtype);
    case Prim::Index: {
        const std::string text = indexText(e->index);
        if (text.find("floor_index") != std::string::npos) m_used.insert("floor_index");
        return text;
    }
    case Prim::Load:
        return m_load(*e);
    case Prim::Cast:
        if (e->dtype == DType::Bool) return inside(arg(0)) + " != 0";
        return "static_cast<" + cppType(e->dtype) + ">(" + arg(0) + ")";
    case Prim::Where: {
        const std::string condition = inside(arg(0)), yes = inside(arg(1)), no = inside(arg(2));
        return condition + " ? " + yes + " : " + no;
    }
    case Prim::Neg:
        return "-" + inside(arg(0));
    case Prim::BitwiseNot:
        return (e->dtype == DType::Bool ? "!" : "~") + inside(arg(0));
    case Prim::Reciprocal:
        return constantText(1, 1, e->dtype) + " / " + inside(arg(0));
    case Prim::IsNan: {
        const std::string x = inside(arg(0));
        return x + " != " + x;
    }
    default:
        break;
    }
    if (const char* sign = infix(e->prim, e->args[0]->dtype); sign && e->args.size() == 2) {
        const std::string a = inside(arg(0)), b = inside(arg(1));
        const std::string text = a + " " + sign + " " + b;
        return e->dtype == DType::Bool && e->prim == Prim::Add ? "(" + text + ") != 0" : text;
    }
    const std::string helper(loop::name(e->prim));
    m_used.insert(helper);
    std::string text = "math::" + helper + "(";
    for (std::size_t i = 0; i < e->args.size(); ++i) text += (i ? ", " : "") + arg(i);
    return text + ")";
}

} // namespace strata::inductor
