#include "engine/inductor/Inductor.h"

#include "engine/inductor/Artifacts.h"
#include "engine/inductor/CppPrinter.h"
#include "engine/inductor/Lowering.h"
#include "engine/inductor/Scheduler.h"
#include "engine/inductor/Wrapper.h"

#include <algorithm>
#include <chrono>

namespace strata::inductor {

namespace {

/// Sends stage_finished with the time since it was made, or since the stage before.
class StageClock {
public:
    explicit StageClock(const Options& options) : m_options(options) {}
    void finished(const char* stage) {
        const auto now = std::chrono::steady_clock::now();
        if (m_options.sink)
            m_options.sink->write(
                trace::make("compile", "stage_finished",
                            {{"compile", m_options.compile},
                             {"region", m_options.region},
                             {"stage", stage},
                             {"ms", std::chrono::duration<double, std::milli>(now - m_start).count()}}));
        m_start = std::chrono::steady_clock::now();
    }

private:
    const Options& m_options;
    std::chrono::steady_clock::time_point m_start = std::chrono::steady_clock::now();
};

// A later inner loop reads these back, so they are stored after all.
void storeKeptBuffers(const Lowered& lowered, Schedule& schedule) {
    for (Kernel& kernel : schedule.kernels)
        for (const std::string& buffer : keptInMemory(lowered, kernel)) kernel.writes.push_back(buffer);
}

// An output that is copied back into an input may be stored right there when it lies as the input does, the kernel
// reads the input only at the element that it stores, and no later kernel or other output wants the old input.
std::map<std::string, std::string> storedOverInputs(const fx::Graph& graph, const Lowered& lowered,
                                                    const Schedule& schedule) {
    std::map<std::string, std::string> out;
    for (const auto& [output, placeholder] : graph.writes) {
        const Result& result = lowered.results.at(static_cast<std::size_t>(output));
        const std::string& input = lowered.inputNames.at(static_cast<std::size_t>(placeholder));
        if (result.kind != Result::Kind::Tensor || input.empty() || out.count(result.layout.buffer)) continue;
        const loop::Buffer& target = *lowered.program.find(input);
        const loop::Node* node = lowered.program.producer(result.layout.buffer);
        if (!node || node->kind == loop::NodeKind::Extern || node->buffer.dtype != target.dtype) continue;
        if (!symbolic::sameAs(node->buffer.sizes, target.sizes) ||
            !symbolic::sameAs(node->buffer.strides, target.strides))
            continue;
        const bool returned = std::any_of(lowered.results.begin(), lowered.results.end(),
                                          [&](const Result& r) { return r.layout.buffer == input; });
        bool safe = !returned, seen = false;
        for (const Kernel& kernel : schedule.kernels) {
            const bool writes =
                std::find(kernel.writes.begin(), kernel.writes.end(), node->buffer.name) != kernel.writes.end();
            const bool reads = std::find(kernel.reads.begin(), kernel.reads.end(), input) != kernel.reads.end();
            if (seen && reads) safe = false;
            if (!writes) continue;
            seen = true;
            symbolic::SymInt stored = 0;
            for (const Member& m : kernel.members)
                if (lowered.program.nodes[static_cast<std::size_t>(m.node)].buffer.name == node->buffer.name)
                    stored = m.store;
            for (const Member& m : kernel.members)
                for (const auto& [buffer, index] : loop::loadsOf(m.body))
                    safe &= buffer != input || index.sameAs(stored);
            safe &= !kernel.domain.hasReduction(); // a later inner loop could read what an earlier one stored over
        }
        if (safe) out[node->buffer.name] = input;
    }
    return out;
}

} // namespace

Executor compile(std::shared_ptr<const fx::Graph> graph, const Options& options) {
    StageClock clock(options);
    Lowered lowered = lower(*graph, options.compile, options.region);
    clock.finished("lowering");
    Schedule planned = schedule(lowered);
    storeKeptBuffers(lowered, planned);
    const auto inPlace = storedOverInputs(*graph, lowered, planned);
    clock.finished("scheduling");
    PrintedProgram printed = printCpp(lowered, planned, inPlace);
    auto wrapper = std::make_shared<Wrapper>(graph, lowered, planned, printed, inPlace, options);
    clock.finished("codegen");
    if (options.sink) {
        traceLoops(lowered, options);
        traceFusion(lowered, planned, options);
        traceWrapper(lowered, planned, *wrapper, options);
        traceCpp(lowered, planned, printed, options);
    }
    if (!printed.kernels.empty()) wrapper->link(options.link(printed.text));
    return [wrapper](const ops::Values& inputs) { return wrapper->run(inputs); };
}

} // namespace strata::inductor
