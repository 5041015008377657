#include "engine/support/Launcher.h"

#include <chrono>
#include <cmath>
#include <set>
#include <string>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace strata::support {
namespace {

/// Whether the processor's counter ticks at one rate whatever the core's clock and sleep state do.
bool counterIsInvariant() {
#if defined(__x86_64__)
    unsigned a = 0, b = 0, c = 0, d = 0;
    if (__get_cpuid(0x80000001, &a, &b, &c, &d) == 0 || (d & (1U << 27)) == 0) return false; // rdtscp
    return __get_cpuid(0x80000007, &a, &b, &c, &d) != 0 && (d & (1U << 8)) != 0;
#else
    return false;
#endif
}

/// Turns ticks into nanoseconds from two moments known on both clocks.
struct Scale {
    std::uint64_t originTicks, originNs;
    double nsPerTick;

    std::uint64_t at(std::uint64_t ticks) const {
        const double sinceOrigin = static_cast<double>(static_cast<std::int64_t>(ticks - originTicks)) * nsPerTick;
        return originNs + static_cast<std::uint64_t>(static_cast<std::int64_t>(sinceOrigin));
    }
    std::uint64_t between(std::uint64_t start, std::uint64_t end) const {
        return end <= start ? 0
                            : static_cast<std::uint64_t>(std::llround(static_cast<double>(end - start) * nsPerTick));
    }
};

} // namespace

const char* intern(std::string_view text) {
    static std::mutex lock;
    static auto* texts = new std::set<std::string, std::less<>>; // never freed: the pointers outlive every static
    const std::lock_guard guard(lock);
    const auto found = texts->find(text);
    return found != texts->end() ? found->c_str() : texts->emplace(text).first->c_str();
}

std::string_view name(Mode mode) {
    return mode == Mode::Eager ? "eager" : "compiled";
}

thread_local constinit Launcher::RegionStack Launcher::s_stack{};

Launcher& Launcher::instance() {
    static auto* launcher = new Launcher; // never freed: kernels may run while statics are destroyed
    return *launcher;
}

Launcher::Launcher() : m_useCounter(counterIsInvariant()), m_originTicks(startTicks()), m_originNs(nowNs()) {}

std::uint64_t Launcher::nowNs() {
    return static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count());
}

void Launcher::setRecording(bool on) {
    {
        const std::lock_guard guard(m_lock);
        if (on && m_launches.entries.empty()) {
            m_launches.entries.resize(m_capacity);
            m_regions.entries.resize(m_capacity);
        }
    }
    m_recording.store(on, std::memory_order_relaxed);
}

void Launcher::setCapacity(std::size_t capacity) {
    const std::lock_guard guard(m_lock);
    m_capacity = capacity;
    m_launches = {};
    m_regions = {};
    m_dropped = 0;
    if (recording()) {
        m_launches.entries.resize(capacity);
        m_regions.entries.resize(capacity);
    }
}

void Launcher::beginRegion(const char* name, Mode mode, const char* owner, std::uint32_t call) {
    const std::uint32_t parent = s_stack.depth > 0 ? s_stack.top().region.id : 0;
    if (++s_stack.depth > maxDepth) return;
    RegionEntry& entry = s_stack.top();
    entry = {};
    entry.region.id = m_lastRegion.fetch_add(1, std::memory_order_relaxed) + 1;
    entry.region.parent = parent;
    entry.region.name = name;
    entry.region.owner = owner;
    entry.region.mode = mode;
    entry.region.call = call;
    entry.recorded = recording();
    if (entry.recorded) entry.start = startTicks();
}

void Launcher::endRegion() {
    if (s_stack.depth == 0) return;
    if (s_stack.depth <= maxDepth) {
        RegionEntry& entry = s_stack.top();
        if (entry.recorded) {
            entry.end = endTicks();
            const std::lock_guard guard(m_lock);
            put(m_regions, entry);
        }
        if (s_stack.depth > 1)
            s_stack.entries[static_cast<std::size_t>(s_stack.depth) - 2].region.launches += entry.region.launches;
    }
    --s_stack.depth;
}

Recording Launcher::drain() {
    std::vector<Entry> launches;
    std::vector<RegionEntry> regions;
    Recording out;
    {
        const std::lock_guard guard(m_lock);
        launches.assign(m_launches.entries.begin(),
                        m_launches.entries.begin() + static_cast<std::ptrdiff_t>(m_launches.used));
        regions.assign(m_regions.entries.begin(),
                       m_regions.entries.begin() + static_cast<std::ptrdiff_t>(m_regions.used));
        m_launches.used = m_regions.used = 0;
        out.dropped = std::exchange(m_dropped, 0);
    }
    // The two moments lie further apart the longer the process lives, which makes the rate ever more exact.
    while (nowNs() - m_originNs < 1'000'000) {
    }
    const double ticks = static_cast<double>(startTicks() - m_originTicks);
    const Scale scale{m_originTicks, m_originNs, static_cast<double>(nowNs() - m_originNs) / ticks};
    for (const Entry& e : launches)
        out.launches.push_back(
            {e.kernel, e.op, e.from, e.mode, e.region, scale.at(e.start), scale.between(e.start, e.end), e.bytes});
    for (RegionEntry& e : regions) {
        e.region.startNs = scale.at(e.start);
        e.region.durationNs = scale.between(e.start, e.end);
        out.regions.push_back(e.region);
    }
    return out;
}

} // namespace strata::support
