#include "engine/support/Error.h"
#include "engine/symbolic/ShapeEnv.h"

#include <catch2/catch.hpp>

using namespace strata::symbolic;

TEST_CASE("plain integers stay plain") {
    REQUIRE(SymInt(7).asInt() == 7);
    REQUIRE((SymInt(7) + SymInt(-9)).asInt() == -2);
    REQUIRE(floorDiv(-7, 2).asInt() == -4);
    REQUIRE(mod(-7, 3).asInt() == 2);
    REQUIRE_THROWS_AS(floorDiv(1, 0), strata::support::Error);
    const std::int64_t big = (std::int64_t{1} << 61) - 3;
    REQUIRE(SymInt(big).asInt() == big);
    REQUIRE(SymInt(-big).asInt() == -big);
}

TEST_CASE("expressions have one normal form") {
    const SymInt s = SymInt::symbol("s0"), t = SymInt::symbol("s1");
    REQUIRE((s + t).sameAs(t + s));
    REQUIRE((s * t * 2).sameAs(2 * t * s));
    REQUIRE((s - s).sameAs(0));
    REQUIRE(((s + 1) * (s + 1)).sameAs(s * s + 2 * s + 1));
    REQUIRE(floorDiv(s * 6, 2).sameAs(s * 3));
    REQUIRE(floorDiv(s * t, t).sameAs(s));
    REQUIRE(mod(s * 4, 4).sameAs(0));
    REQUIRE_FALSE(floorDiv(s, 2).sameAs(s));
    REQUIRE_THROWS_AS(s.asInt(), strata::support::Error);
}

TEST_CASE("printed expressions read back as the same node") {
    const SymInt s = SymInt::symbol("s0"), t = SymInt::symbol("s10");
    const std::vector<SymInt> all{s,
                                  s * 2 + 1,
                                  s - t,
                                  -s,
                                  s * t - 3,
                                  floorDiv(s, 2) * 4,
                                  mod(s + t, 3),
                                  min(s, t + 1),
                                  max(s * s, 7),
                                  floorDiv(s + 1, t),
                                  floorDiv(floorDiv(s, 3), t),
                                  -s * 2 - 5};
    for (const SymInt e : all) {
        INFO(e.str());
        REQUIRE(parseSymInt(e.str()).sameAs(e));
    }
    REQUIRE((s * 2 + 1).str() == "2*s0 + 1");
    REQUIRE((s - t).str() == "s0 - s10");
    REQUIRE_THROWS_AS(parseSymInt("s0 + "), strata::support::Error);
    REQUIRE_THROWS_AS(parseSymInt("(s0"), strata::support::Error);
}

TEST_CASE("substitution and evaluation agree") {
    const SymInt s = SymInt::symbol("s0"), t = SymInt::symbol("s1");
    const SymInt e = floorDiv(s * 3 + t, 2) - mod(t, 5) + max(s, t);
    REQUIRE(evaluate(e, {{"s0", 7}, {"s1", 9}}) == 15 - 4 + 9);
    REQUIRE(substitute(substitute(e, {{"s0", 7}}), {{"s1", 9}}).asInt() == 20);
    REQUIRE_THROWS_AS(evaluate(e, {{"s0", 7}}), strata::support::Error);
    REQUIRE(symbolsOf(e) == std::vector<std::string>{"s0", "s1"});
}

TEST_CASE("a ShapeEnv specialises 0 and 1 and guards what it was asked") {
    ShapeEnv env;
    REQUIRE(env.create(1, {}).sameAs(1));
    REQUIRE(env.create(0, {}).sameAs(0));
    const SymInt s = env.create(6, {SymbolSource::Kind::Size, "L['x']", 0});
    const SymInt t = env.create(6, {SymbolSource::Kind::Size, "L['y']", 0});
    REQUIRE(s.isSymbolic());
    const ShapeEnvScope scope(&env);

    SECTION("what holds for all sizes needs no guard") {
        REQUIRE_FALSE(equal(s, 1));
        REQUIRE(less(0, s));
        REQUIRE(lessEqual(s, s * 2));
        REQUIRE_FALSE(equal(s * t, 0));
        REQUIRE(env.guards().empty());
    }
    SECTION("what depends on the sizes is guarded once, as it turned out") {
        REQUIRE(equal(s, t));
        REQUIRE(equal(s, t));
        REQUIRE_FALSE(less(8, s));
        REQUIRE(env.guards().size() == 2);
        REQUIRE(env.guards()[0].str() == "s0 == s1");
        REQUIRE(env.guards()[1].str() == "s0 <= 8");
    }
    SECTION("specialising pins the value") {
        REQUIRE(toInt(s + 1) == 7);
        REQUIRE(env.guards().size() == 1);
        REQUIRE(env.guards()[0].str() == "s0 + 1 == 7");
    }
}

TEST_CASE("comparing symbols outside of tracing is an error") {
    REQUIRE_THROWS_AS(equal(SymInt::symbol("s0"), 3), strata::support::Error);
    REQUIRE_THROWS_AS(toInt(SymInt::symbol("s0")), strata::support::Error);
}
