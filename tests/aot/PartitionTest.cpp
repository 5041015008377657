// The partitioner's properties, and equality with eager on programs made at random.
#include "tests/aot/Programs.h"

#include "engine/aot/Cse.h"
#include "engine/aot/MaxFlow.h"
#include "engine/aot/Partitioner.h"
#include "engine/eager/Dispatcher.h"
#include "engine/fx/Printer.h"
#include "engine/ops/Registry.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <set>

using namespace strata;
using namespace strata::aot;
using namespace strata::aot::tests;
using ops::Tensor;
using ops::Value;
using ops::Values;
namespace f = ops::f;

namespace {

std::int64_t savedBytes(const fx::Graph& backward) {
    std::int64_t bytes = 0;
    for (const fx::Node* node : backward.placeholders())
        if (node->role != fx::Role::Tangent && !node->isInt)
            bytes += node->value.numel().asInt() * static_cast<std::int64_t>(tensor::itemSize(node->value.dtype()));
    return bytes;
}

// A program of `length` ops on values of shape (4, 4): one derivable from a seed.
FlatFunction randomProgram(unsigned seed, int length) {
    return [seed, length](const Values& in) -> Values {
        std::mt19937 random(seed);
        const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
        std::vector<Tensor> values;
        for (const Value& input : in) values.push_back(input.tensor());
        for (int i = 0; i < length; ++i) {
            const Tensor a = values[below(values.size())], b = values[below(values.size())];
            switch (below(16)) {
            case 0:
                values.push_back(f::add(a, b));
                break;
            case 1:
                values.push_back(f::mul(a, b));
                break;
            case 2:
                values.push_back(f::sin(a));
                break;
            case 3:
                values.push_back(f::sigmoid(a));
                break;
            case 4:
                values.push_back(f::tanh(f::mm(a, b)));
                break;
            case 5:
                values.push_back(f::relu(f::sub(a, b)));
                break;
            case 6:
                values.push_back(f::permute(a, {1, 0}));
                break;
            case 7:
                values.push_back(f::sub(a, f::amax(a, {1}, true)));
                break;
            case 8:
                values.push_back(f::softmax(a, 1));
                break;
            case 9:
                values.push_back(f::expand(f::mean(a, {0}, true), {4, 4}));
                break;
            case 10: { // a write into a fresh tensor
                const Tensor c = f::clone(a);
                ops::call(ops::get("aten.mul_.Tensor"), {c, b});
                values.push_back(c);
                break;
            }
            case 11: { // a write through a view
                const Tensor c = f::mul(a, 0.5);
                ops::call(ops::get("aten.add_.Tensor"),
                          {f::select(c, static_cast<std::int64_t>(below(2)), 1), f::select(b, 0, 2)});
                values.push_back(c);
                break;
            }
            case 12:
                values.push_back(f::gelu(a));
                break;
            case 13:
                values.push_back(f::where(f::gt(a, 0), a, b));
                break;
            case 14:
                values.push_back(f::silu(f::detach(a)));
                break;
            default:
                values.push_back(f::div(a, f::add(f::mul(b, b), 1.5)));
                break;
            }
        }
        return {values.back(), f::sum(f::mul(values[values.size() - 2], values.back()))};
    };
}

} // namespace

TEST_CASE("programs made at random agree with eager, gradients too") {
    for (unsigned seed = 1; seed <= 60; ++seed) {
        INFO("seed " << seed);
        const Values inputs{needingGrad(floats({4, 4}, -1, 1, seed)), needingGrad(floats({4, 4}, -1, 1, seed + 100)),
                            floats({4, 4}, -1, 1, seed + 200)};
        checkAgainstEager(randomProgram(seed, 3 + static_cast<int>(seed % 14)), inputs);
    }
}

TEST_CASE("no more is saved than a tape would save, and the backward's inputs are what the forward gives") {
    const FlatFunction function = [](const Values& in) -> Values {
        Tensor x = in[0].tensor();
        for (int i = 0; i < 5; ++i) x = f::gelu(f::add(f::mul(x, x), in[1]));
        return {f::mm(x, in[1].tensor())};
    };
    const Values inputs{needingGrad(floats({16, 16})), needingGrad(floats({16, 16}))};
    const auto compiled = checkAgainstEager(function, inputs);
    // A tape keeps both operands of each product and each gelu's input: 11 matrices.
    CHECK(savedBytes(compiled.graph("backward")) <= 3 * 16 * 16 * 4);
    std::set<std::string> given;
    const fx::Node* output = compiled.graph("forward").outputNode();
    for (const fx::Node* node : output->inputs()) given.insert(node->name);
    for (const fx::Node* node : compiled.graph("backward").placeholders())
        if (node->role != fx::Role::Tangent) CHECK(given.contains(node->name));
}

TEST_CASE("equal subexpressions merge; numbers of different kinds do not") {
    const auto graph = fx::parse("def forward(self, x: \"f32[4]\"):\n"
                                 "    sin: \"f32[4]\" = aten.sin.default(x)\n"
                                 "    sin_1: \"f32[4]\" = aten.sin.default(x)\n"
                                 "    mul: \"f32[4]\" = aten.mul.Tensor(sin, 1)\n"
                                 "    mul_1: \"f32[4]\" = aten.mul.Tensor(sin_1, 1)\n"
                                 "    mul_2: \"f32[4]\" = aten.mul.Tensor(sin_1, 1.0)\n"
                                 "    return (mul, mul_1, mul_2)\n");
    const auto merged = eliminateCommonSubexpressions(*graph);
    CHECK(targets(*graph) == "sin.default mul.Tensor mul.Tensor");
    CHECK(merged.at("sin") == std::vector<std::string>{"sin_1"});
    CHECK(merged.at("mul") == std::vector<std::string>{"mul_1"});
}

TEST_CASE("random ops are neither merged nor recomputed") {
    const ops::OpDef* random = nullptr;
    for (const ops::OpDef* op : ops::all())
        if (op->kind == ops::Kind::Random && !op->inPlace && op->schema.name == "rand_like") random = op;
    if (!random) random = ops::find("aten.native_dropout.default");
    if (!random) return; // no random op is declared yet
    const FlatFunction function = [random](const Values& in) -> Values {
        const auto noise = [&] {
            return ops::call(*random, random->schema.name == "rand_like" ? Values{in[0]} : Values{in[0], 0.5, true})
                .at(0)
                .tensor();
        };
        return {f::mul(f::sin(f::mul(in[0], noise())), noise())};
    };
    const Values inputs{needingGrad(floats({8}, 1, 2))};
    const auto compiled = compileFor(function, inputs);
    eager::backward({f::sum(compiled.function(inputs)[0].tensor())}, {}, {}, {});
    const auto count = [&](const fx::Graph& graph) {
        return std::count_if(graph.nodes().begin(), graph.nodes().end(),
                             [](const auto& node) { return isRandom(*node); });
    };
    CHECK(count(compiled.graph("forward")) == 2);
    CHECK(count(compiled.graph("backward")) == 0);
}

TEST_CASE("maximum flow") {
    FlowNetwork network(4);
    network.addEdge(0, 1, 3);
    network.addEdge(0, 2, 2);
    network.addEdge(1, 2, 5);
    network.addEdge(1, 3, 2);
    network.addEdge(2, 3, 3);
    CHECK(network.maximize(0, 3) == 5);
    CHECK(network.reachesSink(3) == std::vector<bool>{false, false, false, true});
    FlowNetwork unbounded(2);
    unbounded.addEdge(0, 1, FlowNetwork::infinite);
    CHECK(unbounded.maximize(0, 1) == FlowNetwork::infinite);
    FlowNetwork ties(3); // of two equal cuts the one nearer to the sink
    ties.addEdge(0, 1, 2);
    ties.addEdge(1, 2, 2);
    CHECK(ties.maximize(0, 2) == 2);
    CHECK(ties.reachesSink(2) == std::vector<bool>{false, false, true});
}
