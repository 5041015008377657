// The graphs: functionalization, decompositions, the joint graph, as PyTorch 2.11 has them for the same programs.
#include "tests/aot/Programs.h"

#include "engine/eager/Dispatcher.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

using namespace strata;
using namespace strata::aot;
using namespace strata::aot::tests;
using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
namespace f = ops::f;

namespace {

Tensor inPlace(const char* name, Values args) {
    return ops::callTensor(ops::get(name), std::move(args));
}

} // namespace

TEST_CASE("a chain of pointwise ops without gradients is an inference graph") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor a = f::add(f::sin(in[0].tensor()), in[1]);
        return {f::sub(f::relu(f::mul(a, 2.0)), in[1])};
    };
    const auto compiled = checkAgainstEager(function, {floats({4, 4}), floats({4, 4}, 1, 2)});
    const fx::Graph& graph = compiled.graph("inference");
    CHECK(targets(graph) == "sin.default add.Tensor mul.Tensor relu.default sub.Tensor");
    CHECK(graph.placeholders().size() == 2);
    // A Python number stays one.
    for (const auto& node : graph.nodes())
        if (node->target == "aten.mul.Tensor") CHECK(*node->args.at(1).as<double>() == 2.0);
}

TEST_CASE("an in-place change of an input becomes an output that is copied back") {
    const FlatFunction function = [](const Values& in) -> Values {
        inPlace("aten.add_.Tensor", {in[0], 1});
        return {f::mul(in[0], 2)};
    };
    const auto compiled = checkAgainstEager(function, {floats({4})});
    const fx::Graph& graph = compiled.graph("inference");
    CHECK(targets(graph) == "add.Tensor mul.Tensor");
    CHECK(outputCount(graph) == 2);
    REQUIRE(graph.writes.size() == 1);
    CHECK(graph.writes[0] == std::pair<int, int>(0, 0));
    const Tensor x = floats({4});
    const auto before = x.version();
    compiled.function({x});
    CHECK(x.version() > before);
}

TEST_CASE("a write through views becomes scatters on the base") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor y = f::clone(in[0].tensor());
        inPlace("aten.mul_.Tensor", {f::select(y, 0, 0), 10});
        inPlace("aten.fill_.Scalar", {f::slice(f::transpose(y, 0, 1), 0, 1, 3), -1});
        return {f::sum(y, {0}), y, f::select(y, 1, 2)};
    };
    const auto compiled = checkAgainstEager(function, {floats({3, 4})});
    const std::string all = targets(compiled.graph("inference"));
    CHECK(all.find("_.") == std::string::npos); // nothing in place is left
    CHECK(all.find("mul.Tensor") != std::string::npos);
}

TEST_CASE("a write through a view of an input reaches the input") {
    checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor row = f::select(in[0].tensor(), 0, 1);
            const Tensor flat = f::view(in[0].tensor(), {12});
            inPlace("aten.add_.Tensor", {row, 5});
            return {f::mul(flat, 2), row, flat};
        },
        {floats({3, 4})});
}

TEST_CASE("copy_ and dtype: the value takes the tensor's dtype") {
    checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor y = f::zerosLike(in[0].tensor());
            f::copyInto(y, in[1].tensor());
            inPlace("aten.add_.Tensor", {y, f::toCopy(in[1].tensor(), ops::DType::Float64)});
            return {y};
        },
        {floats({3, 4}), floats({4})});
}

TEST_CASE("writing through an expanded tensor's parts is refused") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor wide = f::expand(f::clone(in[0].tensor()), {3, 4});
        inPlace("aten.add_.Tensor", {f::select(wide, 0, 0), 1});
        return {wide};
    };
    CHECK_THROWS_AS(compileFor(function, {floats({4})}), support::Refusal);
}

TEST_CASE("a value that tracing cannot know is refused, and so are errors of the function") {
    CHECK_THROWS_AS(compileFor(
                        [](const Values& in) -> Values {
                            return {
                                f::mul(in[0], ops::call(ops::get("aten._local_scalar_dense.default"), {in[0]}).at(0))};
                        },
                        {floats({})}),
                    support::Refusal);
    CHECK_THROWS_AS(
        compileFor([](const Values& in) -> Values { return {f::add(in[0], in[1])}; }, {floats({3}), floats({4})}),
        support::Refusal);
}

TEST_CASE("the joint graph of a perceptron") {
    const FlatFunction linears = [](const Values& in) -> Values {
        const Tensor h = f::relu(f::addmm(in[2].tensor(), in[0].tensor(), f::t(in[1].tensor())));
        return {f::addmm(in[4].tensor(), h, f::t(in[3].tensor()))};
    };
    const Values inputs{floats({8, 16}), needingGrad(floats({32, 16})), needingGrad(floats({32})),
                        needingGrad(floats({4, 32})), needingGrad(floats({4}))};
    trace::MemorySink sink;
    Options options;
    options.sink = &sink;
    options.compile = "0/0";
    std::vector<Input> described;
    for (std::size_t i = 0; i < inputs.size(); ++i)
        described.push_back({exampleOf(inputs[i]), "x", i == 0 ? fx::Role::Input : fx::Role::Parameter, {}});
    std::map<std::string, std::shared_ptr<const fx::Graph>> graphs;
    const auto function = compile(
        linears, described,
        [&](std::shared_ptr<const fx::Graph> graph, const std::string& region) {
            graphs[region] = graph;
            return interpret(graph);
        },
        options);
    const Values out = function(inputs);
    eager::backward({f::sum(out[0].tensor())}, {}, {}, {});
    const auto joint =
        std::find_if(sink.records.begin(), sink.records.end(), [](const auto& r) { return r["kind"] == "joint"; });
    REQUIRE(joint != sink.records.end());
    CHECK((*joint)["outputs"] == 5);
    std::string all;
    for (const auto& item : (*joint)["items"])
        if (item["op"] == "call_function") all += item["target"].get<std::string>().substr(5) + " ";
    CHECK(sorted(all) ==
          sorted("permute.default addmm.default relu.default permute.default addmm.default permute.default mm.default "
                 "permute.default "
                 "mm.default permute.default sum.dim_IntList view.default permute.default le.Scalar "
                 "scalar_tensor.default where.self "
                 "permute.default mm.default permute.default sum.dim_IntList view.default permute.default"));
    CHECK(targets(*graphs["forward"]) == "permute.default addmm.default relu.default permute.default addmm.default");
    CHECK(outputCount(*graphs["forward"]) == 4);
    CHECK(graphs["backward"]->placeholders().size() == 4);
    CHECK(outputCount(*graphs["backward"]) == 4);
    CHECK(sortedTargets(*graphs["backward"]) ==
          sorted("permute.default permute.default mm.default permute.default mm.default permute.default "
                 "sum.dim_IntList view.default permute.default "
                 "le.Scalar scalar_tensor.default where.self permute.default mm.default permute.default "
                 "sum.dim_IntList view.default permute.default"));
    checkAgainstEager(linears, inputs);
}

TEST_CASE("a chain of cheap ops is recomputed from its input") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor d = f::sigmoid(f::tanh(f::cos(f::sin(in[0].tensor()))));
        return {f::mul(d, d)};
    };
    const auto compiled = checkAgainstEager(function, {needingGrad(floats({64}, -2, 2))});
    CHECK(targets(compiled.graph("forward")) == "sin.default cos.default tanh.default sigmoid.default mul.Tensor");
    CHECK(outputCount(compiled.graph("forward")) == 2);
    CHECK(sortedTargets(compiled.graph("backward")) ==
          sorted("sin.default cos.default tanh.default sigmoid.default mul.Tensor add.Tensor sub.Tensor mul.Tensor "
                 "mul.Tensor mul.Tensor sub.Tensor "
                 "mul.Tensor sin.default neg.default mul.Tensor cos.default mul.Tensor"));
}

TEST_CASE("sigmoid is recomputed") {
    const auto compiled = checkAgainstEager(
        [](const Values& in) -> Values { return {f::sum(f::mul(f::sigmoid(in[0].tensor()), in[0]))}; },
        {needingGrad(floats({5}))});
    CHECK(targets(compiled.graph("forward")) == "sigmoid.default mul.Tensor sum.dim_IntList");
    CHECK(outputCount(compiled.graph("forward")) == 2);
    CHECK(sortedTargets(compiled.graph("backward")) ==
          sorted("expand.default sigmoid.default mul.Tensor mul.Tensor sub.Tensor mul.Tensor mul.Tensor add.Tensor"));
}

TEST_CASE("detach cuts one path; without parameters views are saved") {
    const auto compiled = checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor h = f::mm(in[0].tensor(), in[1].tensor());
            return {f::sum(f::mul(f::detach(h), h))};
        },
        {needingGrad(floats({2, 3})), needingGrad(floats({3, 2}))});
    CHECK(sortedTargets(compiled.graph("forward")) ==
          sorted("mm.default mul.Tensor sum.dim_IntList permute.default permute.default"));
    CHECK(outputCount(compiled.graph("forward")) == 4);
    CHECK(sortedTargets(compiled.graph("backward")) == sorted("expand.default mul.Tensor mm.default mm.default"));
}

TEST_CASE("an in-place change of an intermediate that the tape saved a clone of") {
    const auto compiled = checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor y = f::exp(in[0].tensor());
            const Tensor z = f::clone(y);
            inPlace("aten.mul_.Tensor", {z, 2});
            return {f::sum(f::mul(y, z))};
        },
        {needingGrad(floats({4}))});
    CHECK(sortedTargets(compiled.graph("forward")) ==
          sorted("exp.default clone.default mul.Tensor mul.Tensor sum.dim_IntList"));
    CHECK(sortedTargets(compiled.graph("backward")) ==
          sorted("expand.default exp.default mul.Tensor clone.default mul.Tensor mul.Tensor mul.Tensor add.Tensor "
                 "mul.Tensor"));
}

TEST_CASE("a constant of the function's own is a get_attr") {
    const Tensor weights = floats({4}, 1, 2);
    const FlatFunction function = [weights](const Values& in) -> Values {
        const Tensor literal = ops::callTensor(ops::get("aten.lift_fresh.default"), {weights});
        inPlace("aten.add_.Tensor", {literal, 1});
        return {f::mul(f::mul(in[0], weights), weights), literal};
    };
    const auto compiled = compileFor(function, {floats({4})});
    const Tensor x = floats({4});
    const Values out = compiled.function({x});
    CHECK(sameData(out[0].tensor(), f::mul(f::mul(x, weights), weights)));
    CHECK(sameData(out[1].tensor(), f::add(weights, 1)));
    CHECK(sameData(compiled.function({x})[1].tensor(), f::add(weights, 1)));
    CHECK(targets(compiled.graph("inference")).find("_tensor_constant0") != std::string::npos);
    CHECK_THROWS_AS(compileFor(
                        [weights](const Values& in) -> Values {
                            inPlace("aten.add_.Tensor", {weights, 1});
                            return {f::mul(in[0], weights)};
                        },
                        {floats({4})}),
                    support::Refusal);
}

TEST_CASE("a non-leaf that needs gradients and is changed enters the joint graph as a copy") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor alias = f::detach(in[0].tensor());
        inPlace("aten.mul_.Tensor", {in[0], 2});
        return {in[0], alias};
    };
    const Tensor leaf = needingGrad(floats({3}));
    const auto compiled = compileFor(function, {f::mul(leaf, 2)});
    const Tensor mid = f::mul(leaf, 2);
    const Values out = compiled.function({mid});
    eager::backward({f::sum(out[0].tensor())}, {}, {}, {});
    CHECK(out[0].tensor().is(mid));
    CHECK(out[1].tensor().sharesStorage(mid));
    CHECK(!eager::requiresGrad(out[1].tensor()));
    CHECK(sameData(eager::grad(leaf), f::full({3}, 4.0, ops::DType::Float32)));
    CHECK(targets(compiled.graph("forward")) == "clone.default mul.Tensor");
    CHECK(targets(compiled.graph("backward")) == "mul.Tensor");
}

TEST_CASE("attention, layer by layer, and views of views written in place, as PyTorch 2.11 has them") {
    const auto attention = checkAgainstEager(
        [](const Values& in) -> Values {
            const auto call = [](const char* name, Values args) {
                return ops::callTensor(ops::get(name), std::move(args));
            };
            Tensor scores =
                f::div(call("aten.matmul.default", {in[0], f::transpose(in[1].tensor(), -2, -1)}), 2.8284271247461903);
            scores = f::maskedFill(scores, f::eq(in[3].tensor(), 0), -1e30);
            return {call("aten.matmul.default", {call("aten.softmax.int", {scores, -1}), in[2]})};
        },
        {floats({2, 10, 8}), floats({2, 10, 8}), floats({2, 10, 8}), floats({10, 10})});
    CHECK(targets(attention.graph("inference")) == "permute.default expand.default view.default expand.default "
                                                   "view.default bmm.default view.default div.Tensor eq.Scalar "
                                                   "scalar_tensor.default where.self _softmax.default expand.default "
                                                   "view.default expand.default view.default bmm.default view.default");
    const auto diagonal = checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor& a = in[0].tensor();
            inPlace("aten.add_.Tensor", {ops::callTensor(ops::get("aten.diagonal.default"), {a}), 1.0});
            inPlace("aten.mul_.Tensor", {f::select(a, 1, 1), 10});
            inPlace("aten.sub_.Tensor", {f::slice(f::select(f::t(a), 0, 0), 0, 1, 3), 5});
            return {};
        },
        {floats({3, 4})});
    const bool core = !ops::get("aten.select_scatter.default").decomposition;
    const std::string scatter =
        core ? "select_scatter.default "
             : "arange.start_step view.default eq.Scalar unsqueeze.default expand.default where.self ";
    CHECK(sortedTargets(diagonal.graph("inference")) ==
          sorted("diagonal.default add.Tensor diagonal_scatter.default select.int mul.Tensor permute.default "
                 "select.int slice.Tensor sub.Tensor "
                 "permute.default select.int slice_scatter.default permute.default " +
                 scatter + scatter));
}
