// The tape: what it records, refuses, accumulates and frees.
#include "Numbers.h"

#include "engine/eager/TapeNodes.h"
#include "engine/symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::eager;
using namespace strata::eager::testing;
namespace f = strata::ops::f;

using Doubles = std::vector<double>;
using Names = std::vector<std::string>;

TEST_CASE("a chain is recorded and run, leaves accumulate") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2, 3});
    const Tensor y = f::sum(f::mul(x, x));
    REQUIRE(gradFn(y)->name == "SumBackward0");
    REQUIRE(gradFn(y)->next[0].node->name == "MulBackward0");
    REQUIRE(isLeaf(x));
    REQUIRE_FALSE(isLeaf(y));
    backward({y}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{2, 4, 6});
    backward({f::sum(x)}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{3, 5, 7});
    CHECK_FALSE(requiresGrad(grad(x)));
}

TEST_CASE("what backward dispatches is what PyTorch dispatches") {
    Dispatcher::instance();
    const Tensor w = leaf({0.1, 0.2, 0.3}), x = make(DType::Float64, {2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor loss = f::sum(f::add(x, w));
    Log log;
    backward({loss}, {}, {}, {});
    CHECK(log.names ==
          Names{"ones_like.default", "expand.default", "sum.dim_IntList", "view.default", "detach.default"});
    CHECK(log.launches == 2);
    CHECK(values(grad(w)) == Doubles{2, 2, 2});
}

TEST_CASE("sigmoid saves its result, detached") {
    Dispatcher::instance();
    const Tensor x = leaf({0.5, -0.5});
    Log log;
    const Tensor y = f::sigmoid(x);
    CHECK(log.names == Names{"sigmoid.default", "detach.default"});
    CHECK(gradFn(y)->savedText() == Names{"result: f64[2]"});
    backward({y}, {make(DType::Float64, {2}, {1, 1})}, {}, {});
    CHECK(log.names.back() == "detach.default");
    CHECK(log.names[3] == "sigmoid_backward.default");
}

TEST_CASE("only what a needed gradient reads is saved") {
    Dispatcher::instance();
    const Tensor w = leaf({1, 2}), x = make(DType::Float64, {2}, {3, 4});
    const Tensor y = f::mul(x, w);
    CHECK(gradFn(y)->savedText() == Names{"self: f64[2]"});
    {
        const GradModeScope noGrad(false);
        callOp("aten.add_.Scalar", {w, 1}); // w was not saved, so this is no error
    }
    backward({f::sum(y)}, {}, {}, {});
    CHECK(values(grad(w)) == Doubles{3, 4});
}

TEST_CASE("a saved tensor that was changed in place is refused") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    const Tensor y = f::sigmoid(x);
    callOp("aten.mul_.Tensor", {y, 2.0});
    CHECK(errorOf([&] { backward({f::sum(y)}, {}, {}, {}); }) ==
          "one of the variables needed for gradient computation has been modified by an inplace operation: "
          "[torch.DoubleTensor [2]], which is "
          "output 0 of SigmoidBackward0, is at version 1; expected version 0 instead. Hint: enable anomaly detection "
          "to find the operation "
          "that failed to compute its gradient, with torch.autograd.set_detect_anomaly(True).");
}

TEST_CASE("a graph is run once unless retained") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    const Tensor y = f::sum(f::mul(x, x));
    backward({y}, {}, {}, {.retainGraph = true});
    backward({y}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{4, 8});
    CHECK(
        errorOf([&] { backward({y}, {}, {}, {}); }).starts_with("Trying to backward through the graph a second time"));
}

TEST_CASE("what backward refuses") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2}), plain = make(DType::Float64, {1}, {1});
    CHECK(errorOf([&] { backward({f::mul(x, x)}, {}, {}, {}); }) ==
          "grad can be implicitly created only for scalar outputs");
    CHECK(errorOf([&] { backward({plain}, {}, {}, {}); }) ==
          "element 0 of tensors does not require grad and does not have a grad_fn");
    CHECK(errorOf([&] { backward({f::mul(x, x)}, {make(DType::Float64, {3}, {1, 1, 1})}, {}, {}); }) ==
          "Mismatch in shape: grad_output[0] has a shape of torch.Size([3]) and output[0] has a shape of "
          "torch.Size([2]).");
    CHECK(errorOf([&] { setRequiresGrad(make(DType::Int64, {1}, {1}), true); }) ==
          "only Tensors of floating point and complex dtype can require gradients");
    CHECK(errorOf([&] {
              setRequiresGrad(f::mul(x, x), false);
          }).starts_with("you can only change requires_grad flags of leaf variables."));
    CHECK(errorOf([&] { addHook(plain, {}); }) == "cannot register a hook on a tensor that doesn't require gradient");
    CHECK(errorOf([&] { retainGrad(plain); }) == "can't retain_grad on Tensor that has requires_grad=False");
}

TEST_CASE("in-place ops on leaves are refused, on results recorded") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    CHECK(errorOf([&] { callOp("aten.add_.Tensor", {x, 1}); }) ==
          "a leaf Variable that requires grad is being used in an in-place operation.");
    const Tensor y = f::mul(x, 2.0);
    callOp("aten.exp_.default", {y});
    CHECK(gradFn(y)->name == "ExpBackward0");
    backward({f::sum(y)}, {}, {}, {});
    CHECK(values(grad(x))[0] == Approx(2 * std::exp(2.0)));
    // mul_ reads self as it was before, which it keeps a copy of.
    const Tensor w = leaf({3, 4}), z = f::mul(w, 1.0);
    callOp("aten.mul_.Tensor", {z, w});
    backward({f::sum(z)}, {}, {}, {});
    CHECK(values(grad(w)) == Doubles{6, 8});
}

TEST_CASE("an in-place op with a tensor that needs gradients gives a plain tensor history") {
    Dispatcher::instance();
    const Tensor w = leaf({3, 4}), out = make(DType::Float64, {2}, {1, 1});
    callOp("aten.add_.Tensor", {out, w});
    REQUIRE(requiresGrad(out));
    backward({f::sum(out)}, {}, {}, {});
    CHECK(values(grad(w)) == Doubles{1, 1});
}

TEST_CASE("an in-place op on a view goes through its base") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2, 3}), w = leaf({10});
    const Tensor y = f::mul(x, 2.0);
    const Tensor first = f::select(y, 0, 0);
    callOp("aten.mul_.Tensor", {first, f::select(w, 0, 0)});
    CHECK(values(y) == Doubles{20, 4, 6});
    CHECK(gradFn(y)->name == "CopySlices");
    CHECK(gradFn(first)->name == "AsStridedBackward0");
    backward({f::sum(f::mul(y, y))}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{800, 16, 24}); // d/dx (2 * 10 * x)^2 = 2 * 400 * x
    CHECK(values(grad(w)) == Doubles{80});          // d/dw (2 * w)^2
}

TEST_CASE("a view sees what its base became") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2, 3});
    const Tensor y = f::mul(x, 2.0);
    const Tensor last = f::select(y, 0, 2);
    callOp("aten.mul_.Tensor", {y, 3.0});
    backward({last}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{0, 0, 6});

    const Tensor plain = make(DType::Float64, {3}, {0, 0, 0}), view = f::select(plain, 0, 1);
    callOp("aten.add_.Tensor", {plain, x});
    CHECK(requiresGrad(view));
}

TEST_CASE("views of leaves are guarded as leaves") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2, 3});
    CHECK(errorOf([&] { callOp("aten.add_.Tensor", {f::select(x, 0, 0), 1}); }) ==
          "a view of a leaf Variable that requires grad is being used in an in-place operation.");
    const GradModeScope noGrad(false);
    callOp("aten.add_.Tensor", {f::select(x, 0, 0), 1});
    CHECK(values(x) == Doubles{2, 2, 3});
}

TEST_CASE("detach cuts the history and shares storage and version") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    const Tensor y = f::mul(x, 2.0), cut = detach(y);
    CHECK_FALSE(requiresGrad(cut));
    CHECK(cut.sharesStorage(y));
    callOp("aten.add_.Tensor", {cut, 1});
    CHECK(y.version() == 1);
    CHECK(gradFn(y)->name == "MulBackward0");
}

TEST_CASE("no_grad records nothing, and is restored") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    {
        const GradModeScope noGrad(false);
        CHECK_FALSE(requiresGrad(f::mul(x, x)));
    }
    CHECK(requiresGrad(f::mul(x, x)));
    CHECK_FALSE(requiresGrad(f::gt(x, 0)));
}

TEST_CASE("hooks see and replace gradients") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2});
    const Tensor y = f::mul(x, 3.0);
    Doubles seen;
    const int id = addHook(y, [&](const Tensor& g) {
        seen = values(g);
        return f::mul(g, 10.0);
    });
    retainGrad(y);
    const int onLeaf = addHook(x, [](const Tensor& g) { return f::neg(g); });
    backward({f::sum(y)}, {}, {}, {.retainGraph = true});
    CHECK(seen == Doubles{1, 1});
    CHECK(values(grad(y)) == Doubles{10, 10});
    CHECK(values(grad(x)) == Doubles{-30, -30});
    removeHook(y, id);
    removeHook(x, onLeaf);
    setGrad(x, Tensor());
    backward({f::sum(y)}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{3, 3});
}

TEST_CASE("gradients of given inputs are returned, not accumulated") {
    Dispatcher::instance();
    const Tensor x = leaf({1, 2}), w = leaf({3, 4}), unused = leaf({5});
    const Tensor y = f::mul(x, w);
    const Tensor z = f::sum(f::mul(y, y));
    const Tensors grads = backward({z}, {}, {y, x, unused}, {});
    CHECK(values(grads[0]) == Doubles{6, 16});
    CHECK(values(grads[1]) == Doubles{18, 64});
    CHECK_FALSE(grads[2].defined());
    CHECK_FALSE(grad(x).defined());
    CHECK_FALSE(grad(w).defined());
}

TEST_CASE("double backward") {
    Dispatcher::instance();
    const Tensor x = leaf({2, 3});
    const Tensor y = f::sum(f::pow(x, 3));
    const Tensor first = backward({y}, {}, {x}, {.createGraph = true}).at(0);
    CHECK(values(first) == Doubles{12, 27});
    CHECK(requiresGrad(first));
    backward({f::sum(first)}, {}, {}, {});
    CHECK(values(grad(x)) == Doubles{12, 18});
}

TEST_CASE("a leaf's gradient is taken over when nobody else holds it, copied otherwise") {
    Dispatcher::instance();
    const Tensor a = leaf({1, 2}), b = leaf({3, 4});
    const Tensor g = make(DType::Float64, {2}, {5, 6});
    backward({f::add(a, b)}, {g}, {}, {});
    CHECK_FALSE(grad(a).sharesStorage(g));
    CHECK_FALSE(grad(b).sharesStorage(grad(a)));
    const Tensor kept = grad(a);
    backward({f::mul(a, 2.0)}, {g}, {}, {});
    CHECK(grad(a).is(kept)); // accumulated in place
    CHECK(values(kept) == Doubles{15, 18});
    // An expanded gradient becomes a dense one.
    const Tensor c = leaf({1, 2, 3});
    backward({f::sum(c)}, {}, {}, {});
    CHECK(grad(c).isContiguous());
}

TEST_CASE("a diamond sums before it goes on") {
    Dispatcher::instance();
    const Tensor x = leaf({0.5});
    const Tensor y = f::mul(x, 2.0);
    const Tensor z = f::add(f::sin(y), f::cos(y));
    std::vector<std::string> order;
    TapeListener listener;
    listener.ran = [&](const Node& node, int, double) { order.push_back(node.name); };
    setTapeListener(&listener);
    backward({z}, {}, {}, {});
    setTapeListener(nullptr);
    CHECK(order == Names{"AddBackward0", "CosBackward0", "SinBackward0", "MulBackward0", "AccumulateGrad"});
    CHECK(values(grad(x))[0] == Approx(2 * (std::cos(1.0) - std::sin(1.0))));
}

TEST_CASE("a gradient takes its tensor's dtype") {
    Dispatcher::instance();
    Tensor x = make(DType::Float32, {2}, {1, 2});
    setRequiresGrad(x, true);
    const Tensor y = f::mul(x, make(DType::Float64, {2}, {3, 4}));
    REQUIRE(y.dtype() == DType::Float64);
    backward({f::sum(y)}, {}, {}, {});
    CHECK(grad(x).dtype() == DType::Float32);
    CHECK(values(grad(x)) == Doubles{3, 4});
}

TEST_CASE("a long tape is freed without deep recursion") {
    Dispatcher::instance();
    Tensor y = leaf({1});
    for (int i = 0; i < 200000; ++i) y = f::neg(y);
    y = Tensor();
    SUCCEED();
}

TEST_CASE("fake tensors are traced through forward and backward") {
    Dispatcher::instance();
    symbolic::ShapeEnv env;
    const symbolic::SymInt s = env.create(6, {});
    const symbolic::ShapeEnvScope scope(&env);
    const Tensor x = Tensor::fake({s, 3}, {3, 1}, DType::Float32), w = Tensor::fake({3}, {1}, DType::Float32);
    setRequiresGrad(x, true);
    setRequiresGrad(w, true);
    const Tensor y = f::sigmoid(f::add(f::mul(x, w), 1.0));
    CHECK(tensor::describe(y) == "f32[s0, 3]");
    const Tensors grads = backward({y}, {Tensor::fake({s, 3}, {3, 1}, DType::Float32)}, {x, w}, {});
    CHECK(tensor::describe(grads[0]) == "f32[s0, 3]");
    CHECK(tensor::describe(grads[1]) == "f32[3]");
    CHECK(env.guards().empty());
}
