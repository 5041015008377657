#include "engine/aot/Records.h"

#include "engine/fx/Printer.h"

#include <algorithm>
#include <map>
#include <set>

namespace strata::aot {

namespace {

using trace::Json;

int outputCount(const fx::Graph& graph) {
    const fx::Node* output = graph.outputNode();
    const auto* tuple = output ? output->args.at(0).as<fx::Tuple>() : nullptr;
    if (!tuple) return 0;
    return static_cast<int>(std::count_if(tuple->items.begin(), tuple->items.end(),
                                          [](const fx::Arg& item) { return !item.as<fx::None>(); }));
}

} // namespace

void sendStage(const Options& options, const std::string& region, const char* stage,
               std::chrono::steady_clock::time_point start) {
    if (!options.sink) return;
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - start;
    options.sink->write(
        trace::make("compile", "stage_finished",
                    {{"compile", options.compile}, {"region", region}, {"stage", stage}, {"ms", took.count()}}));
}

void sendGraph(const Options& options, const fx::Graph& graph, const std::string& kind, const std::string& region,
               const Partition* partition) {
    if (!options.sink) return;
    trace::Record record = fx::artifact(graph, kind, options.compile, region);
    record["outputs"] = outputCount(graph);
    if (partition) {
        std::set<std::string> saved(partition->saved.begin(), partition->saved.end()), forward, backward;
        for (const auto& node : partition->forward->nodes()) forward.insert(node->name);
        for (const auto& node : partition->backward->nodes())
            if (node->op != fx::Opcode::Placeholder || node->role == fx::Role::Tangent) backward.insert(node->name);
        for (Json& item : record["items"]) {
            const std::string name = item["label"];
            const bool both = item["op"] == "call_function" && forward.contains(name) && backward.contains(name);
            if (both)
                item["side"] = "both";
            else
                item["side"] =
                    backward.contains(name) && !forward.contains(name) ? "backward" : item["side"].get<std::string>();
            item["saved"] = saved.contains(name);
        }
    }
    options.sink->write(std::move(record));
}

void sendSteps(const Options& options, const std::vector<Step>& steps, const fx::Graph& graph, const std::string& kind,
               const std::string& region) {
    if (!options.sink || !options.sink->wantsSteps()) return;
    std::map<std::string, const fx::Node*> live;
    for (const auto& node : graph.nodes()) live[node->name] = node.get();
    for (const Step& step : steps) {
        Json into = Json::array();
        for (const std::string& name : step.into)
            if (const auto it = live.find(name); it != live.end())
                into.push_back(fx::itemId(*it->second, kind, options.compile, region));
        options.sink->write(trace::make("step", step.kind,
                                        {{"compile", options.compile},
                                         {"region", region},
                                         {"from", step.from},
                                         {"op", step.op},
                                         {"into", std::move(into)}}));
    }
}

void sendDecisions(const Options& options, const Partition& partition) {
    if (!options.sink || !options.sink->wantsSteps()) return;
    for (const SavingDecision& decision : partition.decisions)
        options.sink->write(trace::make("step", decision.saved ? "saved" : "recomputed",
                                        {{"compile", options.compile},
                                         {"id", "joint:" + options.compile + ":" + decision.node},
                                         {"bytes", decision.bytes},
                                         {"cost", decision.cost},
                                         {"code", decision.code}}));
}

} // namespace strata::aot
