// Pointwise ops of one operand: mathematics, rounding, tests for special values.
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"

#include <numbers>

namespace strata::ops {

using namespace scalar;

namespace {

// Rounding leaves integers as they are.
#define STRATA_ROUNDING(name)                                                                                          \
    template <Arithmetic T> STRATA_INLINE T name##Of(T x) {                                                            \
        return name(x);                                                                                                \
    }                                                                                                                  \
    loop::Value name##Of(const loop::Value& x) {                                                                       \
        return tensor::isFloating(x.dtype()) ? loop::name(x) : x;                                                      \
    }
STRATA_ROUNDING(floor)
STRATA_ROUNDING(ceil)
STRATA_ROUNDING(round)
STRATA_ROUNDING(trunc)
#undef STRATA_ROUNDING

// Domain of the samples.
struct Range {
    double low, high;
};

// An op on floats; integers are converted. The name is that of its scalar function.
template <class F, class G>
OpDef floatOp(const std::string& name, const char* doc, F body, Derivative d, G range, double cost) {
    return {.schema = (name + "(Tensor self) -> Tensor").c_str(),
            .doc = doc,
            .dtype = DTypeRule::IntToFloat,
            .element = element<1>(Floats{}, body, {.cost = cost}),
            .derivative = std::move(d),
            .samples = [range] { return samples::unary(range.low, range.high); },
            .inPlaceVariant = true};
}

// A derivative that reads self, or the result.
template <class F> Derivative ofSelf(F slope) {
    return derivative({0}, {}, [slope](const Tensor& g, const Saved& s) { return slope(g, savedArg(s, 0)); });
}
template <class F> Derivative ofResult(F slope) {
    return derivative({}, {0}, [slope](const Tensor& g, const Saved& s) { return slope(g, s.outputs.at(0)); });
}
Derivative zero() {
    return derivative({}, {}, [](const Tensor& g) { return f::zerosLike(g); });
}

using T = const Tensor&;

// 2 / sqrt(pi) * exp(-x^2), times grad and sign.
Tensor gaussSlope(T g, T self, double sign) {
    const Tensor bell = f::exp(f::neg(f::pow(self, 2)));
    return f::mul(f::mulScalar(bell, sign * 2.0 * std::numbers::inv_sqrtpi), g);
}

Tensor onePlusSquare(T x) {
    return f::addScalar(f::mul(x, x), 1);
}
Tensor oneMinusSquare(T x) {
    return f::rsub(f::mul(x, x), 1);
}

std::vector<OpDef> exponentials() {
    return {
        floatOp(
            "exp", "e ** x", [](auto x) { return exp(x); }, ofResult([](T g, T y) { return f::mul(g, y); }),
            Range{-2, 2}, 8),
        floatOp(
            "exp2", "2 ** x", [](auto x) { return exp2(x); },
            ofResult([](T g, T y) { return f::mulScalar(f::mul(g, y), std::numbers::ln2); }), Range{-2, 2}, 8),
        floatOp(
            "expm1", "e ** x - 1, exact near 0", [](auto x) { return expm1(x); },
            ofResult([](T g, T y) { return f::mul(g, f::addScalar(y, 1)); }), Range{-2, 2}, 16),
        floatOp(
            "log", "the natural logarithm", [](auto x) { return log(x); },
            ofSelf([](T g, T x) { return f::div(g, x); }), Range{0.3, 3}, 8),
        floatOp(
            "log1p", "log(1 + x), exact near 0", [](auto x) { return log1p(x); },
            ofSelf([](T g, T x) { return f::div(g, f::addScalar(x, 1)); }), Range{-0.6, 3}, 16),
        floatOp(
            "log2", "the logarithm to base 2", [](auto x) { return log2(x); },
            ofSelf([](T g, T x) { return f::div(g, f::mulScalar(x, std::numbers::ln2)); }), Range{0.3, 3}, 8),
        floatOp(
            "log10", "the logarithm to base 10", [](auto x) { return log10(x); },
            ofSelf([](T g, T x) { return f::div(g, f::mulScalar(x, std::numbers::ln10)); }), Range{0.3, 3}, 8),
        floatOp(
            "sqrt", "the square root", [](auto x) { return sqrt(x); },
            ofResult([](T g, T y) { return f::div(g, f::mulScalar(y, 2)); }), Range{0.3, 3}, 2),
        floatOp(
            "rsqrt", "1 / sqrt(x)", [](auto x) { return rsqrt(x); },
            ofResult([](T g, T y) { return f::mul(f::mulScalar(g, -0.5), f::pow(y, 3)); }), Range{0.3, 3}, 4),
        floatOp(
            "reciprocal", "1 / x", [](auto x) { return reciprocal(x); },
            ofResult([](T g, T y) { return f::mul(f::neg(g), f::mul(y, y)); }), Range{0.3, 3}, 2),
    };
}

std::vector<OpDef> trigonometry() {
    return {
        floatOp(
            "sin", "the sine", [](auto x) { return sin(x); }, ofSelf([](T g, T x) { return f::mul(g, f::cos(x)); }),
            Range{-3, 3}, 8),
        floatOp(
            "cos", "the cosine", [](auto x) { return cos(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::neg(f::sin(x))); }), Range{-3, 3}, 8),
        floatOp(
            "tan", "the tangent", [](auto x) { return tan(x); },
            ofResult([](T g, T y) { return f::mul(g, f::addScalar(f::pow(y, 2), 1)); }), Range{-1, 1}, 16),
        floatOp(
            "asin", "the inverse sine", [](auto x) { return asin(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::rsqrt(oneMinusSquare(x))); }), Range{-0.8, 0.8}, 16),
        floatOp(
            "acos", "the inverse cosine", [](auto x) { return acos(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::neg(f::rsqrt(oneMinusSquare(x)))); }), Range{-0.8, 0.8}, 16),
        floatOp(
            "atan", "the inverse tangent", [](auto x) { return atan(x); },
            ofSelf([](T g, T x) { return f::div(g, onePlusSquare(x)); }), Range{-3, 3}, 16),
        floatOp(
            "sinh", "the hyperbolic sine", [](auto x) { return sinh(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::cosh(x)); }), Range{-2, 2}, 16),
        floatOp(
            "cosh", "the hyperbolic cosine", [](auto x) { return cosh(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::sinh(x)); }), Range{-2, 2}, 16),
        floatOp(
            "erf", "the error function", [](auto x) { return erf(x); },
            ofSelf([](T g, T x) { return gaussSlope(g, x, 1); }), Range{-2, 2}, 16),
        floatOp(
            "erfc", "1 - erf(x)", [](auto x) { return erfc(x); }, ofSelf([](T g, T x) { return gaussSlope(g, x, -1); }),
            Range{-2, 2}, 32),
        {.schema = "atan2(Tensor self, Tensor other) -> Tensor",
         .doc = "the angle of the point (other, self)",
         .dtype = DTypeRule::IntToFloat,
         .element = element<2>(Floats{}, [](auto y, auto x) { return atan2(y, x); }, {.cost = 16}),
         .derivative = derivative({0, 1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      const Value &y = s.args[0], &x = s.args[1];
                                      const Tensor scale = f::reciprocal(f::add(f::mul(y, y), f::mul(x, x)));
                                      return {
                                          ifNeeded(s, 0, [&] { return f::mul(g, f::mul(x, scale)); }),
                                          ifNeeded(s, 1, [&] { return f::mul(g, f::mul(f::neg(y.tensor()), scale)); })};
                                  }),
         .samples =
             [] {
                 std::vector<Values> calls = samples::binary(-2, 2, 0.5, 2);
                 calls.pop_back();
                 return calls;
             },
         .inPlaceVariant = true},
    };
}

template <class Types, class F>
OpDef plainOp(Types types, const std::string& name, const char* doc, F body, Derivative d) {
    return {.schema = (name + "(Tensor self) -> Tensor").c_str(),
            .doc = doc,
            .element = element<1>(types, body),
            .derivative = std::move(d),
            .samples = [] { return samples::unary(-2.2, 2.9); },
            .inPlaceVariant = true};
}

std::vector<OpDef> roundings() {
    return {
        plainOp(
            Numbers{}, "neg", "-x", [](auto x) { return -x; }, derivative({}, {}, [](T g) { return f::neg(g); })),
        plainOp(
            Numbers{}, "abs", "x without its sign", [](auto x) { return abs(x); },
            ofSelf([](T g, T x) { return f::mul(g, f::sign(x)); })),
        plainOp(
            Numbers{}, "sign", "-1, 0 or 1", [](auto x) { return sign(x); }, zero()),
        plainOp(
            Numbers{}, "floor", "rounded down", [](auto x) { return floorOf(x); }, zero()),
        plainOp(
            Numbers{}, "ceil", "rounded up", [](auto x) { return ceilOf(x); }, zero()),
        plainOp(
            Numbers{}, "round", "rounded to the nearest, halves to even", [](auto x) { return roundOf(x); }, zero()),
        plainOp(
            Numbers{}, "trunc", "rounded towards zero", [](auto x) { return truncOf(x); }, zero()),
        plainOp(
            Floats{}, "frac", "x - trunc(x)", [](auto x) { return x - trunc(x); },
            derivative({}, {}, [](T g) { return g; })),
    };
}

template <class F> OpDef testOp(const std::string& name, const char* doc, F body) {
    return {.schema = (name + "(Tensor self) -> Tensor").c_str(),
            .doc = doc,
            .dtype = DTypeRule::ToBool,
            .element = element<1>(AllTypes{}, body),
            .samples =
                [] {
                    const double inf = std::numeric_limits<double>::infinity();
                    return std::vector<Values>{{samples::of({5}, {1.5, inf, -inf, std::nan(""), 0})},
                                               {samples::ints({3}, 0, 3)}};
                },
            .differentiable = false};
}

Values isFinite(const Values& args) {
    const Tensor& self = args[0].tensor();
    const double infinity = std::numeric_limits<double>::infinity();
    if (!tensor::isFloating(self.dtype())) return {callTensor(get("aten.ones_like.default"), {self, DType::Bool})};
    const Tensor number = f::eq(self, self);
    return {f::mul(number, f::ne(f::abs(self), infinity))};
}

} // namespace

std::vector<OpDef> unaryOps() {
    std::vector<OpDef> all;
    for (auto part : {exponentials(), trigonometry(), roundings()})
        for (OpDef& op : part) all.push_back(std::move(op));
    all.push_back(testOp("isnan", "x != x", [](auto x) { return isnan(x); }));
    all.push_back(testOp("isinf", "x is infinite", [](auto x) { return isinf(x); }));
    all.push_back({.schema = "isfinite(Tensor self) -> Tensor",
                   .doc = "neither infinite nor NaN",
                   .kind = Kind::Composite,
                   .composite = isFinite,
                   .samples =
                       [] {
                           const double inf = std::numeric_limits<double>::infinity();
                           return std::vector<Values>{{samples::of({4}, {1.5, inf, -inf, std::nan("")})},
                                                      {samples::ints({3}, 0, 3)}};
                       },
                   .differentiable = false});
    for (OpDef& op : all)
        if (op.schema.name == "frac")
            op.decomposition = [](const Values& args) { return Values{f::sub(args[0], f::trunc(args[0].tensor()))}; };
    return all;
}

} // namespace strata::ops
