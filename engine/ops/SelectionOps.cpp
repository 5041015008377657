// Pointwise ops that select and interpolate: where, masked_fill, clamp, maximum, lerp, addcmul.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/support/Error.h"

namespace strata::ops {

using namespace scalar;

namespace {

Values whereOf(const Values& args) {
    const auto dtype = [&] {
        Promotion promotion;
        promotion.add(args[1]);
        promotion.add(args[2]);
        return promotion.result();
    }();
    // Numbers become tensors before tensors are converted, the order in which PyTorch dispatches.
    Value operands[] = {args[1], args[2]};
    for (Value& value : operands)
        if (!value.as<Tensor>()) value = f::scalarTensor(value.scalar(), dtype, args[0].tensor().device());
    for (Value& value : operands) value = f::to(value.tensor(), dtype);
    return {f::where(args[0].tensor(), operands[0], operands[1])};
}

std::vector<OpDef> selections() {
    const auto pick = [](auto condition, auto a, auto b) { return where(condition, a, b); };
    const auto fill = [](auto self, auto mask, auto value) { return where(mask, value, self); };
    const auto condition = [] { return samples::bools({2, 3}); };
    std::vector<OpDef> ops{
        {.schema = "where.self(Tensor condition, Tensor self, Tensor other) -> Tensor",
         .doc = "self where condition holds, else other",
         .element = element<3, 0, 0b001>(AllTypes{}, pick),
         .derivative = derivative({0}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      const Tensor& held = savedArg(s, 0);
                                      return {Tensor(), ifNeeded(s, 1, [&] { return f::where(held, g, zeroLike(g)); }),
                                              ifNeeded(s, 2, [&] { return f::where(held, zeroLike(g), g); })};
                                  }),
         .samples =
             [condition] {
                 return std::vector<Values>{
                     {condition(), samples::tensor({2, 3}, -2, 2), samples::tensor({3}, 3, 4)},
                     {samples::bools({3, 1}, 2), samples::tensor({2}, -2, 2), samples::tensor({}, 3, 4)}};
             }},
        {.schema = "masked_fill.Scalar(Tensor self, Tensor mask, Scalar value) -> Tensor",
         .doc = "value where mask holds, else self",
         .dtype = DTypeRule::Same,
         .element = element<2, 1, 0b10>(AllTypes{}, fill),
         .derivative =
             derivative({1}, {}, [](const Tensor& g, const Saved& s) { return f::maskedFill(g, savedArg(s, 1), 0); }),
         .decomposition =
             [](const Values& args) {
                 const Tensor& self = args[0].tensor();
                 return Values{
                     f::where(args[1].tensor(), f::scalarTensor(args[2].scalar(), self.dtype(), self.device()), self)};
             },
         .samples =
             [condition] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), condition(), 5.0},
                                            {samples::tensor({2, 3}, -2, 2), samples::bools({3}, 2), 1}};
             },
         .inPlaceVariant = true},
        {.schema = "masked_fill.Tensor(Tensor self, Tensor mask, Tensor value) -> Tensor",
         .doc = "value where mask holds, else self",
         .dtype = DTypeRule::Same,
         .element = element<3, 0, 0b010>(AllTypes{}, fill),
         .derivative = derivative({1}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      const Tensor& mask = savedArg(s, 1);
                                      return {ifNeeded(s, 0, [&] { return f::maskedFill(g, mask, 0); }), Tensor(),
                                              ifNeeded(s, 2, [&] { return f::sum(f::where(mask, g, zeroLike(g))); })};
                                  }),
         .decomposition =
             [](const Values& args) { return Values{f::where(args[1].tensor(), args[2].tensor(), args[0].tensor())}; },
         .samples =
             [condition] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), condition(), samples::tensor({}, 3, 4)}};
             },
         .inPlaceVariant = true},
    };
    for (const char* overload : {"ScalarSelf(Tensor condition, Scalar self, Tensor other)",
                                 "ScalarOther(Tensor condition, Tensor self, Scalar other)",
                                 "Scalar(Tensor condition, Scalar self, Scalar other)"}) {
        const bool selfIsTensor = std::string_view(overload).starts_with("ScalarOther");
        const bool otherIsTensor = std::string_view(overload).starts_with("ScalarSelf");
        ops.push_back({.schema = ("where." + std::string(overload) + " -> Tensor").c_str(),
                       .doc = "self where condition holds, else other",
                       .kind = Kind::Composite,
                       .composite = whereOf,
                       .samples = [=]() -> std::vector<Values> {
                           const Value self = selfIsTensor ? Value(samples::tensor({2, 3}, -2, 2)) : Value(1.5);
                           const Value other = otherIsTensor ? Value(samples::tensor({2, 3}, 3, 4)) : Value(-2.5);
                           return {{condition(), self, other}};
                       }});
    }
    return ops;
}

// clamp: which bounds are given. NaN of self or of a bound comes through.
int boundsForm(const Values& args) {
    const bool low = !args.at(1).isNone(), high = !args.at(2).isNone();
    if (!low && !high) throw support::Error("torch.clamp: At least one of 'min' or 'max' must not be None");
    return low && high ? 0 : low ? 1 : 2;
}

const auto between = [](auto x, auto low, auto high) { return minimum(maximum(x, low), high); };
const auto atLeast = [](auto x, auto low) { return maximum(x, low); };
const auto atMost = [](auto x, auto high) { return minimum(x, high); };

// Where self was within its bounds.
Tensor insideMask(const Tensor& self, const Value& low, const Value& high) {
    if (low.isNone()) return f::le(self, high);
    if (high.isNone()) return f::ge(self, low);
    return f::logicalAnd(f::ge(self, low), f::le(self, high));
}

Tensors clampGrads(const Tensor& g, const Saved& s) {
    const Tensor& self = savedArg(s, 0);
    const Value &low = s.args[1], &high = s.args[2];
    Tensors grads{ifNeeded(s, 0, [&] { return f::where(insideMask(self, low, high), g, zeroLike(g)); })};
    if (s.needs.at(1)) {
        Tensor below = f::lt(self, low);
        if (!high.isNone()) below = f::logicalAnd(below, f::lt(low.tensor(), high));
        grads.push_back(f::where(below, g, zeroLike(g)));
    } else {
        grads.emplace_back();
    }
    if (s.needs.at(2)) {
        Tensor above = f::gt(self, high);
        if (!low.isNone()) above = f::logicalOr(above, f::ge(low.tensor(), high));
        grads.push_back(f::where(above, g, zeroLike(g)));
    }
    return grads;
}

// The side that gave the maximum takes the gradient; ties take half each.
Tensors extremumGrads(const Tensor& g, const Saved& s, bool largest) {
    const Tensor& self = savedArg(s, 0);
    const Value& other = s.args[1];
    const auto side = [&](bool ofSelf) {
        const Tensor shared = f::where(f::eq(self, other), f::divScalar(g, 2), g);
        const Tensor lost = ofSelf == largest ? f::lt(self, other) : f::gt(self, other);
        return f::maskedFill(shared, lost, 0);
    };
    return {ifNeeded(s, 0, [&] { return side(true); }), ifNeeded(s, 1, [&] { return side(false); })};
}

// The number where the other is NaN.
template <class Pick> OpDef numberFirst(const char* schema, const char* doc, Pick, bool largest) {
    const auto selfWins = [largest](const Tensor& self, const Value& other) {
        const Tensor wins = largest ? f::ge(self, other) : f::le(self, other);
        return f::logicalOr(wins, f::isnan(other.tensor()));
    };
    return {
        .schema = schema,
        .doc = doc,
        .element =
            element<2>(AllTypes{}, [](auto a, auto b) { return where(isnan(a), b, where(isnan(b), a, Pick{}(a, b))); }),
        .derivative = derivative({0, 1}, {},
                                 [selfWins](const Tensor& g, const Saved& s) -> Tensors {
                                     const Tensor wins = selfWins(savedArg(s, 0), s.args[1]);
                                     return {ifNeeded(s, 0, [&] { return f::maskedFill(g, f::logicalNot(wins), 0); }),
                                             ifNeeded(s, 1, [&] { return f::maskedFill(g, wins, 0); })};
                                 }),
        .samples = [] {
            std::vector<Values> calls = samples::binary(-2, 2, -3, 1);
            calls.pop_back();
            return calls;
        }};
}

std::vector<OpDef> bounds() {
    const auto oneBound = [](const char* schema, const char* doc, bool low) -> OpDef {
        OpDef op{.schema = schema,
                 .doc = doc,
                 .derivative = derivative({0}, {},
                                          [low](const Tensor& g, const Saved& s) {
                                              return f::where(low ? f::ge(savedArg(s, 0), s.args[1])
                                                                  : f::le(savedArg(s, 0), s.args[1]),
                                                              g, zeroLike(g));
                                          }),
                 .decomposition =
                     [low](const Values& args) {
                         return Values{low ? f::clamp(args[0].tensor(), args[1], {})
                                           : f::clamp(args[0].tensor(), {}, args[1])};
                     },
                 .samples = [] { return samples::unary(-2, 2, {0.3}); },
                 .inPlaceVariant = true};
        op.element = low ? element<1, 1>(Numbers{}, atLeast) : element<1, 1>(Numbers{}, atMost);
        return op;
    };
    return {
        // in the order in which PyTorch numbers their tape nodes
        {.schema = "clamp.Tensor(Tensor self, Tensor? min=None, Tensor? max=None) -> Tensor",
         .doc = "min(max(self, low), high)",
         .element = elementOf(boundsForm, {elementForm<3>(Numbers{}, between), elementForm<2>(Numbers{}, atLeast),
                                           elementForm<2>(Numbers{}, atMost)}),
         .derivative = derivative({0, 1, 2}, {}, clampGrads),
         .samples =
             [] {
                 const Tensor self = samples::tensor({2, 3}, -2, 2), low = samples::tensor({3}, -1, 0, 2),
                              high = samples::tensor({2, 1}, 0.5, 1, 3);
                 return std::vector<Values>{{self, low, high}, {self, low, {}}, {self, {}, high}};
             },
         .inPlaceVariant = true},
        {.schema = "clamp(Tensor self, Scalar? min=None, Scalar? max=None) -> Tensor",
         .doc = "min(max(self, low), high)",
         .element = elementOf(boundsForm, {elementForm<1, 2>(Numbers{}, between), elementForm<1, 1>(Numbers{}, atLeast),
                                           elementForm<1, 1>(Numbers{}, atMost)}),
         .derivative = derivative({0}, {},
                                  [](const Tensor& g, const Saved& s) {
                                      return f::where(insideMask(savedArg(s, 0), s.args[1], s.args[2]), g, zeroLike(g));
                                  }),
         .samples =
             [] {
                 std::vector<Values> calls = samples::unary(-2, 2, {-1.1, 0.7});
                 calls.push_back({samples::tensor({2, 3}, -2, 2), {}, 0.7});
                 calls.push_back({samples::tensor({2, 3}, -2, 2), -1.1, {}});
                 return calls;
             },
         .inPlaceVariant = true},
        oneBound("clamp_min(Tensor self, Scalar min) -> Tensor", "max(self, low)", true),
        oneBound("clamp_max(Tensor self, Scalar max) -> Tensor", "min(self, high)", false),
        {.schema = "maximum(Tensor self, Tensor other) -> Tensor",
         .doc = "the larger, NaN when one is NaN",
         .element = element<2>(AllTypes{}, atLeast),
         .derivative =
             derivative({0, 1}, {}, [](const Tensor& g, const Saved& s) { return extremumGrads(g, s, true); }),
         .samples = [] { return samples::binary(-2, 2, -3, 1); }},
        {.schema = "minimum(Tensor self, Tensor other) -> Tensor",
         .doc = "the smaller, NaN when one is NaN",
         .element = element<2>(AllTypes{}, atMost),
         .derivative =
             derivative({0, 1}, {}, [](const Tensor& g, const Saved& s) { return extremumGrads(g, s, false); }),
         .samples = [] { return samples::binary(-2, 2, -3, 1); }},
        numberFirst("fmax(Tensor self, Tensor other) -> Tensor", "the larger; a number beats NaN", atLeast, true),
        numberFirst("fmin(Tensor self, Tensor other) -> Tensor", "the smaller; a number beats NaN", atMost, false),
    };
}

Values decomposeLerp(const Values& args) {
    const Tensor &self = args[0].tensor(), &end = args[1].tensor();
    const Tensor weight =
        args[2].as<Tensor>() ? args[2].tensor() : f::full({}, args[2].scalar(), self.dtype(), self.device());
    const Tensor late = f::ge(f::abs(weight), 0.5);
    const Tensor coefficient = f::where(late, f::sub(weight, 1), weight), base = f::where(late, end, self);
    return {f::add(f::mul(coefficient, f::sub(end, self)), base)};
}

std::vector<OpDef> interpolations() {
    // From the nearer end, so that weight 1 gives end exactly: PyTorch's form.
    const auto lerpOf = [](auto self, auto end, auto weight) {
        const auto late = abs(weight) >= number(weight, 0.5);
        return where(late, weight - number(weight, 1), weight) * (end - self) + where(late, end, self);
    };
    const auto threeTensors = [](const Value& value) {
        return [value]() -> std::vector<Values> {
            return {{samples::tensor({2, 3}, -2, 2), samples::tensor({3}, -1, 2, 2), samples::tensor({2, 1}, 1, 2, 3),
                     value}};
        };
    };
    return {
        {.schema = "lerp.Scalar(Tensor self, Tensor end, Scalar weight) -> Tensor",
         .doc = "self + weight * (end - self)",
         .element = element<2, 1>(Floats{}, lerpOf),
         .derivative = derivative({}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      const double weight = toDouble(s.args[2].scalar());
                                      return {ifNeeded(s, 0, [&] { return f::mulScalar(g, 1.0 - weight); }),
                                              ifNeeded(s, 1, [&] { return f::mulScalar(g, weight); })};
                                  }),
         .decomposition = decomposeLerp,
         .samples =
             [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({3}, -1, 2, 2), 0.3}}; },
         .inPlaceVariant = true},
        {.schema = "lerp.Tensor(Tensor self, Tensor end, Tensor weight) -> Tensor",
         .doc = "self + weight * (end - self)",
         .element = element<3>(Floats{}, lerpOf),
         .derivative = derivative({0, 1, 2}, {},
                                  [](const Tensor& g, const Saved& s) -> Tensors {
                                      const Tensor& weight = savedArg(s, 2);
                                      return {ifNeeded(s, 0, [&] { return f::mul(g, f::rsub(weight, 1)); }),
                                              ifNeeded(s, 1, [&] { return f::mul(g, weight); }),
                                              ifNeeded(s, 2, [&] { return f::mul(g, f::sub(s.args[1], s.args[0])); })};
                                  }),
         .decomposition = decomposeLerp,
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({3}, -1, 2, 2),
                                             samples::tensor({2, 1}, 0.1, 0.9, 3)}};
             },
         .inPlaceVariant = true},
        {.schema = "addcmul(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
         .doc = "self + value * tensor1 * tensor2",
         .element =
             element<3, 1>(Numbers{}, [](auto self, auto a, auto b, auto value) { return self + value * a * b; }),
         .derivative =
             derivative({1, 2}, {},
                        [](const Tensor& g, const Saved& s) -> Tensors {
                            const Scalar value = s.args[3].scalar();
                            return {ifNeeded(s, 0, [&] { return g; }),
                                    ifNeeded(s, 1, [&] { return f::mul(g, f::mulScalar(savedArg(s, 2), value)); }),
                                    ifNeeded(s, 2, [&] { return f::mul(g, f::mulScalar(savedArg(s, 1), value)); })};
                        }),
         .decomposition =
             [](const Values& args) { return Values{f::add(args[0], f::mul(f::mul(args[1], args[3]), args[2]))}; },
         .samples = threeTensors(0.5),
         .inPlaceVariant = true},
        {.schema = "addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, *, Scalar value=1) -> Tensor",
         .doc = "self + value * tensor1 / tensor2",
         .element = element<3, 1>(
             Floats{}, [](auto self, auto a, auto b, auto value) { return self + value * (a / b); }, {.cost = 2}),
         .derivative =
             derivative({1, 2}, {},
                        [](const Tensor& g, const Saved& s) -> Tensors {
                            const Scalar value = s.args[3].scalar();
                            const Tensor &a = savedArg(s, 1), &b = savedArg(s, 2);
                            return {ifNeeded(s, 0, [&] { return g; }),
                                    ifNeeded(s, 1, [&] { return f::mul(g, f::mulScalar(f::reciprocal(b), value)); }),
                                    ifNeeded(s, 2, [&] {
                                        return f::mul(f::neg(g), f::div(f::mulScalar(a, value), f::mul(b, b)));
                                    })};
                        }),
         .decomposition =
             [](const Values& args) { return Values{f::add(args[0], f::mul(f::div(args[1], args[2]), args[3]))}; },
         .samples = threeTensors(0.5),
         .inPlaceVariant = true},
    };
}

} // namespace

std::vector<OpDef> selectionOps() {
    std::vector<OpDef> all;
    for (auto part : {selections(), bounds(), interpolations()})
        for (OpDef& op : part) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
