// PyTorch's promotion, against facts worked out from its documentation ("Type Promotion" in tensor attributes).
#include "engine/ops/DTypePromotion.h"
#include "engine/ops/Registry.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::ops;

namespace {

Tensor dimensioned(DType dtype) {
    return Tensor::fake({2}, {1}, dtype);
}
Tensor zeroDim(DType dtype) {
    return Tensor::fake({}, {}, dtype);
}

constexpr DType b = DType::Bool, i = DType::Int64, f = DType::Float32, d = DType::Float64;

} // namespace

TEST_CASE("result dtypes of a pair") {
    struct Row {
        Value left, right;
        DType result;
    };
    const std::vector<Row> rows{{dimensioned(f), dimensioned(d), d},
                                {dimensioned(i), dimensioned(f), f},
                                {dimensioned(b), dimensioned(i), i},
                                {dimensioned(b), dimensioned(b), b},
                                // A 0-dim tensor counts only when its category is higher.
                                {dimensioned(f), zeroDim(d), f},
                                {dimensioned(i), zeroDim(d), d},
                                {dimensioned(b), zeroDim(i), i},
                                {zeroDim(f), zeroDim(d), d},
                                {dimensioned(i), zeroDim(b), i},
                                // So does a number, whose floats are of the default dtype.
                                {dimensioned(f), 2.5, f},
                                {dimensioned(d), 2.5, d},
                                {dimensioned(i), 2.5, f},
                                {dimensioned(b), 2, i},
                                {dimensioned(b), 2.5, f},
                                {dimensioned(f), 2, f},
                                {dimensioned(i), true, i},
                                {dimensioned(b), true, b},
                                // A number ranks below a 0-dim tensor.
                                {zeroDim(i), 2.5, f},
                                {zeroDim(f), 2, f},
                                {zeroDim(d), 2.5, d},
                                {zeroDim(b), 2, i}};
    for (const Row& row : rows) {
        Promotion promotion;
        promotion.add(row.left);
        promotion.add(row.right);
        CHECK(promotion.result() == row.result);
    }
}

TEST_CASE("an op's rule decides what it computes in and gives") {
    const auto check = [](const char* name, const Values& args, DType compute, DType result) {
        INFO(name);
        CHECK(computeDType(get(name), args) == compute);
        CHECK(resultDType(get(name), args) == result);
    };
    check("aten.add.Tensor", {dimensioned(i), dimensioned(f), 1}, f, f);
    check("aten.add.Tensor", {dimensioned(i), 2.5, 1}, f, f);
    check("aten.div.Tensor", {dimensioned(i), dimensioned(i)}, f, f);
    check("aten.div.Tensor_mode", {dimensioned(i), dimensioned(i), "floor"}, i, i);
    check("aten.div.Tensor_mode", {dimensioned(i), dimensioned(i), Value()}, f, f);
    check("aten.exp.default", {dimensioned(i)}, f, f);
    check("aten.exp.default", {dimensioned(d)}, d, d);
    check("aten.gt.Scalar", {dimensioned(i), 0.5}, f, b);
    check("aten.gt.Scalar", {dimensioned(i), 1}, i, b);
    check("aten.clamp.default", {dimensioned(i), 0.5, Value()}, f, f);
    check("aten.leaky_relu.default", {dimensioned(d), 0.01}, d, d);
    check("aten.where.self", {dimensioned(b), dimensioned(f), zeroDim(d)}, f, f);
    check("aten.masked_fill.Scalar", {dimensioned(f), dimensioned(b), 1e300}, f, f);
    check("aten.pow.Tensor_Scalar", {dimensioned(i), 2}, i, i);
    check("aten.pow.Tensor_Scalar", {dimensioned(i), 0.5}, f, f);
}

TEST_CASE("the default dtype is what Python floats become") {
    setDefaultDType(d);
    CHECK(computeDType(get("aten.mul.Tensor"), {dimensioned(i), 2.5}) == d);
    setDefaultDType(f);
    CHECK_THROWS(setDefaultDType(i));
}

TEST_CASE("what may be written in place") {
    CHECK(canCast(d, f));
    CHECK(canCast(i, f));
    CHECK_FALSE(canCast(f, i));
    CHECK_FALSE(canCast(i, b));
    CHECK(canCast(b, b));
}
