#pragma once
// Last pass: the callable. A list of steps (allocate, launch, call, free) is planned once; the wrapper text that the
// window shows is printed from that list, and run() executes that list, with no Python in between.

#include "engine/inductor/CppPrinter.h"
#include "engine/inductor/Inductor.h"
#include "engine/ops/OpDef.h"
#include "engine/support/Launcher.h"

#include <memory>
#include <string>
#include <vector>

namespace strata::inductor {

/// When a buffer lives, and which allocation it shares. Indices are kernels in execution order.
struct Lifetime {
    std::string buffer;
    int first = 0, last = 0;
    int slot = 0;
    std::string reuses; // the buffer that had the slot before
    bool output = false;
};

class Wrapper {
public:
    /// `entry` finds a kernel's launch function by name; `graph` says which outputs are written back into inputs.
    Wrapper(std::shared_ptr<const fx::Graph> graph, Lowered lowered, Schedule schedule, PrintedProgram printed,
            std::map<std::string, std::string> inPlace, const Options& options);
    void link(const std::function<void*(const std::string&)>& entry);

    ops::Values run(const ops::Values& inputs) const;
    /// One line a step.
    const std::string& text() const { return m_text; }
    /// A line of text(): the kernel's number in the schedule, -1 for none.
    const std::vector<int>& lineKernel() const { return m_lineKernel; }
    const std::vector<Lifetime>& lifetimes() const { return m_lifetimes; }

private:
    using Entry = void (*)(void* const* buffers, const long* sizes);

    struct Launch {
        const PrintedKernel* printed = nullptr;
        const char* name = "";
        const char* traceId = "";
        std::vector<int> slots; // of its parameters' buffers
        std::vector<symbolic::SymInt> sizes;
        symbolic::SymInt bytes = 0;
        Entry entry = nullptr;
    };
    struct Call {
        const ops::OpDef* op = nullptr;
        ExternCall extern_;
        std::vector<std::pair<int, int>> results; // result number of the op -> slot
    };
    struct Step {
        enum class Kind { Allocate, Reuse, Launch, Call, Free } kind = Kind::Allocate;
        int index = 0; // Allocate, Reuse, Free: slot; else into m_launches or m_calls
        int from = 0;  // Reuse: the slot whose memory it takes
        loop::Buffer buffer;
    };

    void plan();
    void planLifetimes();
    int slotOf(const std::string& buffer) const { return m_slots.at(buffer); }
    void addLine(const std::string& text, int kernel = -1);
    void planLaunch(int number, const Kernel& kernel, std::size_t& next);
    void planCall(int number, const Kernel& kernel);
    struct Run; // the tables of one call
    ops::Value resolve(const Call& call, const ops::Value& arg, const Run& run) const;
    ops::Tensor view(const loop::Layout& layout, const Run& run) const;
    void execute(const Launch& launch, Run& run) const;
    void execute(const Call& call, Run& run) const;
    std::string outputText() const;

    std::shared_ptr<const fx::Graph> m_graph;
    Lowered m_lowered;
    Schedule m_schedule;
    PrintedProgram m_printed;
    std::map<std::string, std::string> m_inPlace;
    Options m_options;
    const char* m_regionName = "";
    std::map<std::string, int> m_slots; // buffer or input -> place in the run's table of tensors
    bool m_dynamic = false;             // some size is symbolic
    std::vector<Lifetime> m_lifetimes;
    std::vector<Launch> m_launches;
    std::vector<Call> m_calls;
    std::vector<Step> m_steps;
    std::string m_text;
    std::vector<int> m_lineKernel;
};

} // namespace strata::inductor
