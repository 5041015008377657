#include "tests/aot/Programs.h"

#include "engine/eager/Dispatcher.h"
#include "engine/ops/Registry.h"
#include "engine/ops/Samples.h"
#include "engine/ops/Strided.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <sstream>

namespace strata::aot::tests {

using ops::Tensor;
using ops::Tensors;
using ops::Value;
using ops::Values;
namespace f = ops::f;

const fx::Graph& Compiled::graph(const std::string& region) const {
    for (auto it = graphs->rbegin(); it != graphs->rend(); ++it)
        if (it->first == region) return *it->second;
    FAIL("no graph for region " << region);
    throw 0;
}

Tensor floats(const std::vector<std::int64_t>& sizes, double low, double high, unsigned seed) {
    eager::Dispatcher::instance();
    const eager::GradModeScope noGrad(false);
    return f::toCopy(ops::samples::tensor(sizes, low, high, seed), ops::DType::Float32);
}

Tensor needingGrad(const Tensor& tensor) {
    eager::setRequiresGrad(tensor, true);
    return tensor;
}

Tensor copyOf(const Tensor& tensor) {
    Tensor copy = Tensor::emptyStrided(tensor.sizes(), tensor.strides(), tensor.dtype());
    ops::copyTensor(copy, tensor);
    if (eager::requiresGrad(tensor)) eager::setRequiresGrad(copy, true);
    return copy;
}

Value exampleOf(const Value& value) {
    const auto* real = value.as<Tensor>();
    if (!real) return value;
    Tensor fake = Tensor::fake(real->sizes(), real->strides(), real->dtype());
    fake->offset = (*real)->offset;
    if (eager::requiresGrad(*real)) eager::setRequiresGrad(fake, true);
    return fake;
}

Compiled compileFor(const FlatFunction& function, const Values& inputs, Options options) {
    Compiled out;
    out.graphs = std::make_shared<std::vector<std::pair<std::string, std::shared_ptr<const fx::Graph>>>>();
    std::vector<Input> described;
    for (const Value& input : inputs)
        described.push_back({exampleOf(input), "x", input.as<Tensor>() ? fx::Role::Input : fx::Role::Size, {}});
    const GraphCompiler compiler = [graphs = out.graphs](std::shared_ptr<const fx::Graph> graph,
                                                         const std::string& region) {
        graphs->emplace_back(region, graph);
        return interpret(graph);
    };
    out.function = compile(function, std::move(described), compiler, options);
    return out;
}

std::string targets(const fx::Graph& graph) {
    std::string text;
    for (const auto& node : graph.nodes()) {
        if (node->op == fx::Opcode::Placeholder || node->op == fx::Opcode::Output) continue;
        std::string target = node->target;
        if (target == "aten.alias.default" || target == "aten.detach.default") continue;
        if (target.rfind("aten.", 0) == 0) target = target.substr(5);
        text += (text.empty() ? "" : " ") + target;
    }
    return text;
}

std::string sorted(const std::string& words) {
    std::istringstream in(words);
    std::vector<std::string> all;
    for (std::string word; in >> word;) all.push_back(word);
    std::sort(all.begin(), all.end());
    std::string text;
    for (const std::string& word : all) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string sortedTargets(const fx::Graph& graph) {
    return sorted(targets(graph));
}

int outputCount(const fx::Graph& graph) {
    const auto& items = graph.outputNode()->args.at(0).as<fx::Tuple>()->items;
    return static_cast<int>(
        std::count_if(items.begin(), items.end(), [](const fx::Arg& arg) { return !arg.as<fx::None>(); }));
}

bool sameData(const Tensor& a, const Tensor& b, double tolerance) {
    if (!a.defined() || !b.defined()) return a.defined() == b.defined();
    if (a.dtype() != b.dtype() || !symbolic::sameAs(a.sizes(), b.sizes())) return false;
    const eager::GradModeScope noGrad(false);
    const Tensor x = f::contiguous(f::to(f::detach(a), ops::DType::Float64)),
                 y = f::contiguous(f::to(f::detach(b), ops::DType::Float64));
    for (std::int64_t i = 0; i < x.numel().asInt(); ++i) {
        const double p = x.data<double>()[i], q = y.data<double>()[i];
        if (std::isnan(p) != std::isnan(q)) return false;
        if (std::fabs(p - q) > tolerance * (1 + std::fabs(q))) return false;
    }
    return true;
}

namespace {

void backwardThroughSquares(const Values& outputs) {
    Tensor total;
    for (const Value& output : outputs) {
        const auto* tensor = output.as<Tensor>();
        if (!tensor || !tensor->defined() || !eager::requiresGrad(*tensor)) continue;
        const Tensor part = f::sum(f::mul(*tensor, *tensor));
        total = total.defined() ? f::add(total, part) : part;
    }
    if (total.defined()) eager::backward({total}, {}, {}, {});
}

Values copies(const Values& inputs) {
    Values out;
    for (const Value& input : inputs) out.push_back(input.as<Tensor>() ? Value(copyOf(input.tensor())) : input);
    return out;
}

} // namespace

Compiled checkAgainstEager(const FlatFunction& function, const Values& inputs) {
    const Compiled compiled = compileFor(function, inputs);
    for (int round = 0; round < 2; ++round) { // the second call reuses what the first made
        const Values ours = copies(inputs), theirs = copies(inputs);
        const Values expected = function(theirs), actual = compiled.function(ours);
        REQUIRE(expected.size() == actual.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            INFO("output " << i);
            const auto* tensor = expected[i].as<Tensor>();
            if (!tensor) continue;
            CHECK(sameData(actual[i].tensor(), *tensor));
            if (tensor->defined()) CHECK(eager::requiresGrad(actual[i].tensor()) == eager::requiresGrad(*tensor));
        }
        backwardThroughSquares(expected);
        backwardThroughSquares(actual);
        for (std::size_t i = 0; i < ours.size(); ++i) {
            INFO("input " << i);
            if (!ours[i].as<Tensor>()) continue;
            CHECK(sameData(ours[i].tensor(), theirs[i].tensor()));
            CHECK(sameData(eager::grad(ours[i].tensor()), eager::grad(theirs[i].tensor()), 1e-4));
        }
    }
    return compiled;
}

} // namespace strata::aot::tests
