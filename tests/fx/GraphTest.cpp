#include "engine/fx/Printer.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

using namespace strata;
using fx::Graph;
using fx::Node;
using fx::Opcode;

namespace {
tensor::Tensor fake(symbolic::SymInts sizes) {
    return tensor::Tensor::fake(sizes, symbolic::contiguousStrides(sizes), tensor::DType::Float32);
}

// A graph with one of everything that the text form knows.
std::unique_ptr<Graph> sample() {
    auto graph = std::make_unique<Graph>("forward");
    Node* size = graph->placeholder("s0");
    size->isInt = true;
    size->role = fx::Role::Size;
    size->intValue = symbolic::SymInt::symbol("s0");
    Node* x = graph->placeholder("x");
    x->value = fake({symbolic::SymInt::symbol("s0"), 4});
    Node* sin = graph->callFunction("sin", {x});
    sin->value = fake({symbolic::SymInt::symbol("s0"), 4});
    sin->file = "program.py";
    sin->line = 6;
    Node* add = graph->callFunction("aten.add.Tensor", {sin, 2.5}, {{"alpha", 1}});
    Node* sum = graph->call(Opcode::CallMethod, "sum", {add, fx::List{{1, -1}}, true});
    Node* attr = graph->call(Opcode::GetAttr, "fc1.weight", {});
    Node* mod = graph->call(Opcode::CallModule, "fc1", {sum});
    Node* view = graph->callFunction("aten.view.default",
                                     {mod,
                                      fx::List{{symbolic::SymInt::symbol("s0") * 2 + 1, size,
                                                (symbolic::SymInt::symbol("s0") + 1) * symbolic::SymInt::symbol("s0")}},
                                      tensor::DType::Int64, fx::Tuple{{x, fx::None{}, "it's"}, ""},
                                      fx::Slice{std::make_shared<fx::ArgList>(fx::ArgList{1, fx::None{}, 2})},
                                      fx::Ellipsis{}, fx::Dict{{{"k", 1e-8}}}, tensor::Device{}});
    graph->output(fx::Tuple{{view, attr, x}, ""});
    return graph;
}
} // namespace

TEST_CASE("a printed graph reads back and prints the same") {
    const auto graph = sample();
    const std::string text = fx::print(*graph);
    INFO(text);
    const auto again = fx::parse(text);
    REQUIRE(fx::print(*again) == text);
    fx::verify(*again);
    REQUIRE(again->callCount() == graph->callCount());
    REQUIRE(again->nodes().front()->isInt);
}

TEST_CASE("a syntax error says where it is") {
    const auto messageOf = [](const std::string& text) {
        try {
            fx::parse(text);
        } catch (const support::Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    REQUIRE(messageOf("def f(self, x):\n    y = torch.sin(x\n    return y\n").find("line 2") == 0);
    REQUIRE(messageOf("def f(self, x: \"q9[2]\"):\n    return x\n").find("no tensor type") != std::string::npos);
    REQUIRE(messageOf("nonsense").find("line 1") == 0);
}

TEST_CASE("names are unique and follow torch.fx") {
    Graph graph;
    Node* x = graph.placeholder("x");
    REQUIRE(graph.callFunction("add", {x, 1})->name == "add");
    REQUIRE(graph.callFunction("add", {x, 2})->name == "add_1");
    REQUIRE(graph.callFunction("aten.add.Tensor", {x, 2})->name == "add_2");
    REQUIRE(graph.placeholder("add_1")->name != "add_1");
}

TEST_CASE("the verifier names the node that breaks a rule") {
    SECTION("a use before the definition") {
        Graph graph;
        Node* x = graph.placeholder("x");
        Node* late = graph.callFunction("sin", {x});
        graph.insertBefore(late);
        graph.callFunction("cos", {late});
        graph.insertBefore(nullptr);
        graph.output(late);
        REQUIRE_THROWS_WITH(fx::verify(graph), Catch::Contains("cos") && Catch::Contains("not defined before"));
    }
    SECTION("no output") {
        Graph graph;
        graph.placeholder("x");
        REQUIRE_THROWS_WITH(fx::verify(graph), Catch::Contains("no output"));
    }
    SECTION("a sound graph passes") {
        REQUIRE_NOTHROW(fx::verify(*sample()));
    }
}

TEST_CASE("dead code goes, what is used stays") {
    Graph graph;
    Node* x = graph.placeholder("x");
    Node* used = graph.callFunction("sin", {x});
    Node* dead = graph.callFunction("cos", {used});
    graph.callFunction("tan", {dead});
    graph.output(used);
    REQUIRE_THROWS_AS(graph.erase(used), support::Error);
    REQUIRE(graph.eliminateDeadCode([](const Node& n) { return n.target == "tan"; }) == 0);
    REQUIRE(graph.eliminateDeadCode() == 2);
    REQUIRE(graph.callCount() == 1);
}

TEST_CASE("uses are replaced inside nested arguments") {
    const auto graph = sample();
    Node* x = graph->placeholders()[1];
    Node* size = graph->placeholders()[0];
    graph->replaceAllUses(x, size);
    REQUIRE(graph->users(x).empty());
}

TEST_CASE("an artifact has an item a node, on the node's line") {
    const auto graph = sample();
    const auto record = fx::artifact(*graph, "fx", "0/0", "");
    REQUIRE(record["items"].size() == graph->nodes().size());
    std::vector<std::string> lines;
    std::string line;
    for (const char c : record["text"].get<std::string>())
        if (c == '\n')
            lines.push_back(std::exchange(line, ""));
        else
            line += c;
    for (const auto& item : record["items"]) {
        INFO(item.dump());
        REQUIRE(lines.at(item["line"].get<std::size_t>() - 1)
                    .find(item["op"] == "output" ? "return" : item["label"].get<std::string>()) != std::string::npos);
    }
    REQUIRE(record["items"][3]["inputs"] == trace::Json::array({"fx:0/0:sin"}));
}
