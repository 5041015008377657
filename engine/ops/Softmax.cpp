// Softmax and its logarithm, each one kernel in eager, and loops over a maximum, a sum and pointwise ops when compiled.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Scalar.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strata::ops {

std::vector<OpDef> softmaxOps();

namespace {

std::int64_t dimOf(const Value& value) {
    return symbolic::toInt(value.toInt());
}

/// Calls row(position of the first element, distance between elements) for every row along `dim` of a dense tensor.
template <class Row> void forEachSlice(const Tensor& dense, std::int64_t dim, Row row) {
    const std::int64_t rank = dense.dim(), size = rank ? dense.size(dim).asInt() : 1;
    std::int64_t inner = 1, outer = 1;
    for (std::int64_t d = 0; d < rank; ++d)
        if (d != dim) (d < dim ? outer : inner) *= dense.size(d).asInt();
    parallelFor(outer * inner, static_cast<double>(size) * 8, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t n = begin; n < end; ++n) row(n / inner * size * inner + n % inner, inner, size);
    });
}

// Rows whose elements lie apart.
template <class T, bool Log> void softmaxStrided(const T* x, T* out, std::int64_t step, std::int64_t size) {
    T largest = -std::numeric_limits<T>::infinity();
    for (std::int64_t i = 0; i < size; ++i)
        largest = x[i * step] > largest || x[i * step] != x[i * step] ? x[i * step] : largest;
    T sum = 0;
    for (std::int64_t i = 0; i < size; ++i) {
        const T e = std::exp(x[i * step] - largest);
        if constexpr (!Log) out[i * step] = e;
        sum += e;
    }
    const T log = Log ? std::log(sum) : T(0), inverse = T(1) / sum;
    for (std::int64_t i = 0; i < size; ++i) out[i * step] = Log ? x[i * step] - largest - log : out[i * step] * inverse;
}

constexpr std::int64_t lanes = 32; // independent accumulators, so that the loops vectorise

#if defined(__x86_64__)
#define STRATA_LEVELS __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define STRATA_LEVELS
#endif

// Dense rows, for each x86-64 level; the level is chosen when the process starts.
#define STRATA_SOFTMAX_ROW(name, T, Log, exponential)                                                                  \
    STRATA_LEVELS void name(const T* x, T* out, std::int64_t size) {                                                   \
        T largest[lanes], sums[lanes];                                                                                 \
        for (std::int64_t j = 0; j < lanes; ++j) largest[j] = -std::numeric_limits<T>::infinity(), sums[j] = 0;        \
        const std::int64_t whole = size / lanes * lanes;                                                               \
        for (std::int64_t i = 0; i < whole; i += lanes)                                                                \
            for (std::int64_t j = 0; j < lanes; ++j)                                                                   \
                largest[j] = x[i + j] > largest[j] || x[i + j] != x[i + j] ? x[i + j] : largest[j];                    \
        for (std::int64_t i = whole; i < size; ++i)                                                                    \
            largest[i - whole] = x[i] > largest[i - whole] || x[i] != x[i] ? x[i] : largest[i - whole];                \
        T top = largest[0];                                                                                            \
        for (std::int64_t j = 1; j < lanes; ++j)                                                                       \
            top = largest[j] > top || largest[j] != largest[j] ? largest[j] : top;                                     \
        for (std::int64_t i = 0; i < size; ++i) out[i] = exponential(x[i] - top);                                      \
        for (std::int64_t i = 0; i < whole; i += lanes)                                                                \
            for (std::int64_t j = 0; j < lanes; ++j) sums[j] += out[i + j];                                            \
        for (std::int64_t i = whole; i < size; ++i) sums[i - whole] += out[i];                                         \
        T sum = 0;                                                                                                     \
        for (std::int64_t j = 0; j < lanes; ++j) sum += sums[j];                                                       \
        const T log = Log ? std::log(sum) : T(0), inverse = T(1) / sum;                                                \
        for (std::int64_t i = 0; i < size; ++i) out[i] = Log ? x[i] - top - log : out[i] * inverse;                    \
    }
STRATA_SOFTMAX_ROW(softmaxFloat, float, false, __builtin_expf)
STRATA_SOFTMAX_ROW(logSoftmaxFloat, float, true, __builtin_expf)
STRATA_SOFTMAX_ROW(softmaxDouble, double, false, __builtin_exp)
STRATA_SOFTMAX_ROW(logSoftmaxDouble, double, true, __builtin_exp)

template <class T, bool Log> void softmaxRow(const T* x, T* out, std::int64_t step, std::int64_t size) {
    if (step != 1) return softmaxStrided<T, Log>(x, out, step, size);
    if constexpr (std::is_same_v<T, float>)
        (Log ? logSoftmaxFloat : softmaxFloat)(x, out, size);
    else
        (Log ? logSoftmaxDouble : softmaxDouble)(x, out, size);
}

std::int64_t wrapped(const Tensor& x, const Value& dim) {
    return x.dim() == 0 ? 0 : shape::wrapDim(dimOf(dim), x.dim());
}

template <bool Log> Kernel softmaxKernel(const char* name) {
    return [name](const Values& args, std::span<Tensor> out) {
        const Tensor x = denseContiguous(args[0].tensor());
        tensor::visit(x.dtype(), name, [&]<class T>() {
            if constexpr (std::is_floating_point_v<T>) {
                const T* from = x.data<T>();
                T* to = out[0].data<T>();
                forEachSlice(x, wrapped(x, args[1]), [=](std::int64_t at, std::int64_t step, std::int64_t size) {
                    softmaxRow<T, Log>(from + at, to + at, step, size);
                });
            } else {
                tensor::throwNotImplemented(name, x.dtype());
            }
        });
    };
}

template <bool Log> Kernel backwardKernel(const char* name) {
    return [name](const Values& args, std::span<Tensor> out) {
        const Tensor g = denseContiguous(args[0].tensor()), y = denseContiguous(args[1].tensor());
        tensor::visit(y.dtype(), name, [&]<class T>() {
            if constexpr (std::is_floating_point_v<T>) {
                const T *gradient = g.data<T>(), *output = y.data<T>();
                T* to = out[0].data<T>();
                forEachSlice(y, wrapped(y, args[2]), [=](std::int64_t at, std::int64_t step, std::int64_t size) {
                    T sum = 0;
                    for (std::int64_t i = 0; i < size; ++i)
                        sum += gradient[at + i * step] * (Log ? T(1) : output[at + i * step]);
                    for (std::int64_t i = 0; i < size; ++i) {
                        const std::int64_t k = at + i * step;
                        to[k] = Log ? gradient[k] - std::exp(output[k]) * sum : (gradient[k] - sum) * output[k];
                    }
                });
            } else {
                tensor::throwNotImplemented(name, y.dtype());
            }
        });
    };
}

std::vector<TensorMeta> likeFirst(const Values& args) {
    const Tensor& x = args[0].tensor();
    wrapped(x, args[1].as<Tensor>() ? args[2] : args[1]);
    return {shape::contiguous(x.sizes(), x.dtype(), x.device())};
}

Values softmaxLoops(const Values& args) {
    const Tensor& x = args[0].tensor();
    const SymInts dim{x.dim() == 0 ? SymInt(0) : args[1].toInt()};
    if (x.dim() == 0) return {f::onesLike(x)};
    const Tensor e = f::exp(f::sub(x, f::amax(x, dim, true)));
    return {f::div(e, f::sum(e, dim, true))};
}

Values logSoftmaxLoops(const Values& args) {
    const Tensor& x = args[0].tensor();
    if (x.dim() == 0) return {f::zerosLike(x)};
    const SymInts dim{args[1].toInt()};
    const Tensor shifted = f::sub(x, f::amax(x, dim, true));
    return {f::sub(shifted, f::log(f::sum(f::exp(shifted), dim, true)))};
}

// As torch._decomp: new_grad = grad * output; new_grad - output * sum(new_grad)
Values softmaxBackwardRule(const Values& args) {
    const Tensor& y = args[1].tensor();
    const Tensor product = f::mul(args[0], y);
    return {f::sub(product, f::mul(y, f::sum(product, {args[2].toInt()}, true)))};
}

Values logSoftmaxBackwardRule(const Values& args) {
    const Tensor &g = args[0].tensor(), &y = args[1].tensor();
    return {f::sub(g, f::mul(f::exp(y), f::sum(g, {args[2].toInt()}, true)))};
}

// x.softmax(dim, dtype): the dtype, or the default one for integers, first.
Values withDType(const char* op, const Values& args) {
    Tensor x = args[0].tensor();
    if (!args[2].isNone())
        x = f::to(x, args[2].dtype());
    else if (tensor::isIntegral(x.dtype(), true))
        x = f::to(x, defaultDType());
    return call(get(op), {x, args[1], false});
}

std::vector<Values> forwardSamples() {
    return {{samples::tensor({2, 3, 4}, -3, 3), -1, false},
            {samples::tensor({2, 3, 4}, -3, 3), 1, false},
            {samples::transposed(samples::tensor({3, 4}, -3, 3)), 0, false}};
}

} // namespace

std::vector<OpDef> softmaxOps() {
    const auto composite = [](const char* schema, const char* doc, const char* op) {
        return OpDef{.schema = schema,
                     .doc = doc,
                     .kind = Kind::Composite,
                     .composite = [op](const Values& args) { return withDType(op, args); },
                     .samples = [] { return std::vector<Values>{{samples::tensor({2, 3}, -3, 3), 1, Value()}}; }};
    };
    const auto backward = [](const char* schema, const char* doc, Kernel kernel, Decomposition rule) {
        return OpDef{.schema = schema,
                     .doc = doc,
                     .kind = Kind::Gather,
                     .dtype = DTypeRule::Same,
                     .meta = likeFirst,
                     .kernel = std::move(kernel),
                     .decomposition = rule,
                     .samples = [] {
                         return std::vector<Values>{
                             {samples::tensor({2, 3}, -1, 1), samples::tensor({2, 3}, -2, 0, 3), 1, DType::Float64}};
                     }};
    };
    std::vector<OpDef> out;
    out.push_back(composite("softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                            "exp(x) / sum(exp(x)) along a dim", "aten._softmax.default"));
    out.push_back(composite("log_softmax.int(Tensor self, int dim, ScalarType? dtype=None) -> Tensor",
                            "x - log(sum(exp(x))) along a dim", "aten._log_softmax.default"));
    out.push_back({.schema = "_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
                   .doc = "exp(x - max) / sum(exp(x - max)) along a dim",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = likeFirst,
                   .kernel = softmaxKernel<false>("softmax"),
                   .derivative = derivative({}, {0},
                                            [](const Tensor& g, const Saved& s) {
                                                return f::softmaxBackward(g, s.outputs[0], dimOf(s.args[1]),
                                                                          s.argDTypes[0]);
                                            }),
                   .loweringDecomposition = softmaxLoops,
                   .samples = forwardSamples});
    out.push_back({.schema = "_log_softmax(Tensor self, int dim, bool half_to_float) -> Tensor",
                   .doc = "x - max - log(sum(exp(x - max))) along a dim",
                   .kind = Kind::Gather,
                   .dtype = DTypeRule::Same,
                   .meta = likeFirst,
                   .kernel = softmaxKernel<true>("log_softmax"),
                   .derivative = derivative({}, {0},
                                            [](const Tensor& g, const Saved& s) {
                                                return f::logSoftmaxBackward(g, s.outputs[0], dimOf(s.args[1]),
                                                                             s.argDTypes[0]);
                                            }),
                   .loweringDecomposition = logSoftmaxLoops,
                   .samples = forwardSamples});
    OpDef softBackward = backward(
        "_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
        "output * (grad - sum(grad * output))", backwardKernel<false>("softmax_backward"), softmaxBackwardRule);
    // The formula is made of differentiable ops, so its derivative is theirs: double backward goes through the
    // decomposition.
    softBackward.derivative = derivative({0, 1}, {}, [](const Tensor& g, const Saved& s) {
        const Tensor &grad = savedArg(s, 0), &y = savedArg(s, 1);
        const SymInts dim{s.args[2].toInt()};
        const Tensor gy = f::mul(g, y), total = f::sum(gy, dim, true);
        const Tensor inner = f::sum(f::mul(grad, y), dim, true);
        return Tensors{f::sub(gy, f::mul(y, total)),
                       f::sub(f::sub(f::mul(g, grad), f::mul(g, inner)), f::mul(grad, total))};
    });
    out.push_back(softBackward);
    OpDef logBackward = backward(
        "_log_softmax_backward_data(Tensor grad_output, Tensor output, int dim, ScalarType input_dtype) -> Tensor",
        "grad - exp(output) * sum(grad)", backwardKernel<true>("log_softmax_backward"), logSoftmaxBackwardRule);
    logBackward.derivative = derivative({0, 1}, {}, [](const Tensor& g, const Saved& s) {
        const Tensor &grad = savedArg(s, 0), p = f::exp(savedArg(s, 1));
        const SymInts dim{s.args[2].toInt()};
        const Tensor gp = f::mul(g, p);
        return Tensors{f::sub(g, f::sum(gp, dim, true)), f::neg(f::mul(gp, f::sum(grad, dim, true)))};
    });
    out.push_back(logBackward);
    return out;
}

} // namespace strata::ops
