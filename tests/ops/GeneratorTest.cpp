#include "engine/ops/Generator.h"

#include <catch2/catch.hpp>
#include <random>

using namespace strata::ops;

TEST_CASE("the generator is the Mersenne Twister") {
    Generator generator(5489);
    std::mt19937 standard; // seeded with 5489
    for (int i = 0; i < 10000; ++i) REQUIRE(generator.random() == standard());
}

TEST_CASE("a seed starts the stream again, with no number kept back") {
    Generator generator(7);
    const double first = generator.normal();
    generator.setSeed(7);
    CHECK(generator.normal() == first);
    const double second = generator.normal(); // the pair's other half
    CHECK(second != first);
    CHECK(generator.seed() == 7);
}

TEST_CASE("uniform numbers are below one, and 64 bits are two draws, high half first") {
    Generator a(1), b(1);
    const std::uint64_t high = b.random(), low = b.random();
    CHECK(a.random64() == (high << 32 | low));
    for (int i = 0; i < 1000; ++i) {
        CHECK(a.uniformFloat() < 1.0F);
        CHECK(a.uniformDouble() < 1.0);
    }
}

TEST_CASE("a scope chooses the generator in force, and gives it back") {
    Generator own(3);
    CHECK(&Generator::current() == &Generator::standard());
    {
        const GeneratorScope scope(own);
        CHECK(&Generator::current() == &own);
    }
    CHECK(&Generator::current() == &Generator::standard());
}
