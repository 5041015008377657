#pragma once
// Counts and times kernel launches, eager and compiled, in one place: the figures on screen are these counters.
//
// The hot path takes no clock unless recording is on, allocates nothing, and writes into a buffer that setRecording()
// reserved. Times are ticks of the processor's counter where it runs at one rate for ever (else CLOCK_MONOTONIC), and
// become nanoseconds in drain(), outside any timed region.

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string_view>
#include <utility>
#include <vector>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace strata::support {

/// A copy of `text` that lives as long as the process; equal texts give one pointer.
const char* intern(std::string_view text);

enum class Mode : std::uint8_t { Eager, Compiled };
/// "eager" or "compiled", as in the trace.
std::string_view name(Mode mode);

/// One kernel run. Texts live for the whole process (literals, or intern()).
struct Launch {
    const char* kernel = "";
    const char* op = "";   // the aten name, empty for a fused kernel
    const char* from = ""; // the id of what the kernel was made from, empty in eager
    Mode mode = Mode::Eager;
    std::uint32_t region = 0;     // Region::id of the innermost region around it, 0 outside
    std::uint64_t startNs = 0;    // as std::chrono::steady_clock counts
    std::uint64_t durationNs = 0; // wall time of the call
    std::uint64_t bytes = 0;      // read and written, as the launching code states
};

/// One call of a compiled function, or of backward, as a whole.
struct Region {
    std::uint32_t id = 0;     // from 1, in the order of starts
    std::uint32_t parent = 0; // the region around it, 0 none
    const char* name = "";    // inference, forward, backward
    const char* owner = "";   // what the caller tells its regions apart by: a compile id, say
    Mode mode = Mode::Eager;
    std::uint32_t call = 0; // which call of that function, from 0, as the caller counts
    std::uint64_t startNs = 0;
    std::uint64_t durationNs = 0;
    std::uint64_t launches = 0; // inside it, inner regions included
};

/// What was recorded since the last drain.
struct Recording {
    std::vector<Launch> launches; // in the order in which they ended
    std::vector<Region> regions;  // in the order in which they ended
    std::uint64_t dropped = 0;    // launches and regions that found the buffer full
};

/// Process-wide. Every member may be called from any thread.
class Launcher {
public:
    static Launcher& instance();
    Launcher(const Launcher&) = delete;
    Launcher& operator=(const Launcher&) = delete;

    /// Runs `kernel()` as one launch and returns what it returns. Counted also when it throws.
    template <class Callable>
    decltype(auto) launch(const char* kernel, const char* op, Mode mode, std::uint64_t bytes, Callable&& callable,
                          const char* from = "") {
        const LaunchScope scope(*this, {kernel, op, from, 0, 0, bytes, 0, mode});
        return std::forward<Callable>(callable)();
    }
    /// The same, in currentMode(): a library kernel that compiled code calls counts as compiled.
    template <class Callable>
    decltype(auto) launch(const char* kernel, const char* op, std::uint64_t bytes, Callable&& callable) {
        return launch(kernel, op, currentMode(), bytes, std::forward<Callable>(callable));
    }

    /// Launches since the process started, recorded or not.
    std::uint64_t count(Mode mode) const { return m_counts[static_cast<int>(mode)].load(std::memory_order_relaxed); }

    /// Regions of one thread nest; RegionScope below is the safe way to open one. Deeper than maxDepth they are only
    /// counted.
    void beginRegion(const char* name, Mode mode, const char* owner = "", std::uint32_t call = 0);
    void endRegion();
    /// The mode of this thread's innermost region, Eager outside.
    static Mode currentMode() { return s_stack.depth == 0 ? Mode::Eager : s_stack.top().region.mode; }
    /// The name of this thread's outermost region, empty outside.
    static const char* currentRegionName() { return s_stack.depth == 0 ? "" : s_stack.entries[0].region.name; }
    /// The id of this thread's innermost region, 0 outside.
    static std::uint32_t currentRegion() { return s_stack.depth == 0 ? 0 : s_stack.top().region.id; }

    /// Reserves the buffer on first use. Off: launches are only counted.
    void setRecording(bool on);
    bool recording() const { return m_recording.load(std::memory_order_relaxed); }
    /// Takes what is recorded and empties the buffer. Regions still open come with a later drain.
    Recording drain();
    /// How many launches, and how many regions, the buffer holds (65536 unless set). Drops what is recorded.
    void setCapacity(std::size_t capacity);

    /// Nanoseconds on the clock of Launch::startNs.
    static std::uint64_t nowNs();

    static constexpr int maxDepth = 32;

private:
    struct Entry {
        const char* kernel;
        const char* op;
        const char* from;
        std::uint64_t start; // ticks
        std::uint64_t end;
        std::uint64_t bytes;
        std::uint32_t region;
        Mode mode;
    };
    struct RegionEntry {
        Region region; // all but its times
        std::uint64_t start = 0;
        std::uint64_t end = 0;
        bool recorded = false;
    };
    struct RegionStack {
        std::array<RegionEntry, maxDepth> entries;
        int depth = 0;
        RegionEntry& top() { return entries[static_cast<std::size_t>(depth < maxDepth ? depth : maxDepth) - 1]; }
    };

    class LaunchScope {
    public:
        LaunchScope(Launcher& launcher, const Entry& entry)
            : m_launcher(launcher), m_entry(entry), m_recorded(launcher.recording()) {
            launcher.m_counts[static_cast<int>(entry.mode)].fetch_add(1, std::memory_order_relaxed);
            if (s_stack.depth > 0) {
                RegionEntry& region = s_stack.top();
                m_entry.region = region.region.id;
                ++region.region.launches;
            }
            if (m_recorded) m_entry.start = launcher.startTicks();
        }
        LaunchScope(const LaunchScope&) = delete;
        LaunchScope& operator=(const LaunchScope&) = delete;
        ~LaunchScope() {
            if (!m_recorded) return;
            m_entry.end = m_launcher.endTicks();
            m_launcher.append(m_entry);
        }

    private:
        Launcher& m_launcher;
        Entry m_entry;
        bool m_recorded;
    };

    /// Held for a few instructions; launches from several threads are rare, so that it is nearly always free.
    class SpinLock {
    public:
        void lock() {
            while (m_flag.test_and_set(std::memory_order_acquire)) {
            }
        }
        void unlock() { m_flag.clear(std::memory_order_release); }

    private:
        std::atomic_flag m_flag = ATOMIC_FLAG_INIT;
    };

    /// A buffer of fixed size: nothing is allocated where it is filled.
    template <class T> struct Buffer {
        std::vector<T> entries;
        std::size_t used = 0;
    };

    Launcher();
    ~Launcher() = default;

    void append(const Entry& entry) {
        const std::lock_guard guard(m_lock);
        put(m_launches, entry);
    }
    template <class T> void put(Buffer<T>& buffer, const T& entry) {
        if (buffer.used < buffer.entries.size())
            buffer.entries[buffer.used++] = entry;
        else
            ++m_dropped;
    }

#if defined(__x86_64__)
    std::uint64_t startTicks() const { return m_useCounter ? __rdtsc() : nowNs(); }
    std::uint64_t endTicks() const {
        unsigned processor = 0;
        return m_useCounter ? __rdtscp(&processor) : nowNs(); // rdtscp waits for the kernel's last instructions
    }
#else
    std::uint64_t startTicks() const { return nowNs(); }
    std::uint64_t endTicks() const { return nowNs(); }
#endif

    static thread_local constinit RegionStack s_stack;

    const bool m_useCounter; // of the processor, for times
    std::atomic<std::uint64_t> m_counts[2]{};
    std::atomic<bool> m_recording{false};
    std::atomic<std::uint32_t> m_lastRegion{0};
    SpinLock m_lock; // guards what follows
    Buffer<Entry> m_launches;
    Buffer<RegionEntry> m_regions;
    std::uint64_t m_dropped = 0;
    std::size_t m_capacity = 65536;
    std::uint64_t m_originTicks; // one moment on both clocks
    std::uint64_t m_originNs;
};

/// A region as long as this object lives. Texts live for the whole process.
class RegionScope {
public:
    RegionScope(const char* name, Mode mode, const char* owner = "", std::uint32_t call = 0) {
        Launcher::instance().beginRegion(name, mode, owner, call);
    }
    RegionScope(const RegionScope&) = delete;
    RegionScope& operator=(const RegionScope&) = delete;
    ~RegionScope() { Launcher::instance().endRegion(); }
};

} // namespace strata::support
