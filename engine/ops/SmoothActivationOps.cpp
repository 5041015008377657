// gelu, softplus, elu and their backward ops.
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/support/Error.h"

#include <numbers>

namespace strata::ops {

using namespace scalar;

namespace {

using T = const Tensor&;

constexpr double sqrtHalf = std::numbers::sqrt2 / 2, gaussScale = std::numbers::inv_sqrtpi * sqrtHalf; // 1 / sqrt(2 pi)
constexpr double tanhScale = std::numbers::sqrt2 * std::numbers::inv_sqrtpi, tanhCubic = 0.044715;     // sqrt(2 / pi)
constexpr ElementOptions exponential{.cost = 10};

const auto geluOf = [](auto x) { return x * number(x, 0.5) * (number(x, 1) + erf(x * number(x, sqrtHalf))); };
const auto geluTanhOf = [](auto x) {
    const auto inner = number(x, tanhScale) * (x + number(x, tanhCubic) * x * x * x);
    return x * number(x, 0.5) * (number(x, 1) + tanh(inner));
};
const auto geluSlope = [](auto g, auto x) {
    const auto cumulative = number(x, 0.5) * (number(x, 1) + erf(x * number(x, sqrtHalf)));
    const auto density = exp(x * x * number(x, -0.5)) * number(x, gaussScale);
    return g * (cumulative + x * density);
};
const auto geluTanhSlope = [](auto g, auto x) {
    const auto square = x * x;
    const auto t = tanh(number(x, tanhScale) * (x + number(x, tanhCubic) * square * x));
    const auto innerSlope = number(x, tanhScale) * (number(x, 1) + number(x, 3 * tanhCubic) * square);
    return g * (number(x, 0.5) * (number(x, 1) + t) + number(x, 0.5) * x * (number(x, 1) - t * t) * innerSlope);
};

int geluForm(const Value& approximate) {
    const std::string& how = approximate.string();
    if (how == "none") return 0;
    if (how == "tanh") return 1;
    throw support::Error("approximate argument must be either none or tanh.");
}

Tensor geluCurvature(T x) { // second derivative of the exact gelu: density * (2 - x^2)
    const Tensor density = f::mulScalar(f::exp(f::mulScalar(f::mul(x, x), -0.5)), gaussScale);
    return f::mul(density, f::rsub(f::mul(x, x), 2));
}

// The tanh form: h = 0.5 (1 + t) + 0.5 x (1 - t^2) u', differentiated once more.
Tensor geluTanhCurvature(T x) {
    const Tensor square = f::mul(x, x);
    const Tensor t = f::tanh(f::mulScalar(f::add(x, f::mulScalar(f::mul(square, x), tanhCubic)), tanhScale));
    const Tensor first = f::mulScalar(f::addScalar(f::mulScalar(square, 3 * tanhCubic), 1), tanhScale); // u'
    const Tensor second = f::mulScalar(x, 6 * tanhCubic * tanhScale);                                   // u''
    const Tensor slope = f::rsub(f::mul(t, t), 1);                                                      // 1 - t^2
    const Tensor bend = f::sub(f::mulScalar(second, 0.5), f::mul(t, f::mul(first, first)));
    return f::mul(slope, f::add(first, f::mul(x, bend)));
}

Tensors geluBackwardGrads(T g, const Saved& s) {
    const Tensor& x = savedArg(s, 1);
    const bool exact = geluForm(s.args[2]) == 0;
    return {ifNeeded(s, 0, [&] { return f::geluBackward(g, x, exact ? "none" : "tanh"); }), ifNeeded(s, 1, [&] {
                return f::mul(f::mul(g, savedArg(s, 0)), exact ? geluCurvature(x) : geluTanhCurvature(x));
            })};
}

Values decomposeGeluBackward(const Values& args) {
    const Tensor &g = args[0].tensor(), &x = args[1].tensor();
    if (geluForm(args[2]) == 0) {
        const Tensor cumulative = f::mul(f::add(f::erf(f::mul(x, sqrtHalf)), 1), 0.5);
        const Tensor density = f::mul(f::exp(f::mul(f::mul(x, x), -0.5)), gaussScale);
        return {f::mul(g, f::add(cumulative, f::mul(x, density)))};
    }
    const Tensor square = f::mul(x, x), cube = f::mul(square, x);
    const Tensor inner = f::mul(f::add(x, f::mul(cube, tanhCubic)), tanhScale), t = f::tanh(inner);
    const Tensor left = f::mul(x, 0.5), right = f::add(t, 1), leftSlope = f::mul(right, 0.5);
    const Tensor tanhSlope = f::sub(1, f::mul(t, t));
    const Tensor innerSlope = f::mul(f::add(f::mul(square, 3 * tanhCubic), 1), tanhScale);
    const Tensor rightSlope = f::mul(f::mul(left, tanhSlope), innerSlope);
    return {f::mul(g, f::add(leftSlope, rightSlope))};
}

std::vector<OpDef> gelus() {
    const auto choose = [](const Values& args) { return geluForm(args.back()); };
    const auto calls = [](bool backward) {
        return [backward] {
            std::vector<Values> all;
            for (const char* how : {"none", "tanh"}) {
                Values args{samples::tensor({2, 3}, -3, 3, 2), how};
                if (backward) args.insert(args.begin(), samples::tensor({2, 3}, -2, 2));
                all.push_back(std::move(args));
            }
            return all;
        };
    };
    return {
        {.schema = "gelu(Tensor self, *, str approximate='none') -> Tensor",
         .doc = "x * P(normal variable < x)",
         .element =
             elementOf(choose, {elementForm<1>(Floats{}, geluOf), elementForm<1>(Floats{}, geluTanhOf)}, {.cost = 20}),
         .derivative = derivative(
             {0}, {},
             [](T g, const Saved& s) { return f::geluBackward(g, savedArg(s, 0), s.args[1].string().c_str()); }),
         .samples = calls(false),
         .inPlaceVariant = true},
        {.schema = "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
         .doc = "grad * d gelu(x) / dx",
         .element = elementOf(choose, {elementForm<2>(Floats{}, geluSlope), elementForm<2>(Floats{}, geluTanhSlope)},
                              {.cost = 30}),
         .derivative = derivative({0, 1}, {}, geluBackwardGrads),
         .decomposition = decomposeGeluBackward,
         .samples = calls(true)},
    };
}

// x * beta, x itself for 1.
Tensor timesBeta(T x, const Value& beta) {
    return isOne(beta.scalar()) ? x : f::mul(x, beta);
}

// log(1 + exp(beta x)) / beta; x itself where beta x > threshold.
Values decomposeSoftplus(const Values& args) {
    const Tensor& x = args[0].tensor();
    const Tensor input = timesBeta(x, args[1]), soft = f::log1p(f::exp(input));
    const Tensor curve = isOne(args[1].scalar()) ? soft : f::div(soft, args[1]);
    return {f::where(f::gt(input, args[2]), x, curve)};
}

Values decomposeSoftplusBackward(const Values& args) {
    const Tensor &g = args[0].tensor(), &x = args[1].tensor();
    const Tensor z = f::exp(timesBeta(x, args[2])), linear = f::gt(timesBeta(x, args[2]), args[3]);
    return {f::where(linear, g, f::div(f::mul(g, z), f::add(z, 1.0)))};
}

std::vector<OpDef> softRectifiers() {
    const auto softplusOf = [](auto x, auto beta, auto threshold) {
        return where(x * beta > threshold, x, log1p(exp(x * beta)) / beta);
    };
    const auto softplusSlope = [](auto g, auto x, auto beta, auto threshold) {
        const auto z = exp(x * beta);
        return where(x * beta > threshold, g, g * z / (z + number(x, 1)));
    };
    const auto eluOf = [](auto x, auto alpha, auto scale, auto inputScale) {
        return where(x > number(x, 0), x * scale, expm1(x * inputScale) * alpha * scale);
    };
    return {
        {.schema = "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
         .doc = "log(1 + exp(beta * x)) / beta",
         .element = element<1, 2>(Floats{}, softplusOf, {.cost = 24}),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.softplus_backward.default"),
                                                        {g, savedArg(s, 0), s.args[1], s.args[2]});
                                  }),
         .decomposition = decomposeSoftplus,
         .samples =
             [] {
                 std::vector<Values> calls = samples::unary(-4, 4, {1.5, 3});
                 calls.push_back({samples::tensor({2, 3}, -4, 4), 1, 20});
                 return calls;
             }},
        {.schema = "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
         .doc = "grad * sigmoid(beta * x)",
         .element = element<2, 2>(Floats{}, softplusSlope, exponential),
         .derivative =
             derivative({0, 1}, {},
                        [](T g, const Saved& s) -> Tensors {
                            const Tensor& x = savedArg(s, 1);
                            const auto curvature = [&] { // beta s (1 - s) where not linear
                                const Tensor input = f::mulScalar(x, s.args[2].scalar()), y = f::sigmoid(input);
                                const Tensor bend = f::mulScalar(f::mul(y, f::rsub(y, 1)), s.args[2].scalar());
                                return f::where(f::gt(input, s.args[3]), zeroLike(bend), bend);
                            };
                            return {ifNeeded(s, 0,
                                             [&] {
                                                 return callTensor(get("aten.softplus_backward.default"),
                                                                   {g, x, s.args[2], s.args[3]});
                                             }),
                                    ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), curvature()); })};
                        }),
         .decomposition = decomposeSoftplusBackward,
         .samples =
             [] {
                 return std::vector<Values>{
                     {samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -3, 3, 2), 1.5, 3}};
             }},
        {.schema = "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
         .doc = "x above 0, alpha * (exp(x) - 1) below",
         .element = element<1, 3>(Floats{}, eluOf, {.cost = 20}),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.elu_backward.default"),
                                                        {g, s.args[1], s.args[2], s.args[3], false, savedArg(s, 0)});
                                  }),
         .samples = [] { return samples::unary(-3, 3, {1.3, 1.1, 0.9}); },
         .inPlaceVariant = true},
    };
}

// The slope reads self or, in place, the result: y + alpha then stands for alpha * exp(x).
std::vector<OpDef> eluBackward() {
    const auto ofInput = [](auto g, auto x, auto alpha, auto scale, auto inputScale, auto) {
        return where(x <= number(x, 0), g * inputScale * alpha * scale * exp(x * inputScale), g * scale);
    };
    const auto ofResult = [](auto g, auto y, auto alpha, auto scale, auto inputScale, auto) {
        return where(y <= number(y, 0), g * inputScale * (y + alpha * scale), g * scale);
    };
    return {{.schema = "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool "
                       "is_result, Tensor self_or_result) -> Tensor",
             .doc = "grad * d elu(x) / dx",
             .element =
                 elementOf([](const Values& args) { return args.at(4).toBool() ? 1 : 0; },
                           {elementForm<2, 4>(Floats{}, ofInput), elementForm<2, 4>(Floats{}, ofResult)}, exponential),
             .derivative = derivative({0, 5}, {},
                                      [](T g, const Saved& s) -> Tensors {
                                          const Tensor& x = savedArg(s, 5);
                                          const auto second = [&] {
                                              const double alpha = s.args[1].toDouble(), scale = s.args[2].toDouble(),
                                                           in = s.args[3].toDouble();
                                              const Tensor bend = s.args[4].toBool()
                                                                      ? f::fullLike(x, in)
                                                                      : f::mulScalar(f::exp(f::mulScalar(x, in)),
                                                                                     alpha * scale * in * in);
                                              return f::mul(f::mul(g, savedArg(s, 0)),
                                                            f::where(f::le(x, 0), bend, zeroLike(bend)));
                                          };
                                          Tensors grads(6);
                                          grads[0] = ifNeeded(s, 0, [&] {
                                              return callTensor(get("aten.elu_backward.default"),
                                                                {g, s.args[1], s.args[2], s.args[3], s.args[4], x});
                                          });
                                          grads[5] = ifNeeded(s, 5, second);
                                          return grads;
                                      }),
             .decomposition =
                 [](const Values& args) {
                     const Tensor &g = args[0].tensor(), &x = args[5].tensor();
                     const double alpha = args[1].toDouble(), scale = args[2].toDouble(), in = args[3].toDouble();
                     const Tensor positive = f::mul(g, scale);
                     const Tensor negative = args[4].toBool()
                                                 ? f::mul(f::mul(g, in), f::add(x, alpha * scale))
                                                 : f::mul(f::mul(g, in * alpha * scale), f::exp(f::mul(x, in)));
                     return Values{f::where(f::le(x, 0), negative, positive)};
                 },
             .samples =
                 [] {
                     return std::vector<Values>{
                         {samples::tensor({2, 3}, -2, 2), 1.3, 1.1, 0.9, false, samples::tensor({2, 3}, -3, 3, 2)},
                         {samples::tensor({2, 3}, -2, 2), 1.3, 1.1, 0.9, true, samples::tensor({2, 3}, -1, 3, 2)}};
                 }}};
}

} // namespace

std::vector<OpDef> smoothActivationOps() {
    std::vector<OpDef> all;
    for (auto part : {gelus(), softRectifiers(), eluBackward()})
        for (OpDef& op : part) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
