// Activations and the backward ops that PyTorch gives them. The backward ops decompose into core ATen; most activations are core.
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

// number(x, ..) with x's type for C++ scalars and lowerings alike.
const auto sigmoidOf = [](auto x) { return number(x, 1) / (number(x, 1) + exp(-x)); };
const auto reluOf = [](auto x) { return maximum(x, number(x, 0)); };
const auto siluOf = [](auto x) { return x / (number(x, 1) + exp(-x)); };

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

std::vector<OpDef> rectifiers() {
    const auto leaky = [](auto x, auto slope) { return where(x > number(x, 0), x, x * slope); };
    const auto leakySlope = [](auto g, auto x, auto slope, auto) { return where(x > number(x, 0), g, g * slope); };
    return {
        {.schema = "relu(Tensor self) -> Tensor",
         .doc = "max(x, 0)",
         .element = element<1>(Numbers{}, reluOf),
         .derivative = derivative({}, {0}, [](T g, const Saved& s) { return f::thresholdBackward(g, s.outputs.at(0), 0); }),
         .samples = [] { return samples::unary(-2, 3); },
         .inPlaceVariant = true},
        {.schema = "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
         .doc = "grad where self > threshold, else 0",
         .element = element<2, 1>(Numbers{}, [](auto g, auto x, auto threshold) { return where(x <= threshold, number(g, 0), g); }),
         .derivative = derivative({1}, {}, [](T g, const Saved& s) -> Tensors { return {f::thresholdBackward(g, savedArg(s, 1), s.args[2].scalar()), Tensor()}; }),
         .decomposition =
             [](const Values& args) {
                 const Tensor& g = args[0].tensor();
                 return Values{f::where(f::le(args[1].tensor(), args[2]), f::scalarTensor(0.0, g.dtype(), g.device()), g)};
             },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), 0}}; }},
        {.schema = "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
         .doc = "x above 0, slope * x below",
         .element = element<1, 1>(Floats{}, leaky),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.leaky_relu_backward.default"), {g, savedArg(s, 0), s.args[1], false});
                                  }),
         .samples = [] { return samples::unary(-2, 3, {0.2}); },
         .inPlaceVariant = true},
        {.schema = "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) -> Tensor",
         .doc = "grad above 0, slope * grad below",
         .element = element<2, 2>(Floats{}, leakySlope),
         .derivative = derivative({1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      return {callTensor(get("aten.leaky_relu_backward.default"), {g, savedArg(s, 1), s.args[2], s.args[3]}), Tensor()};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor &g = args[0].tensor(), &self = args[1].tensor();
                 return Values{f::where(f::gt(self, 0), g, f::mul(g, args[2]))};
             },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), 0.2, false}}; }},
        {.schema = "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
         .doc = "x within bounds",
         .element = element<1, 2>(Numbers{}, [](auto x, auto low, auto high) { return minimum(maximum(x, low), high); }),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.hardtanh_backward.default"), {g, savedArg(s, 0), s.args[1], s.args[2]});
                                  }),
         .decomposition = [](const Values& args) { return Values{f::clamp(args[0].tensor(), args[1], args[2])}; },
         .samples = [] { return samples::unary(-2, 3, {-1, 1}); },
         .inPlaceVariant = true},
        {.schema = "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
         .doc = "grad strictly within bounds, else 0",
         .element = element<2, 2>(Floats{},
                                  [](auto g, auto x, auto low, auto high) { return where(bitwise_or(x <= low, x >= high), number(g, 0), g); }),
         .derivative = derivative({1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      return {callTensor(get("aten.hardtanh_backward.default"), {g, savedArg(s, 1), s.args[2], s.args[3]}), Tensor()};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor &g = args[0].tensor(), &self = args[1].tensor();
                 return Values{f::where(f::logicalOr(f::le(self, args[2]), f::ge(self, args[3])), zeroLike(g), g)};
             },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), -1, 1}}; }},
    };
}

std::vector<OpDef> sigmoids() {
    return {
        {.schema = "sigmoid(Tensor self) -> Tensor",
         .doc = "1 / (1 + exp(-x))",
         .dtype = DTypeRule::IntToFloat,
         .element = element<1>(Floats{}, sigmoidOf, exponential),
         .derivative = derivative({}, {0}, [](T g, const Saved& s) { return f::sigmoidBackward(g, s.outputs.at(0)); }),
         .samples = [] { return samples::unary(-4, 4); },
         .inPlaceVariant = true},
        {.schema = "sigmoid_backward(Tensor grad_output, Tensor output) -> Tensor",
         .doc = "grad * y * (1 - y)",
         .element = element<2>(Floats{}, [](auto g, auto y) { return g * (y * (number(y, 1) - y)); }),
         .derivative = derivative({0, 1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      const Tensor& y = savedArg(s, 1);
                                      return {ifNeeded(s, 0, [&] { return f::sigmoidBackward(g, y); }),
                                              ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), f::addScalar(f::mulScalar(y, -2), 1)); })};
                                  }),
         .decomposition = [](const Values& args) { return Values{f::mul(args[0], f::mul(args[1], f::sub(1, args[1])))}; },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, 0.1, 0.9, 2)}}; }},
        {.schema = "tanh(Tensor self) -> Tensor",
         .doc = "the hyperbolic tangent",
         .dtype = DTypeRule::IntToFloat,
         .element = element<1>(Floats{}, [](auto x) { return tanh(x); }, exponential),
         .derivative = derivative({}, {0}, [](T g, const Saved& s) { return f::tanhBackward(g, s.outputs.at(0)); }),
         .samples = [] { return samples::unary(-3, 3); },
         .inPlaceVariant = true},
        {.schema = "tanh_backward(Tensor grad_output, Tensor output) -> Tensor",
         .doc = "grad * (1 - y * y)",
         .element = element<2>(Floats{}, [](auto g, auto y) { return g * (number(y, 1) - y * y); }),
         .derivative = derivative({0, 1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      const Tensor& y = savedArg(s, 1);
                                      return {ifNeeded(s, 0, [&] { return f::tanhBackward(g, y); }),
                                              ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), f::mulScalar(y, -2)); })};
                                  }),
         .decomposition = [](const Values& args) { return Values{f::mul(args[0], f::sub(1, f::mul(args[1], args[1])))}; },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -0.9, 0.9, 2)}}; }},
        {.schema = "silu(Tensor self) -> Tensor",
         .doc = "x * sigmoid(x)",
         .element = element<1>(Floats{}, siluOf, exponential),
         .derivative = derivative({0}, {}, [](T g, const Saved& s) { return f::siluBackward(g, savedArg(s, 0)); }),
         .decomposition = [](const Values& args) { return Values{f::mul(args[0], f::sigmoid(args[0].tensor()))}; },
         .samples = [] { return samples::unary(-4, 4); },
         .inPlaceVariant = true},
        {.schema = "silu_backward(Tensor grad_output, Tensor self) -> Tensor",
         .doc = "grad * sigmoid(x) * (1 + x * (1 - sigmoid(x)))",
         .element = element<2>(
             Floats{},
             [](auto g, auto x) {
                 const auto sigmoid = number(x, 1) / (number(x, 1) + exp(-x));
                 return g * sigmoid * (number(x, 1) + x * (number(x, 1) - sigmoid));
             },
             exponential),
         .derivative = derivative({0, 1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      const Tensor& x = savedArg(s, 1);
                                      const Tensor y = f::sigmoid(x), slope = f::mul(y, f::rsub(y, 1)); // sigmoid and its derivative
                                      const auto curvature = [&] { // 2 s' + x s' (1 - 2 s)
                                          return f::mul(slope, f::addScalar(f::mul(x, f::addScalar(f::mulScalar(y, -2), 1)), 2));
                                      };
                                      return {ifNeeded(s, 0, [&] { return f::siluBackward(g, x); }),
                                              ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), curvature()); })};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor& x = args[1].tensor();
                 const Tensor y = f::sigmoid(x);
                 return Values{f::mul(f::mul(args[0], y), f::add(f::mul(x, f::sub(1, y)), 1))};
             },
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -3, 3, 2)}}; }},
    };
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
    return {ifNeeded(s, 0, [&] { return f::geluBackward(g, x, exact ? "none" : "tanh"); }),
            ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), exact ? geluCurvature(x) : geluTanhCurvature(x)); })};
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
    const Tensor left = f::mul(x, 0.5), right = f::add(t, 1);
    const Tensor innerSlope = f::mul(f::add(f::mul(square, 3 * tanhCubic), 1), tanhScale);
    const Tensor rightSlope = f::mul(f::mul(left, f::sub(1, f::mul(t, t))), innerSlope);
    return {f::mul(g, f::add(f::mul(right, 0.5), rightSlope))};
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
         .element = elementOf(choose, {elementForm<1>(Floats{}, geluOf), elementForm<1>(Floats{}, geluTanhOf)}, {.cost = 20}),
         .derivative = derivative({0}, {}, [](T g, const Saved& s) { return f::geluBackward(g, savedArg(s, 0), s.args[1].string().c_str()); }),
         .samples = calls(false),
         .inPlaceVariant = true},
        {.schema = "gelu_backward(Tensor grad_output, Tensor self, *, str approximate='none') -> Tensor",
         .doc = "grad * d gelu(x) / dx",
         .element = elementOf(choose, {elementForm<2>(Floats{}, geluSlope), elementForm<2>(Floats{}, geluTanhSlope)}, {.cost = 30}),
         .derivative = derivative({0, 1}, {}, geluBackwardGrads),
         .decomposition = decomposeGeluBackward,
         .samples = calls(true)},
    };
}

// log(1 + exp(beta x)) / beta; x itself where beta x > threshold.
Values decomposeSoftplusBackward(const Values& args) {
    const Tensor &g = args[0].tensor(), &x = args[1].tensor();
    const Tensor scaledInput = f::mul(x, args[2]), z = f::exp(scaledInput);
    return {f::where(f::gt(scaledInput, args[3]), g, f::div(f::mul(g, z), f::add(z, 1.0)))};
}

std::vector<OpDef> softRectifiers() {
    const auto softplusOf = [](auto x, auto beta, auto threshold) { return where(x * beta > threshold, x, log1p(exp(x * beta)) / beta); };
    const auto softplusSlope = [](auto g, auto x, auto beta, auto threshold) {
        const auto z = exp(x * beta);
        return where(x * beta > threshold, g, g * z / (z + number(x, 1)));
    };
    const auto eluOf = [](auto x, auto alpha, auto scale, auto inputScale) { return where(x > number(x, 0), x * scale, expm1(x * inputScale) * alpha * scale); };
    return {
        {.schema = "softplus(Tensor self, Scalar beta=1, Scalar threshold=20) -> Tensor",
         .doc = "log(1 + exp(beta * x)) / beta",
         .element = element<1, 2>(Floats{}, softplusOf, {.cost = 24}),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.softplus_backward.default"), {g, savedArg(s, 0), s.args[1], s.args[2]});
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor& x = args[0].tensor();
                 const Tensor scaledInput = f::mul(x, args[1]);
                 return Values{f::where(f::gt(scaledInput, args[2]), x, f::div(f::log1p(f::exp(scaledInput)), args[1]))};
             },
         .samples = [] { return samples::unary(-4, 4, {1.5, 3}); }},
        {.schema = "softplus_backward(Tensor grad_output, Tensor self, Scalar beta, Scalar threshold) -> Tensor",
         .doc = "grad * sigmoid(beta * x)",
         .element = element<2, 2>(Floats{}, softplusSlope, exponential),
         .derivative = derivative({0, 1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      const Tensor& x = savedArg(s, 1);
                                      const auto curvature = [&] { // beta s (1 - s) where not linear
                                          const Tensor input = f::mulScalar(x, s.args[2].scalar()), y = f::sigmoid(input);
                                          const Tensor bend = f::mulScalar(f::mul(y, f::rsub(y, 1)), s.args[2].scalar());
                                          return f::where(f::gt(input, s.args[3]), zeroLike(bend), bend);
                                      };
                                      return {ifNeeded(s, 0, [&] { return callTensor(get("aten.softplus_backward.default"), {g, x, s.args[2], s.args[3]}); }),
                                              ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), curvature()); })};
                                  }),
         .decomposition = decomposeSoftplusBackward,
         .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -3, 3, 2), 1.5, 3}}; }},
        {.schema = "elu(Tensor self, Scalar alpha=1, Scalar scale=1, Scalar input_scale=1) -> Tensor",
         .doc = "x above 0, alpha * (exp(x) - 1) below",
         .element = element<1, 3>(Floats{}, eluOf, {.cost = 20}),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.elu_backward.default"), {g, s.args[1], s.args[2], s.args[3], false, savedArg(s, 0)});
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
    return {{.schema = "elu_backward(Tensor grad_output, Scalar alpha, Scalar scale, Scalar input_scale, bool is_result, Tensor self_or_result) -> Tensor",
             .doc = "grad * d elu(x) / dx",
             .element = elementOf([](const Values& args) { return args.at(4).toBool() ? 1 : 0; },
                                  {elementForm<2, 4>(Floats{}, ofInput), elementForm<2, 4>(Floats{}, ofResult)}, exponential),
             .derivative = derivative({0, 5}, {},
                                      [](T g, const Saved& s) -> Tensors {
                                          const Tensor& x = savedArg(s, 5);
                                          const auto second = [&] {
                                              const double alpha = s.args[1].toDouble(), scale = s.args[2].toDouble(), in = s.args[3].toDouble();
                                              const Tensor bend = s.args[4].toBool() ? f::fullLike(x, in) : f::mulScalar(f::exp(f::mulScalar(x, in)), alpha * scale * in * in);
                                              return f::mul(f::mul(g, savedArg(s, 0)), f::where(f::le(x, 0), bend, zeroLike(bend)));
                                          };
                                          Tensors grads(6);
                                          grads[0] = ifNeeded(s, 0, [&] {
                                              return callTensor(get("aten.elu_backward.default"), {g, s.args[1], s.args[2], s.args[3], s.args[4], x});
                                          });
                                          grads[5] = ifNeeded(s, 5, second);
                                          return grads;
                                      }),
             .decomposition =
                 [](const Values& args) {
                     const Tensor &g = args[0].tensor(), &x = args[5].tensor();
                     const double alpha = args[1].toDouble(), scale = args[2].toDouble(), in = args[3].toDouble();
                     const Tensor positive = f::mul(g, scale);
                     const Tensor negative = args[4].toBool() ? f::mul(f::mul(g, in), f::add(x, alpha * scale))
                                                              : f::mul(f::mul(g, in * alpha * scale), f::exp(f::mul(x, in)));
                     return Values{f::where(f::le(x, 0), negative, positive)};
                 },
             .samples =
                 [] {
                     return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), 1.3, 1.1, 0.9, false, samples::tensor({2, 3}, -3, 3, 2)},
                                                {samples::tensor({2, 3}, -2, 2), 1.3, 1.1, 0.9, true, samples::tensor({2, 3}, -1, 3, 2)}};
                 }}};
}

} // namespace

std::vector<OpDef> activationOps() {
    std::vector<OpDef> all;
    for (auto part : {rectifiers(), sigmoids(), gelus(), softRectifiers(), eluBackward()})
        for (OpDef& op : part) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
