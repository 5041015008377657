#include "engine/inductor/Artifacts.h"

#include <algorithm>

namespace strata::inductor {

namespace {

using trace::Json;

std::string idOf(const std::string& kind, const Options& options, const std::string& name) {
    return kind + ":" + options.compile + ":" + options.region + ":" + name;
}

Json texts(const symbolic::SymInts& values) {
    Json out = Json::array();
    for (const symbolic::SymInt v : values) out.push_back(v.isSymbolic() ? Json(v.str()) : Json(v.asInt()));
    return out;
}

Json number(symbolic::SymInt value) {
    return value.isSymbolic() ? Json(value.str()) : Json(value.asInt());
}

void send(const std::string& kind, const Options& options, std::string text, Json items) {
    options.sink->write(trace::make("artifact", kind,
                                    {{"compile", options.compile},
                                     {"region", options.region},
                                     {"graph", options.region},
                                     {"text", std::move(text)},
                                     {"items", std::move(items)}}));
}

Json item(std::string id, Json from, int line, const std::string& label) {
    return {{"id", std::move(id)}, {"from", std::move(from)}, {"line", line}, {"end_line", line}, {"label", label}};
}

const char* kindName(loop::NodeKind kind) {
    static constexpr const char* names[] = {"pointwise", "reduction", "extern"};
    return names[static_cast<std::size_t>(kind)];
}

// Whether a buffer of the program is in the kernel.
bool computes(const Lowered& lowered, const Kernel& kernel, const std::string& buffer) {
    return std::any_of(kernel.members.begin(), kernel.members.end(), [&](const Member& m) {
        return lowered.program.nodes[static_cast<std::size_t>(m.node)].buffer.name == buffer;
    });
}

std::string domainText(const Domain& domain) {
    std::string text;
    for (std::size_t d = 0; d < domain.sizes.size(); ++d)
        text += (d ? ", " : "") + std::string(domain.reduced[d] ? "reduce " : "") + domain.sizes[d].str();
    return "[" + text + "]";
}

} // namespace

void traceLoops(const Lowered& lowered, const Options& options) {
    const loop::Program& program = lowered.program;
    Json items = Json::array();
    for (const loop::Buffer& input : program.inputs) {
        Json entry = item(idOf("loops", options, input.name), Json::array({idOf("", options, input.name).substr(0, 0)}),
                          1, input.name);
        const std::string kind = options.region == "backward" ? "backward" : "forward";
        entry["from"] = Json::array({kind + ":" + options.compile + ":" + input.name});
        entry["op"] = "input";
        entry["inputs"] = Json::array();
        entry["dtype"] = tensor::name(input.dtype);
        entry["shape"] = texts(input.sizes);
        entry["bytes"] = number(input.bytes());
        items.push_back(std::move(entry));
    }
    int line = 2;
    for (const loop::Node& node : program.nodes) {
        Json entry = item(idOf("loops", options, node.buffer.name), node.origins, line++, node.buffer.name);
        entry["op"] = kindName(node.kind);
        entry["target"] = node.kind == loop::NodeKind::Extern ? node.target : node.op;
        Json inputs = Json::array();
        for (const std::string& buffer : loop::readsOf(node)) inputs.push_back(idOf("loops", options, buffer));
        entry["inputs"] = std::move(inputs);
        entry["dtype"] = tensor::name(node.buffer.dtype);
        entry["shape"] = texts(node.buffer.sizes);
        entry["ranges"] = texts(node.ranges);
        entry["reduction_ranges"] = texts(node.reductionRanges);
        entry["bytes"] = number(node.buffer.bytes());
        if (node.body) entry["body"] = loop::str(node.body);
        items.push_back(std::move(entry));
    }
    send("loops", options, loop::print(program), std::move(items));
}

void traceFusion(const Lowered& lowered, const Schedule& schedule, const Options& options) {
    if (options.sink->wantsSteps())
        for (const Decision& d : schedule.decisions)
            options.sink->write(trace::make("step", "fusion",
                                            {{"compile", options.compile},
                                             {"region", options.region},
                                             {"a", idOf("loops", options, d.a)},
                                             {"b", idOf("loops", options, d.b)},
                                             {"fused", d.fused},
                                             {"rule", d.rule},
                                             {"score", d.score},
                                             {"values", d.values}}));
    std::string text;
    Json items = Json::array();
    int line = 1;
    for (const Kernel& kernel : schedule.kernels) {
        Json nodes = Json::array(), inputs = Json::array();
        symbolic::SymInt bytes = 0;
        for (const Member& m : kernel.members)
            nodes.push_back(
                idOf("loops", options, lowered.program.nodes[static_cast<std::size_t>(m.node)].buffer.name));
        for (const Kernel& other : schedule.kernels)
            if (&other != &kernel && std::any_of(kernel.reads.begin(), kernel.reads.end(),
                                                 [&](const std::string& b) { return computes(lowered, other, b); }))
                inputs.push_back(idOf("fused_loops", options, other.isExtern ? other.writes.front() : other.name));
        for (const std::string& b : kernel.reads) bytes = bytes + lowered.program.find(b)->bytes();
        for (const std::string& b : kernel.writes) bytes = bytes + lowered.program.find(b)->bytes();
        const std::string name =
            kernel.isExtern ? (kernel.writes.empty() ? kernel.name : kernel.writes.front()) : kernel.name;
        Json entry = item(idOf("fused_loops", options, name), nodes, line, kernel.name);
        const int first = line;
        text += kernel.name + (kernel.isExtern ? "" : " over " + domainText(kernel.domain)) + ":\n";
        ++line;
        for (const Member& m : kernel.members) {
            text += "    " + loop::print(lowered.program.nodes[static_cast<std::size_t>(m.node)]) + "\n";
            ++line;
        }
        entry["line"] = first;
        entry["end_line"] = line - 1;
        entry["op"] = kernel.isExtern ? "extern" : "kernel";
        entry["inputs"] = std::move(inputs);
        entry["nodes"] = std::move(nodes);
        entry["bytes"] = number(bytes);
        entry["kernel"] = kernel.name;
        items.push_back(std::move(entry));
    }
    send("fused_loops", options, text, std::move(items));
}

void traceCpp(const Lowered& lowered, const Schedule& schedule, const PrintedProgram& printed, const Options& options) {
    Json items = Json::array();
    for (std::size_t i = 0; i < printed.lineFrom.size(); ++i) {
        if (printed.lineKernel[i] < 0) continue;
        const Kernel& kernel = schedule.kernels[static_cast<std::size_t>(printed.lineKernel[i])];
        Json from = Json::array({idOf("fused_loops", options, kernel.name)});
        for (const std::string& buffer : printed.lineFrom[i]) from.push_back(idOf("loops", options, buffer));
        const int line = static_cast<int>(i) + 1;
        Json entry = item(idOf("cpp", options, std::to_string(line)), std::move(from), line, std::to_string(line));
        entry["kernel"] = kernel.name;
        items.push_back(std::move(entry));
    }
    (void)lowered;
    send("cpp", options, printed.text, std::move(items));
}

void traceWrapper(const Lowered& lowered, const Schedule& schedule, const Wrapper& wrapper, const Options& options) {
    Json items = Json::array();
    std::string text;
    int line = 1;
    for (const Lifetime& life : wrapper.lifetimes()) {
        const loop::Buffer& buffer = *lowered.program.find(life.buffer);
        Json entry = item(idOf("memory_plan", options, life.buffer), Json::array({idOf("loops", options, life.buffer)}),
                          line++, life.buffer);
        entry["bytes"] = number(buffer.bytes());
        entry["first"] = life.first;
        entry["last"] = life.last;
        entry["slot"] = life.slot;
        entry["reuses"] = life.reuses.empty() ? "" : idOf("memory_plan", options, life.reuses);
        text += life.buffer + ": " + buffer.bytes().str() + " bytes, kernels " + std::to_string(life.first) + " to " +
                (life.output ? std::string("the end") : std::to_string(life.last)) + ", slot " +
                std::to_string(life.slot) + (life.reuses.empty() ? "" : ", reuses " + life.reuses) + "\n";
        items.push_back(std::move(entry));
        if (!life.reuses.empty() && options.sink->wantsSteps())
            options.sink->write(trace::make("step", "buffer_reused",
                                            {{"compile", options.compile},
                                             {"region", options.region},
                                             {"a", idOf("memory_plan", options, life.buffer)},
                                             {"b", idOf("memory_plan", options, life.reuses)}}));
    }
    send("memory_plan", options, text, std::move(items));

    Json lines = Json::array();
    for (std::size_t i = 0; i < wrapper.lineKernel().size(); ++i) {
        if (wrapper.lineKernel()[i] < 0) continue;
        const Kernel& kernel = schedule.kernels[static_cast<std::size_t>(wrapper.lineKernel()[i])];
        const std::string name = kernel.isExtern && !kernel.writes.empty() ? kernel.writes.front() : kernel.name;
        const int at = static_cast<int>(i) + 1;
        lines.push_back(item(idOf("wrapper", options, std::to_string(at)),
                             Json::array({idOf("fused_loops", options, name)}), at, kernel.name));
    }
    send("wrapper", options, wrapper.text(), std::move(lines));
}

} // namespace strata::inductor
