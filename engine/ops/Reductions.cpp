// Reductions. The kernel brings the input into the form [outer, reduced, inner] and combines along the middle: rows
// (inner is 1) in vector lanes, columns by whole rows at a time. Sums of floats go by blocks, so that the error grows
// with the logarithm of the length (pairwise summation; Higham, Accuracy and Stability, 4.2).
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace strata::ops {

namespace {

using support::Error;
using support::ErrorKind;

std::int64_t dimOf(const Value& value) {
    return symbolic::toInt(value.toInt());
}

/// Where an op's schema has dim, keepdim and dtype; -1: it has none.
struct Form {
    int dim = 1, keepdim = 2, dtype = -1;
};

std::vector<std::int64_t> dimsOf(const Values& args, const Form& form) {
    const std::int64_t rank = args[0].tensor().dim();
    if (form.dim < 0 || args[static_cast<std::size_t>(form.dim)].isNone()) return {};
    const Value& value = args[static_cast<std::size_t>(form.dim)];
    return shape::wrapDims(value.as<SymInts>() ? value.ints() : SymInts{value.toInt()}, rank);
}

bool keepdimOf(const Values& args, const Form& form) {
    return form.keepdim >= 0 && args[static_cast<std::size_t>(form.keepdim)].toBool();
}

/// All dims when none is named; 0-dim tensors have none.
std::vector<std::int64_t> reducedDims(const Values& args, const Form& form) {
    std::vector<std::int64_t> dims = dimsOf(args, form);
    if (dims.empty())
        for (std::int64_t d = 0; d < args[0].tensor().dim(); ++d) dims.push_back(d);
    if (args[0].tensor().dim() == 0) dims.clear();
    return dims;
}

SymInts reducedSizes(const Values& args, const Form& form) {
    const Tensor& x = args[0].tensor();
    return x.dim() == 0 ? SymInts{} : shape::reduced(x.sizes(), reducedDims(args, form), keepdimOf(args, form));
}

DType sumDType(const Values& args, const Form& form) {
    if (form.dtype >= 0 && !args[static_cast<std::size_t>(form.dtype)].isNone())
        return args[static_cast<std::size_t>(form.dtype)].dtype();
    const DType own = args[0].tensor().dtype();
    return tensor::isIntegral(own, true) ? DType::Int64 : own;
}

/// The input as a dense [outer, reduced, inner] array of `dtype`.
struct Blocks {
    Tensor data;
    std::int64_t outer = 1, reduced = 1, inner = 1;
};

Blocks blocksOf(const Tensor& x, const std::vector<std::int64_t>& dims, DType dtype) {
    const std::int64_t rank = x.dim();
    std::vector<bool> gone(static_cast<std::size_t>(rank));
    for (const std::int64_t d : dims) gone[static_cast<std::size_t>(d)] = true;
    std::int64_t first = rank, last = -1;
    for (std::int64_t d = 0; d < rank; ++d)
        if (gone[static_cast<std::size_t>(d)]) first = std::min(first, d), last = std::max(last, d);
    bool together = true;
    for (std::int64_t d = first; d <= last; ++d) together &= gone[static_cast<std::size_t>(d)];
    SymInts order;
    for (std::int64_t d = 0; d < rank; ++d)
        if (!gone[static_cast<std::size_t>(d)] && (!together || d < first)) order.push_back(d);
    for (std::int64_t d = 0; d < rank; ++d)
        if (gone[static_cast<std::size_t>(d)]) order.push_back(d);
    for (std::int64_t d = 0; together && d < rank; ++d)
        if (!gone[static_cast<std::size_t>(d)] && d > last) order.push_back(d);
    Blocks out;
    SymInts sizes, strides;
    for (const SymInt o : order) {
        const std::int64_t d = o.asInt(), size = x.size(d).asInt();
        sizes.push_back(size);
        strides.push_back(x.stride(d));
        if (gone[static_cast<std::size_t>(d)])
            out.reduced *= size;
        else if (together && d > last)
            out.inner *= size;
        else
            out.outer *= size;
    }
    const Tensor ordered = x.alias(sizes, strides, x->offset);
    if (x.dtype() == dtype) {
        out.data = denseContiguous(ordered);
    } else {
        out.data = Tensor::empty(sizes, dtype, x.device());
        copyTensor(out.data, ordered);
    }
    return out;
}

// ---- combining ------------------------------------------------------------------------------------------------------

template <class T> struct SumOp {
    static constexpr T neutral = T(0);
    static T combine(T a, T b) {
        if constexpr (std::is_same_v<T, bool>)
            return a || b;
        else
            return static_cast<T>(a + b);
    }
};
template <class T> struct ProdOp {
    static constexpr T neutral = T(1);
    static T combine(T a, T b) {
        if constexpr (std::is_same_v<T, bool>)
            return a && b;
        else
            return static_cast<T>(a * b);
    }
};
// NaN stays: a comparison with NaN is false, and a NaN accumulator is not replaced.
template <class T> struct MaxOp {
    static constexpr T neutral =
        std::numeric_limits<T>::has_infinity ? -std::numeric_limits<T>::infinity() : std::numeric_limits<T>::lowest();
    static T combine(T a, T b) { return b > a || b != b ? b : a; }
};
template <class T> struct MinOp {
    static constexpr T neutral =
        std::numeric_limits<T>::has_infinity ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
    static T combine(T a, T b) { return b < a || b != b ? b : a; }
};

constexpr std::int64_t lanes = 32;         // independent accumulators of a row
constexpr std::int64_t blockLength = 1024; // added up plainly before blocks are added to one another

template <class T, template <class> class Op> T combineRow(const T* x, std::int64_t count) {
    if (count > blockLength) {
        const std::int64_t half = (count / 2 + blockLength - 1) / blockLength * blockLength;
        return Op<T>::combine(combineRow<T, Op>(x, half), combineRow<T, Op>(x + half, count - half));
    }
    T acc[lanes];
    std::fill(acc, acc + lanes, Op<T>::neutral);
    std::int64_t i = 0;
    for (; i + lanes <= count; i += lanes)
        for (std::int64_t j = 0; j < lanes; ++j) acc[j] = Op<T>::combine(acc[j], x[i + j]);
    for (std::int64_t j = 0; i < count; ++i, ++j) acc[j] = Op<T>::combine(acc[j], x[i]);
    for (std::int64_t width = lanes / 2; width > 0; width /= 2)
        for (std::int64_t j = 0; j < width; ++j) acc[j] = Op<T>::combine(acc[j], acc[j + width]);
    return acc[0];
}

template <class T, template <class> class Op> void combineBlocks(const Blocks& in, T* out) {
    const T* x = in.data.data<T>();
    if (in.inner == 1) {
        if (in.outer == 1 && in.reduced > 4 * blockLength) { // one long row: threads take blocks of it
            const std::int64_t chunk = 16 * blockLength, chunks = (in.reduced + chunk - 1) / chunk;
            std::unique_ptr<T[]> partial(new T[static_cast<std::size_t>(chunks)]);
            parallelFor(chunks, static_cast<double>(chunk), [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t c = begin; c < end; ++c)
                    partial[static_cast<std::size_t>(c)] =
                        combineRow<T, Op>(x + c * chunk, std::min(chunk, in.reduced - c * chunk));
            });
            out[0] = combineRow<T, Op>(partial.get(), chunks);
            return;
        }
        parallelFor(in.outer, static_cast<double>(in.reduced), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t o = begin; o < end; ++o) out[o] = combineRow<T, Op>(x + o * in.reduced, in.reduced);
        });
        return;
    }
    parallelFor(in.outer, static_cast<double>(in.reduced * in.inner), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t o = begin; o < end; ++o) {
            T* to = out + o * in.inner;
            std::fill(to, to + in.inner, Op<T>::neutral);
            for (std::int64_t r = 0; r < in.reduced; ++r) {
                const T* from = x + (o * in.reduced + r) * in.inner;
                for (std::int64_t i = 0; i < in.inner; ++i) to[i] = Op<T>::combine(to[i], from[i]);
            }
        }
    });
}

template <template <class> class Op> Kernel combining(Form form, const char* name) {
    return [form, name](const Values& args, std::span<Tensor> out) {
        const Blocks blocks = blocksOf(args[0].tensor(), reducedDims(args, form), out[0].dtype());
        tensor::visit(out[0].dtype(), name, [&]<class T>() { combineBlocks<T, Op>(blocks, out[0].data<T>()); });
    };
}

Meta reducedMeta(Form form, std::function<DType(const Values&)> dtype) {
    return [form, dtype](const Values& args) {
        return std::vector<TensorMeta>{
            shape::contiguous(reducedSizes(args, form), dtype(args), args[0].tensor().device())};
    };
}

DType sameDType(const Values& args) {
    return args[0].tensor().dtype();
}
DType boolDType(const Values&) {
    return DType::Bool;
}

// The gradient, or a result, in the input's rank, so that it broadcasts to the input.
Tensor broadcastable(Tensor t, const Saved& saved, const Form& form) {
    const auto rank = static_cast<std::int64_t>(saved.argSizes[0].size());
    if (rank == 0 || keepdimOf(saved.args, form)) return t;
    const Value dims = form.dim < 0 ? Value() : saved.args[static_cast<std::size_t>(form.dim)];
    const SymInts given = dims.isNone() ? SymInts{} : dims.as<SymInts>() ? dims.ints() : SymInts{dims.toInt()};
    std::vector<std::int64_t> wrapped = shape::wrapDims(given, rank);
    if (wrapped.empty()) return t; // all dims: a scalar broadcasts as it is
    std::sort(wrapped.begin(), wrapped.end());
    for (const std::int64_t d : wrapped) t = f::unsqueeze(t, d);
    return t;
}

SymInt reducedCount(const Saved& saved, const Form& form) {
    const SymInts& sizes = saved.argSizes[0];
    const Value dims = form.dim < 0 ? Value() : saved.args[static_cast<std::size_t>(form.dim)];
    const SymInts given = dims.isNone() ? SymInts{} : dims.as<SymInts>() ? dims.ints() : SymInts{dims.toInt()};
    const auto wrapped = shape::wrapDims(given, static_cast<std::int64_t>(sizes.size()));
    if (wrapped.empty()) return symbolic::product(sizes);
    SymInt count = 1;
    for (const std::int64_t d : wrapped) count = count * sizes[static_cast<std::size_t>(d)];
    return count;
}

Derivative sumDerivative(Form form) {
    return derivative({}, {}, [form](const Tensor& g, const Saved& s) {
        return f::expand(broadcastable(g, s, form), s.argSizes[0]);
    });
}

Derivative meanDerivative(Form form) {
    return derivative({}, {}, [form](const Tensor& g, const Saved& s) {
        const Tensor wide = f::expand(broadcastable(g, s, form), s.argSizes[0]);
        return callTensor(get("aten.div.Scalar"), {wide, reducedCount(s, form)});
    });
}

// Elements that share an extremum share its gradient (PyTorch's scale_grad_by_count).
Derivative extremumDerivative(Form form) {
    return derivative({0}, {0}, [form](const Tensor& g, const Saved& s) {
        const Tensor &x = savedArg(s, 0), mask = f::eq(x, broadcastable(s.outputs[0], s, form));
        const Value& dims = form.dim < 0 ? Value(SymInts{}) : s.args[static_cast<std::size_t>(form.dim)];
        const SymInts over = dims.as<SymInts>() ? dims.ints() : SymInts{dims.toInt()};
        const Tensor count = f::sum(mask, over, true);
        return f::div(f::mul(broadcastable(g, s, form), mask), count);
    });
}

std::vector<Values> reductionSamples(const std::vector<Values>& rests) {
    std::vector<Values> out;
    for (const Values& rest : rests) {
        Values args{samples::tensor({2, 3, 4}, -2, 2)};
        args.insert(args.end(), rest.begin(), rest.end());
        out.push_back(args);
        args[0] = samples::transposed(args[0].tensor());
        out.push_back(args);
    }
    return out;
}

// ---- positions ------------------------------------------------------------------------------------------------------

// The position of the first extremum along a dim (NaN wins), and the value there.
template <class T, bool Largest> void extremumAlong(const Blocks& in, T* values, std::int64_t* positions) {
    const T* x = in.data.data<T>();
    parallelFor(in.outer * in.inner, static_cast<double>(in.reduced), [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t n = begin; n < end; ++n) {
            const T* at = x + n / in.inner * in.reduced * in.inner + n % in.inner;
            T best = at[0];
            std::int64_t where = 0;
            for (std::int64_t r = 1; r < in.reduced && best == best; ++r) {
                const T v = at[r * in.inner];
                if (v != v || (Largest ? v > best : v < best)) best = v, where = r;
            }
            if (values) values[n] = best;
            positions[n] = where;
        }
    });
}

void requireElements(const Values& args, const Form& form, const char* name) {
    for (const std::int64_t d : reducedDims(args, form))
        if (symbolic::equal(args[0].tensor().size(d), 0))
            throw Error(ErrorKind::Index, std::string(name) +
                                              "(): Expected reduction dim to be specified for input.numel() == 0. "
                                              "Specify the reduction dim with the 'dim' argument.");
}

template <bool Largest> Kernel argKernel(const char* name) {
    return [name](const Values& args, std::span<Tensor> out) {
        const Form form{1, 2};
        const Blocks blocks = blocksOf(args[0].tensor(), reducedDims(args, form), args[0].tensor().dtype());
        tensor::visit(blocks.data.dtype(), name,
                      [&]<class T>() { extremumAlong<T, Largest>(blocks, nullptr, out[0].data<std::int64_t>()); });
    };
}

template <bool Largest> Kernel extremumKernel(const char* name) {
    return [name](const Values& args, std::span<Tensor> out) {
        const Blocks blocks = blocksOf(args[0].tensor(), reducedDims(args, {1, 2}), args[0].tensor().dtype());
        tensor::visit(blocks.data.dtype(), name, [&]<class T>() {
            extremumAlong<T, Largest>(blocks, out[0].data<T>(), out[1].data<std::int64_t>());
        });
    };
}

OpDef argOp(const char* schema, const char* doc, const char* name, bool largest) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Reduction,
            .dtype = DTypeRule::Given,
            .meta =
                [name](const Values& args) {
                    const Form form{1, 2};
                    requireElements(args, form, name);
                    return std::vector<TensorMeta>{
                        shape::contiguous(reducedSizes(args, form), DType::Int64, args[0].tensor().device())};
                },
            .kernel = largest ? argKernel<true>(name) : argKernel<false>(name),
            .reduction = largest ? ReductionKind::ArgMax : ReductionKind::ArgMin,
            .samples = [] { return reductionSamples({{Value(), false}, {1, false}, {-1, true}}); },
            .differentiable = false};
}

OpDef extremumWithIndices(const char* schema, const char* doc, const char* name, bool largest) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Gather,
            .dtype = DTypeRule::Given,
            .meta =
                [name](const Values& args) {
                    const Form form{1, 2};
                    requireElements(args, form, name);
                    const Tensor& x = args[0].tensor();
                    const SymInts sizes = reducedSizes(args, form);
                    return std::vector<TensorMeta>{shape::contiguous(sizes, x.dtype(), x.device()),
                                                   shape::contiguous(sizes, DType::Int64, x.device())};
                },
            .kernel = largest ? extremumKernel<true>(name) : extremumKernel<false>(name),
            .derivative = derivative({}, {1},
                                     [](const Tensor& g, const Saved& s) {
                                         const Form form{1, 2};
                                         const std::int64_t dim = dimOf(s.args[1]);
                                         const Tensor zeros = f::zeros(s.argSizes[0], g.dtype(), g.device());
                                         return f::scatterAdd(zeros, dim, broadcastable(s.outputs[1], s, form),
                                                              broadcastable(g, s, form));
                                     }),
            .samples = [] { return reductionSamples({{1, false}, {-1, true}}); }};
}

// ---- moments --------------------------------------------------------------------------------------------------------

// var = sum((x - mean)^2) / max(0, n - correction)
Values varRule(const Values& args) {
    const Tensor& x = args[0].tensor();
    const Form form{1, 3};
    SymInts dims;
    for (const std::int64_t d : reducedDims(args, form)) dims.push_back(d);
    SymInt count = 1;
    for (const SymInt d : dims) count = count * x.size(d.asInt());
    const double correction = args[2].isNone() ? 1 : args[2].toDouble();
    const Tensor centred = f::sub(x, f::mean(x, dims, true));
    const Tensor squares = f::sum(f::mul(centred, centred), dims, args[3].toBool());
    if (correction == 0) return {f::div(squares, count)};
    if (!count.isSymbolic()) return {f::div(squares, std::max(0.0, static_cast<double>(count.asInt()) - correction))};
    return {f::div(squares, count - SymInt(static_cast<std::int64_t>(correction)))};
}

OpDef composite(const char* schema, const char* doc, Decomposition rule, std::vector<Values> rests) {
    return {.schema = schema, .doc = doc, .kind = Kind::Composite, .composite = std::move(rule), .samples = [rests] {
                return reductionSamples(rests);
            }};
}

OpDef reduction(const char* schema, const char* doc, DTypeRule rule, Meta meta, Kernel kernel,
                std::optional<ReductionKind> kind, std::optional<Derivative> gradient, Decomposition decomposition,
                std::vector<Values> rests) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Reduction,
            .dtype = rule,
            .meta = std::move(meta),
            .kernel = std::move(kernel),
            .reduction = kind,
            .derivative = gradient,
            .decomposition = std::move(decomposition),
            .samples = [rests] { return reductionSamples(rests); },
            .differentiable = gradient.has_value()};
}

DType meanDType(const Values& args, const Form& form) {
    if (!args[static_cast<std::size_t>(form.dtype)].isNone()) return args[static_cast<std::size_t>(form.dtype)].dtype();
    const DType own = args[0].tensor().dtype();
    if (!tensor::isFloating(own))
        throw Error("mean(): could not infer output dtype. Input dtype must be either a floating point or complex "
                    "dtype. Got: " +
                    std::string(scalarTypeName(own)));
    return own;
}

Kernel meanKernel(Form form) {
    return [form](const Values& args, std::span<Tensor> out) {
        const Blocks blocks = blocksOf(args[0].tensor(), reducedDims(args, form), out[0].dtype());
        tensor::visit(out[0].dtype(), "mean", [&]<class T>() {
            T* to = out[0].data<T>();
            combineBlocks<T, SumOp>(blocks, to);
            for (std::int64_t i = 0; i < blocks.outer * blocks.inner; ++i)
                to[i] = static_cast<T>(to[i] / static_cast<T>(blocks.reduced));
        });
    };
}

// For loops: the sum, divided by the count.
Values meanAsLoops(const Values& args, const Form& form) {
    const Tensor& x = args[0].tensor();
    SymInts dims;
    SymInt count = 1;
    for (const std::int64_t d : reducedDims(args, form)) {
        dims.push_back(d);
        count = count * x.size(d);
    }
    return {f::div(f::sum(x, dims, keepdimOf(args, form)), count)};
}

void addSums(std::vector<OpDef>& out) {
    const Form whole{-1, -1, 1}, dims{1, 2, 3};
    out.push_back(reduction(
        "sum(Tensor self, *, ScalarType? dtype=None) -> Tensor", "the sum of all elements", DTypeRule::SumLike,
        reducedMeta(whole, [whole](const Values& a) { return sumDType(a, whole); }), combining<SumOp>(whole, "sum"),
        ReductionKind::Sum, sumDerivative(whole),
        [](const Values& a) { return call(get("aten.sum.dim_IntList"), {a[0], SymInts{}, false, a[1]}); }, {{}}));
    out.push_back(reduction(
        "sum.dim_IntList(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
        "the sum over some dims", DTypeRule::SumLike,
        reducedMeta(dims, [dims](const Values& a) { return sumDType(a, dims); }), combining<SumOp>(dims, "sum"),
        ReductionKind::Sum, sumDerivative(dims), {}, {{SymInts{1}}, {SymInts{0, -1}, true}, {SymInts{}}}));
    OpDef meanAll =
        reduction("mean(Tensor self, *, ScalarType? dtype=None) -> Tensor", "the mean of all elements",
                  DTypeRule::Given, reducedMeta(whole, [whole](const Values& a) { return meanDType(a, whole); }),
                  meanKernel(whole), std::nullopt, meanDerivative(whole),
                  [](const Values& a) {
                      SymInts all;
                      for (std::int64_t d = 0; d < a[0].tensor().dim(); ++d) all.push_back(d);
                      return call(get("aten.mean.dim"), {a[0], all, false, a[1]});
                  },
                  {{}});
    out.push_back(meanAll);
    OpDef meanDims =
        reduction("mean.dim(Tensor self, int[1]? dim, bool keepdim=False, *, ScalarType? dtype=None) -> Tensor",
                  "the mean over some dims", DTypeRule::Given,
                  reducedMeta(dims, [dims](const Values& a) { return meanDType(a, dims); }), meanKernel(dims),
                  std::nullopt, meanDerivative(dims), {}, {{SymInts{1}}, {SymInts{0, 2}, true}});
    meanDims.loweringDecomposition = [dims](const Values& a) { return meanAsLoops(a, dims); };
    out.push_back(meanDims);
    out.push_back(reduction(
        "prod(Tensor self, *, ScalarType? dtype=None) -> Tensor", "the product of all elements", DTypeRule::SumLike,
        reducedMeta(whole, [whole](const Values& a) { return sumDType(a, whole); }), combining<ProdOp>(whole, "prod"),
        ReductionKind::Prod,
        derivative({0}, {0},
                   [](const Tensor& g, const Saved& s) { return f::div(f::mul(g, s.outputs[0]), savedArg(s, 0)); }),
        {}, {{}}));
}

void addExtrema(std::vector<OpDef>& out) {
    const Form whole{-1, -1}, dims{1, 2};
    out.push_back(reduction("amax(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                            "the largest element over some dims; NaN if one is NaN", DTypeRule::Same,
                            reducedMeta(dims, sameDType), combining<MaxOp>(dims, "amax"), ReductionKind::Max,
                            extremumDerivative(dims), {}, {{SymInts{1}}, {SymInts{0, -1}, true}}));
    out.push_back(reduction("amin(Tensor self, int[1] dim=[], bool keepdim=False) -> Tensor",
                            "the smallest element over some dims; NaN if one is NaN", DTypeRule::Same,
                            reducedMeta(dims, sameDType), combining<MinOp>(dims, "amin"), ReductionKind::Min,
                            extremumDerivative(dims), {}, {{SymInts{1}}, {SymInts{0, -1}, true}}));
    const auto asAmax = [](const char* name) {
        return [name](const Values& a) { return call(get(name), {a[0], SymInts{}, false}); };
    };
    out.push_back(reduction("max(Tensor self) -> Tensor", "the largest of all elements", DTypeRule::Same,
                            reducedMeta(whole, sameDType), combining<MaxOp>(whole, "max"), ReductionKind::Max,
                            extremumDerivative(whole), asAmax("aten.amax.default"), {{}}));
    out.push_back(reduction("min(Tensor self) -> Tensor", "the smallest of all elements", DTypeRule::Same,
                            reducedMeta(whole, sameDType), combining<MinOp>(whole, "min"), ReductionKind::Min,
                            extremumDerivative(whole), asAmax("aten.amin.default"), {{}}));
    out.push_back(
        extremumWithIndices("max.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                            "the largest element of a dim and its position", "max", true));
    out.push_back(
        extremumWithIndices("min.dim(Tensor self, int dim, bool keepdim=False) -> (Tensor values, Tensor indices)",
                            "the smallest element of a dim and its position", "min", false));
    out.push_back(argOp("argmax(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                        "the position of the largest element", "argmax", true));
    out.push_back(argOp("argmin(Tensor self, int? dim=None, bool keepdim=False) -> Tensor",
                        "the position of the smallest element", "argmin", false));
}

void addLogic(std::vector<OpDef>& out) {
    const Form whole{-1, -1}, one{1, 2};
    out.push_back(reduction("any(Tensor self) -> Tensor", "whether an element is not zero", DTypeRule::ToBool,
                            reducedMeta(whole, boolDType), combining<SumOp>(whole, "any"), ReductionKind::Any,
                            std::nullopt, {}, {{}}));
    out.push_back(reduction("any.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                            "whether an element of a dim is not zero", DTypeRule::ToBool, reducedMeta(one, boolDType),
                            combining<SumOp>(one, "any"), ReductionKind::Any, std::nullopt, {}, {{1}}));
    out.push_back(reduction("all(Tensor self) -> Tensor", "whether no element is zero", DTypeRule::ToBool,
                            reducedMeta(whole, boolDType), combining<ProdOp>(whole, "all"), ReductionKind::All,
                            std::nullopt, {}, {{}}));
    out.push_back(reduction("all.dim(Tensor self, int dim, bool keepdim=False) -> Tensor",
                            "whether no element of a dim is zero", DTypeRule::ToBool, reducedMeta(one, boolDType),
                            combining<ProdOp>(one, "all"), ReductionKind::All, std::nullopt, {}, {{1}}));
}

void addMoments(std::vector<OpDef>& out) {
    out.push_back(composite(
        "var.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
        "the mean square distance from the mean, with n - correction for n", varRule,
        {{SymInts{1}, 1, false}, {Value(), 0, false}}));
    out.push_back(composite(
        "std.correction(Tensor self, int[1]? dim=None, *, Scalar? correction=None, bool keepdim=False) -> Tensor",
        "the square root of the variance", [](const Values& a) { return Values{f::sqrt(varRule(a)[0].tensor())}; },
        {{SymInts{1}, 1, false}}));
    out.push_back(composite("logsumexp(Tensor self, int[1] dim, bool keepdim=False) -> Tensor",
                            "log of the sum of exponentials, without overflow",
                            [](const Values& a) {
                                const Tensor& x = a[0].tensor();
                                const Tensor largest = f::amax(x, a[1].ints(), true);
                                const Tensor finite =
                                    f::where(f::eq(f::abs(largest), std::numeric_limits<double>::infinity()),
                                             Scalar(0.0), largest);
                                const Tensor shifted =
                                    f::log(f::sum(f::exp(f::sub(x, finite)), a[1].ints(), a[2].toBool()));
                                if (a[2].toBool()) return Values{f::add(shifted, finite)};
                                Tensor flat = finite;
                                auto dims = shape::wrapDims(a[1].ints(), x.dim());
                                std::sort(dims.rbegin(), dims.rend());
                                for (const std::int64_t d : dims) flat = f::squeeze(flat, d);
                                return Values{f::add(shifted, flat)};
                            },
                            {{SymInts{1}, false}, {SymInts{-1}, true}}));
}

} // namespace

std::vector<OpDef> softmaxOps(); // Softmax.cpp

std::vector<OpDef> reductionOps() {
    std::vector<OpDef> out;
    addSums(out);
    addExtrema(out);
    addLogic(out);
    addMoments(out);
    for (OpDef& op : softmaxOps()) out.push_back(std::move(op));
    return out;
}

} // namespace strata::ops
