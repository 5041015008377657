// Prims compute what their ATen graph computes: an evaluator of prims, op by op, against the graph interpreter.
#include "tests/aot/Programs.h"

#include "engine/eager/Dispatcher.h"
#include "engine/fx/Printer.h"
#include "engine/ops/NodeArgs.h"
#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

#include <map>

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

class Evaluator {
public:
    Values run(const fx::Graph& graph, const Values& inputs) {
        std::size_t next = 0;
        for (const auto& node : graph.nodes()) {
            if (node->op == fx::Opcode::Placeholder)
                m_values[node.get()] = {inputs.at(next++)};
            else if (node->op == fx::Opcode::Output)
                return outputs(*node);
            else
                m_values[node.get()] = call(*node);
        }
        return {};
    }

private:
    Values outputs(const fx::Node& node) {
        Values out;
        for (const fx::Arg& item : node.args.at(0).as<fx::Tuple>()->items)
            out.push_back(item.as<fx::None>() ? Value() : value(item));
        return out;
    }

    Value value(const fx::Arg& arg) {
        if (const auto* node = arg.as<fx::Node*>()) return m_values.at(*node).at(0);
        if (const auto* v = arg.as<bool>()) return *v;
        if (const auto* v = arg.as<double>()) return *v;
        if (const auto* v = arg.as<SymInt>()) return *v;
        if (const auto* v = arg.as<ops::DType>()) return *v;
        throw support::Error("evaluator: an argument");
    }

    SymInts ints(const fx::Arg& arg) {
        SymInts out;
        for (const fx::Arg& item : arg.as<fx::List>()->items) out.push_back(value(item).toInt());
        return out;
    }

    Values call(const fx::Node& node) {
        const auto at = [&](std::size_t i) { return value(node.args.at(i)); };
        const auto tensor = [&](std::size_t i) { return at(i).tensor(); };
        if (node.target == "getitem")
            return {m_values.at(*node.args[0].as<fx::Node*>()).at(static_cast<std::size_t>(at(1).toInt().asInt()))};
        if (node.target.rfind("aten.", 0) == 0) {
            const ops::OpDef& op = ops::get(node.target);
            return ops::call(op, ops::argumentsOf(node, op, [&](const fx::Node* n) { return m_values.at(n).at(0); }));
        }
        REQUIRE(node.target.rfind("prims.", 0) == 0);
        const std::string name = node.target.substr(6);
        if (name == "convert_element_type") return {f::toCopy(tensor(0), at(1).dtype())};
        if (name == "broadcast_in_dim") {
            Tensor x = tensor(0);
            const SymInts to = ints(node.args[1]), dims = ints(node.args[2]);
            SymInts shape(to.size(), 1);
            for (std::size_t d = 0; d < dims.size(); ++d)
                shape[static_cast<std::size_t>(dims[d].asInt())] = x.sizes()[d];
            return {f::expand(f::reshape(x, shape), to)};
        }
        if (name == "full")
            return {f::full(ints(node.args[0]), at(1).scalar(), *node.kwargs.at(0).second.as<ops::DType>())};
        if (name == "transpose") return {f::permute(tensor(0), ints(node.args[1]))};
        if (name == "reshape") return {f::reshape(tensor(0), ints(node.args[1]))};
        if (name == "squeeze") {
            SymInts shape;
            const SymInts dims = ints(node.args[1]);
            for (std::size_t d = 0; d < tensor(0).sizes().size(); ++d)
                if (std::none_of(dims.begin(), dims.end(),
                                 [&](SymInt s) { return s.sameAs(static_cast<std::int64_t>(d)); }))
                    shape.push_back(tensor(0).sizes()[d]);
            return {f::reshape(tensor(0), shape)};
        }
        if (name == "slice") {
            Tensor x = tensor(0);
            const SymInts starts = ints(node.args[1]), limits = ints(node.args[2]), steps = ints(node.args[3]);
            for (std::size_t d = 0; d < starts.size(); ++d)
                x = f::slice(x, static_cast<std::int64_t>(d), starts[d], limits[d], steps[d]);
            return {x};
        }
        if (name == "view_of" || name == "clone") return {f::clone(tensor(0))};
        if (name == "sum") return {f::sum(tensor(0), ints(node.args[1]))};
        if (name == "amax") return {f::amax(tensor(0), ints(node.args[1]))};
        if (name == "amin") return {f::amin(tensor(0), ints(node.args[1]))};
        if (name == "where") return {f::where(tensor(0), at(1), at(2))};
        if (name == "pow") return {f::pow(at(0), at(1))};
        for (const char* overload : {".Tensor", ".default"}) {
            const ops::OpDef* op = ops::find("aten." + name + overload);
            if (!op || op->schema.params.size() < node.args.size()) continue;
            Values args;
            for (std::size_t i = 0; i < node.args.size(); ++i) args.push_back(at(i));
            return ops::call(*op, args);
        }
        throw support::Error("evaluator: prims." + name);
    }

    std::map<const fx::Node*, Values> m_values;
};

std::vector<std::string> checkPrims(const FlatFunction& function, const Values& inputs) {
    std::vector<std::string> all;
    std::vector<Input> described;
    for (const Value& input : inputs) described.push_back({exampleOf(input), "x", fx::Role::Input, {}});
    const GraphCompiler both = [&](std::shared_ptr<const fx::Graph> graph, const std::string& region) -> Executor {
        trace::MemorySink sink;
        std::shared_ptr<const fx::Graph> prims = toPrims(*graph, "0/0", region, &sink);
        INFO(fx::print(*prims));
        const std::string text = fx::print(*prims);
        CHECK(fx::print(*fx::parse(text)) == text);
        CHECK(!sink.records.empty());
        for (const auto& node : prims->nodes())
            if (node->op == fx::Opcode::CallFunction) all.push_back(node->target);
        return [graph, prims](const Values& in) {
            const Values expected = interpret(graph)(in), actual = Evaluator().run(*prims, in);
            REQUIRE(expected.size() == actual.size());
            for (std::size_t i = 0; i < expected.size(); ++i) {
                INFO("output " << i << " of\n" << fx::print(*graph) << fx::print(*prims));
                CHECK(sameData(actual[i].tensor(), expected[i].tensor()));
            }
            return expected;
        };
    };
    const auto compiled = compile(function, described, both, {});
    const Values out = compiled(inputs);
    Tensor total;
    for (const Value& value : out)
        if (eager::requiresGrad(value.tensor()))
            total = total.defined() ? f::add(total, f::sum(value.tensor())) : f::sum(value.tensor());
    if (total.defined()) eager::backward({total}, {}, {}, {});
    return all;
}

bool has(const std::vector<std::string>& all, const std::string& target) {
    return std::find(all.begin(), all.end(), target) != all.end();
}

} // namespace

TEST_CASE("pointwise ops become prims with broadcasting and conversion of their own") {
    const auto all = checkPrims(
        [](const Values& in) -> Values {
            const Tensor y = f::add(f::mul(f::sin(in[0].tensor()), 2.0), in[1]);
            return {y, f::where(f::gt(y, in[2]), y, in[2]), f::gelu(y),
                    f::add(f::toCopy(y, ops::DType::Int64), f::gt(y, 0)), f::div(in[2], y)};
        },
        {floats({3, 4}), floats({4}), floats({3, 1})});
    for (const char* target : {"prims.sin", "prims.mul", "prims.add", "prims.broadcast_in_dim", "prims.where",
                               "prims.gt", "prims.erf", "prims.convert_element_type", "prims.div"})
        CHECK(has(all, target));
    for (const std::string& target : all) CHECK(target.rfind("prims.", 0) == 0);
}

TEST_CASE("reductions and softmax") {
    const auto all = checkPrims(
        [](const Values& in) -> Values {
            const Tensor& x = in[0].tensor();
            return {f::softmax(x, 1), f::logSoftmax(x, 0), f::sum(x),           f::mean(x, {0}, true),
                    f::amax(x, {1}),  f::any(f::gt(x, 0)), f::all(f::gt(x, 0)), f::sum(f::gt(x, 0))};
        },
        {floats({3, 4})});
    for (const char* target : {"prims.amax", "prims.exp", "prims.sum", "prims.sub", "prims.div", "prims.log"})
        CHECK(has(all, target));
}

TEST_CASE("views, copies and fills") {
    checkPrims(
        [](const Values& in) -> Values {
            const Tensor& x = in[0].tensor();
            return {f::add(f::permute(x, {1, 0}), 1),
                    f::mul(f::reshape(x, {2, 6}), 2),
                    f::neg(f::select(x, 1, -1)),
                    f::neg(f::slice(x, 1, 1, 4, 2)),
                    f::neg(f::unsqueeze(x, 1)),
                    f::neg(f::squeeze(f::unsqueeze(x, 0), 0)),
                    f::add(f::full({4}, 2.5, x.dtype()), x),
                    f::clone(x),
                    f::mul(f::zerosLike(x), x),
                    f::neg(f::slice(x, 0, -2, 3)),
                    f::cat({x, x}, 0)};
        },
        {floats({3, 4})});
}

TEST_CASE("what has no prim stays an ATen call; backward graphs lower too") {
    const auto all = checkPrims(
        [](const Values& in) -> Values {
            return {f::relu(f::addmm(in[2].tensor(), in[0].tensor(), f::t(in[1].tensor()))),
                    f::sigmoid(f::mm(in[0].tensor(), in[0].tensor()))};
        },
        {needingGrad(floats({4, 4})), needingGrad(floats({4, 4})), needingGrad(floats({4}))});
    CHECK(has(all, "aten.mm.default"));
    CHECK(has(all, "prims.transpose"));
    CHECK(has(all, "prims.le"));
}

TEST_CASE("a symbolic size stays a reference to its input") {
    symbolic::ShapeEnv env;
    const SymInt s0 = env.create(6, {symbolic::SymbolSource::Kind::Size, "L['x']", 0});
    const Tensor x = Tensor::fake({s0, 3}, {3, 1}, ops::DType::Float32);
    std::string text;
    Options options;
    options.shapeEnv = &env;
    compile(
        [](const Values& in) -> Values {
            return {f::add(f::sum(in[1].tensor(), {0}), f::mul(in[1], in[1].tensor().size(0)))};
        },
        {{s0, "s0", fx::Role::Size, {}}, {x, "x", fx::Role::Input, {}}},
        [&](std::shared_ptr<const fx::Graph> graph, const std::string& region) {
            const symbolic::ShapeEnvScope scope(&env);
            text = fx::print(*toPrims(*graph, "0/0", region, nullptr));
            return interpret(graph);
        },
        options);
    CHECK(text.find("prims.broadcast_in_dim(sum, [arg0_1, 3], [1])") != std::string::npos);
}
