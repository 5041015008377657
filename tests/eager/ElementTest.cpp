// Pointwise kernels: the declared body, interpreted as a lowering, gives the kernel's values; strides, broadcasting,
// empty tensors, dtypes, NaN, integer division, and every compiled level agree.
#include "Numbers.h"

#include "engine/ops/Element.h"
#include "engine/ops/Strided.h"

#include <catch2/catch.hpp>

#include <cstring>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;
namespace sc = strata::ops::scalar;

namespace {

// A value of a scalar expression: d for floats, i for integers and bools.
struct Number {
    double d = 0;
    std::int64_t i = 0;
};

class Evaluator {
public:
    explicit Evaluator(std::vector<Number> inputs) : m_inputs(std::move(inputs)) {}

    Number run(const loop::ScalarExpr& e) const {
        using loop::Prim;
        switch (e.prim) {
        case Prim::Constant:
            return {e.constant, e.intConstant};
        case Prim::Input:
            return m_inputs.at(static_cast<std::size_t>(e.slot));
        case Prim::Index:
            return {0, e.index.asInt()};
        case Prim::Cast:
            return cast(run(*e.args[0]), e.args[0]->dtype, e.dtype);
        case Prim::Where:
            return run(*e.args[0]).i != 0 ? run(*e.args[1]) : run(*e.args[2]);
        default:
            break;
        }
        const tensor::DType operand = e.args[0]->dtype;
        const Number a = run(*e.args[0]), b = e.args.size() > 1 ? run(*e.args[1]) : Number{};
        if (operand == DType::Float32) return floats<float>(e.prim, static_cast<float>(a.d), static_cast<float>(b.d));
        if (operand == DType::Float64) return floats<double>(e.prim, a.d, b.d);
        return integers(e, a.i, b.i);
    }

    static Number cast(Number from, tensor::DType fromDType, tensor::DType to) {
        const double value = tensor::isFloating(fromDType) ? from.d : static_cast<double>(from.i);
        if (to == DType::Bool) return {0, value != 0 ? 1 : 0};
        if (to == DType::Int64) return {0, tensor::isFloating(fromDType) ? static_cast<std::int64_t>(from.d) : from.i};
        return {to == DType::Float32 ? static_cast<float>(value) : value, 0};
    }

private:
    template <class T> static Number floats(loop::Prim prim, T a, T b) {
        using loop::Prim;
        const auto f = [](T x) { return Number{static_cast<double>(x), 0}; };
        const auto t = [](bool x) { return Number{0, x}; };
        switch (prim) {
        case Prim::Add:
            return f(a + b);
        case Prim::Sub:
            return f(a - b);
        case Prim::Mul:
            return f(a * b);
        case Prim::Div:
            return f(a / b);
        case Prim::Eq:
            return t(a == b);
        case Prim::Ne:
            return t(a != b);
        case Prim::Lt:
            return t(a < b);
        case Prim::Le:
            return t(a <= b);
        case Prim::Gt:
            return t(a > b);
        case Prim::Ge:
            return t(a >= b);
        case Prim::IsNan:
            return t(a != a);
        case Prim::IsInf:
            return t(sc::isinf(a));
#define BINARY(Name, name)                                                                                             \
    case Prim::Name:                                                                                                   \
        return f(sc::name(a, b));
            BINARY(FloorDiv, floor_div)
            BINARY(Fmod, fmod)
            BINARY(Remainder, remainder)
            BINARY(Pow, pow)
            BINARY(Atan2, atan2)
            BINARY(Maximum, maximum)
            BINARY(Minimum, minimum)
            // clang-format off
#define UNARY(Name, name)                                                                                              \
    case Prim::Name:                                                                                                   \
        return f(sc::name(a));
            UNARY(Neg, neg)
            UNARY(Abs, abs)
            UNARY(Sign, sign)
            UNARY(Exp, exp)
            UNARY(Exp2, exp2)
            UNARY(Expm1, expm1)
            UNARY(Log, log)
            UNARY(Log1p, log1p)
            UNARY(Log2, log2)
            UNARY(Log10, log10)
            UNARY(Sqrt, sqrt)
            UNARY(Rsqrt, rsqrt)
            UNARY(Reciprocal, reciprocal)
            UNARY(Sin, sin)
            UNARY(Cos, cos)
            UNARY(Tan, tan)
            UNARY(Asin, asin)
            UNARY(Acos, acos)
            UNARY(Atan, atan)
            UNARY(Sinh, sinh)
            UNARY(Cosh, cosh)
            UNARY(Tanh, tanh)
            UNARY(Erf, erf)
            UNARY(Erfc, erfc)
            UNARY(Floor, floor)
            UNARY(Ceil, ceil)
            UNARY(Round, round)
            UNARY(Trunc, trunc)
        // clang-format on
        default:
            throw support::Error("no float evaluation of this prim");
        }
    }

    static Number integers(const loop::ScalarExpr& e, std::int64_t a, std::int64_t b) {
        using loop::Prim;
        const bool boolean = e.dtype == DType::Bool;
        const auto n = [&](std::int64_t x) { return Number{0, boolean ? x != 0 : x}; };
        switch (e.prim) {
        case Prim::Add:
            return n(a + b);
        case Prim::Sub:
            return n(a - b);
        case Prim::Mul:
            return n(a * b);
        case Prim::Div:
            return n(sc::div(a, b));
        case Prim::FloorDiv:
            return n(sc::floor_div(a, b));
        case Prim::Remainder:
            return n(sc::remainder(a, b));
        case Prim::Fmod:
            return n(sc::fmod(a, b));
        case Prim::Pow:
            return n(sc::pow(a, b));
        case Prim::Maximum:
            return n(std::max(a, b));
        case Prim::Minimum:
            return n(std::min(a, b));
        case Prim::Neg:
            return n(-a);
        case Prim::Abs:
            return n(sc::abs(a));
        case Prim::Sign:
            return n(sc::sign(a));
        case Prim::Eq:
            return n(a == b);
        case Prim::Ne:
            return n(a != b);
        case Prim::Lt:
            return n(a < b);
        case Prim::Le:
            return n(a <= b);
        case Prim::Gt:
            return n(a > b);
        case Prim::Ge:
            return n(a >= b);
        case Prim::BitwiseAnd:
            return n(a & b);
        case Prim::BitwiseOr:
            return n(a | b);
        case Prim::BitwiseXor:
            return n(a ^ b);
        case Prim::BitwiseNot:
            return n(boolean ? static_cast<std::int64_t>(a == 0) : ~a);
        case Prim::IsNan:
        case Prim::IsInf:
            return n(0);
        default:
            throw support::Error("no integer evaluation of this prim");
        }
    }

    std::vector<Number> m_inputs;
};

// The op's values element by element from its lowering.
std::vector<double> throughBody(const ops::OpDef& op, const Values& args, const Tensor& like) {
    std::vector<loop::Value> loads;
    std::vector<std::vector<double>> operands;
    for (const Value& arg : args) {
        const auto* tensor = arg.as<Tensor>();
        if (!tensor || !tensor->defined()) continue;
        loads.push_back(loop::Value::input(static_cast<int>(loads.size()), tensor->dtype()));
        Tensor whole = like.sizes().size() >= tensor->sizes().size() ? ops::f::expand(*tensor, like.sizes()) : *tensor;
        operands.push_back(values(whole));
    }
    const loop::Value body = ops::lowerElement(op, args, loads);
    CHECK(body.dtype() == like.dtype());
    std::vector<double> result;
    for (std::size_t i = 0; i < static_cast<std::size_t>(like.numel().asInt()); ++i) {
        std::vector<Number> in;
        for (const auto& operand : operands)
            in.push_back({operand[i], static_cast<std::int64_t>(std::isfinite(operand[i]) ? operand[i] : 0)});
        const Number number = Evaluator(std::move(in)).run(*body.expr());
        result.push_back(tensor::isFloating(body.dtype()) ? number.d : static_cast<double>(number.i));
    }
    return result;
}

bool close(double a, double b, double tolerance) {
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    return a == b || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

Values withDType(const Values& args, DType dtype) {
    Values result;
    for (const Value& arg : args) {
        const auto* tensor = arg.as<Tensor>();
        if (tensor && tensor->defined() && tensor->dtype() == DType::Float64)
            result.push_back(ops::f::to(*tensor, dtype));
        else
            result.push_back(arg);
    }
    return result;
}

} // namespace

TEST_CASE("a body's lowering computes what its kernel computes") {
    Dispatcher::instance();
    for (const ops::OpDef* op : ops::all()) {
        if (!op->element || op->inPlace || !op->samples) continue;
        for (const DType dtype : {DType::Float64, DType::Float32}) {
            int number = 0;
            for (const Values& sample : op->samples()) {
                INFO(op->qualified << " " << tensor::name(dtype) << " sample " << number++);
                Values args = withDType(sample, dtype);
                for (std::size_t i = args.size(); i < op->schema.params.size(); ++i)
                    args.push_back(op->schema.params[i].defaultValue);
                const Tensor result = ops::callTensor(*op, args);
                const std::vector<double> want = throughBody(*op, args, result), got = values(result);
                const double tolerance = result.dtype() == DType::Float32 ? 2e-6 : 1e-14;
                for (std::size_t i = 0; i < got.size(); ++i) {
                    INFO("element " << i << " kernel " << got[i] << " body " << want[i]);
                    CHECK(close(got[i], want[i], tolerance));
                }
            }
        }
    }
}

TEST_CASE("an in-place form gives its functional form's values") {
    Dispatcher::instance();
    for (const ops::OpDef* op : ops::all()) {
        if (!op->inPlace || !op->functional || !op->functional->element || !op->functional->samples) continue;
        for (const Values& sample : op->functional->samples()) {
            const Tensor want = ops::callTensor(*op->functional, sample);
            Values args = sample;
            const Tensor& original = sample[0].tensor();
            Tensor self = Tensor::emptyStrided(original.sizes(), original.strides(), original.dtype());
            ops::copyTensor(self, original);
            args[0] = self;
            if (!symbolic::sameAs(want.sizes(), self.sizes())) continue;
            INFO(op->qualified);
            const std::uint32_t version = self.version();
            const Tensor result = ops::callTensor(*op, args);
            CHECK(result.is(self));
            CHECK(self.version() == version + 1);
            CHECK(values(self) == values(ops::f::to(want, self.dtype())));
        }
    }
}

TEST_CASE("kernels see through strides, broadcasting and dtypes") {
    Dispatcher::instance();
    const Tensor a = make(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor at = ops::samples::transposed(a); // 3 x 2
    CHECK(values(ops::f::add(at, at)) == std::vector<double>{2, 8, 4, 10, 6, 12});
    CHECK(symbolic::str(ops::f::add(at, at).strides()) == "[1, 3]");
    CHECK(values(ops::f::add(a, make(DType::Float32, {3}, {10, 20, 30}))) ==
          std::vector<double>{11, 22, 33, 14, 25, 36});
    CHECK(values(ops::f::mul(a, make(DType::Int64, {2, 1}, {2, 3}))) == std::vector<double>{2, 4, 6, 12, 15, 18});
    CHECK(ops::f::mul(a, make(DType::Int64, {2, 1}, {2, 3})).dtype() == DType::Float32);
    CHECK(ops::f::add(make(DType::Int64, {2}, {1, 2}), 0.5).dtype() == DType::Float32);
    CHECK(values(ops::f::add(make(DType::Bool, {2}, {1, 0}), make(DType::Bool, {2}, {1, 0}))) ==
          std::vector<double>{1, 0});
    CHECK(ops::f::add(make(DType::Bool, {2}, {1, 0}), true).dtype() == DType::Bool);
    CHECK(values(ops::f::sub(1, a)) == std::vector<double>{0, -1, -2, -3, -4, -5});
    const Tensor every2 = make(DType::Float32, {6}, {1, 2, 3, 4, 5, 6}).alias({3}, {2}, 0);
    CHECK(values(ops::f::neg(every2)) == std::vector<double>{-1, -3, -5});
    const Tensor expanded = make(DType::Float32, {1}, {7}).alias({3, 2}, {0, 0}, 0);
    CHECK(values(ops::f::add(expanded, expanded)) == std::vector<double>(6, 14));
}

TEST_CASE("empty and 0-dim tensors") {
    Dispatcher::instance();
    const Tensor empty = Tensor::empty({0, 3}, DType::Float32);
    Log log;
    const Tensor result = ops::f::add(empty, make(DType::Float32, {3}, {1, 2, 3}));
    CHECK(symbolic::str(result.sizes()) == "[0, 3]");
    CHECK(log.launches == 0);
    CHECK(values(ops::f::mul(Tensor::scalar(3, DType::Float32), 2.0)) == std::vector<double>{6});
    CHECK(log.launches == 1);
}

TEST_CASE("long runs: blocks, tails, threads and every level give the same bits") {
    Dispatcher::instance();
    constexpr std::int64_t count = 100003;
    std::vector<double> from;
    for (std::int64_t i = 0; i < count; ++i) from.push_back(static_cast<double>(i % 977 - 488) * 0.011);
    const Tensor a = make(DType::Float32, {count}, from);
    const std::vector<double> sum = values(ops::f::add(a, 0.25));
    const Tensor strided = make(DType::Float32, {count}, from).alias({(count + 1) / 2}, {2}, 0);
    const std::vector<double> half = values(ops::f::add(strided, 0.25));
    bool same = true;
    for (std::size_t i = 0; i < sum.size(); ++i)
        same = same && sum[i] == static_cast<double>(static_cast<float>(from[i]) + 0.25F);
    for (std::size_t i = 0; i < half.size(); ++i) same = same && half[i] == sum[2 * i];
    CHECK(same);

    // The loops themselves, at each level that this processor has.
    const auto& rows = ops::get("aten.tanh.default").element->forms[0].rows;
    const ops::loops::Row& row = rows[static_cast<std::size_t>(ops::loops::rowOf(DType::Float32))];
    std::vector<float> in(1001), base(1001), other(1001);
    for (std::size_t i = 0; i < in.size(); ++i) in[i] = static_cast<float>(from[i]);
    char* data[] = {reinterpret_cast<char*>(base.data()), reinterpret_cast<char*>(in.data())};
    row.byLevel[0](data, 1001, nullptr);
    for (std::size_t level = 1; level <= static_cast<std::size_t>(ops::loops::level()); ++level) {
        data[0] = reinterpret_cast<char*>(other.data());
        row.byLevel[level](data, 1001, nullptr);
        for (std::size_t i = 0; i < in.size(); ++i)
            CHECK(std::abs(base[i] - other[i]) <= 2.5e-7F); // multiply-adds fuse in one
    }
}

TEST_CASE("NaN goes through relu, clamp, maximum and minimum") {
    Dispatcher::instance();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const Tensor x = make(DType::Float32, {3}, {nan, -1, 2});
    CHECK(std::isnan(values(ops::f::relu(x))[0]));
    CHECK(std::isnan(values(ops::f::clamp(x, -0.5, 0.5))[0]));
    CHECK(std::isnan(values(ops::f::maximum(x, make(DType::Float32, {3}, {0, nan, 0})))[1]));
    CHECK(std::isnan(values(ops::f::minimum(x, make(DType::Float32, {3}, {0, nan, 0})))[1]));
    CHECK(values(ops::f::gt(x, 0)) == std::vector<double>{0, 0, 1});
    CHECK(values(ops::f::ne(x, x)) == std::vector<double>{1, 0, 0});
}

TEST_CASE("integer division is exact, floors or truncates, and refuses zero") {
    Dispatcher::instance();
    const Tensor a = make(DType::Int64, {4}, {7, -7, 7, -7}), b = make(DType::Int64, {4}, {2, 2, -2, -2});
    CHECK(values(callOp("aten.floor_divide.default", {a, b})) == std::vector<double>{3, -4, -4, 3});
    CHECK(values(ops::f::divMode(a, b, "trunc")) == std::vector<double>{3, -3, -3, 3});
    CHECK(values(ops::f::remainder(a, b)) == std::vector<double>{1, 1, -1, -1});
    CHECK(values(ops::f::fmod(a, b)) == std::vector<double>{1, -1, 1, -1});
    CHECK(values(ops::f::div(a, b)) == std::vector<double>{3.5, -3.5, -3.5, 3.5});
    CHECK(errorOf([&] { ops::f::remainder(a, make(DType::Int64, {1}, {0})); }) == "ZeroDivisionError");
    CHECK(errorOf([&] { callOp("aten.floor_divide.Scalar", {a, 0}); }) == "ZeroDivisionError");
    CHECK(std::isinf(values(ops::f::div(a, 0))[0]));
    CHECK(errorOf([&] { ops::f::pow(a, -1); }) == "Integers to negative integer powers are not allowed.");
    CHECK(errorOf([&] { ops::f::divMode(a, b, "up"); }) ==
          "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found 'up'");
}

TEST_CASE("what writing in place refuses") {
    Dispatcher::instance();
    const Tensor ints = make(DType::Int64, {2}, {1, 2}), floats = make(DType::Float32, {2}, {1, 2});
    CHECK(errorOf([&] { callOp("aten.add_.Tensor", {ints, floats}); }) ==
          "result type Float can't be cast to the desired output type Long");
    CHECK(errorOf([&] { callOp("aten.add_.Tensor", {floats, make(DType::Float32, {3, 2}, {1, 2, 3, 4, 5, 6})}); }) ==
          "output with shape [2] doesn't match the broadcast shape [3, 2]");
    const Tensor square = make(DType::Float32, {2, 2}, {1, 2, 3, 4});
    CHECK(errorOf([&] {
              callOp("aten.add_.Tensor", {square, ops::samples::transposed(square)});
          }).starts_with("unsupported operation: some elements"));
    CHECK(errorOf([&] {
              callOp("aten.add_.Tensor", {make(DType::Float32, {1}, {1}).alias({3}, {0}, 0), 1});
          }).starts_with("unsupported operation: more than one element"));
    callOp("aten.add_.Tensor", {floats, make(DType::Float64, {2}, {0.5, 0.5})});
    CHECK(values(floats) == std::vector<double>{1.5, 2.5});
    callOp("aten.mul_.Tensor", {square, square});
    CHECK(values(square) == std::vector<double>{1, 4, 9, 16});
}

TEST_CASE("bools and dtypes without kernels are refused in PyTorch's words") {
    Dispatcher::instance();
    const Tensor flags = make(DType::Bool, {2}, {1, 0});
    CHECK(errorOf([&] {
              ops::f::sub(flags, flags);
          }).starts_with("Subtraction, the `-` operator, with two bool tensors is not supported."));
    CHECK(errorOf([&] { ops::f::add(make(DType::Int64, {1}, {1}), 1, 0.5); }) ==
          "For integral input tensors, argument alpha must not be a floating point number.");
    CHECK(errorOf([&] { callOp("aten.bitwise_and.Tensor", {make(DType::Float32, {1}, {1}), 1}); }) ==
          "\"bitwise_and\" not implemented for 'Float'");
}
