// A declaration that lacks a part fails here, by name.
#include "engine/ops/Registry.h"
#include "engine/ops/Element.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

#include <set>

using namespace strata;
using namespace strata::ops;

namespace {

bool returnsTensors(const OpDef& op) {
    for (const TypeName type : op.schema.returns)
        if (type == TypeName::Tensor || type == TypeName::Tensors) return true;
    return false;
}

// What is missing from an op's declaration.
std::vector<std::string> missing(const OpDef& op) {
    std::vector<std::string> parts;
    const auto want = [&](bool present, const char* part) {
        if (!present) parts.emplace_back(part);
    };
    want(!op.doc.empty(), "doc");
    want(static_cast<bool>(op.samples), "samples");
    want(!op.qualified.empty() && op.id >= 0, "registration");
    if (op.kind == Kind::Composite) {
        want(static_cast<bool>(op.composite), "composite");
        return parts;
    }
    if (returnsTensors(op)) {
        want(static_cast<bool>(op.meta) || static_cast<bool>(op.decomposition), "meta");
        want(op.kind == Kind::View || op.kernel || op.decomposition, "kernel");
    }
    if (op.kind == Kind::Pointwise) want(static_cast<bool>(op.body), "body");
    if (op.kind == Kind::View) want(!op.kernel, "no kernel (a view launches nothing)");
    want(op.derivative.has_value() || !op.differentiable, "derivative, or differentiable = false");
    return parts;
}

} // namespace

TEST_CASE("every op is declared in full") {
    for (const OpDef* op : all()) {
        const std::vector<std::string> parts = missing(*op);
        std::string text;
        for (const std::string& part : parts) text += " " + part;
        INFO(op->qualified << " lacks" << text);
        CHECK(parts.empty());
    }
}

TEST_CASE("ids are positions, names are unique and findable") {
    std::set<std::string> names;
    for (std::size_t i = 0; i < all().size(); ++i) {
        const OpDef* op = all()[i];
        CHECK(op->id == static_cast<int>(i));
        CHECK(names.insert(op->qualified).second);
        CHECK(find(op->qualified) == op);
    }
    REQUIRE(find("aten.nonesuch.default") == nullptr);
    REQUIRE_THROWS_AS(get("aten.nonesuch.default"), support::Error);
    REQUIRE(overloads("add").size() == 2);
    REQUIRE(overloads("add").front()->qualified == "aten.add.Tensor");
}

TEST_CASE("an in-place form is derived from its op") {
    const OpDef& op = get("aten.mul_.Tensor");
    REQUIRE(op.inPlace);
    REQUIRE(op.functional == &get("aten.mul.Tensor"));
    REQUIRE(op.functional->inPlaceForm == &op);
    REQUIRE(op.schema.text == "mul_.Tensor(Tensor(a!) self, Tensor other) -> Tensor(a!)");
    REQUIRE(parseSchema(op.schema.text).params[0].written);
    REQUIRE(find("aten.rsub_.Scalar") == nullptr);
}

TEST_CASE("tape nodes are named and numbered as in PyTorch") {
    REQUIRE(get("aten.mul.Tensor").nodeName == "MulBackward0");
    REQUIRE(get("aten.mul_.Tensor").nodeName == "MulBackward0");
    REQUIRE(get("aten.mul.Scalar").nodeName == "MulBackward1");
    REQUIRE(get("aten.pow.Tensor_Tensor").nodeName == "PowBackward1");
    REQUIRE(get("aten._to_copy.default").nodeName == "ToCopyBackward0");
    REQUIRE(get("aten.leaky_relu.default").nodeName == "LeakyReluBackward0");
}

TEST_CASE("lowered bodies read as formulas") {
    const auto lower = [](const char* name, const Values& args, int loads) {
        std::vector<loop::Value> in;
        for (int i = 0; i < loads; ++i)
            in.push_back(loop::Value::input(i, args[static_cast<std::size_t>(i)].tensor().dtype()));
        return loop::str(lowerElement(get(name), args, in).expr());
    };
    const Tensor x = Tensor::fake({2}, {1}, DType::Float32), i = Tensor::fake({2}, {1}, DType::Int64);
    REQUIRE(lower("aten.add.Tensor", {x, x, 1}, 2) ==
            loop::str((loop::Value::input(0, DType::Float32) + loop::Value::input(1, DType::Float32)).expr()));
    REQUIRE(lower("aten.mul.Tensor", {x, 2.0}, 1) ==
            loop::str((loop::Value::input(0, DType::Float32) * loop::Value::constant(2, DType::Float32)).expr()));
    // A mixed pair is converted to the dtype in which PyTorch computes.
    REQUIRE(
        lower("aten.add.Tensor", {x, i, 1}, 2) ==
        loop::str(
            (loop::Value::input(0, DType::Float32) + loop::Value::input(1, DType::Int64).cast(DType::Float32)).expr()));
}
