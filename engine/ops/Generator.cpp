#include "engine/ops/Generator.h"

#include <cmath>
#include <numbers>

namespace strata::ops {

namespace {
thread_local Generator* inForce = nullptr;
}

void Generator::setSeed(std::uint64_t seed) {
    m_seed = seed;
    m_nextNormal.reset();
    m_state[0] = static_cast<std::uint32_t>(seed);
    for (std::uint32_t i = 1; i < size; ++i) m_state[i] = 1812433253U * (m_state[i - 1] ^ m_state[i - 1] >> 30) + i;
    m_next = size;
}

void Generator::refill() {
    for (int i = 0; i < size; ++i) {
        const std::uint32_t y = (m_state[static_cast<std::size_t>(i)] & 0x80000000U) |
                                (m_state[static_cast<std::size_t>((i + 1) % size)] & 0x7fffffffU);
        m_state[static_cast<std::size_t>(i)] =
            m_state[static_cast<std::size_t>((i + shift) % size)] ^ y >> 1 ^ ((y & 1U) ? 0x9908b0dfU : 0U);
    }
    m_next = 0;
}

std::uint32_t Generator::random() {
    if (m_next == size) refill();
    std::uint32_t y = m_state[static_cast<std::size_t>(m_next++)];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680U;
    y ^= y << 15 & 0xefc60000U;
    return y ^ y >> 18;
}

std::uint64_t Generator::random64() {
    const std::uint64_t high = random();
    return high << 32 | random();
}

float Generator::uniformFloat() {
    return static_cast<float>(random() & 0xFFFFFFU) * 0x1p-24F;
}
double Generator::uniformDouble() {
    return static_cast<double>(random64() & 0x1FFFFFFFFFFFFFULL) * 0x1p-53;
}

double Generator::normal() {
    if (m_nextNormal) {
        const double kept = *m_nextNormal;
        m_nextNormal.reset();
        return kept;
    }
    const double u1 = uniformDouble(), u2 = uniformDouble();
    const double radius = std::sqrt(-2.0 * std::log1p(-u2)), theta = 2.0 * std::numbers::pi * u1;
    m_nextNormal = radius * std::sin(theta);
    return radius * std::cos(theta);
}

Generator& Generator::standard() {
    static auto* const generator = new Generator;
    return *generator;
}

Generator& Generator::current() {
    return inForce ? *inForce : standard();
}

GeneratorScope::GeneratorScope(Generator& generator) : m_before(inForce) {
    inForce = &generator;
}
GeneratorScope::~GeneratorScope() {
    inForce = m_before;
}

} // namespace strata::ops
