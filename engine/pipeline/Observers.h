#pragma once
// Turns what the eager engine and the launcher tell into trace records. Connected for the length of a run.

#include "engine/eager/Autograd.h"
#include "engine/support/Launcher.h"
#include "engine/trace/Record.h"

#include <cstdint>
#include <map>
#include <string>

namespace strata::pipeline {

class Observers {
public:
    /// `sink` is not null. Dispatches and the tape are recorded only when the sink wants steps.
    explicit Observers(trace::Sink* sink);
    ~Observers();
    Observers(const Observers&) = delete;
    Observers& operator=(const Observers&) = delete;

    /// Sends the launches and calls that were recorded since the last time, and the memory figures.
    void flush();
    std::uint64_t launches(support::Mode mode) const { return m_launches.at(mode); }

private:
    void dispatched(const eager::DispatchEvent& event);
    void tapeNode(const eager::Node& node);
    void tapeRan(const eager::Node& node, int order, double microseconds);
    std::string tapeId(const eager::Node& node);

    trace::Sink* m_sink;
    eager::TapeListener m_tape;
    std::uint64_t m_firstSequence = 0;
    bool m_sequenceKnown = false;
    std::map<const eager::Node*, int> m_leaves; // nodes that accumulate, in the order in which they came up
    std::map<support::Mode, std::uint64_t> m_launches{{support::Mode::Eager, 0}, {support::Mode::Compiled, 0}};
    std::uint64_t m_startNs;
};

} // namespace strata::pipeline
