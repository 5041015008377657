#pragma once
// The CPU random generator: the Mersenne Twister MT19937 (Matsumoto, Nishimura 1998) with PyTorch's seeding and
// PyTorch's way from its bits to numbers, so that a seed gives the numbers that it gives there.

#include <array>
#include <cstdint>
#include <optional>

namespace strata::ops {

class Generator {
public:
    static constexpr std::uint64_t defaultSeed = 67280421310721ULL;

    explicit Generator(std::uint64_t seed = defaultSeed) { setSeed(seed); }
    /// Starts the stream again from this seed; its low 32 bits count.
    void setSeed(std::uint64_t seed);
    std::uint64_t seed() const { return m_seed; }

    std::uint32_t random();   // 32 bits
    std::uint64_t random64(); // 64 bits: the first draw is the high half
    float uniformFloat();     // [0, 1), 24 bits
    double uniformDouble();   // [0, 1), 53 bits
    /// One normal number by Box and Muller; the second of each pair is kept for the next call.
    double normal();

    /// The default generator of the process, and the one in force on this thread (the default unless a scope says
    /// otherwise).
    static Generator& standard();
    static Generator& current();

private:
    friend class GeneratorScope;
    static constexpr int size = 624, shift = 397;
    void refill();

    std::array<std::uint32_t, size> m_state{};
    int m_next = size;
    std::uint64_t m_seed = defaultSeed;
    std::optional<double> m_nextNormal;
};

/// Random ops draw from `generator` for a scope.
class GeneratorScope {
public:
    explicit GeneratorScope(Generator& generator);
    ~GeneratorScope();
    GeneratorScope(const GeneratorScope&) = delete;
    GeneratorScope& operator=(const GeneratorScope&) = delete;

private:
    Generator* m_before;
};

} // namespace strata::ops
