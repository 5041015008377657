// Calls of compiled functions: aliasing, changed inputs, sizes, the tape.
#include "tests/aot/Programs.h"

#include "engine/aot/Cse.h"
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

std::string messageOf(const std::function<void()>& run) {
    try {
        run();
    } catch (const support::Error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("an output that is an input is the same object; a view of an input is one") {
    const FlatFunction function = [](const Values& in) -> Values {
        return {in[0], f::slice(f::view(in[0].tensor(), {8}), 0, 2, 5), f::add(in[0], 1), f::detach(in[0].tensor())};
    };
    const auto compiled = checkAgainstEager(function, {floats({2, 4})});
    CHECK(sortedTargets(compiled.graph("inference")) == "add.Tensor slice.Tensor view.default");
    const Tensor x = floats({2, 4});
    const Values out = compiled.function({x});
    CHECK(out[0].tensor().is(x));
    CHECK(out[1].tensor().sharesStorage(x));
    CHECK(!out[2].tensor().sharesStorage(x));
    CHECK(out[3].tensor().sharesStorage(x));
    f::copyInto(out[1].tensor(), f::full({3}, 9.0, ops::DType::Float32));
    CHECK(f::contiguous(x).data<float>()[3] == 9.0F);
    checkAgainstEager(function, {needingGrad(floats({2, 4}))});
}

TEST_CASE("a view of an input that needs gradients has its view's history") {
    const auto compiled =
        compileFor([](const Values& in) -> Values { return {f::select(in[0].tensor(), 0, 1), f::mul(in[0], in[0])}; },
                   {needingGrad(floats({2, 4}))});
    const Values out = compiled.function({needingGrad(floats({2, 4}))});
    CHECK(eager::gradFn(out[0].tensor())->name == "SelectBackward0");
    CHECK(eager::gradFn(out[1].tensor())->name == "CompiledFunctionBackward");
}

TEST_CASE("outputs on one storage alias one another and share one history") {
    const FlatFunction function = [](const Values& in) -> Values {
        const Tensor y = f::mul(in[0], 2);
        return {f::view(y, {8}), f::select(y, 0, 1), f::view(y, {8})};
    };
    const Values inputs{needingGrad(floats({2, 4}))};
    const auto compiled = checkAgainstEager(function, inputs);
    const Values out = compiled.function(inputs);
    CHECK(out[0].tensor().sharesStorage(out[1].tensor()));
    CHECK(eager::gradFn(out[0].tensor())->name == "ViewBackward0");
    CHECK(outputCount(compiled.graph("forward")) == 4); // the base as well
    // The base is itself an output.
    checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor y = f::mul(in[0], 2);
            return {f::view(y, {8}), y};
        },
        inputs);
    // Without gradients the graph's own outputs alias.
    const auto plain = checkAgainstEager(function, {floats({2, 4})});
    const Values shared = plain.function({floats({2, 4})});
    CHECK(shared[0].tensor().sharesStorage(shared[1].tensor()));
}

TEST_CASE("the same tensor twice among the outputs is one object") {
    const auto compiled = compileFor(
        [](const Values& in) -> Values {
            const Tensor y = f::mul(in[0], 2);
            return {y, Value(), y, 3};
        },
        {needingGrad(floats({4}))});
    const Values out = compiled.function({needingGrad(floats({4}))});
    CHECK(out[0].tensor().is(out[2].tensor()));
    CHECK(out[1].isNone());
    CHECK(out[3].toInt().sameAs(3));
}

TEST_CASE("outputs that need no gradient say so") {
    checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor y = f::mul(in[0], in[1]);
            return {y, f::gt(y, 0), f::detach(f::mul(y, 3)), f::mul(in[1], 2)};
        },
        {needingGrad(floats({4})), floats({4})});
}

TEST_CASE("a part of the function runs without gradients") {
    checkAgainstEager(
        [](const Values& in) -> Values {
            const Tensor y = f::mul(in[0], 2);
            Tensor z;
            {
                const eager::GradModeScope noGrad(false);
                z = f::mul(y, in[0]);
            }
            return {f::add(y, z), z};
        },
        {needingGrad(floats({4}))});
}

TEST_CASE("changed inputs and gradients") {
    SECTION("the input gets a history") {
        const FlatFunction function = [](const Values& in) -> Values {
            inPlace("aten.add_.Tensor", {in[0], in[1]});
            return {f::mul(in[0], in[0])};
        };
        const Tensor x = floats({4}), w = needingGrad(floats({4}, 1, 2));
        const Tensor xe = floats({4}), we = needingGrad(floats({4}, 1, 2));
        const auto compiled = compileFor(function, {x, w});
        const Values out = compiled.function({x, w}), expected = function({xe, we});
        CHECK(eager::requiresGrad(x));
        CHECK(eager::requiresGrad(xe));
        CHECK(sameData(x, xe));
        CHECK(compiled.graph("forward").writes.empty()); // the tape takes part in the copy
        eager::backward({f::add(f::sum(out[0].tensor()), f::sum(x))}, {}, {}, {});
        eager::backward({f::add(f::sum(expected[0].tensor()), f::sum(xe))}, {}, {}, {});
        CHECK(sameData(eager::grad(w), eager::grad(we)));
    }
    SECTION("a non-leaf that needs gradients") {
        const FlatFunction function = [](const Values& in) -> Values {
            inPlace("aten.mul_.Tensor", {in[0], in[1]});
            return {f::exp(in[0].tensor())};
        };
        const Tensor a = needingGrad(floats({4})), b = needingGrad(floats({4}, 1, 2));
        const Tensor ae = needingGrad(floats({4})), be = needingGrad(floats({4}, 1, 2));
        const Tensor x = f::mul(a, 3), xe = f::mul(ae, 3);
        const auto compiled = compileFor(function, {x, b});
        const Values out = compiled.function({x, b}), expected = function({xe, be});
        CHECK(sameData(x, xe));
        eager::backward({f::sum(f::add(out[0].tensor(), x))}, {}, {}, {});
        eager::backward({f::sum(f::add(expected[0].tensor(), xe))}, {}, {}, {});
        CHECK(sameData(eager::grad(a), eager::grad(ae)));
        CHECK(sameData(eager::grad(b), eager::grad(be)));
    }
    SECTION("a leaf that needs gradients may not be changed, as in eager") {
        const FlatFunction function = [](const Values& in) -> Values {
            inPlace("aten.add_.Tensor", {in[0], 1});
            return {f::mul(in[0], 2)};
        };
        const Tensor x = needingGrad(floats({4}));
        const auto compiled = compileFor(function, {x});
        CHECK(messageOf([&] { compiled.function({x}); }) ==
              "a leaf Variable that requires grad is being used in an in-place operation.");
    }
    SECTION("a parameter is changed under no_grad") {
        const FlatFunction function = [](const Values& in) -> Values {
            const eager::GradModeScope noGrad(false);
            inPlace("aten.sub_.Tensor", {in[0], in[1], 0.5});
            return {f::sum(in[0].tensor())};
        };
        const auto compiled = checkAgainstEager(function, {needingGrad(floats({4})), floats({4}, 1, 2)});
        CHECK(compiled.graph("inference").writes.size() == 1);
    }
    SECTION("the old value is kept for the backward") {
        checkAgainstEager(
            [](const Values& in) -> Values {
                inPlace("aten.add_.Tensor", {in[0], 1});
                return {f::mul(f::sin(in[0].tensor()), in[1])};
            },
            {floats({4}), needingGrad(floats({4}, 1, 2))});
    }
}

TEST_CASE("inputs that overlap while one is written run in eager") {
    const FlatFunction function = [](const Values& in) -> Values {
        inPlace("aten.add_.Tensor", {in[0], 1});
        return {f::mul(in[1], 2)};
    };
    const auto compiled = compileFor(function, {floats({2}), floats({2})});
    const Tensor base = floats({4}), same = copyOf(base);
    const Values out = compiled.function({f::slice(base, 0, 0, 2), f::slice(base, 0, 1, 3)});
    const Values expected = function({f::slice(same, 0, 0, 2), f::slice(same, 0, 1, 3)});
    CHECK(sameData(out[0].tensor(), expected[0].tensor()));
    CHECK(sameData(base, same));
    // Sharing storage without overlap is no obstacle.
    compiled.function({f::slice(base, 0, 0, 2), f::slice(base, 0, 2, 4)});
    // Examples that share storage are refused when one is written.
    const Tensor fake = Tensor::fake({4}, {1}, ops::DType::Float32);
    CHECK_THROWS_AS(compile(function,
                            {{fake.alias({2}, {1}, 0), "a", fx::Role::Input, {}},
                             {fake.alias({2}, {1}, 2), "b", fx::Role::Input, {}}},
                            [](auto graph, const std::string&) { return interpret(graph); }, {}),
                    support::Refusal);
}

TEST_CASE("a symbolic size is an input, and the graph serves other sizes") {
    symbolic::ShapeEnv env;
    const SymInt s0 = env.create(6, {symbolic::SymbolSource::Kind::Size, "L['x']", 0});
    std::map<std::string, std::shared_ptr<const fx::Graph>> graphs;
    const GraphCompiler keep = [&](std::shared_ptr<const fx::Graph> graph, const std::string& region) {
        graphs[region] = graph;
        return interpret(graph);
    };
    Options options;
    options.shapeEnv = &env;
    const Tensor x = Tensor::fake({s0}, {1}, ops::DType::Float32);
    SECTION("inference") {
        const FlatFunction function = [](const Values& in) -> Values {
            return {f::mul(f::sin(in[1].tensor()), in[1].tensor().size(0)), in[1].tensor().size(0) + 1};
        };
        const auto compiled =
            compile(function, {{s0, "s0", fx::Role::Size, {}}, {x, "x", fx::Role::Input, {}}}, keep, options);
        CHECK(targets(*graphs["inference"]) == "sin.default mul.Tensor add");
        CHECK(graphs["inference"]->placeholders().size() == 2);
        for (const auto& node : graphs["inference"]->nodes())
            if (node->target == "aten.mul.Tensor") CHECK((*node->args.at(1).as<fx::Node*>())->isInt);
        for (const std::int64_t n : {6, 9, 12}) {
            const Tensor real = floats({n});
            const Values out = compiled({n, real});
            CHECK(sameData(out[0].tensor(), f::mul(f::sin(real), n)));
            CHECK(out[1].toInt().sameAs(n + 1));
        }
    }
    SECTION("training, with and without a size input") {
        const FlatFunction function = [](const Values& in) -> Values {
            const Tensor& x = in.back().tensor();
            return {f::mul(f::sum(f::mul(x, x)), x.size(0)), f::cat({x, f::sin(x)}, 0)};
        };
        eager::setRequiresGrad(x, true);
        const bool given = GENERATE(true, false);
        std::vector<Input> inputs{{s0, "s0", fx::Role::Size, {}}, {x, "x", fx::Role::Input, {}}};
        if (!given) inputs.erase(inputs.begin());
        const auto compiled = compile(function, inputs, keep, options);
        for (const std::int64_t n : {6, 9}) {
            const Tensor real = needingGrad(floats({n})), same = needingGrad(floats({n}));
            const Values out = compiled(given ? Values{n, real} : Values{real}), expected = function({same});
            for (const Values& results : {out, expected})
                eager::backward({f::add(results[0].tensor(), f::sum(f::mul(results[1].tensor(), results[1].tensor())))},
                                {}, {}, {});
            CHECK(sameData(out[0].tensor(), expected[0].tensor()));
            CHECK(sameData(eager::grad(real), eager::grad(same)));
        }
        CHECK(env.guards().empty());
    }
}

TEST_CASE("the backward is compiled on first use, and once") {
    const Values inputs{needingGrad(floats({4}))};
    const auto compiled = compileFor([](const Values& in) -> Values { return {f::exp(in[0].tensor())}; }, inputs);
    CHECK(compiled.graphs->size() == 1);
    for (int i = 0; i < 2; ++i) {
        const Values out = compiled.function(inputs);
        eager::backward({out[0].tensor()}, {floats({4})}, {}, {});
        CHECK(compiled.graphs->size() == 2);
    }
}

TEST_CASE("the tape's rules hold for compiled functions") {
    const Values inputs{needingGrad(floats({4}, 1, 2))};
    const auto compiled =
        compileFor([](const Values& in) -> Values { return {f::sum(f::mul(f::exp(in[0].tensor()), in[0]))}; }, inputs);
    const Tensor x = inputs[0].tensor();
    SECTION("double backward is an error, single with create_graph is not") {
        const Values out = compiled.function(inputs);
        eager::BackwardOptions options;
        options.createGraph = true;
        const Tensors first = eager::backward({out[0].tensor()}, {}, {x}, options);
        CHECK(eager::requiresGrad(first[0]));
        CHECK(messageOf([&] { eager::backward({f::sum(first[0])}, {}, {x}, {}); }) ==
              "torch.compile with aot_autograd does not currently support double backward");
    }
    SECTION("a second backward without retain_graph") {
        const Values out = compiled.function(inputs);
        eager::backward({out[0].tensor()}, {}, {}, {});
        CHECK(messageOf([&] { eager::backward({out[0].tensor()}, {}, {}, {}); }).find("a second time") !=
              std::string::npos);
    }
    SECTION("retain_graph") {
        const Values out = compiled.function(inputs);
        eager::BackwardOptions options;
        options.retainGraph = true;
        const Tensors first = eager::backward({out[0].tensor()}, {}, {x}, options);
        const Tensors second = eager::backward({out[0].tensor()}, {}, {x}, {});
        CHECK(sameData(first[0], second[0]));
    }
    SECTION("an input that was saved and then changed") {
        const Values out = compiled.function(inputs);
        {
            const eager::GradModeScope noGrad(false);
            inPlace("aten.add_.Tensor", {x, 1});
        }
        CHECK(messageOf([&] {
                  eager::backward({out[0].tensor()}, {}, {}, {});
              }).find("modified by an inplace operation") != std::string::npos);
    }
    SECTION("without grad mode there is no history") {
        const eager::GradModeScope noGrad(false);
        CHECK(!eager::requiresGrad(compiled.function(inputs)[0].tensor()));
    }
}

TEST_CASE("gradients that are missing or not contiguous") {
    const Values inputs{needingGrad(floats({2, 3}))};
    const FlatFunction function = [](const Values& in) -> Values {
        return {f::mul(in[0], in[0]), f::exp(in[0].tensor())};
    };
    const auto compiled = compileFor(function, inputs);
    const Tensor x = inputs[0].tensor(), y = needingGrad(floats({2, 3}));
    const Tensor gradient = f::t(floats({3, 2}));
    eager::backward({compiled.function(inputs)[1].tensor()}, {gradient}, {}, {});
    eager::backward({function({y})[1].tensor()}, {gradient}, {}, {});
    CHECK(sameData(eager::grad(x), eager::grad(y)));
}

TEST_CASE("the trace links joint, forward and backward, and tells what was saved and why") {
    trace::MemorySink sink;
    Options options;
    options.sink = &sink;
    options.compile = "0/0";
    const FlatFunction function = [](const Values& in) -> Values {
        Origin origin{"fx:0/0:sin", "p.py", 3, ""};
        setCurrentOrigin(&origin);
        const Tensor y = f::sin(in[0].tensor());
        origin = {"fx:0/0:relu_", "p.py", 4, ""};
        inPlace("aten.relu_.default", {y});
        origin = {"fx:0/0:mm", "p.py", 5, ""};
        const Tensor z = f::mm(y, in[1].tensor());
        setCurrentOrigin(nullptr);
        return {z};
    };
    const Values inputs{needingGrad(floats({3, 3})), needingGrad(floats({3, 3}))};
    const auto compiled = compileFor(function, inputs, options);
    eager::backward({f::sum(compiled.function(inputs)[0].tensor())}, {}, {}, {});
    std::map<std::string, trace::Record> graphs;
    bool functionalized = false, saved = false;
    for (const trace::Record& record : sink.records) {
        if (record["family"] == "artifact") graphs[record["kind"]] = record;
        if (record["kind"] == "functionalized") {
            functionalized = record["op"] == "aten.relu_.default" && record["from"] == "fx:0/0:relu_" &&
                             record["into"][0] == "joint:0/0:relu";
        }
        if (record["kind"] == "saved") {
            saved = true;
            CHECK(record["bytes"].get<int>() == 36);
            CHECK(!record["code"].get<std::string>().empty());
        }
    }
    CHECK(functionalized);
    CHECK(saved);
    REQUIRE(graphs.size() == 3);
    bool backwardFromSin = false;
    for (const auto& item : graphs["joint"]["items"]) {
        if (item["label"] == "sin") CHECK(item["from"][0] == "fx:0/0:sin");
        if (item["op"] != "call_function" || item["side"] != "backward") continue;
        backwardFromSin = backwardFromSin || (!item["from"].empty() && item["from"][0] == "fx:0/0:sin");
    }
    CHECK(backwardFromSin); // derivative nodes come from the op that they differentiate
    for (const char* kind : {"forward", "backward"})
        for (const auto& item : graphs[kind]["items"])
            if (item["op"] == "call_function") CHECK(item["from"][0].get<std::string>().rfind("joint:0/0:", 0) == 0);
}
