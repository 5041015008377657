#include "engine/pipeline/Observers.h"

#include "engine/python/Binding.h"
#include "engine/tensor/Allocator.h"

namespace strata::pipeline {

using trace::Json;

namespace {

Json shapeJson(const ops::SymInts& sizes) {
    Json out = Json::array();
    for (const ops::SymInt size : sizes) out.push_back(size.isSymbolic() ? Json(size.str()) : Json(size.asInt()));
    return out;
}

} // namespace

Observers::Observers(trace::Sink* sink) : m_sink(sink), m_startNs(support::Launcher::nowNs()) {
    support::Launcher::instance().drain();
    support::Launcher::instance().setRecording(true);
    if (!sink->wantsSteps()) return;
    eager::Dispatcher::instance().setListener([this](const eager::DispatchEvent& event) { dispatched(event); });
    m_tape.created = [this](const eager::Node& node) { tapeNode(node); };
    m_tape.ran = [this](const eager::Node& node, int order, double us) { tapeRan(node, order, us); };
    eager::setTapeListener(&m_tape);
}

Observers::~Observers() {
    eager::setTapeListener(nullptr);
    eager::Dispatcher::instance().setListener(nullptr);
    support::Launcher::instance().setRecording(false);
}

void Observers::dispatched(const eager::DispatchEvent& event) {
    Json keys = Json::array(), shapes = Json::array(), dtypes = Json::array();
    for (int i = 0; i < event.keyCount; ++i) keys.push_back(eager::name(event.keys[static_cast<std::size_t>(i)]));
    if (event.keyCount > 0 && event.keys[static_cast<std::size_t>(event.keyCount - 1)] == eager::Key::Fake)
        return; // tracing
    for (const ops::SymInts& shape : event.shapes) shapes.push_back(shapeJson(shape));
    for (const ops::DType dtype : event.dtypes) dtypes.push_back(tensor::name(dtype));
    std::string file;
    int line = 0;
    python::userPlace(file, line);
    m_sink->write(trace::make("eager", "dispatch",
                              {{"op", event.op->qualifiedName()},
                               {"keys", std::move(keys)},
                               {"shapes", std::move(shapes)},
                               {"dtypes", std::move(dtypes)},
                               {"file", file},
                               {"line", line},
                               {"in_region", support::Launcher::currentRegion() > 0},
                               {"launches", event.launches}}));
}

// Leaves are numbered by themselves: they have no place in the order of the tape.
std::string Observers::tapeId(const eager::Node& node) {
    if (node.accumulates)
        return "leaf:" + std::to_string(m_leaves.emplace(&node, static_cast<int>(m_leaves.size())).first->second);
    return "tape:" + std::to_string(node.sequence - m_firstSequence);
}

void Observers::tapeNode(const eager::Node& node) {
    if (node.accumulates) return;
    if (!m_sequenceKnown) {
        m_firstSequence = node.sequence;
        m_sequenceKnown = true;
    }
    Json inputs = Json::array();
    for (const eager::Edge& edge : node.next) inputs.push_back(edge ? tapeId(*edge.node) : "none");
    std::string file;
    int line = 0;
    python::userPlace(file, line);
    Json from = Json::array();
    if (line > 0) from.push_back("source:" + file + ":" + std::to_string(line));
    m_sink->write(trace::make("eager", "tape_node",
                              {{"id", tapeId(node)},
                               {"from", std::move(from)},
                               {"name", node.name},
                               {"op", node.op ? node.op->qualifiedName() : ""},
                               {"inputs", std::move(inputs)},
                               {"saved", node.savedText()},
                               {"file", file},
                               {"line", line}}));
}

void Observers::tapeRan(const eager::Node& node, int order, double microseconds) {
    if (!m_sequenceKnown) return;
    m_sink->write(
        trace::make("eager", "tape_run", {{"id", tapeId(node)}, {"order", order}, {"duration_us", microseconds}}));
}

void Observers::flush() {
    const support::Recording recording = support::Launcher::instance().drain();
    std::map<std::uint32_t, const support::Region*> regions;
    for (const support::Region& region : recording.regions) regions[region.id] = &region;
    const auto microseconds = [&](std::uint64_t ns) { return static_cast<double>(ns) / 1e3; };
    for (const support::Launch& launch : recording.launches) {
        const auto region = regions.find(launch.region);
        ++m_launches[launch.mode];
        Json from = Json::array();
        if (*launch.from) from.push_back(launch.from);
        m_sink->write(trace::make("measure", "launch",
                                  {{"kernel", launch.kernel},
                                   {"op", launch.op},
                                   {"mode", support::name(launch.mode)},
                                   {"region", region == regions.end() ? "" : region->second->name},
                                   {"call", region == regions.end() ? 0 : region->second->call},
                                   {"device", "cpu"},
                                   {"start_us", microseconds(launch.startNs - m_startNs)},
                                   {"duration_us", microseconds(launch.durationNs)},
                                   {"bytes", launch.bytes},
                                   {"from", std::move(from)}}));
    }
    for (const support::Region& region : recording.regions)
        if (region.parent == 0)
            m_sink->write(trace::make("measure", "call",
                                      {{"mode", support::name(region.mode)},
                                       {"region", region.name},
                                       {"call", region.call},
                                       {"start_us", microseconds(region.startNs - m_startNs)},
                                       {"duration_us", microseconds(region.durationNs)},
                                       {"launches", region.launches}}));
    if (recording.dropped > 0) m_sink->write(trace::make("measure", "dropped", {{"count", recording.dropped}}));
    const tensor::AllocatorStatistics memory = tensor::allocatorStatistics();
    m_sink->write(trace::make("measure", "memory",
                              {{"mode", ""},
                               {"peak_bytes", memory.peakBytes},
                               {"live_bytes", memory.liveBytes},
                               {"allocations", memory.allocations}}));
}

} // namespace strata::pipeline
