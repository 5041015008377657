#include "engine/pipeline/Recorder.h"

#include "engine/dynamo/Dynamo.h"
#include "engine/eager/Dispatcher.h"
#include "engine/pipeline/Backends.h"
#include "engine/python/Binding.h"
#include "engine/python/Commands.h"
#include "engine/support/Launcher.h"

#include <filesystem>
#include <memory>

namespace strata::pipeline {

using trace::Json;

namespace {

constexpr const char* recorderText =
#include "recorder.inc"
    ;

/// What the recorder's commands share.
struct Recording {
    std::unique_ptr<trace::MemorySink> sink;
    std::vector<std::string> dispatched;
    Json result;
};

class StepSink : public trace::MemorySink {
public:
    bool wantsSteps() const override { return false; }
};

Json stage(Recording& state, const Json& arguments) {
    dynamo::reset();
    dynamo::setEnabled(arguments.value("enabled", true));
    const std::string backend = arguments.value("backend", "");
    const auto forced = static_cast<dynamo::Forced>(arguments.value("forced", 0));
    dynamo::setDefaultBackend(backend.empty() ? "inductor" : backend, forced);
    eager::Dispatcher::instance().setListener(nullptr);
    support::Launcher::instance().setRecording(false);
    state.sink = arguments.value("trace", false) ? std::make_unique<StepSink>() : nullptr;
    dynamo::setSink(state.sink.get());
    registerBackends(state.sink.get());
    return nullptr;
}

// The ops that reached the backend inside calls of compiled functions.
Json watchDispatch(Recording& state) {
    state.dispatched.clear();
    eager::Dispatcher::instance().setListener([&state](const eager::DispatchEvent& event) {
        if (std::string_view(support::Launcher::currentRegionName()) == "forward")
            state.dispatched.push_back(event.op->qualifiedName());
    });
    return nullptr;
}

Json takeLaunches() {
    const support::Recording recording = support::Launcher::instance().drain();
    support::Launcher::instance().setRecording(false);
    std::map<std::uint32_t, std::uint32_t> outermost; // region -> the region without a parent around it
    for (auto it = recording.regions.rbegin(); it != recording.regions.rend(); ++it)
        outermost[it->id] = it->parent == 0 ? it->id : outermost.count(it->parent) ? outermost[it->parent] : it->parent;
    std::map<std::uint32_t, Json> regions;
    for (const support::Region& region : recording.regions)
        if (region.parent == 0) regions[region.id] = {{"region", region.name}, {"kernels", Json::array()}};
    for (const support::Launch& launch : recording.launches)
        if (launch.region > 0) regions.at(outermost.at(launch.region))["kernels"].push_back(launch.kernel);
    Json out = Json::array();
    for (auto& [id, region] : regions) out.push_back(std::move(region));
    return out;
}

void registerCommands(Recording& state) {
    python::registerCommand("stage", [&](const Json& arguments) { return stage(state, arguments); });
    python::registerCommand("records",
                            [&](const Json&) { return state.sink ? Json(state.sink->records) : Json::array(); });
    python::registerCommand("watch_dispatch", [&](const Json&) { return watchDispatch(state); });
    python::registerCommand("dispatched", [&](const Json&) { return Json(state.dispatched); });
    python::registerCommand("watch_launches", [](const Json&) {
        support::Launcher::instance().drain();
        support::Launcher::instance().setRecording(true);
        return Json();
    });
    python::registerCommand("launches", [](const Json&) { return takeLaunches(); });
    python::registerCommand("result", [&](const Json& arguments) {
        state.result = arguments.at("record");
        return Json();
    });
}

} // namespace

Json recordProgram(const std::string& path) {
    static Recording state; // the commands outlive this call
    registerCommands(state);
    python::initialize({"recorder.py", path});
    dynamo::initialize();
    trace::MemorySink sink;
    const python::RunResult run = python::runProgram(recorderText, "recorder.py", &sink);
    Json record = state.result.is_object() ? state.result : Json::object();
    record["program"] = std::filesystem::path(path).stem().string();
    if (run.exitCode != 0) {
        std::string why = run.status;
        for (const trace::Record& r : sink.records)
            if (r["kind"] == "exception") why = r.value("traceback", why);
        record["errors"]["recorder"] = why;
    }
    return record;
}

} // namespace strata::pipeline
