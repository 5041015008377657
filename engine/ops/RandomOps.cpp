// Random ops. Each draws from the generator in force (Generator.h), one element after the other in the order of memory,
// so that results do not depend on the number of threads. Values are those of PyTorch's CPU kernels without MKL: the
// same bits for uniform, integer and Bernoulli numbers; normal ones up to the last digits of log and cos.
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Families.h"
#include "engine/ops/Formula.h"
#include "engine/ops/Generator.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Shape.h"
#include "engine/ops/Strided.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <cmath>
#include <numbers>
#include <numeric>

namespace strata::ops {

namespace {

using support::Error;

#define FACTORY_OPTIONS "*, ScalarType? dtype=None, Layout? layout=None, Device? device=None, bool? pin_memory=None"
#define LIKE_OPTIONS FACTORY_OPTIONS ", MemoryFormat? memory_format=None"

/// Sets every element to draw(generator), in the order of memory.
template <class T, class Draw> void fillSerial(const Tensor& tensor, Draw draw) {
    const Tensor* const operands[] = {&tensor};
    const StridedSpace space = stridedSpace(tensor.sizes(), operands);
    Generator& generator = Generator::current();
    forEachRow(space, 0, space.numel, [&](const auto& at, std::int64_t count) {
        for (std::int64_t i = 0; i < count; ++i)
            *reinterpret_cast<T*>(at[0] + i * space.strides[0][0]) = draw(generator);
    });
}

template <class F> void visitFloating(DType dtype, const char* op, F&& f) {
    if (dtype == DType::Float32)
        f.template operator()<float>();
    else if (dtype == DType::Float64)
        f.template operator()<double>();
    else
        tensor::throwNotImplemented(op, dtype);
}

template <class T> T uniform(Generator& generator) {
    if constexpr (std::is_same_v<T, double>)
        return generator.uniformDouble();
    else
        return generator.uniformFloat();
}

void fillUniform(const Tensor& tensor, double from, double to) {
    if (!(from <= to))
        throw Error("uniform_ expects to return a [from, to) range, but found from=" + std::to_string(from) +
                    " > to=" + std::to_string(to));
    visitFloating(tensor.dtype(), "check_uniform_bounds", [&]<class T>() {
        const T low = static_cast<T>(from), width = static_cast<T>(to) - low;
        fillSerial<T>(tensor, [=](Generator& generator) { return std::fma(uniform<T>(generator), width, low); });
    });
}

// Box and Muller on 16 uniform numbers: 8 radii, 8 angles.
template <class T> void normal16(T* data, T mean, T std) {
    for (int j = 0; j < 8; ++j) {
        const T radius = std::sqrt(T(-2) * std::log(T(1) - data[j]));
        const T theta = static_cast<T>(2.0 * std::numbers::pi) * data[j + 8];
        data[j] = radius * std::cos(theta) * std + mean;
        data[j + 8] = radius * std::sin(theta) * std + mean;
    }
}

// From 16 contiguous elements on PyTorch fills in blocks, the last of which overlaps the one before and is drawn
// afresh.
template <class T> void fillNormalBlocks(const Tensor& tensor, T mean, T std) {
    Generator& generator = Generator::current();
    T* data = tensor.data<T>();
    const std::int64_t count = tensor.numel().asInt();
    for (std::int64_t i = 0; i < count; ++i) data[i] = uniform<T>(generator);
    for (std::int64_t i = 0; i + 16 <= count; i += 16) normal16(data + i, mean, std);
    if (count % 16 == 0) return;
    T* const last = data + count - 16;
    for (int i = 0; i < 16; ++i) last[i] = uniform<T>(generator);
    normal16(last, mean, std);
}

void fillNormal(const Tensor& tensor, double mean, double std) {
    if (!(std >= 0)) throw Error("normal expects std >= 0.0, but found std " + std::to_string(std));
    visitFloating(tensor.dtype(), "normal", [&]<class T>() {
        if (tensor.numel().asInt() >= 16 && tensor.isContiguous())
            fillNormalBlocks<T>(tensor, static_cast<T>(mean), static_cast<T>(std));
        else
            fillSerial<T>(tensor,
                          [=](Generator& generator) { return static_cast<T>(generator.normal() * std + mean); });
    });
}

// Integers of [from, from + range); range 0: all 64 bits.
void fillIntegers(const Tensor& tensor, std::int64_t from, std::uint64_t range) {
    const bool wide = range >= 1ULL << 28;
    tensor::visit(tensor.dtype(), "random", [&]<class T>() {
        fillSerial<T>(tensor, [=](Generator& generator) {
            const std::uint64_t bits = wide ? generator.random64() : generator.random();
            return static_cast<T>(static_cast<std::int64_t>(bits % range) + from);
        });
    });
}

void fillRange(const Tensor& tensor, SymInt low, SymInt high) {
    const std::int64_t from = symbolic::toInt(low), to = symbolic::toInt(high);
    if (from >= to)
        throw Error("random_ expects 'from' to be less than 'to', but got from=" + std::to_string(from) +
                    " >= to=" + std::to_string(to));
    fillIntegers(tensor, from, static_cast<std::uint64_t>(to) - static_cast<std::uint64_t>(from));
}

// All that the dtype can hold exactly: 2^24 or 2^53 for floats, 63 bits for int64.
void fillAny(const Tensor& tensor) {
    tensor::visit(tensor.dtype(), "random", [&]<class T>() {
        fillSerial<T>(tensor, [](Generator& generator) -> T {
            if constexpr (std::is_same_v<T, std::int64_t>)
                return static_cast<T>(generator.random64() & 0x7FFFFFFFFFFFFFFFULL);
            else if constexpr (std::is_same_v<T, double>)
                return static_cast<T>(generator.random64() % ((1ULL << 53) + 1));
            else if constexpr (std::is_same_v<T, float>)
                return static_cast<T>(generator.random() % ((1U << 24) + 1));
            else
                return (generator.random() & 1U) != 0;
        });
    });
}

void fillBernoulli(const Tensor& tensor, double p) {
    if (!(p >= 0 && p <= 1)) throw Error("bernoulli_ expects p to be in [0, 1], but got p=" + std::to_string(p));
    tensor::visit(tensor.dtype(), "bernoulli_scalar_cpu_", [&]<class T>() {
        fillSerial<T>(tensor, [=](Generator& generator) { return static_cast<T>(generator.uniformDouble() < p); });
    });
}

// Each element with its own probability.
void bernoulli(const Tensor& out, const Tensor& given) {
    const Tensor p = denseContiguous(given),
                 result = out.isContiguous() ? out : Tensor::empty(out.sizes(), out.dtype());
    visitFloating(p.dtype(), "bernoulli_tensor_cpu_p_", [&]<class T>() {
        Generator& generator = Generator::current();
        const T* from = p.data<T>();
        T* to = result.data<T>();
        for (std::int64_t i = 0, n = p.numel().asInt(); i < n; ++i) {
            if (!(from[i] >= 0 && from[i] <= 1))
                throw Error("Expected p_in >= 0 && p_in <= 1 to be true, but got false.");
            to[i] = static_cast<T>(uniform<T>(generator) < from[i]);
        }
    });
    if (!result.is(out)) copyTensor(out, result);
}

void fillPermutation(const Tensor& tensor) {
    Generator& generator = Generator::current();
    tensor::visit(tensor.dtype(), "randperm", [&]<class T>() {
        T* data = tensor.data<T>();
        const std::int64_t count = tensor.numel().asInt();
        for (std::int64_t i = 0; i < count; ++i) data[i] = static_cast<T>(i);
        for (std::int64_t i = 0; i + 1 < count; ++i)
            std::swap(data[i],
                      data[i + static_cast<std::int64_t>(generator.random() % static_cast<std::uint64_t>(count - i))]);
    });
}

// ---- declarations ---------------------------------------------------------------------------------------------------

std::function<std::vector<Values>()> onSmallTensor(Values rest = {}) {
    return [rest] {
        Values args{samples::tensor({2, 3}, 0, 1)};
        args.insert(args.end(), rest.begin(), rest.end());
        return std::vector<Values>{args};
    };
}

/// An op that overwrites self with random numbers; nothing of the gradient gets through.
OpDef filler(const char* schema, const char* doc, std::function<void(const Values&)> fill, Values sample = {}) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Random,
            .dtype = DTypeRule::Same,
            .meta =
                [](const Values& args) {
                    const Tensor& self = args[0].tensor();
                    return std::vector<TensorMeta>{{self.sizes(), self.strides(), self.dtype(), self.device()}};
                },
            .kernel = [fill = std::move(fill)](const Values& args, std::span<Tensor>) { fill(args); },
            .derivative = derivative({}, {}, [](const Tensor&) { return Tensor(); }),
            .samples = onSmallTensor(std::move(sample))};
}

/// An op that makes a tensor of given sizes. `sizes` and `options` are positions in the schema.
OpDef factory(const char* schema, const char* doc, std::function<SymInts(const Values&)> sizes, std::size_t options,
              std::function<DType()> otherwise, Kernel kernel, Values sample) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Random,
            .dtype = DTypeRule::Given,
            .meta =
                [sizes, options, otherwise](const Values& args) {
                    const SymInts given = sizes(args);
                    for (const SymInt s : given)
                        if (symbolic::less(s, 0))
                            throw Error("Trying to create tensor with negative dimension " + s.str() + ": " +
                                        shape::text(given));
                    const Value& device = args[options + 2];
                    return std::vector<TensorMeta>{
                        shape::contiguous(given, args[options].isNone() ? otherwise() : args[options].dtype(),
                                          device.as<Device>() ? *device.as<Device>() : Device{})};
                },
            .kernel = std::move(kernel),
            .samples = [sample = std::move(sample)] { return std::vector<Values>{sample}; },
            .differentiable = false};
}

/// An op that makes a tensor of the shape, strides and, unless given, dtype of the first argument.
OpDef like(const char* schema, const char* doc, std::size_t options, Kernel kernel, Values sample = {}) {
    return {.schema = schema,
            .doc = doc,
            .kind = Kind::Random,
            .dtype = DTypeRule::Given,
            .meta =
                [options](const Values& args) {
                    const Tensor& self = args[0].tensor();
                    return std::vector<TensorMeta>{{self.sizes(), shape::likeStrides(self),
                                                    args[options].isNone() ? self.dtype() : args[options].dtype(),
                                                    self.device()}};
                },
            .kernel = std::move(kernel),
            .samples = onSmallTensor(std::move(sample)),
            .differentiable = false};
}

SymInts firstInts(const Values& args) {
    return args[0].ints();
}
DType int64() {
    return DType::Int64;
}

// dropout: scaled noise of zeros and ones, as PyTorch composes it.
Values dropout(const Values& args) {
    const Tensor& input = args[0].tensor();
    const double p = args[1].toDouble();
    if (!(p >= 0 && p <= 1)) throw Error("dropout probability has to be between 0 and 1, but got " + std::to_string(p));
    if (p == 0 || !args[2].toBool() || input.numel().sameAs(0)) return {input};
    if (p == 1) return {f::mul(input, f::zeros({}, input.dtype()))};
    const Tensor noise = callTensor(get("aten.empty_like.default"), {input});
    call(get("aten.bernoulli_.float"), {noise, 1 - p});
    call(get("aten.div_.Scalar"), {noise, 1 - p});
    return {f::mul(input, noise)};
}

std::vector<OpDef> fillers() {
    return {filler("uniform_(Tensor(a!) self, float from=0, float to=1) -> Tensor(a!)", "uniform numbers of [from, to)",
                   [](const Values& a) { fillUniform(a[0].tensor(), a[1].toDouble(), a[2].toDouble()); }),
            filler("normal_(Tensor(a!) self, float mean=0, float std=1) -> Tensor(a!)", "normal numbers",
                   [](const Values& a) { fillNormal(a[0].tensor(), a[1].toDouble(), a[2].toDouble()); }),
            filler("random_.from(Tensor(a!) self, int from, int to) -> Tensor(a!)", "integers of [from, to)",
                   [](const Values& a) { fillRange(a[0].tensor(), a[1].toInt(), a[2].toInt()); }, {0, 5}),
            filler("random_.to(Tensor(a!) self, int to) -> Tensor(a!)", "integers of [0, to)",
                   [](const Values& a) { fillRange(a[0].tensor(), 0, a[1].toInt()); }, {5}),
            filler("random_(Tensor(a!) self) -> Tensor(a!)", "integers that the dtype holds exactly",
                   [](const Values& a) { fillAny(a[0].tensor()); }),
            filler("bernoulli_.float(Tensor(a!) self, float p=0.5) -> Tensor(a!)", "1 with probability p, else 0",
                   [](const Values& a) { fillBernoulli(a[0].tensor(), a[1].toDouble()); })};
}

std::vector<OpDef> factories() {
    const auto uniform = [](const Values&, std::span<Tensor> out) { fillUniform(out[0], 0, 1); };
    const auto normal = [](const Values&, std::span<Tensor> out) { fillNormal(out[0], 0, 1); };
    const auto below = [](const Values& a, std::span<Tensor> out) { fillRange(out[0], 0, a[0].toInt()); };
    const auto between = [](const Values& a, std::span<Tensor> out) { fillRange(out[0], a[0].toInt(), a[1].toInt()); };
    return {
        factory("rand(SymInt[] size, " FACTORY_OPTIONS ") -> Tensor", "uniform numbers of [0, 1)", firstInts, 1,
                defaultDType, uniform, {SymInts{2, 3}}),
        factory("randn(SymInt[] size, " FACTORY_OPTIONS ") -> Tensor", "normal numbers, mean 0, deviation 1", firstInts,
                1, defaultDType, normal, {SymInts{2, 3}}),
        factory("randint(SymInt high, SymInt[] size, " FACTORY_OPTIONS ") -> Tensor", "integers of [0, high)",
                [](const Values& a) { return a[1].ints(); }, 2, int64, below, {5, SymInts{2, 3}}),
        factory("randint.low(SymInt low, SymInt high, SymInt[] size, " FACTORY_OPTIONS ") -> Tensor",
                "integers of [low, high)", [](const Values& a) { return a[2].ints(); }, 3, int64, between,
                {-5, 5, SymInts{2, 3}}),
        factory(
            "randperm(SymInt n, " FACTORY_OPTIONS ") -> Tensor", "the numbers below n, shuffled",
            [](const Values& a) { return SymInts{a[0].toInt()}; }, 1, int64,
            [](const Values&, std::span<Tensor> out) { fillPermutation(out[0]); }, {5}),
        like("rand_like(Tensor self, " LIKE_OPTIONS ") -> Tensor", "uniform numbers in the shape of self", 1, uniform),
        like("randn_like(Tensor self, " LIKE_OPTIONS ") -> Tensor", "normal numbers in the shape of self", 1, normal),
        like("randint_like(Tensor self, SymInt high, " LIKE_OPTIONS ") -> Tensor",
             "integers of [0, high) in the shape of self", 2,
             [](const Values& a, std::span<Tensor> out) { fillRange(out[0], 0, a[1].toInt()); }, {5})};
}

} // namespace

std::vector<OpDef> randomOps() {
    std::vector<OpDef> all = fillers();
    for (OpDef& op : factories()) all.push_back(std::move(op));
    all.push_back({.schema = "bernoulli(Tensor self) -> Tensor",
                   .doc = "1 with the probability that self holds, else 0",
                   .kind = Kind::Random,
                   .dtype = DTypeRule::Same,
                   .meta =
                       [](const Values& args) {
                           const Tensor& self = args[0].tensor();
                           return std::vector<TensorMeta>{
                               {self.sizes(), shape::likeStrides(self), self.dtype(), self.device()}};
                       },
                   .kernel = [](const Values& args, std::span<Tensor> out) { bernoulli(out[0], args[0].tensor()); },
                   .samples = onSmallTensor(),
                   .differentiable = false});
    all.push_back({.schema = "dropout(Tensor input, float p, bool train) -> Tensor",
                   .doc = "input with elements zeroed with probability p, the rest scaled by 1 / (1 - p)",
                   .kind = Kind::Composite,
                   .composite = dropout,
                   .samples = onSmallTensor({0.5, false})}); // while training the noise differs from call to call
    return all;
}

} // namespace strata::ops
