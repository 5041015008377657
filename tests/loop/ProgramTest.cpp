#include "engine/loop/Program.h"
#include "engine/support/Error.h"

#include <catch2/catch.hpp>

#include <cmath>

using namespace strata;
using loop::parse;
using loop::print;

namespace {
const std::string softmax = R"(softmax(x: f32[3, 4]):
    buf0: f32[3, 1] = amax over r0 < 4 for i0 < 3, i1 < 1: x[4*i0 + r0]
    buf1: f32[3, 4] = pointwise for i0 < 3, i1 < 4: exp(sub(x[4*i0 + i1], buf0[i0]))
    buf2: f32[3, 1] = sum over r0 < 4 for i0 < 3, i1 < 1: buf1[4*i0 + r0]
    buf3: f32[3, 4] = pointwise for i0 < 3, i1 < 4: div(buf1[4*i0 + i1], buf2[i0])
    return buf3
)";
const std::string odds = R"(odds(x: f32[s0, 4] strides [1, s0], y: i64[s0], s0):
    buf0: f64[s0, 4] = pointwise for i0 < s0, i1 < 4: where(gt(float64(x[i1*s0 + i0]), 0.5f64), float64(y[i0]), nanf64)
    buf1: f32[4, s0] strides [1, 4] = pointwise for i0 < 4, i1 < s0: mul(float32(index(2*i0 + i1)), -1.5) -> [i0 + 4*i1]
    buf2: f32[4, 4] = extern aten.mm.default(buf1[4, s0], x[s0, 4])
    buf3: b8[] = any over r0 < 2*s0: ne(y[r0//2], 3)
    return buf0, view(buf1, [4], [1], s0 + 1), none, buf3
)";
} // namespace

TEST_CASE("loop programs print, read back and print the same") {
    for (const std::string& text : {softmax, odds}) {
        const loop::Program program = parse(text);
        REQUIRE(print(program) == text);
        REQUIRE_NOTHROW(loop::verify(program));
    }
}

TEST_CASE("syntax errors say where") {
    REQUIRE_THROWS_WITH(parse("p(x: f32[2]):\n    buf0: f32[2] = pointwise for i0 < 2: wave(x[i0])\n    return buf0\n"),
                        Catch::Contains("line 2") && Catch::Contains("wave"));
    REQUIRE_THROWS_WITH(parse("p(x: q[2]):\n    return x\n"), Catch::Contains("no dtype"));
    REQUIRE_THROWS_WITH(parse("p(x: f32[2]):\n    return y\n"), Catch::Contains("no buffer y"));
}

TEST_CASE("the verifier names the node") {
    loop::Program program = parse(softmax);
    SECTION("a buffer read before it is computed") {
        std::swap(program.nodes[0], program.nodes[1]);
        REQUIRE_THROWS_WITH(loop::verify(program), Catch::Contains("buf1") && Catch::Contains("buf0"));
    }
    SECTION("an index of no loop") {
        program.nodes[0].body = loop::Value::load("x", symbolic::SymInt::symbol("i7"), tensor::DType::Float32).expr();
        REQUIRE_THROWS_WITH(loop::verify(program), Catch::Contains("i7"));
    }
    SECTION("a body of another dtype") {
        program.nodes[3].body = loop::Value::constant(1, tensor::DType::Int64).expr();
        REQUIRE_THROWS_WITH(loop::verify(program), Catch::Contains("dtype"));
    }
}

TEST_CASE("the interpreter gives the program's meaning") {
    std::map<std::string, std::vector<double>> memory{{"x", {1, 2, 3, 4, 0, 0, 0, 0, -1, NAN, 2, 3}}};
    loop::interpret(parse(softmax), {}, memory);
    const double total = std::exp(-3) + std::exp(-2) + std::exp(-1) + 1;
    REQUIRE(memory["buf3"][3] == Approx(1 / total));
    REQUIRE(memory["buf3"][5] == Approx(0.25));
    REQUIRE(std::isnan(memory["buf3"][8])); // NaN goes through the maximum
}

TEST_CASE("the interpreter refuses what it cannot run") {
    std::map<std::string, std::vector<double>> memory{{"x", std::vector<double>(8)}, {"y", {1, 2}}};
    REQUIRE_THROWS_WITH(loop::interpret(parse(odds), {{"s0", 2}}, memory), Catch::Contains("aten.mm.default"));
    std::map<std::string, std::vector<double>> small{{"x", {1, 2}}};
    REQUIRE_THROWS_WITH(loop::interpret(parse(softmax), {}, small), Catch::Contains("x has 2 elements"));
}
