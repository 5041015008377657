#include "tests/inductor/Graphs.h"

#include "engine/inductor/CppPrinter.h"
#include "engine/inductor/Lowering.h"
#include "engine/inductor/Scheduler.h"
#include "engine/support/Launcher.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <random>

using namespace strata;
using tensor::DType;
using test::GraphBuilder;
using test::wave;

namespace {

// Compiles, runs, and compares every output with eager's.
void requireLikeEager(const std::shared_ptr<fx::Graph>& graph, const ops::Values& inputs) {
    const auto executor = inductor::compile(graph, test::compiled());
    const ops::Values got = executor(inputs), wanted = test::runEager(*graph, inputs);
    REQUIRE(got.size() == wanted.size());
    for (std::size_t i = 0; i < got.size(); ++i) {
        INFO("output " << i);
        REQUIRE(test::difference(got[i].tensor(), wanted[i].tensor()) == "");
    }
}

std::size_t kernelsOf(const std::shared_ptr<fx::Graph>& graph) {
    return inductor::schedule(inductor::lower(*graph, "0/0", "inference")).kernels.size();
}

std::string textOf(const std::shared_ptr<fx::Graph>& graph) {
    const auto lowered = inductor::lower(*graph, "0/0", "inference");
    return inductor::printCpp(lowered, inductor::schedule(lowered), {}).text;
}

const inductor::Decision& decisionOn(const inductor::Schedule& schedule, const std::string& a, const std::string& b) {
    for (const auto& d : schedule.decisions)
        if (d.a == a && d.b == b) return d;
    FAIL("no decision on " << a << " and " << b);
    throw 0;
}

} // namespace

TEST_CASE("a chain of pointwise ops is one kernel and gives eager's values") {
    GraphBuilder g;
    auto* x = g.input("x", {64, 64});
    auto* y = g.input("y", {64, 64});
    auto* a = g.call("aten.add.Tensor", {g.call("aten.sin.default", {x}), y});
    auto* out = g.call("aten.sub.Tensor", {g.call("aten.relu.default", {g.call("aten.mul.Tensor", {a, 2.0})}), y});
    const auto graph = g.finish({out});
    REQUIRE(kernelsOf(graph) == 1);
    const auto before = support::Launcher::instance().count(support::Mode::Compiled);
    requireLikeEager(graph, {wave({64, 64}, DType::Float32, 0.1), wave({64, 64}, DType::Float32, 0.03)});
    REQUIRE(support::Launcher::instance().count(support::Mode::Compiled) == before + 1);
}

TEST_CASE("broadcasting and dtypes") {
    GraphBuilder g;
    auto* x = g.input("x", {8, 1, 5});
    auto* b = g.input("b", {3, 1});
    auto* n = g.input("n", {5}, DType::Int64);
    auto* sum = g.call("aten.add.Tensor", {g.call("aten.mul.Tensor", {x, b}), n});
    auto* mask = g.call("aten.gt.Scalar", {sum, 1.0});
    auto* out = g.call("aten.where.self", {mask, sum, x});
    const auto graph = g.finish({out, mask});
    REQUIRE(kernelsOf(graph) == 1);
    requireLikeEager(
        graph, {wave({8, 1, 5}, DType::Float32, 0.7), wave({3, 1}, DType::Float32, 0.2), wave({5}, DType::Int64, 1)});
}

TEST_CASE("softmax is one kernel, for rows that fit the stack and for those that do not") {
    for (const std::int64_t columns : {1, 3, 64, 300, 5000}) {
        GraphBuilder g;
        auto* x = g.input("x", {7, columns});
        const auto graph = g.finish({g.call("aten._softmax.default", {x, -1, false})});
        INFO(textOf(graph));
        REQUIRE(kernelsOf(graph) == 1);
        requireLikeEager(graph, {wave({7, columns}, DType::Float32, 0.37)});
    }
}

TEST_CASE("NaN goes through maxima and sums") {
    GraphBuilder g;
    auto* x = g.input("x", {3, 100});
    const auto graph = g.finish({g.call("aten.amax.default", {x, fx::List{{1}}}), g.call("aten.relu.default", {x})});
    auto values = wave({3, 100}, DType::Float32, 0.3);
    values.data<float>()[150] = NAN;
    requireLikeEager(graph, {values});
    const auto out = inductor::compile(graph, test::compiled())({values});
    REQUIRE(std::isnan(test::elements(out[0].tensor())[1]));
    REQUIRE_FALSE(std::isnan(test::elements(out[0].tensor())[0]));
}

TEST_CASE("a sum over rows is vectorised along the columns, with its producer in the kernel") {
    GraphBuilder g;
    auto* x = g.input("x", {50, 130});
    auto* y = g.call("aten.mul.Tensor", {x, x});
    const auto graph = g.finish({y, g.call("aten.sum.dim_IntList", {y, fx::List{{0}}, true})});
    INFO(textOf(graph));
    REQUIRE(kernelsOf(graph) == 1);
    REQUIRE(textOf(graph).find("lane") != std::string::npos);
    requireLikeEager(graph, {wave({50, 130}, DType::Float32, 0.2)});
}

TEST_CASE("a full reduction and what follows it") {
    GraphBuilder g;
    auto* x = g.input("x", {600, 300});
    auto* sum = g.call("aten.sum.dim_IntList", {g.call("aten.sin.default", {x}), fx::List{}});
    const auto graph = g.finish({g.call("aten.gt.Scalar", {sum, 0}), g.call("aten.div.Tensor", {x, sum})});
    requireLikeEager(graph, {wave({600, 300}, DType::Float32, 0.01)});
}

TEST_CASE("library calls are left alone, and say so") {
    GraphBuilder g;
    auto* x = g.input("x", {6, 4});
    auto* w = g.input("w", {4, 3});
    auto* mm = g.call("aten.mm.default", {g.call("aten.relu.default", {x}), w});
    const auto graph = g.finish({g.call("aten.add.Tensor", {mm, 1.0})});
    const auto schedule = inductor::schedule(inductor::lower(*graph, "0/0", "inference"));
    REQUIRE(schedule.kernels.size() == 3);
    REQUIRE(decisionOn(schedule, "buf0", "buf1").rule == "library_call");
    requireLikeEager(graph, {wave({6, 4}, DType::Float32, 0.5), wave({4, 3}, DType::Float32, 0.9)});
}

TEST_CASE("a read at other positions is never fused into the kernel that writes the buffer") {
    GraphBuilder g;
    auto* x = g.input("x", {5, 5});
    auto* y = g.call("aten.sin.default", {x});
    auto* flipped = g.call("aten.permute.default", {y, fx::List{{1, 0}}});
    const auto graph = g.finish({g.call("aten.add.Tensor", {y, flipped})});
    const auto schedule = inductor::schedule(inductor::lower(*graph, "0/0", "inference"));
    REQUIRE(schedule.kernels.size() == 2);
    REQUIRE(decisionOn(schedule, "buf0", "buf1").rule == "reads_other_positions");
    requireLikeEager(graph, {wave({5, 5}, DType::Float32, 0.5)});
}

TEST_CASE("different ranges are not fused") {
    GraphBuilder g;
    auto* x = g.input("x", {4});
    auto* y = g.input("y", {3, 4});
    const auto graph = g.finish({g.call("aten.add.Tensor", {y, g.call("aten.exp.default", {x})})});
    const auto schedule = inductor::schedule(inductor::lower(*graph, "0/0", "inference"));
    REQUIRE(decisionOn(schedule, "buf0", "buf1").rule == "different_ranges");
    requireLikeEager(graph, {wave({4}, DType::Float32, 0.5), wave({3, 4}, DType::Float32, 0.3)});
}

TEST_CASE("symbolic sizes: one compile serves every size") {
    using symbolic::SymInt;
    GraphBuilder g;
    const SymInt s = SymInt::symbol("s0");
    fx::Node* size = g.graph->placeholder("s0");
    size->isInt = true;
    size->intValue = s;
    size->role = fx::Role::Size;
    auto* x = g.input("x", {s});
    const auto graph = g.finish({g.call("aten.mul.Tensor", {g.call("aten.sin.default", {x}), size})});
    const auto executor = inductor::compile(graph, test::compiled());
    for (const std::int64_t n : {2, 6, 9, 70000}) {
        const auto in = wave({n}, DType::Float32, 0.1);
        const auto got = executor({SymInt(n), in});
        const auto want = test::elements(in);
        const auto have = test::elements(got[0].tensor());
        for (std::size_t i = 0; i < want.size(); i += 97)
            REQUIRE(have[i] == Approx(std::sin(want[i]) * static_cast<double>(n)).margin(1e-4));
    }
}

TEST_CASE("an output that is written back is stored over its input") {
    GraphBuilder g;
    auto* x = g.input("x", {6});
    auto* added = g.call("aten.add.Tensor", {x, 1});
    const auto graph = g.finish({added, g.call("aten.mul.Tensor", {added, 2})});
    graph->writes = {{0, 0}};
    auto in = wave({6}, DType::Float32, 1);
    const auto before = test::elements(in);
    const auto out = inductor::compile(graph, test::compiled())({in});
    REQUIRE(out[0].tensor().is(in));
    REQUIRE(test::elements(in)[3] == Approx(before[3] + 1));
    REQUIRE(test::elements(out[1].tensor())[3] == Approx(2 * (before[3] + 1)));
}

TEST_CASE("the text that is shown is the text that is compiled, line by line accounted for") {
    GraphBuilder g;
    auto* x = g.input("x", {16, 32});
    const auto graph = g.finish({g.call("aten._softmax.default", {x, 1, false})});
    trace::MemorySink sink;
    std::string linked;
    auto options = test::compiled(&sink);
    options.link = [&, link = options.link](const std::string& text) {
        linked = text;
        return link(text);
    };
    inductor::compile(graph, options);
    bool seen = false;
    for (const auto& r : sink.records)
        if (r["kind"] == "cpp") {
            seen = true;
            REQUIRE(r["text"] == linked);
            REQUIRE(r["items"].size() > 10);
        }
    REQUIRE(seen);
}

TEST_CASE("random graphs: compiled equals eager") {
    std::mt19937 random(7);
    const auto pick = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
    const std::vector<ops::SymInts> shapes{{4, 6}, {4, 1}, {1, 6}, {6}, {1}, {}, {0, 6}};
    for (int trial = 0; trial < 40; ++trial) {
        GraphBuilder g;
        std::vector<fx::Node*> values;
        ops::Values inputs;
        for (int i = 0; i < 3; ++i) {
            const ops::SymInts& shape = shapes[static_cast<std::size_t>(i == 0 ? 0 : pick(6))];
            values.push_back(g.input("x" + std::to_string(i), shape));
            inputs.emplace_back(wave(shape, DType::Float32, 0.3 + 0.1 * i));
        }
        for (int i = 0; i < 10; ++i) {
            fx::Node* a = values[static_cast<std::size_t>(pick(static_cast<int>(values.size())))];
            fx::Node* b = values[static_cast<std::size_t>(pick(static_cast<int>(values.size())))];
            const auto rank = a->value.dim();
            switch (pick(9)) {
            case 0:
                values.push_back(g.call("aten.add.Tensor", {a, b}));
                break;
            case 1:
                values.push_back(g.call("aten.mul.Tensor", {a, b}));
                break;
            case 2:
                values.push_back(g.call("aten.sub.Tensor", {a, 0.5}));
                break;
            case 3:
                values.push_back(g.call("aten.tanh.default", {a}));
                break;
            case 4:
                values.push_back(g.call("aten.maximum.default", {a, b}));
                break;
            case 5:
                values.push_back(
                    rank == 2 ? g.call("aten.permute.default", {g.call("aten.sin.default", {a}), fx::List{{0, 1}}})
                              : g.call("aten.cos.default", {a}));
                break;
            case 6:
                values.push_back(rank == 2 ? g.call("aten.sum.dim_IntList", {a, fx::List{{pick(2)}}, true})
                                           : g.call("aten.neg.default", {a}));
                break;
            case 7:
                values.push_back(rank == 2 ? g.call("aten.amax.default", {a, fx::List{{1}}, true})
                                           : g.call("aten.abs.default", {a}));
                break;
            case 8:
                values.push_back(rank == 2
                                     ? g.call("aten.sum.dim_IntList", {a, fx::List{}})
                                     : g.call("aten.exp.default", {g.call("aten.clamp.default", {a, -2.0, 2.0})}));
                break;
            }
        }
        const auto graph = g.finish({values[values.size() - 1], values[values.size() - 2], values[values.size() - 3]});
        INFO("trial " << trial << "\n" << textOf(graph));
        requireLikeEager(graph, inputs);
    }
}
