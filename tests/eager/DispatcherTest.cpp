// The walk over keys: composites, autograd, modes, the backend, and what is reported of it.
#include "Numbers.h"

#include "engine/support/Launcher.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;
namespace f = strata::ops::f;

namespace {

class Recorder : public Mode {
public:
    explicit Recorder(std::string label) : m_label(std::move(label)) {}
    Values handle(const ops::OpDef& op, Values args) override {
        seen.push_back(m_label + ":" + op.qualified.substr(5));
        return ops::call(op, std::move(args));
    }
    bool wantsComposite() const override { return composites; }
    std::vector<std::string> seen;
    bool composites = false;

private:
    std::string m_label;
};

using Names = std::vector<std::string>;

} // namespace

TEST_CASE("an op is one counted launch, a view none") {
    Dispatcher::instance();
    const Tensor x = make(DType::Float32, {2, 2}, {1, 2, 3, 4});
    const auto count = [] { return support::Launcher::instance().count(support::Mode::Eager); };
    const auto before = count();
    Log log;
    const Tensor y = f::relu(f::mul(x, 2.0));
    CHECK(count() == before + 2);
    f::view(y, {4});
    CHECK(count() == before + 2);
    CHECK(log.names == Names{"mul.Tensor", "relu.default", "view.default"});
    CHECK(log.launches == 2);
}

TEST_CASE("an event carries the keys, shapes and dtypes of its call") {
    Dispatcher::instance();
    DispatchEvent last;
    Dispatcher::instance().setListener([&](const DispatchEvent& event) { last = event; });
    f::add(make(DType::Float32, {2}, {1, 2}), make(DType::Int64, {}, {3}));
    Dispatcher::instance().setListener(nullptr);
    REQUIRE(last.keyCount == 2);
    CHECK(name(last.keys[0]) == "Autograd");
    CHECK(name(last.keys[1]) == "CPU");
    REQUIRE(last.shapes.size() == 2);
    CHECK(symbolic::str(last.shapes[0]) == "[2]");
    CHECK(last.dtypes[1] == DType::Int64);
}

TEST_CASE("composites decompose above autograd") {
    Dispatcher::instance();
    Log log;
    f::square(make(DType::Float32, {2}, {1, 2}));
    CHECK(log.names == Names{"pow.Tensor_Scalar"});
}

TEST_CASE("reading an element back launches nothing") {
    Dispatcher::instance();
    Log log;
    CHECK(ops::call(ops::get("aten.item.default"), {make(DType::Int64, {1}, {5})}).at(0).toInt().sameAs(5));
    CHECK(ops::call(ops::get("aten.item.default"), {make(DType::Float32, {}, {0.5})}).at(0).toDouble() == 0.5);
    CHECK(ops::call(ops::get("aten.item.default"), {make(DType::Bool, {}, {1})}).at(0).toBool());
    CHECK(log.names == Names(3, "_local_scalar_dense.default"));
    CHECK(log.launches == 0);
    CHECK(errorOf([] { ops::call(ops::get("aten.item.default"), {make(DType::Float32, {2}, {1, 2})}); }) ==
          "a Tensor with 2 elements cannot be converted to Scalar");
}

TEST_CASE("modes see calls below autograd, innermost first, each off inside its own handler") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    Recorder outer("outer"), inner("inner");
    {
        const ModeScope outside(outer);
        const ModeScope inside(inner);
        const Tensor y = f::mul(x, x);
        CHECK(gradFn(y)->name == "MulBackward0");
        f::square(y);
    }
    CHECK(inner.seen == Names{"inner:mul.Tensor", "inner:pow.Tensor_Scalar"});
    CHECK(outer.seen == Names{"outer:mul.Tensor", "outer:pow.Tensor_Scalar"});
    f::mul(x, x);
    CHECK(inner.seen.size() == 2);
}

TEST_CASE("a mode may ask for composites undecomposed") {
    Dispatcher::instance();
    Recorder mode("m");
    mode.composites = true;
    const ModeScope scope(mode);
    f::square(make(DType::Float32, {2}, {1, 2}));
    CHECK(mode.seen == Names{"m:square.default"});
}

TEST_CASE("a mode sees saved results being detached, and the backward ops") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    Recorder mode("m");
    const ModeScope scope(mode);
    const Tensor y = f::sigmoid(x);
    backward({y}, {make(DType::Float64, {2}, {1, 1})}, {x}, {});
    CHECK(mode.seen ==
          Names{"m:sigmoid.default", "m:detach.default", "m:detach.default", "m:sigmoid_backward.default"});
}

TEST_CASE("fake tensors compute metadata only, and are not reported") {
    Dispatcher::instance();
    Log log;
    const Tensor x = Tensor::fake({2, 3}, {3, 1}, DType::Float32);
    const Tensor y = f::add(x, make(DType::Float64, {}, {1}));
    CHECK(y.isFake());
    CHECK(tensor::describe(y) == "f32[2, 3]");
    CHECK(log.names.empty());
    CHECK_THROWS_AS(ops::call(ops::get("aten.item.default"), {x}), support::Refusal);
    CHECK(errorOf([&] { y.data(); }) == "Cannot access data pointer of a fake tensor");
}

TEST_CASE("decompositions into core ops give the op's values") {
    Dispatcher::instance();
    for (const ops::OpDef* op : ops::all()) {
        if (!op->decomposition || !op->samples || op->inPlace || op->kind == ops::Kind::Random ||
            op->kind == ops::Kind::Composite)
            continue;
        int number = 0;
        for (const Values& sample : op->samples()) {
            Values args = sample;
            for (std::size_t i = args.size(); i < op->schema.params.size(); ++i)
                args.push_back(op->schema.params[i].defaultValue);
            INFO(op->qualified << " sample " << number++);
            const Values direct = ops::call(*op, args), decomposed = op->decomposition(args);
            REQUIRE(direct.size() == decomposed.size());
            for (std::size_t r = 0; r < direct.size(); ++r) {
                if (!direct[r].as<Tensor>() || !direct[r].tensor().defined()) continue;
                const Tensor &want = direct[r].tensor(), &got = decomposed[r].tensor();
                CHECK(tensor::describe(got) == tensor::describe(want));
                const auto a = values(want), b = values(got);
                for (std::size_t i = 0; i < a.size(); ++i) CHECK(b[i] == Approx(a[i]).epsilon(1e-10).margin(1e-12));
            }
        }
    }
}
