// Pointwise ops of two and more operands: arithmetic, powers, selection and interpolation.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/support/Error.h"

namespace strata::ops {

using namespace scalar;

namespace {

// alpha * b; b itself in a lowering when alpha is 1.
template <Arithmetic T> STRATA_INLINE T times(T b, T alpha) {
    return static_cast<T>(b * alpha);
}
loop::Value times(const loop::Value& b, const loop::Value& alpha) {
    const loop::ScalarExpr& e = *alpha.expr();
    const bool one =
        e.prim == loop::Prim::Constant && (tensor::isFloating(e.dtype) ? e.constant == 1.0 : e.intConstant == 1);
    return one ? b : b * alpha;
}

// A product with a constant base or exponent stays cheap: x**2 is x * x, as in PyTorch's kernels and in its lowering.
int powerForm(const Values& args) {
    if (!args.at(0).as<Tensor>()) return 0;
    const Scalar exponent = args.at(1).scalar();
    if (const auto* i = std::get_if<SymInt>(&exponent); i && i->isSymbolic()) return 0;
    const bool integer = !std::holds_alternative<double>(exponent);
    if (integer && !tensor::isFloating(args[0].tensor().dtype()) && toDouble(exponent) < 0)
        throw support::Error("Integers to negative integer powers are not allowed.");
    const double e = toDouble(exponent);
    if (e == 2.0) return 1;
    if (e == 3.0) return 2;
    if (e == 0.5) return 3;
    if (e == -1.0) return 4;
    return e == 1.0 ? 5 : 0;
}

const auto sumOf = [](auto a, auto b, auto alpha) { return a + times(b, alpha); };
const auto differenceOf = [](auto a, auto b, auto alpha) { return a - times(b, alpha); };
const auto reversedDifferenceOf = [](auto a, auto b, auto alpha) { return b - times(a, alpha); };
const auto productOf = [](auto a, auto b) { return a * b; };
const auto quotientOf = [](auto a, auto b) { return a / b; };
const auto flooredQuotientOf = [](auto a, auto b) { return floor_div(a, b); };
template <Floating T> STRATA_INLINE T truncatedQuotient(T a, T b) {
    return trunc(a / b);
}
STRATA_INLINE std::int64_t truncatedQuotient(std::int64_t a, std::int64_t b) {
    return scalar::div(a, b);
}
loop::Value truncatedQuotient(const loop::Value& a, const loop::Value& b) {
    const loop::Value quotient = loop::div(a, b); // integers truncate already
    return tensor::isFloating(a.dtype()) ? loop::trunc(quotient) : quotient;
}
const auto truncatedQuotientOf = [](auto a, auto b) { return truncatedQuotient(a, b); };
const auto fmodOf = [](auto a, auto b) { return fmod(a, b); };
const auto remainderOf = [](auto a, auto b) { return remainder(a, b); };
const auto powerOf = [](auto a, auto b) { return pow(a, b); };

constexpr ElementOptions divides{.cost = 4, .integerDivision = true};
constexpr ElementOptions expensive{.cost = 16};

bool isBool(const Value& value) {
    if (const auto* tensor = value.as<Tensor>()) return tensor->defined() && tensor->dtype() == DType::Bool;
    return value.as<bool>() != nullptr;
}

bool isFloat(const Value& value) {
    if (const auto* tensor = value.as<Tensor>()) return tensor->defined() && tensor::isFloating(tensor->dtype());
    return value.as<double>() != nullptr;
}

int checkedSum(const Values& args) {
    if (args.at(2).as<double>() && !isFloat(args[0]) && !isFloat(args[1]))
        throw support::Error("For integral input tensors, argument alpha must not be a floating point number.");
    return 0;
}

int checkedDifference(const Values& args) {
    if (isBool(args.at(0)) && isBool(args.at(1)))
        throw support::Error(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead.");
    if (isBool(args[0]) || isBool(args[1]))
        throw support::Error(
            "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, "
            "use the `~` or `logical_not()` operator instead.");
    return checkedSum(args);
}

Tensors mulGrads(const Tensor& g, const Saved& s) {
    return {ifNeeded(s, 0, [&] { return f::mul(g, s.args[1]); }), ifNeeded(s, 1, [&] { return f::mul(g, s.args[0]); })};
}

Tensors divGrads(const Tensor& g, const Saved& s) {
    const Value &self = s.args[0], &other = s.args[1];
    return {ifNeeded(s, 0, [&] { return f::div(g, other); }),
            ifNeeded(s, 1, [&] { return f::mul(f::neg(g), f::div(f::div(self, other), other)); })};
}

Derivative mulDerivative() {
    Derivative d = derivative({0, 1}, {}, mulGrads);
    d.savedFor = {0b10, 0b01};
    return d;
}

Derivative divDerivative() {
    Derivative d = derivative({0, 1}, {}, divGrads);
    d.savedFor = {0b10, 0b11};
    return d;
}

// other of fmod and remainder: -grad * (self / other, rounded).
Derivative remainderDerivative(const char* rounding) {
    Derivative d = derivative({0, 1}, {}, [rounding](const Tensor& g, const Saved& s) -> Tensors {
        return {ifNeeded(s, 0, [&] { return g; }),
                ifNeeded(s, 1, [&] { return f::mul(f::neg(g), f::divMode(s.args[0], s.args[1], rounding)); })};
    });
    d.savedFor = {0b10, 0b10};
    return d;
}

Derivative passes() {
    return derivative({}, {}, [](const Tensor& g) { return g; });
}

Scalar minusOne(const Scalar& exponent) {
    if (const auto* i = std::get_if<SymInt>(&exponent)) return *i - 1;
    return toDouble(exponent) - 1.0;
}

bool isZero(const Scalar& scalar) {
    if (const auto* i = std::get_if<SymInt>(&scalar)) return i->sameAs(0);
    return !std::holds_alternative<SymInt>(scalar) && toDouble(scalar) == 0.0;
}

Tensor powerBaseGrad(const Tensor& g, const Saved& s) {
    const Scalar exponent = s.args[1].scalar();
    const Tensor& self = savedArg(s, 0);
    if (isZero(exponent)) return f::zerosLike(self);
    return f::mul(g, f::mulScalar(f::pow(self, minusOne(exponent)), exponent));
}

Tensors powerGrads(const Tensor& g, const Saved& s) {
    const Tensor &self = savedArg(s, 0), &exponent = savedArg(s, 1), &result = s.outputs.at(0);
    return {ifNeeded(s, 0,
                     [&] {
                         const Tensor slope = f::mul(g, f::mul(exponent, f::pow(self, f::subScalar(exponent, 1))));
                         return f::where(f::eq(exponent, 0.0), f::zeros({}, g.dtype(), g.device()), slope);
                     }),
            ifNeeded(s, 1, [&] {
                const Tensor flat = f::logicalAnd(f::eq(self, 0), f::ge(exponent, 0));
                return f::where(flat, f::zeros({}, g.dtype(), g.device()), f::mul(g, f::mul(result, f::log(self))));
            })};
}

Tensors powerOfNumberGrads(const Tensor& g, const Saved& s) {
    const Scalar base = s.args[0].scalar();
    const Tensor &exponent = savedArg(s, 1), &result = s.outputs.at(0);
    const Tensor slope = f::mul(g, f::mulScalar(result, std::log(toDouble(base))));
    if (!isZero(base)) return {Tensor(), slope};
    return {Tensor(), f::where(f::ge(exponent, 0), f::zeros({}, g.dtype(), g.device()), slope)};
}

std::shared_ptr<const Element> powerByForm() {
    return elementOf(powerForm,
                     {elementForm<1, 1>(Numbers{}, powerOf),
                      elementForm<1, 1>(Numbers{}, [](auto x, auto) { return x * x; }),
                      elementForm<1, 1>(Numbers{}, [](auto x, auto) { return x * x * x; }),
                      elementForm<1, 1>(Floats{}, [](auto x, auto) { return sqrt(x); }),
                      elementForm<1, 1>(Floats{}, [](auto x, auto) { return reciprocal(x); }),
                      elementForm<1, 1>(Numbers{}, [](auto x, auto) { return x; })},
                     expensive);
}

int roundingForm(const Values& args) {
    const Value& mode = args.at(2);
    if (mode.isNone()) return 0;
    if (mode.string() == "floor") return 1;
    if (mode.string() == "trunc") return 2;
    throw support::Error("div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '" +
                         mode.string() + "'");
}

ElementForm trueQuotient(ElementForm form) {
    form.intToFloat = true;
    return form;
}

std::shared_ptr<const Element> roundedQuotient() {
    return elementOf(roundingForm,
                     {trueQuotient(elementForm<2>(Floats{}, quotientOf)), elementForm<2>(Numbers{}, flooredQuotientOf),
                      elementForm<2>(Numbers{}, truncatedQuotientOf)},
                     divides);
}

std::shared_ptr<const Element> roundedQuotientByNumber() {
    return elementOf(roundingForm,
                     {trueQuotient(elementForm<1, 1>(Floats{}, quotientOf)),
                      elementForm<1, 1>(Numbers{}, flooredQuotientOf),
                      elementForm<1, 1>(Numbers{}, truncatedQuotientOf)},
                     divides);
}

std::vector<OpDef> additions() {
    const auto sumGrads = [](const Tensor& g, const Saved& s) -> Tensors {
        return {g, ifNeeded(s, 1, [&] { return scaled(g, s.args[2].scalar()); })};
    };
    const auto differenceGrads = [](const Tensor& g, const Saved& s) -> Tensors {
        return {g, ifNeeded(s, 1, [&] { return scaled(f::neg(g), s.args[2].scalar()); })};
    };
    const auto reversedGrads = [](const Tensor& g, const Saved& s) -> Tensors {
        return {ifNeeded(s, 0, [&] { return scaled(f::neg(g), s.args[2].scalar()); }), g};
    };
    const auto two = [] { return samples::binary(-2, 2, -3, 1, {2}); };
    const auto number = [] { return samples::unary(-2, 2, {1.5, 2}); };
    const Decomposition subtract = [](const Values& args) {
        return Values{f::sub(args[1], args[0], args[2].scalar())};
    };
    return {
        {.schema = "add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
         .doc = "self + alpha * other",
         .element = elementOf(checkedSum, {elementForm<2, 1>(AllTypes{}, sumOf)}),
         .derivative = derivative({}, {}, sumGrads),
         .samples = two,
         .inPlaceVariant = true},
        {.schema = "add.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
         .doc = "self + alpha * other",
         .element = elementOf(checkedSum, {elementForm<1, 2>(AllTypes{}, sumOf)}),
         .derivative = passes(),
         .samples = number,
         .inPlaceVariant = true},
        {.schema = "sub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
         .doc = "self - alpha * other",
         .element = elementOf(checkedDifference, {elementForm<2, 1>(Numbers{}, differenceOf)}),
         .derivative = derivative({}, {}, differenceGrads),
         .samples = two,
         .inPlaceVariant = true},
        {.schema = "sub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
         .doc = "self - alpha * other",
         .element = elementOf(checkedDifference, {elementForm<1, 2>(Numbers{}, differenceOf)}),
         .derivative = passes(),
         .samples = number,
         .inPlaceVariant = true},
        {.schema = "rsub.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor",
         .doc = "other - alpha * self",
         .element = elementOf(checkedDifference, {elementForm<2, 1>(Numbers{}, reversedDifferenceOf)}),
         .derivative = derivative({}, {}, reversedGrads),
         .decomposition = subtract,
         .samples = two},
        {.schema = "rsub.Scalar(Tensor self, Scalar other, Scalar alpha=1) -> Tensor",
         .doc = "other - alpha * self",
         .element = elementOf(checkedDifference, {elementForm<1, 2>(Numbers{}, reversedDifferenceOf)}),
         .derivative = derivative({}, {}, reversedGrads),
         .decomposition = subtract,
         .samples = number},
    };
}

std::vector<OpDef> products() {
    return {
        {.schema = "mul.Tensor(Tensor self, Tensor other) -> Tensor",
         .doc = "self * other",
         .element = element<2>(AllTypes{}, productOf),
         .derivative = mulDerivative(),
         .samples = [] { return samples::binary(-2, 2, -3, 1); },
         .inPlaceVariant = true},
        {.schema = "mul.Scalar(Tensor self, Scalar other) -> Tensor",
         .doc = "self * other",
         .element = element<1, 1>(AllTypes{}, productOf),
         .derivative =
             derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::mulScalar(g, s.args[1].scalar()); }),
         .samples = [] { return samples::unary(-2, 2, {2.5}); },
         .inPlaceVariant = true},
        {.schema = "div.Tensor(Tensor self, Tensor other) -> Tensor",
         .doc = "self / other, integers as floats",
         .dtype = DTypeRule::IntToFloat,
         .element = element<2>(Floats{}, quotientOf, {.cost = 2}),
         .derivative = divDerivative(),
         .samples = [] { return samples::binary(-2, 2, 1, 3); },
         .inPlaceVariant = true},
        {.schema = "div.Scalar(Tensor self, Scalar other) -> Tensor",
         .doc = "self / other, integers as floats",
         .dtype = DTypeRule::IntToFloat,
         .element = element<1, 1>(Floats{}, quotientOf, {.cost = 2}),
         .derivative =
             derivative({}, {}, [](const Tensor& g, const Saved& s) { return f::divScalar(g, s.args[1].scalar()); }),
         .samples = [] { return samples::unary(-2, 2, {2.5}); },
         .inPlaceVariant = true},
        {.schema = "div.Tensor_mode(Tensor self, Tensor other, *, str? rounding_mode) -> Tensor",
         .doc = "self / other, rounded down (floor) or towards zero (trunc)",
         .element = roundedQuotient(),
         .derivative = derivative({0, 1}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      if (s.args[2].isNone()) return divGrads(g, s);
                                      return {ifNeeded(s, 0, [&] { return f::zerosLike(g); }),
                                              ifNeeded(s, 1, [&] { return f::zerosLike(g); })};
                                  }),
         .samples = [] { return samples::binary(-9, 9, 1.3, 3, {"floor"}); },
         .inPlaceVariant = true},
        {.schema = "div.Scalar_mode(Tensor self, Scalar other, *, str? rounding_mode) -> Tensor",
         .doc = "self / other, rounded down (floor) or towards zero (trunc)",
         .element = roundedQuotientByNumber(),
         .derivative = derivative({}, {},
                                  [](const Tensor& g, const Saved& s) {
                                      return s.args[2].isNone() ? f::divScalar(g, s.args[1].scalar()) : f::zerosLike(g);
                                  }),
         .samples = [] { return samples::unary(-9, 9, {2.5, "trunc"}); },
         .inPlaceVariant = true},
        {.schema = "floor_divide(Tensor self, Tensor other) -> Tensor",
         .doc = "Python's self // other",
         .element = element<2>(Numbers{}, flooredQuotientOf, divides),
         .decomposition = [](const Values& args) { return Values{f::divMode(args[0], args[1], "floor")}; },
         .samples = [] { return samples::binary(-9, 9, 1.3, 3); },
         .differentiable = false,
         .inPlaceVariant = true},
        {.schema = "floor_divide.Scalar(Tensor self, Scalar other) -> Tensor",
         .doc = "Python's self // other",
         .element = element<1, 1>(Numbers{}, flooredQuotientOf, divides),
         .decomposition = [](const Values& args) { return Values{f::divMode(args[0], args[1], "floor")}; },
         .samples = [] { return samples::unary(-9, 9, {2.5}); },
         .differentiable = false,
         .inPlaceVariant = true},
        {.schema = "fmod.Scalar(Tensor self, Scalar other) -> Tensor",
         .doc = "the remainder with the dividend's sign",
         .element = element<1, 1>(Numbers{}, fmodOf, divides),
         .derivative = passes(),
         .samples = [] { return samples::unary(-9, 9, {2.6}); },
         .inPlaceVariant = true},
        {.schema = "fmod.Tensor(Tensor self, Tensor other) -> Tensor",
         .doc = "the remainder with the dividend's sign",
         .element = element<2>(Numbers{}, fmodOf, divides),
         .derivative = remainderDerivative("trunc"),
         .samples = [] { return samples::binary(-9, 9, 1.3, 3); },
         .inPlaceVariant = true},
        {.schema = "remainder.Scalar(Tensor self, Scalar other) -> Tensor",
         .doc = "Python's self % other: the remainder with the divisor's sign",
         .element = element<1, 1>(Numbers{}, remainderOf, divides),
         .derivative = passes(),
         .samples = [] { return samples::unary(-9, 9, {2.6}); },
         .inPlaceVariant = true},
        {.schema = "remainder.Tensor(Tensor self, Tensor other) -> Tensor",
         .doc = "Python's self % other: the remainder with the divisor's sign",
         .element = element<2>(Numbers{}, remainderOf, divides),
         .derivative = remainderDerivative("floor"),
         .samples = [] { return samples::binary(-9, 9, 1.3, 3); },
         .inPlaceVariant = true},
    };
}

std::vector<OpDef> powers() {
    return {
        {.schema = "pow.Tensor_Scalar(Tensor self, Scalar exponent) -> Tensor",
         .doc = "self ** exponent",
         .element = powerByForm(),
         .derivative = derivative({0}, {}, powerBaseGrad),
         .samples =
             [] {
                 std::vector<Values> calls = samples::unary(0.3, 2, {2.5});
                 for (const double e : {2.0, 3.0, 0.5, -1.0, 1.0})
                     calls.push_back({samples::tensor({2, 3}, 0.3, 2), e});
                 calls.push_back({samples::tensor({2, 3}, -2, 2), 2});
                 return calls;
             },
         .inPlaceVariant = true},
        {.schema = "pow.Tensor_Tensor(Tensor self, Tensor exponent) -> Tensor",
         .doc = "self ** exponent",
         .element = element<2>(Numbers{}, powerOf, expensive),
         .derivative = derivative({0, 1}, {0}, powerGrads),
         .samples =
             [] {
                 std::vector<Values> calls = samples::binary(0.3, 2, -1, 3);
                 calls.pop_back(); // a number is pow.Tensor_Scalar's
                 return calls;
             },
         .inPlaceVariant = true},
        {.schema = "pow.Scalar(Scalar self, Tensor exponent) -> Tensor",
         .doc = "self ** exponent",
         .element = element<1, 1>(
             Numbers{}, [](auto exponent, auto base) { return pow(base, exponent); }, expensive),
         .derivative = derivative({1}, {0}, powerOfNumberGrads),
         .samples = [] { return std::vector<Values>{{2.5, samples::tensor({2, 3}, -2, 2)}}; }},
        {.schema = "square(Tensor self) -> Tensor",
         .doc = "self ** 2",
         .kind = Kind::Composite,
         .composite = [](const Values& args) { return Values{f::pow(args[0], 2)}; },
         .samples = [] { return samples::unary(-2, 2); }},
    };
}

} // namespace

std::vector<OpDef> arithmeticOps() {
    std::vector<OpDef> all;
    for (auto part : {additions(), products(), powers()})
        for (OpDef& op : part) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
