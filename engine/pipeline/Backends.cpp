#include "engine/pipeline/Backends.h"

#include "engine/aot/Aot.h"
#include "engine/dynamo/Dynamo.h"
#include "engine/fx/Printer.h"
#include "engine/inductor/Inductor.h"
#include "engine/runtime/KernelCache.h"
#include "engine/runtime/Module.h"

#include <chrono>
#include <memory>
#include <string>

namespace strata::pipeline {

namespace {

using trace::Json;

void stageFinished(trace::Sink* sink, const std::string& compile, const std::string& region, const char* stage,
                   double ms) {
    sink->write(trace::make("compile", "stage_finished",
                            {{"compile", compile}, {"region", region}, {"stage", stage}, {"ms", ms}}));
}

/// Sends a listing whose lines point back at lines of the C++ text.
void sendListing(trace::Sink* sink, const std::string& kind, const std::string& compile, const std::string& region,
                 const runtime::Listing& listing) {
    const std::string place = ":" + compile + ":" + region + ":";
    Json items = Json::array();
    for (std::size_t i = 0; i < listing.cppLine.size(); ++i) {
        if (listing.cppLine[i] <= 0) continue;
        const std::string line = std::to_string(i + 1);
        items.push_back({{"id", kind + place + line},
                         {"from", Json::array({"cpp" + place + std::to_string(listing.cppLine[i])})},
                         {"line", i + 1},
                         {"end_line", i + 1},
                         {"label", line}});
    }
    sink->write(trace::make("artifact", kind,
                            {{"compile", compile},
                             {"region", region},
                             {"graph", region},
                             {"text", listing.text},
                             {"items", std::move(items)}}));
}

// Compiles generated C++ and finds its kernels; the module lives as long as the lookup.
inductor::Link linker(trace::Sink* sink, const std::string& compile, const std::string& region) {
    return [=](const std::string& text) {
        const auto module = runtime::KernelCache::instance().get(text);
        if (sink) {
            const runtime::StageTimes& times = module->times();
            stageFinished(sink, compile, region, "clang", times.frontendMs);
            stageFinished(sink, compile, region, "llvm", times.optimiseMs + times.codegenMs);
            stageFinished(sink, compile, region, "link", times.linkMs);
            sendListing(sink, "llvm", compile, region, module->llvm());
            sendListing(sink, "asm", compile, region, module->assembly());
        }
        return [module](const std::string& symbol) { return module->symbol(symbol); };
    };
}

std::string regionOf(const std::string& region) {
    return region.empty() ? "inference" : region;
}

void traceGraphs(trace::Sink* sink, const fx::Graph& graph, const std::string& compile, const std::string& region) {
    const auto start = std::chrono::steady_clock::now();
    const auto prims = aot::toPrims(graph, compile, region, sink);
    stageFinished(sink, compile, region, "prims",
                  std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    if (prims) sink->write(fx::artifact(*prims, "prims", compile, region));
}

aot::GraphCompiler inductorCompiler(trace::Sink* sink, const std::string& compile) {
    return [=](std::shared_ptr<const fx::Graph> graph, const std::string& name) -> aot::Executor {
        const std::string region = regionOf(name);
        if (sink) traceGraphs(sink, *graph, compile, region);
        return inductor::compile(std::move(graph), {sink, compile, region, linker(sink, compile, region)});
    };
}

aot::GraphCompiler interpreter(trace::Sink* sink, const std::string& compile) {
    return [=](std::shared_ptr<const fx::Graph> graph, const std::string& name) -> aot::Executor {
        if (sink) traceGraphs(sink, *graph, compile, regionOf(name));
        return aot::interpret(std::move(graph));
    };
}

// AOTAutograd runs the captured graph by calling its Python functions on fake tensors; each node tells where it is
// from.
dynamo::CompiledFn throughAot(const dynamo::Captured& captured, const aot::GraphCompiler& compiler, trace::Sink* sink,
                              bool lower = true) {
    const std::string compile = captured.compile;
    const aot::FlatFunction function = [run = captured.run, compile](const ops::Values& inputs) {
        aot::Origin origin;
        const ops::Values out = run(inputs, [&](const fx::Node* node) {
            origin = {fx::itemId(*node, "fx", compile, ""), node->file, node->line, node->module};
            aot::setCurrentOrigin(&origin);
        });
        aot::setCurrentOrigin(nullptr);
        return out;
    };
    std::vector<aot::Input> inputs;
    const auto placeholders = captured.graph->placeholders();
    for (std::size_t i = 0; i < placeholders.size(); ++i)
        inputs.push_back({captured.examples.at(i),
                          placeholders[i]->name,
                          placeholders[i]->role,
                          {fx::itemId(*placeholders[i], "fx", compile, "")}});
    aot::Options options;
    options.sink = sink;
    options.compile = compile;
    options.shapeEnv = captured.shapeEnv;
    options.decompose = options.recompute = lower;
    return aot::compile(function, std::move(inputs), compiler, options);
}

} // namespace

void registerBackends(trace::Sink* sink) {
    dynamo::registerBackend("eager", [](const dynamo::Captured& captured) -> dynamo::CompiledFn {
        return [run = captured.run](const ops::Values& inputs) { return run(inputs, nullptr); };
    });
    // aot_eager keeps ATen's ops and saves everything; with _decomp_partition it is what inductor would get.
    dynamo::registerBackend("aot_eager", [sink](const dynamo::Captured& captured) {
        return throughAot(captured, interpreter(sink, captured.compile), sink, false);
    });
    dynamo::registerBackend("aot_eager_decomp_partition", [sink](const dynamo::Captured& captured) {
        return throughAot(captured, interpreter(sink, captured.compile), sink);
    });
    dynamo::registerBackend("inductor", [sink](const dynamo::Captured& captured) {
        return throughAot(captured, inductorCompiler(sink, captured.compile), sink);
    });
}

} // namespace strata::pipeline
