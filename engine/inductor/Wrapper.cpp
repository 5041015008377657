#include "engine/inductor/Wrapper.h"

#include "engine/ops/Registry.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <array>

namespace strata::inductor {

using ops::SymInt;
using ops::SymInts;
using ops::Tensor;
using ops::Value;
using ops::Values;

struct Wrapper::Run {
    std::vector<Tensor> tensors; // by slot
    std::map<std::string, std::int64_t> symbols;

    std::int64_t number(SymInt value) const {
        return value.isSymbolic() ? symbolic::evaluate(value, symbols) : value.asInt();
    }
    SymInts numbers(const SymInts& values) const {
        SymInts out;
        out.reserve(values.size());
        for (const SymInt v : values) out.emplace_back(number(v));
        return out;
    }
};

Wrapper::Wrapper(std::shared_ptr<const fx::Graph> graph, Lowered lowered, Schedule schedule, PrintedProgram printed,
                 std::map<std::string, std::string> inPlace, const Options& options)
    : m_graph(std::move(graph)), m_lowered(std::move(lowered)), m_schedule(std::move(schedule)),
      m_printed(std::move(printed)), m_inPlace(std::move(inPlace)), m_options(options),
      m_regionName(support::intern(options.region)), m_dynamic(!m_lowered.program.sizeSymbols.empty()) {
    for (const loop::Buffer& input : m_lowered.program.inputs)
        m_slots.emplace(input.name, static_cast<int>(m_slots.size()));
    for (const loop::Node& node : m_lowered.program.nodes)
        m_slots.emplace(node.buffer.name, static_cast<int>(m_slots.size()));
    planLifetimes();
    plan();
}

void Wrapper::link(const std::function<void*(const std::string&)>& entry) {
    for (Launch& launch : m_launches) launch.entry = reinterpret_cast<Entry>(entry("launch_" + launch.printed->name));
}

// A buffer lives from the kernel that computes it to the last that reads it; outputs live on. A buffer that is born
// after another of its size and dtype died takes that one's memory.
void Wrapper::planLifetimes() {
    const int end = static_cast<int>(m_schedule.kernels.size());
    std::map<std::string, int> last;
    for (int k = 0; k < end; ++k)
        for (const std::string& buffer : m_schedule.kernels[static_cast<std::size_t>(k)].reads) last[buffer] = k;
    for (const loop::Layout& output : m_lowered.program.outputs) last[output.buffer] = end;
    std::vector<std::string> slotHolder;
    for (int k = 0; k < end; ++k) {
        const Kernel& kernel = m_schedule.kernels[static_cast<std::size_t>(k)];
        for (const std::string& buffer : kernel.writes) {
            if (m_inPlace.count(buffer)) continue;
            Lifetime life{buffer, k, std::max(k, last.count(buffer) ? last[buffer] : k), -1, "", last[buffer] == end};
            const loop::Buffer& mine = *m_lowered.program.find(buffer);
            for (std::size_t s = 0; !kernel.isExtern && s < slotHolder.size() && life.slot < 0; ++s) {
                const auto old = std::find_if(m_lifetimes.begin(), m_lifetimes.end(),
                                              [&](const Lifetime& l) { return l.buffer == slotHolder[s]; });
                const loop::Buffer& theirs = *m_lowered.program.find(old->buffer);
                if (old->last >= k || old->output || theirs.dtype != mine.dtype || !theirs.bytes().sameAs(mine.bytes()))
                    continue;
                if (m_lowered.externs.count(old->buffer))
                    continue; // a library's result may share memory that we do not know of
                life.slot = static_cast<int>(s);
                life.reuses = old->buffer;
                slotHolder[s] = buffer;
            }
            if (life.slot < 0) {
                life.slot = static_cast<int>(slotHolder.size());
                slotHolder.push_back(buffer);
            }
            m_lifetimes.push_back(life);
        }
    }
}

void Wrapper::addLine(const std::string& text, int kernel) {
    m_text += text + "\n";
    m_lineKernel.push_back(kernel);
}

void Wrapper::plan() {
    std::string names;
    for (const fx::Node* node : m_graph->placeholders()) names += (names.empty() ? "" : ", ") + node->name;
    addLine("def call(" + names + "):");
    std::size_t next = 0;
    for (std::size_t k = 0; k < m_schedule.kernels.size(); ++k) {
        const Kernel& kernel = m_schedule.kernels[k];
        const int number = static_cast<int>(k);
        if (kernel.isExtern)
            planCall(number, kernel);
        else
            planLaunch(number, kernel, next);
        for (const Lifetime& life : m_lifetimes) {
            const bool taken = std::any_of(m_lifetimes.begin(), m_lifetimes.end(),
                                           [&](const Lifetime& l) { return l.reuses == life.buffer; });
            if (life.last != number || life.output || taken) continue;
            m_steps.push_back({Step::Kind::Free, slotOf(life.buffer), 0, {}});
            addLine("    del " + life.buffer);
        }
    }
    addLine("    return (" + outputText() + ")");
}

std::string Wrapper::outputText() const {
    std::string text;
    for (const Result& result : m_lowered.results) {
        std::string item = "None";
        if (result.kind == Result::Kind::Int) item = result.value.str();
        if (result.kind == Result::Kind::Tensor) {
            const auto written = m_inPlace.find(result.layout.buffer);
            const loop::Buffer& buffer = *m_lowered.program.find(result.layout.buffer);
            item = written == m_inPlace.end() ? result.layout.buffer : written->second;
            if (!symbolic::sameAs(result.layout.sizes, buffer.sizes) ||
                !symbolic::sameAs(result.layout.strides, buffer.strides) || !result.layout.offset.sameAs(0))
                item = "as_strided(" + item + ", " + symbolic::str(result.layout.sizes) + ", " +
                       symbolic::str(result.layout.strides) + ", " + result.layout.offset.str() + ")";
        }
        text += item + ", ";
    }
    return text;
}

void Wrapper::planLaunch(int number, const Kernel& kernel, std::size_t& next) {
    for (const std::string& buffer : kernel.writes) {
        const loop::Buffer& shape = *m_lowered.program.find(buffer);
        const auto life =
            std::find_if(m_lifetimes.begin(), m_lifetimes.end(), [&](const Lifetime& l) { return l.buffer == buffer; });
        if (life == m_lifetimes.end()) continue; // stored over an input
        if (!life->reuses.empty()) {
            m_steps.push_back({Step::Kind::Reuse, slotOf(buffer), slotOf(life->reuses), shape});
            addLine("    " + buffer + " = " + life->reuses + "; del " + life->reuses + "  # reuse");
            continue;
        }
        m_steps.push_back({Step::Kind::Allocate, slotOf(buffer), 0, shape});
        addLine("    " + buffer + " = empty_strided(" + symbolic::str(shape.sizes) + ", " +
                symbolic::str(shape.strides) + ", " + std::string(tensor::name(shape.dtype)) + ")");
    }
    const PrintedKernel& printed = m_printed.kernels.at(next++);
    Launch launch{&printed, support::intern(kernel.name), "", {}, {}, 0, nullptr};
    launch.traceId = support::intern("fused_loops:" + m_options.compile + ":" + m_options.region + ":" + kernel.name);
    std::string text;
    for (const Parameter& p : printed.parameters) {
        const auto input = m_inPlace.find(p.buffer);
        const std::string& place = input == m_inPlace.end() ? p.buffer : input->second;
        launch.slots.push_back(slotOf(place));
        launch.bytes = launch.bytes + m_lowered.program.find(p.buffer)->bytes();
        text += (text.empty() ? "" : ", ") + place;
    }
    for (const std::string& size : printed.sizes) {
        launch.sizes.push_back(SymInt::symbol(size));
        text += ", " + size;
    }
    m_steps.push_back({Step::Kind::Launch, static_cast<int>(m_launches.size()), 0, {}});
    m_launches.push_back(std::move(launch));
    addLine("    " + printed.name + "(" + text + ")", number);
}

void Wrapper::planCall(int number, const Kernel& kernel) {
    const loop::Node& node = m_lowered.program.nodes[static_cast<std::size_t>(kernel.members[0].node)];
    const ExternCall& external = m_lowered.externs.at(node.buffer.name);
    if (external.callOf >= 0) return; // the first result's call computes this one as well
    Call call{&ops::get(external.target), external, {}};
    std::string names;
    const auto isFirst = [&](const loop::Node& n) { return &n == &node; };
    const auto firstAt = std::find_if(m_lowered.program.nodes.begin(), m_lowered.program.nodes.end(), isFirst) -
                         m_lowered.program.nodes.begin();
    for (const loop::Node& other : m_lowered.program.nodes) {
        const auto it = m_lowered.externs.find(other.buffer.name);
        if (it == m_lowered.externs.end() || (&other != &node && it->second.callOf != firstAt)) continue;
        call.results.emplace_back(it->second.output, slotOf(other.buffer.name));
        names += (names.empty() ? "" : ", ") + other.buffer.name;
    }
    m_steps.push_back({Step::Kind::Call, static_cast<int>(m_calls.size()), 0, {}});
    m_calls.push_back(std::move(call));
    addLine("    " + names + " = " + external.target + "(" + node.externText + ")", number);
}

Tensor Wrapper::view(const loop::Layout& layout, const Run& run) const {
    const auto input = m_inPlace.find(layout.buffer);
    const Tensor& base =
        run.tensors[static_cast<std::size_t>(slotOf(input == m_inPlace.end() ? layout.buffer : input->second))];
    const SymInts sizes = run.numbers(layout.sizes), strides = run.numbers(layout.strides);
    const SymInt offset = base->offset + SymInt(run.number(layout.offset));
    if (symbolic::sameAs(sizes, base.sizes()) && symbolic::sameAs(strides, base.strides()) &&
        offset.sameAs(base->offset))
        return base;
    return base.alias(sizes, strides, offset);
}

Value Wrapper::resolve(const Call& call, const Value& arg, const Run& run) const {
    if (const auto* t = arg.as<Tensor>())
        return t->defined() ? Value(view(call.extern_.tensors.at(t->impl()), run)) : arg;
    if (const auto* list = arg.as<ops::Tensors>()) {
        ops::Tensors out;
        for (const Tensor& t : *list) out.push_back(t.defined() ? view(call.extern_.tensors.at(t.impl()), run) : t);
        return out;
    }
    if (const auto* number = arg.as<SymInt>()) return SymInt(run.number(*number));
    if (const auto* numbers = arg.as<SymInts>()) return run.numbers(*numbers);
    return arg;
}

void Wrapper::execute(const Launch& launch, Run& run) const {
    constexpr std::size_t few = 16;
    std::array<void*, few> fewPointers{};
    std::vector<void*> manyPointers(launch.slots.size() > few ? launch.slots.size() : 0);
    void** pointers = launch.slots.size() > few ? manyPointers.data() : fewPointers.data();
    for (std::size_t i = 0; i < launch.slots.size(); ++i)
        pointers[i] = run.tensors[static_cast<std::size_t>(launch.slots[i])].data();
    std::vector<long> sizes;
    for (const SymInt size : launch.sizes) sizes.push_back(run.number(size));
    support::Launcher::instance().launch(
        launch.name, "", support::Mode::Compiled, static_cast<std::uint64_t>(run.number(launch.bytes)),
        [&] { launch.entry(pointers, sizes.data()); }, launch.traceId);
}

void Wrapper::execute(const Call& call, Run& run) const {
    Values args;
    args.reserve(call.extern_.args.size());
    for (const Value& arg : call.extern_.args) args.push_back(resolve(call, arg, run));
    const Values results = ops::call(*call.op, std::move(args));
    for (const auto& [number, slot] : call.results)
        run.tensors[static_cast<std::size_t>(slot)] = results.at(static_cast<std::size_t>(number)).tensor();
}

Values Wrapper::run(const Values& inputs) const {
    // Library kernels called from here count as compiled code's.
    const support::RegionScope region(m_regionName, support::Mode::Compiled);
    Run run;
    run.tensors.resize(m_slots.size());
    for (std::size_t i = 0; i < inputs.size(); ++i)
        if (!m_lowered.inputNames[i].empty())
            run.tensors[static_cast<std::size_t>(slotOf(m_lowered.inputNames[i]))] = inputs[i].tensor();
    for (const auto& [name, value] : m_lowered.constants) run.tensors[static_cast<std::size_t>(slotOf(name))] = value;
    for (const SymbolBinding& binding : m_lowered.bindings) {
        const Value& input = inputs[static_cast<std::size_t>(binding.input)];
        run.symbols[binding.symbol] =
            binding.dim < 0 ? input.toInt().asInt() : input.tensor().size(binding.dim).asInt();
    }
    for (const loop::Buffer& input : m_lowered.program.inputs) {
        const Tensor& given = run.tensors[static_cast<std::size_t>(slotOf(input.name))];
        const bool laidOut = m_dynamic ? symbolic::sameAs(given.strides(), run.numbers(input.strides)) &&
                                             symbolic::sameAs(given.sizes(), run.numbers(input.sizes))
                                       : symbolic::sameAs(given.strides(), input.strides) &&
                                             symbolic::sameAs(given.sizes(), input.sizes);
        if (!laidOut)
            throw support::Error("the compiled graph's input " + input.name + " has strides " +
                                 symbolic::str(given.strides()) + " where it was compiled for " +
                                 symbolic::str(input.strides));
    }
    for (const Step& step : m_steps) {
        Tensor* const slots = run.tensors.data();
        const auto at = static_cast<std::size_t>(step.index);
        switch (step.kind) {
        case Step::Kind::Allocate:
            slots[at] = Tensor::emptyStrided(run.numbers(step.buffer.sizes), run.numbers(step.buffer.strides),
                                             step.buffer.dtype);
            break;
        case Step::Kind::Reuse:
            slots[at] = slots[step.from].alias(run.numbers(step.buffer.sizes), run.numbers(step.buffer.strides), 0);
            slots[step.from] = Tensor();
            break;
        case Step::Kind::Launch:
            execute(m_launches[at], run);
            break;
        case Step::Kind::Call:
            execute(m_calls[at], run);
            break;
        case Step::Kind::Free:
            slots[at] = Tensor();
            break;
        }
    }
    Values outputs;
    for (const Result& result : m_lowered.results) {
        switch (result.kind) {
        case Result::Kind::None:
            outputs.emplace_back();
            break;
        case Result::Kind::Int:
            outputs.emplace_back(SymInt(run.number(result.value)));
            break;
        case Result::Kind::Tensor:
            outputs.emplace_back(view(result.layout, run));
            break;
        }
    }
    return outputs;
}

} // namespace strata::inductor
