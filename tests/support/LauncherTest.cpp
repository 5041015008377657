#include "engine/support/Launcher.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

using namespace strata::support;

namespace {

/// Empties the buffer and records while it lives.
struct Recorded {
    Recorded() {
        Launcher::instance().setCapacity(1024);
        Launcher::instance().setRecording(true);
    }
    ~Recorded() { Launcher::instance().setRecording(false); }
};

void spin(std::chrono::microseconds time) {
    const auto end = std::chrono::steady_clock::now() + time;
    while (std::chrono::steady_clock::now() < end) {
    }
}

} // namespace

TEST_CASE("a launch is counted, timed and returned from") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    const auto eager = launcher.count(Mode::Eager), compiled = launcher.count(Mode::Compiled);
    const auto before = Launcher::nowNs();
    const int result = launcher.launch("add_kernel", "aten.add.Tensor", 48, [] {
        spin(std::chrono::microseconds(3000));
        return 7;
    });
    launcher.launch("fused_0", "", Mode::Compiled, 16, [] {}, "fused_loops:0/0:forward:fused_0");
    const auto after = Launcher::nowNs();
    CHECK(result == 7);
    CHECK(launcher.count(Mode::Eager) == eager + 1);
    CHECK(launcher.count(Mode::Compiled) == compiled + 1);

    const Recording recording = launcher.drain();
    REQUIRE(recording.launches.size() == 2);
    const Launch& first = recording.launches[0];
    CHECK(first.kernel == std::string("add_kernel"));
    CHECK(first.op == std::string("aten.add.Tensor"));
    CHECK(first.mode == Mode::Eager);
    CHECK(first.bytes == 48);
    CHECK(first.region == 0);
    CHECK(first.durationNs >= 2'990'000);
    CHECK(first.durationNs <= after - before);
    // The two clocks are tied to each other within a few microseconds.
    CHECK(first.startNs + 50'000 >= before);
    CHECK(first.startNs + first.durationNs <= after + 50'000);
    CHECK(recording.launches[1].from == std::string("fused_loops:0/0:forward:fused_0"));
    CHECK(recording.launches[1].mode == Mode::Compiled);
    CHECK(recording.dropped == 0);
    CHECK(launcher.drain().launches.empty());
}

TEST_CASE("launches are counted, not recorded, while recording is off") {
    Launcher& launcher = Launcher::instance();
    launcher.setRecording(false);
    launcher.drain();
    const auto before = launcher.count(Mode::Eager);
    for (int i = 0; i < 5; ++i) launcher.launch("k", "op", 0, [] {});
    CHECK(launcher.count(Mode::Eager) == before + 5);
    CHECK(launcher.drain().launches.empty());
}

TEST_CASE("a kernel that throws is a launch too") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    const auto before = launcher.count(Mode::Eager);
    CHECK_THROWS_AS(launcher.launch("k", "op", 0, [] { throw std::runtime_error("no"); }), std::runtime_error);
    CHECK(launcher.count(Mode::Eager) == before + 1);
    CHECK(launcher.drain().launches.size() == 1);
}

TEST_CASE("regions nest, lend their mode and add up launches") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    CHECK(Launcher::currentMode() == Mode::Eager);
    {
        const RegionScope outer("forward", Mode::Compiled, "0/0", 3);
        CHECK(Launcher::currentMode() == Mode::Compiled);
        launcher.launch("mm", "aten.mm.default", 8, [] {});
        {
            const RegionScope inner("backward", Mode::Eager);
            CHECK(Launcher::currentMode() == Mode::Eager);
            launcher.launch("mul", "aten.mul.Tensor", 8, [] {});
        }
        CHECK(Launcher::currentMode() == Mode::Compiled);
    }
    CHECK(Launcher::currentMode() == Mode::Eager);
    const Recording recording = launcher.drain();
    REQUIRE(recording.regions.size() == 2);
    const Region &inner = recording.regions[0], &outer = recording.regions[1];
    CHECK(outer.name == std::string("forward"));
    CHECK(outer.owner == std::string("0/0"));
    CHECK(outer.call == 3);
    CHECK(outer.launches == 2);
    CHECK(outer.parent == 0);
    CHECK(inner.parent == outer.id);
    CHECK(inner.launches == 1);
    CHECK(inner.durationNs <= outer.durationNs);
    REQUIRE(recording.launches.size() == 2);
    CHECK(recording.launches[0].mode == Mode::Compiled);
    CHECK(recording.launches[0].region == outer.id);
    CHECK(recording.launches[1].mode == Mode::Eager);
    CHECK(recording.launches[1].region == inner.id);
}

TEST_CASE("regions deeper than the stack are survived") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    for (int i = 0; i < Launcher::maxDepth + 5; ++i) launcher.beginRegion("forward", Mode::Compiled);
    launcher.launch("k", "op", 0, [] {});
    for (int i = 0; i < Launcher::maxDepth + 5; ++i) launcher.endRegion();
    launcher.endRegion(); // one too many
    CHECK(Launcher::currentMode() == Mode::Eager);
    const Recording recording = launcher.drain();
    CHECK(recording.regions.size() == static_cast<std::size_t>(Launcher::maxDepth));
    CHECK(recording.regions.back().launches == 1);
}

TEST_CASE("a full buffer drops and says so") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    launcher.setCapacity(3);
    for (int i = 0; i < 5; ++i) launcher.launch("k", "op", 0, [] {});
    Recording recording = launcher.drain();
    CHECK(recording.launches.size() == 3);
    CHECK(recording.dropped == 2);
    launcher.launch("k", "op", 0, [] {});
    recording = launcher.drain();
    CHECK(recording.launches.size() == 1);
    CHECK(recording.dropped == 0);
}

TEST_CASE("threads launch at once and none is lost") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    launcher.setCapacity(10000);
    const auto before = launcher.count(Mode::Eager);
    {
        std::vector<std::jthread> threads;
        for (int t = 0; t < 4; ++t)
            threads.emplace_back([&] {
                for (int i = 0; i < 1000; ++i) launcher.launch("k", "op", 0, [] {});
            });
    }
    CHECK(launcher.count(Mode::Eager) == before + 4000);
    CHECK(launcher.drain().launches.size() == 4000);
}

TEST_CASE("intern keeps one copy a text") {
    std::string text = "triton_poi_0";
    const char* first = intern(text);
    text[0] = 'x';
    CHECK(first == std::string("triton_poi_0"));
    CHECK(intern("triton_poi_0") == first);
    CHECK(intern("other") != first);
}

TEST_CASE("a launch costs tens of nanoseconds") {
    Launcher& launcher = Launcher::instance();
    const Recorded recorded;
    launcher.setCapacity(65536);
    double best = 1e9;
    for (int batch = 0; batch < 20; ++batch) {
        const auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < 10000; ++i) launcher.launch("k", "op", 0, [] { asm volatile(""); });
        const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / 10000);
        launcher.drain();
    }
    INFO("nanoseconds a recorded launch: " << best);
#if defined(__OPTIMIZE__) && !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer)
    CHECK(best < 120); // 60 on an idle machine
#endif
    CHECK(best < 5000);
}
