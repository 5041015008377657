#include "engine/ops/Shape.h"
#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::ops;

namespace {

std::string messageOf(const std::function<void()>& f) {
    try {
        f();
    } catch (const support::Error& error) {
        return error.what();
    }
    return "accepted";
}

bool same(const SymInts& a, const SymInts& b) {
    return symbolic::sameAs(a, b);
}

} // namespace

TEST_CASE("shapes broadcast from the right") {
    CHECK(same(shape::broadcast(SymInts{2, 3}, SymInts{3}), {2, 3}));
    CHECK(same(shape::broadcast(SymInts{2, 1}, SymInts{1, 3}), {2, 3}));
    CHECK(same(shape::broadcast(SymInts{}, SymInts{0, 3}), {0, 3}));
    CHECK(same(shape::broadcast(SymInts{1}, SymInts{0}), {0}));
    CHECK(messageOf([] { shape::broadcast(SymInts{2, 3}, SymInts{4}); }) ==
          "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1");
}

TEST_CASE("symbolic shapes broadcast with a guard only where one is needed") {
    symbolic::ShapeEnv env;
    const SymInt s = env.create(6, {}), t = env.create(6, {});
    const symbolic::ShapeEnvScope scope(&env);
    CHECK(same(shape::broadcast(SymInts{s, 4}, SymInts{4}), {s, 4}));
    CHECK(same(shape::broadcast(SymInts{s}, SymInts{1}), {s}));
    CHECK(env.guards().empty());
    CHECK(same(shape::broadcast(SymInts{s}, SymInts{t}), {s}));
    CHECK(env.guards().size() == 1);
    CHECK(same(shape::broadcast(SymInts{s}, SymInts{6}), {6}));
}

TEST_CASE("outputs keep the inputs' order of dims in memory") {
    const auto strides = [](const SymInts& sizes, std::vector<Tensor> inputs) {
        return symbolic::str(shape::outputStrides(sizes, inputs));
    };
    const Tensor plain = Tensor::fake({2, 3}, {3, 1}, DType::Float32),
                 swapped = Tensor::fake({2, 3}, {1, 2}, DType::Float32);
    const Tensor row = Tensor::fake({3}, {1}, DType::Float32), column = Tensor::fake({2, 1}, {1, 1}, DType::Float32);
    CHECK(strides({2, 3}, {plain, plain}) == "[3, 1]");
    CHECK(strides({2, 3}, {swapped}) == "[1, 2]");
    CHECK(strides({2, 3}, {swapped, swapped}) == "[1, 2]");
    CHECK(strides({2, 3}, {swapped, plain}) == "[1, 2]");
    CHECK(strides({2, 3}, {plain, swapped}) == "[3, 1]");
    CHECK(strides({2, 3}, {swapped, row}) == "[1, 2]");
    CHECK(strides({2, 3}, {column, row}) == "[3, 1]");
    // A slice's holes are not copied.
    CHECK(strides({2, 3}, {Tensor::fake({2, 3}, {8, 2}, DType::Float32)}) == "[3, 1]");
    const Tensor channelsLast = Tensor::fake({2, 3, 4, 5}, {60, 1, 15, 3}, DType::Float32);
    CHECK(strides({2, 3, 4, 5}, {channelsLast}) == "[60, 1, 15, 3]");
}

TEST_CASE("a view exists exactly when memory allows it") {
    const auto view = [](const SymInts& sizes, const SymInts& strides, const SymInts& to) {
        const auto result = shape::viewStrides(sizes, strides, to);
        return result ? symbolic::str(*result) : std::string("none");
    };
    CHECK(view({2, 3}, {3, 1}, {6}) == "[1]");
    CHECK(view({6}, {1}, {2, 3}) == "[3, 1]");
    CHECK(view({2, 3}, {1, 2}, {6}) == "none");
    CHECK(view({2, 3}, {1, 2}, {2, 3, 1}) == "[1, 2, 2]");
    CHECK(view({4, 3}, {6, 1}, {2, 2, 3}) == "[12, 6, 1]");
    CHECK(view({2, 1, 3}, {3, 99, 1}, {6}) == "[1]");
    CHECK(view({}, {}, {1, 1}) == "[1, 1]");
    CHECK(view({0, 3}, {3, 1}, {3, 0}) == "[1, 1]");
    CHECK(view({2, 3}, {0, 1}, {2, 3, 1}) == "[0, 1, 1]");
}

TEST_CASE("a missing size is inferred or refused in PyTorch's words") {
    CHECK(same(shape::inferSize({2, -1}, 6), {2, 3}));
    CHECK(messageOf([] { shape::inferSize({4, -1}, 6); }) == "shape '[4, -1]' is invalid for input of size 6");
    CHECK(messageOf([] { shape::inferSize({5}, 6); }) == "shape '[5]' is invalid for input of size 6");
    CHECK(messageOf([] { shape::inferSize({-1, -1}, 6); }) == "only one dimension can be inferred");
    CHECK(messageOf([] { shape::inferSize({0, -1}, 0); }) ==
          "cannot reshape tensor of 0 elements into shape [0, -1] because the unspecified dimension size -1 can be any "
          "value and is ambiguous");
}

TEST_CASE("dims wrap or are refused") {
    CHECK(shape::wrapDim(-1, 3) == 2);
    CHECK(shape::wrapDim(0, 0) == 0);
    CHECK(messageOf([] { shape::wrapDim(2, 2); }) ==
          "Dimension out of range (expected to be in range of [-2, 1], but got 2)");
    CHECK(messageOf([] { shape::wrapDims({0, -2}, 2); }) == "dim 0 appears multiple times in the list of dims");
}
