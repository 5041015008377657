// Activations and the backward ops that PyTorch gives them. The backward ops decompose into core ATen; most activations
// are core.
#include "engine/ops/Element.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"

namespace strata::ops {

using namespace scalar;

namespace {

using T = const Tensor&;

constexpr ElementOptions exponential{.cost = 10};

// number(x, ..) with x's type for C++ scalars and lowerings alike.
const auto sigmoidOf = [](auto x) { return number(x, 1) / (number(x, 1) + exp(-x)); };
const auto reluOf = [](auto x) { return maximum(x, number(x, 0)); };
const auto siluOf = [](auto x) { return x / (number(x, 1) + exp(-x)); };

std::vector<OpDef> rectifiers() {
    const auto leaky = [](auto x, auto slope) { return where(x > number(x, 0), x, x * slope); };
    const auto leakySlope = [](auto g, auto x, auto slope, auto) { return where(x > number(x, 0), g, g * slope); };
    return {
        {.schema = "relu(Tensor self) -> Tensor",
         .doc = "max(x, 0)",
         .element = element<1>(Numbers{}, reluOf),
         .derivative =
             derivative({}, {0}, [](T g, const Saved& s) { return f::thresholdBackward(g, s.outputs.at(0), 0); }),
         .samples = [] { return samples::unary(-2, 3); },
         .inPlaceVariant = true},
        {.schema = "threshold_backward(Tensor grad_output, Tensor self, Scalar threshold) -> Tensor",
         .doc = "grad where self > threshold, else 0",
         .element = element<2, 1>(
             Numbers{}, [](auto g, auto x, auto threshold) { return where(x <= threshold, number(g, 0), g); }),
         .derivative = derivative({1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      return {f::thresholdBackward(g, savedArg(s, 1), s.args[2].scalar()), Tensor()};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor& g = args[0].tensor();
                 return Values{
                     f::where(f::le(args[1].tensor(), args[2]), f::scalarTensor(0.0, g.dtype(), g.device()), g)};
             },
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), 0}};
             }},
        {.schema = "leaky_relu(Tensor self, Scalar negative_slope=0.01) -> Tensor",
         .doc = "x above 0, slope * x below",
         .element = element<1, 1>(Floats{}, leaky),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.leaky_relu_backward.default"),
                                                        {g, savedArg(s, 0), s.args[1], false});
                                  }),
         .samples = [] { return samples::unary(-2, 3, {0.2}); },
         .inPlaceVariant = true},
        {.schema = "leaky_relu_backward(Tensor grad_output, Tensor self, Scalar negative_slope, bool self_is_result) "
                   "-> Tensor",
         .doc = "grad above 0, slope * grad below",
         .element = element<2, 2>(Floats{}, leakySlope),
         .derivative = derivative({1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      return {callTensor(get("aten.leaky_relu_backward.default"),
                                                         {g, savedArg(s, 1), s.args[2], s.args[3]}),
                                              Tensor()};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor &g = args[0].tensor(), &self = args[1].tensor();
                 return Values{f::where(f::gt(self, 0), g, f::mul(g, args[2]))};
             },
         .samples =
             [] {
                 return std::vector<Values>{
                     {samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), 0.2, false}};
             }},
        {.schema = "hardtanh(Tensor self, Scalar min_val=-1, Scalar max_val=1) -> Tensor",
         .doc = "x within bounds",
         .element =
             element<1, 2>(Numbers{}, [](auto x, auto low, auto high) { return minimum(maximum(x, low), high); }),
         .derivative = derivative({0}, {},
                                  [](T g, const Saved& s) {
                                      return callTensor(get("aten.hardtanh_backward.default"),
                                                        {g, savedArg(s, 0), s.args[1], s.args[2]});
                                  }),
         .samples = [] { return samples::unary(-2, 3, {-1, 1}); },
         .inPlaceVariant = true},
        {.schema = "hardtanh_backward(Tensor grad_output, Tensor self, Scalar min_val, Scalar max_val) -> Tensor",
         .doc = "grad strictly within bounds, else 0",
         .element =
             element<2, 2>(Floats{}, [](auto g, auto x, auto low,
                                        auto high) { return where(bitwise_or(x <= low, x >= high), number(g, 0), g); }),
         .derivative = derivative({1}, {},
                                  [](T g, const Saved& s) -> Tensors {
                                      return {callTensor(get("aten.hardtanh_backward.default"),
                                                         {g, savedArg(s, 1), s.args[2], s.args[3]}),
                                              Tensor()};
                                  }),
         .decomposition =
             [](const Values& args) {
                 const Tensor &g = args[0].tensor(), &self = args[1].tensor();
                 return Values{f::where(f::logicalOr(f::le(self, args[2]), f::ge(self, args[3])), zeroLike(g), g)};
             },
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -2, 3, 2), -1, 1}};
             }},
    };
}

Values decomposeSiluBackward(const Values& args) {
    const Tensor& x = args[1].tensor();
    const Tensor y = f::mul(f::reciprocal(f::add(f::exp(f::neg(x)), 1)), 1); // Python's 1 / (1 + exp(-x))
    const Tensor outer = f::mul(args[0], y);
    return {f::mul(outer, f::add(f::mul(x, f::sub(1, y)), 1))};
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
         .derivative =
             derivative({0, 1}, {},
                        [](T g, const Saved& s) -> Tensors {
                            const Tensor& y = savedArg(s, 1);
                            return {ifNeeded(s, 0, [&] { return f::sigmoidBackward(g, y); }), ifNeeded(s, 1, [&] {
                                        return f::mul(f::mul(g, savedArg(s, 0)), f::addScalar(f::mulScalar(y, -2), 1));
                                    })};
                        }),
         .decomposition =
             [](const Values& args) { return Values{f::mul(args[0], f::mul(args[1], f::sub(1, args[1])))}; },
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, 0.1, 0.9, 2)}};
             }},
        {.schema = "tanh(Tensor self) -> Tensor",
         .doc = "the hyperbolic tangent",
         .dtype = DTypeRule::IntToFloat,
         .element = element<1>(
             Floats{}, [](auto x) { return tanh(x); }, exponential),
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
                                              ifNeeded(s, 1, [&] {
                                                  return f::mul(f::mul(g, savedArg(s, 0)), f::mulScalar(y, -2));
                                              })};
                                  }),
         .decomposition =
             [](const Values& args) { return Values{f::mul(args[0], f::sub(1, f::mul(args[1], args[1])))}; },
         .samples =
             [] {
                 return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -0.9, 0.9, 2)}};
             }},
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
         .derivative =
             derivative({0, 1}, {},
                        [](T g, const Saved& s) -> Tensors {
                            const Tensor& x = savedArg(s, 1);
                            const Tensor y = f::sigmoid(x),
                                         slope = f::mul(y, f::rsub(y, 1)); // sigmoid and its derivative
                            const auto curvature = [&] {                   // 2 s' + x s' (1 - 2 s)
                                return f::mul(slope, f::addScalar(f::mul(x, f::addScalar(f::mulScalar(y, -2), 1)), 2));
                            };
                            return {ifNeeded(s, 0, [&] { return f::siluBackward(g, x); }),
                                    ifNeeded(s, 1, [&] { return f::mul(f::mul(g, savedArg(s, 0)), curvature()); })};
                        }),
         .decomposition = decomposeSiluBackward,
         .samples =
             [] { return std::vector<Values>{{samples::tensor({2, 3}, -2, 2), samples::tensor({2, 3}, -3, 3, 2)}}; }},
    };
}

} // namespace

std::vector<OpDef> activationOps() {
    std::vector<OpDef> all;
    for (auto part : {rectifiers(), sigmoids()})
        for (OpDef& op : part) all.push_back(std::move(op));
    return all;
}

} // namespace strata::ops
