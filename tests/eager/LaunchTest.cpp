// Kernel launches of whole training steps: as many as PyTorch's eager launches on a GPU.
#include "Numbers.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;
namespace f = strata::ops::f;

namespace {

Tensor parameter(const std::vector<std::int64_t>& sizes, unsigned seed) {
    Tensor tensor = f::to(ops::samples::tensor(sizes, -0.5, 0.5, seed), DType::Float32);
    setRequiresGrad(tensor, true);
    return tensor;
}

int launchesOf(const std::function<void()>& f) {
    Log log;
    f();
    for (const std::string& name : log.names) UNSCOPED_INFO(name);
    return log.launches;
}

} // namespace

TEST_CASE("a classifier's step") {
    Dispatcher::instance();
    const Tensor w1 = parameter({16, 8}, 1), b1 = parameter({16}, 2), w2 = parameter({4, 16}, 3),
                 b2 = parameter({4}, 4);
    const Tensor x = f::to(ops::samples::tensor({32, 8}, -1, 1, 5), DType::Float32);
    const Tensor target = ops::samples::ints({32}, 0, 3, 6);
    Tensor logits, loss;
    CHECK(launchesOf([&] {
              const Tensor hidden = f::relu(callOp("aten.linear.default", {x, w1, b1}));
              logits = callOp("aten.linear.default", {hidden, w2, b2});
          }) == 3);
    CHECK(launchesOf([&] { loss = callOp("aten.cross_entropy_loss.default", {logits, target}); }) == 2);
    CHECK(launchesOf([&] { backward({loss}, {}, {}, {}); }) == 10);
    for (const Tensor& each : {w1, b1, w2, b2}) {
        REQUIRE(grad(each).defined());
        CHECK(symbolic::sameAs(grad(each).strides(), each.strides()));
    }
    // Gradients are there now: the next step adds to each, in one launch a parameter.
    logits = callOp("aten.linear.default", {f::relu(callOp("aten.linear.default", {x, w1, b1})), w2, b2});
    loss = callOp("aten.cross_entropy_loss.default", {logits, target});
    CHECK(launchesOf([&] { backward({loss}, {}, {}, {}); }) == 14);
}

TEST_CASE("a value used twice") {
    Dispatcher::instance();
    const Tensor x = parameter({8, 8}, 1);
    Tensor sum;
    CHECK(launchesOf([&] {
              const Tensor y = f::cos(f::sin(x));
              sum = f::sum(f::mul(f::tanh(y), f::sigmoid(y)));
          }) == 6);
    CHECK(launchesOf([&] { backward({sum}, {}, {}, {}); }) == 11);
}

TEST_CASE("a bias is summed in one launch") {
    Dispatcher::instance();
    const Tensor bias = parameter({4}, 1), x = f::to(ops::samples::tensor({8, 4}, -1, 1), DType::Float32);
    const Tensor y = f::sum(f::add(x, bias));
    CHECK(launchesOf([&] { backward({y}, {}, {}, {}); }) == 2);
}
