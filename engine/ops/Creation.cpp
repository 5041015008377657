// Ops that make tensors from nothing. Fills are one launch; empty launches none.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <cmath>

namespace strata::ops {

namespace {

using support::Error;

#define FACTORY_OPTIONS "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
#define LIKE_OPTIONS FACTORY_OPTIONS ", MemoryFormat? memory_format=None"

DType dtypeOr(const Value& given, DType otherwise) {
    return given.isNone() ? otherwise : given.dtype();
}
Device deviceOr(const Value& given, Device otherwise) {
    return given.as<Device>() ? *given.as<Device>() : otherwise;
}

/// What torch.full gives without a dtype: the number's category.
DType dtypeOfNumber(const Value& number) {
    const Scalar scalar = number.scalar();
    return std::holds_alternative<double>(scalar) ? defaultDType() : dtypeOf(scalar);
}

Kernel filling(std::function<Scalar(const Values&)> value) {
    return [value](const Values& args, std::span<Tensor> out) { fillTensor(out[0], value(args)); };
}

Kernel filling(Scalar value) {
    return filling([value](const Values&) { return value; });
}

/// sizes first, then the factory options from position `options`.
Meta sized(std::size_t options, std::function<DType(const Values&)> otherwise) {
    return [options, otherwise](const Values& args) {
        for (const SymInt s : args[0].ints())
            if (symbolic::less(s, 0))
                throw Error("Trying to create tensor with negative dimension " + s.str() + ": " +
                            shape::text(args[0].ints()));
        return std::vector<TensorMeta>{shape::contiguous(
            args[0].ints(), dtypeOr(args[options], args[options].isNone() ? otherwise(args) : DType::Float32),
            deviceOr(args[options + 2], {}))};
    };
}

/// The shape, strides, and where not given otherwise dtype and device, of the first argument.
Meta like(std::size_t options) {
    return [options](const Values& args) {
        const Tensor& x = args[0].tensor();
        return std::vector<TensorMeta>{{x.sizes(), shape::likeStrides(x), dtypeOr(args[options], x.dtype()),
                                        deviceOr(args[options + 2], x.device())}};
    };
}

OpDef creation(const char* schema, const char* doc, Meta meta, Kernel kernel,
               std::function<std::vector<Values>()> samples, int launches = 1) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Creation,
            .dtype = DTypeRule::Given,
            .meta = std::move(meta),
            .kernel = std::move(kernel),
            .samples = std::move(samples),
            .differentiable = false,
            .launches = launches};
}

std::function<std::vector<Values>()> sizesOnly(Values rest = {}) {
    return [rest] {
        Values args{SymInts{2, 3}};
        args.insert(args.end(), rest.begin(), rest.end());
        return std::vector<Values>{args};
    };
}

std::function<std::vector<Values>()> likeOnly(Values rest = {}) {
    return [rest] {
        Values args{samples::transposed(samples::tensor({2, 3}, 0, 1))};
        args.insert(args.end(), rest.begin(), rest.end());
        return std::vector<Values>{args};
    };
}

// ---- ranges ---------------------------------------------------------------------------------------------------------

/// start, end, step of the three forms of arange, and where their options start.
struct Range {
    Scalar start = SymInt(0), end = SymInt(0), step = SymInt(1);
    std::size_t options = 1;
};

Range rangeOf(const Values& args, int form) {
    if (form == 1) return {SymInt(0), args[0].scalar(), SymInt(1), 1};
    if (form == 2) return {args[0].scalar(), args[1].scalar(), SymInt(1), 2};
    return {args[0].scalar(), args[1].scalar(), args[2].scalar(), 3};
}

bool isInteger(const Scalar& s) {
    return !std::holds_alternative<double>(s);
}

std::vector<TensorMeta> arangeMeta(const Values& args, int form) {
    const Range r = rangeOf(args, form);
    const bool integers = isInteger(r.start) && isInteger(r.end) && isInteger(r.step);
    const DType dtype = dtypeOr(args[r.options], integers ? DType::Int64 : defaultDType());
    SymInt count = 0;
    if (integers && std::holds_alternative<SymInt>(r.end) && std::get<SymInt>(r.end).isSymbolic() && form == 1) {
        count = std::get<SymInt>(r.end);
    } else {
        const double start = toDouble(r.start), end = toDouble(r.end), step = toDouble(r.step);
        if (step == 0) throw Error("step must be nonzero");
        if ((step > 0 && start > end) || (step < 0 && start < end))
            throw Error("upper bound and lower bound inconsistent with step sign");
        count = static_cast<std::int64_t>(std::ceil((end - start) / step));
    }
    return {shape::contiguous({count}, dtype, deviceOr(args[r.options + 2], {}))};
}

Kernel arangeKernel(int form) {
    return [form](const Values& args, std::span<Tensor> out) {
        const Range r = rangeOf(args, form);
        const std::int64_t count = out[0].numel().asInt();
        tensor::visit(out[0].dtype(), "arange", [&]<class T>() {
            T* to = out[0].data<T>();
            if (std::is_integral_v<T> && isInteger(r.start) && isInteger(r.step)) {
                const std::int64_t start = static_cast<std::int64_t>(toDouble(r.start)),
                                   step = static_cast<std::int64_t>(toDouble(r.step));
                for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(start + i * step);
                return;
            }
            const double start = toDouble(r.start), step = toDouble(r.step);
            for (std::int64_t i = 0; i < count; ++i) to[i] = static_cast<T>(start + static_cast<double>(i) * step);
        });
    };
}

OpDef arangeOp(const char* schema, int form, Values sample) {
    return creation(
        schema, "numbers from start up to end, a step apart",
        [form](const Values& args) { return arangeMeta(args, form); }, arangeKernel(form),
        [sample] { return std::vector<Values>{sample}; });
}

// Both halves count from their own end, so that the ends are exact and the middle is symmetric, as in PyTorch.
void linspaceKernel(const Values& args, std::span<Tensor> out) {
    const std::int64_t count = out[0].numel().asInt();
    tensor::visit(out[0].dtype(), "linspace", [&]<class T>() {
        using Step = std::conditional_t<std::is_floating_point_v<T>, T, float>;
        const T start = static_cast<T>(args[0].toDouble()), end = static_cast<T>(args[1].toDouble());
        const Step step =
            count > 1 ? (static_cast<Step>(end) - static_cast<Step>(start)) / static_cast<Step>(count - 1) : Step(0);
        T* to = out[0].data<T>();
        for (std::int64_t i = 0; i < count; ++i)
            to[i] = i < count / 2 || count == 1
                        ? static_cast<T>(static_cast<Step>(start) + step * static_cast<Step>(i))
                        : static_cast<T>(static_cast<Step>(end) - step * static_cast<Step>(count - i - 1));
    });
}

std::vector<TensorMeta> linspaceMeta(const Values& args) {
    const SymInt steps = args[2].toInt();
    if (symbolic::less(steps, 0)) throw Error("number of steps must be non-negative");
    return {shape::contiguous({steps}, dtypeOr(args[3], defaultDType()), deviceOr(args[5], {}))};
}

std::vector<TensorMeta> eyeMeta(const Values& args, bool square) {
    const std::size_t options = square ? 1 : 2;
    return {shape::contiguous({args[0].toInt(), square ? args[0].toInt() : args[1].toInt()},
                              dtypeOr(args[options], defaultDType()), deviceOr(args[options + 2], {}))};
}

void eyeKernel(const Values&, std::span<Tensor> out) {
    fillTensor(out[0], SymInt(0));
    const std::int64_t rows = out[0].size(0).asInt(), columns = out[0].size(1).asInt();
    fillTensor(out[0].alias({std::min(rows, columns)}, {columns + 1}, 0), SymInt(1));
}

// ---- triangles ------------------------------------------------------------------------------------------------------

template <bool Lower> void triangleKernel(const Values& args, std::span<Tensor> out) {
    const Tensor x = denseContiguous(args[0].tensor());
    const std::int64_t rows = x.size(-2).asInt(), columns = x.size(-1).asInt(),
                       diagonal = symbolic::toInt(args[1].toInt());
    const std::int64_t matrices = rows * columns ? x.numel().asInt() / (rows * columns) : 0;
    tensor::visit(x.dtype(), "tril", [&]<class T>() {
        const T* from = x.data<T>();
        T* to = out[0].data<T>();
        parallelFor(matrices * rows, static_cast<double>(columns), [&](std::int64_t begin, std::int64_t end) {
            for (std::int64_t r = begin; r < end; ++r)
                for (std::int64_t c = 0; c < columns; ++c) {
                    const bool kept = Lower ? c - r % rows <= diagonal : c - r % rows >= diagonal;
                    to[r * columns + c] = kept ? from[r * columns + c] : T(0);
                }
        });
    });
}

OpDef triangle(const char* schema, const char* doc, Kernel kernel, const char* name) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Gather,
            .dtype = DTypeRule::Same,
            .meta =
                [](const Values& args) {
                    const Tensor& x = args[0].tensor();
                    if (x.dim() < 2) throw Error("tril/triu: input tensor must have at least 2 dimensions");
                    return std::vector<TensorMeta>{shape::contiguous(x.sizes(), x.dtype(), x.device())};
                },
            .kernel = std::move(kernel),
            .derivative = derivative(
                {}, {}, [name](const Tensor& g, const Saved& s) { return callTensor(get(name), {g, s.args[1]}); }),
            .samples =
                [] {
                    return std::vector<Values>{{samples::tensor({2, 3, 4}, -1, 1), 0},
                                               {samples::tensor({3, 3}, -1, 1), -1}};
                }};
}

} // namespace

std::vector<OpDef> creationOps() {
    const auto floating = [](const Values&) { return defaultDType(); };
    std::vector<OpDef> out;
    out.push_back(creation(
        "empty.memory_format(SymInt[] size, " LIKE_OPTIONS ") -> Tensor",
        "a tensor whose elements are whatever was in memory", sized(1, floating),
        [](const Values&, std::span<Tensor>) {}, sizesOnly(), 0));
    out.push_back(creation("zeros(SymInt[] size, " FACTORY_OPTIONS ") -> Tensor", "all zeros", sized(1, floating),
                           filling(Scalar(SymInt(0))), sizesOnly()));
    out.push_back(creation("ones(SymInt[] size, " FACTORY_OPTIONS ") -> Tensor", "all ones", sized(1, floating),
                           filling(Scalar(SymInt(1))), sizesOnly()));
    out.push_back(creation("full(SymInt[] size, Scalar fill_value, " FACTORY_OPTIONS ") -> Tensor",
                           "one number everywhere", sized(2, [](const Values& args) { return dtypeOfNumber(args[1]); }),
                           filling([](const Values& args) { return args[1].scalar(); }), sizesOnly({2.5})));
    out.push_back(creation(
        "scalar_tensor(Scalar s, " FACTORY_OPTIONS ") -> Tensor", "a number as a tensor without dims",
        [](const Values& args) {
            return std::vector<TensorMeta>{
                shape::contiguous({}, dtypeOr(args[1], defaultDType()), deviceOr(args[3], {}))};
        },
        filling([](const Values& args) { return args[0].scalar(); }), [] { return std::vector<Values>{{2.5}}; }));
    out.push_back(creation(
        "empty_like(Tensor self, " LIKE_OPTIONS ") -> Tensor", "a tensor of self's shape, elements not set", like(1),
        [](const Values&, std::span<Tensor>) {}, likeOnly(), 0));
    out.push_back(creation("zeros_like(Tensor self, " LIKE_OPTIONS ") -> Tensor", "zeros in self's shape", like(1),
                           filling(Scalar(SymInt(0))), likeOnly()));
    out.push_back(creation("ones_like(Tensor self, " LIKE_OPTIONS ") -> Tensor", "ones in self's shape", like(1),
                           filling(Scalar(SymInt(1))), likeOnly()));
    out.push_back(creation("full_like(Tensor self, Scalar fill_value, " LIKE_OPTIONS ") -> Tensor",
                           "one number in self's shape", like(2),
                           filling([](const Values& args) { return args[1].scalar(); }), likeOnly({2.5})));
    out.push_back(arangeOp("arange(Scalar end, " FACTORY_OPTIONS ") -> Tensor", 1, {5}));
    out.push_back(arangeOp("arange.start(Scalar start, Scalar end, " FACTORY_OPTIONS ") -> Tensor", 2, {1, 5.5}));
    out.push_back(arangeOp("arange.start_step(Scalar start, Scalar end, Scalar step=1, " FACTORY_OPTIONS ") -> Tensor",
                           3, {5, 0, -2}));
    out.push_back(creation("linspace(Scalar start, Scalar end, int steps, " FACTORY_OPTIONS ") -> Tensor",
                           "equally spaced numbers, both ends included", linspaceMeta, linspaceKernel,
                           [] { return std::vector<Values>{{-1.0, 2.0, 7}}; }));
    out.push_back(creation(
        "eye(SymInt n, " FACTORY_OPTIONS ") -> Tensor", "ones on the diagonal",
        [](const Values& a) { return eyeMeta(a, true); }, eyeKernel, [] { return std::vector<Values>{{3}}; }));
    out.push_back(creation(
        "eye.m(SymInt n, SymInt m, " FACTORY_OPTIONS ") -> Tensor", "ones on the diagonal",
        [](const Values& a) { return eyeMeta(a, false); }, eyeKernel, [] { return std::vector<Values>{{2, 4}}; }));
    out.push_back(triangle("tril(Tensor self, int diagonal=0) -> Tensor", "zeros above a diagonal",
                           triangleKernel<true>, "aten.tril.default"));
    out.push_back(triangle("triu(Tensor self, int diagonal=0) -> Tensor", "zeros below a diagonal",
                           triangleKernel<false>, "aten.triu.default"));
    return out;
}

} // namespace strata::ops
