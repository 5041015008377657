#include "engine/pipeline/Session.h"

#include "engine/dynamo/Dynamo.h"
#include "engine/pipeline/Backends.h"
#include "engine/pipeline/Observers.h"
#include "engine/pipeline/Stages.h"
#include "engine/python/Binding.h"
#include "engine/runtime/Module.h"

#include <algorithm>
#include <chrono>
#include <iostream>
#include <mutex>

namespace strata::pipeline {

using trace::Json;
using trace::Record;

namespace {

/// Counts what passes, for run_finished.
class CountingSink : public trace::Sink {
public:
    explicit CountingSink(trace::Sink* next) : m_next(next) {}
    bool wantsSteps() const override { return m_next->wantsSteps(); }

    void write(Record record) override {
        const std::string& kind = record["kind"].get_ref<const std::string&>();
        if (kind == "compile_started") ++m_counts["compiles"];
        if (kind == "graph_break") ++m_counts["graph_breaks"];
        if (kind == "cache") ++m_counts["cache_" + record.value("event", "")];
        if (kind == "launch") ++m_counts[record.value("mode", "") + "_launches"];
        m_next->write(std::move(record));
    }

    Json counters() const {
        const auto at = [&](const char* name) {
            const auto it = m_counts.find(name);
            return it == m_counts.end() ? 0 : it->second;
        };
        return {{"eager_launches", at("eager_launches")},
                {"compiled_launches", at("compiled_launches")},
                {"compiles", at("compiles")},
                {"graph_breaks", at("graph_breaks")},
                {"cache_hits", at("cache_hit")},
                {"cache_misses", at("cache_miss")},
                {"recompiles", at("cache_recompile")}};
    }

private:
    trace::Sink* m_next;
    std::map<std::string, int> m_counts;
};

/// Without a trace the program's output goes to the terminal; so it does while stages are emitted.
class TerminalSink : public trace::Sink {
public:
    bool wantsSteps() const override { return false; }
    void write(Record record) override {
        const std::string kind = record["kind"];
        if (kind == "stdout") {
            std::ostream& to = record.value("stream", "stdout") == "stderr" ? std::cerr : std::cout;
            to << record.value("text", "") << std::flush;
        } else if (kind == "exception") {
            std::cerr << record.value("traceback", "") << std::flush;
        }
    }
};

/// Keeps measurements only, and gives them the mode that was measured.
class MeasureSink : public trace::Sink {
public:
    bool wantsSteps() const override { return false; }
    void write(Record record) override {
        if (record["kind"] == "call") m_calls.push_back(std::move(record));
    }
    std::vector<Record> m_calls;
};

void initializeOnce(const std::vector<std::string>& argv) {
    static std::once_flag once;
    std::call_once(once, [&] {
        python::initialize(argv);
        dynamo::initialize();
    });
}

} // namespace

struct Session::Impl {
    trace::Sink* outer = nullptr;
    TerminalSink terminal;
    CountingSink sink{outer ? outer : &terminal};

    explicit Impl(trace::Sink* given) : outer(given), sink(given ? given : &terminal) {}

    void started(const std::string& text, const std::string& path, const SessionOptions& options);
    void measure(const std::string& text, const std::string& path);
};

void Session::warmUp(const std::vector<std::string>& argv) {
    initializeOnce(argv);
    runtime::warmUp();
}

Session::Session(trace::Sink* sink) : m_impl(std::make_unique<Impl>(sink)) {}

Session::~Session() {
    dynamo::setSink(nullptr);
    registerBackends(nullptr);
}

void Session::Impl::started(const std::string& text, const std::string& path, const SessionOptions& options) {
    sink.write(trace::make("run", "run_started",
                           {{"path", path},
                            {"program", text},
                            {"backend", options.backend},
                            {"device", options.device},
                            {"versions", python::versions()}}));
    Json items = Json::array();
    int line = 1;
    std::size_t start = 0;
    while (start <= text.size()) {
        const std::size_t end = std::min(text.find('\n', start), text.size());
        if (text.find_first_not_of(" \t\r", start) < end) {
            const std::string number = std::to_string(line);
            items.push_back({{"id", "source:" + path + ":" + number},
                             {"from", Json::array()},
                             {"line", line},
                             {"end_line", line},
                             {"label", number}});
        }
        start = end + 1;
        ++line;
    }
    sink.write(trace::make("artifact", "source",
                           {{"compile", ""},
                            {"region", ""},
                            {"graph", path},
                            {"file", path},
                            {"text", text},
                            {"items", std::move(items)}}));
}

// The program again, whole, once in eager and once compiled, with nothing recorded but launches. Code objects are the
// same as in the first run, so what was compiled then is found in the caches.
void Session::Impl::measure(const std::string& text, const std::string& path) {
    for (const bool compiled : {false, true}) {
        MeasureSink calls;
        dynamo::setSink(nullptr);
        dynamo::setEnabled(compiled);
        registerBackends(nullptr);
        python::RunResult result;
        {
            Observers observers(&calls);
            result = python::runProgram(text, path, nullptr);
            observers.flush();
        }
        dynamo::setEnabled(true);
        if (result.exitCode != 0) return;
        std::vector<double> durations;
        std::uint64_t launches = 0;
        for (const Record& call : calls.m_calls) {
            durations.push_back(call["duration_us"]);
            launches += call["launches"].get<std::uint64_t>();
        }
        std::sort(durations.begin(), durations.end());
        sink.write(trace::make("measure", "measured",
                               {{"mode", compiled ? "compiled" : "eager"},
                                {"runs", durations.size()},
                                {"median_us", durations.empty() ? 0.0 : durations[durations.size() / 2]},
                                {"launches", launches},
                                {"calls", calls.m_calls}}));
    }
}

Outcome Session::run(const std::string& text, const std::string& path, const SessionOptions& options) {
    initializeOnce(options.argv);
    trace::Sink* sink = &m_impl->sink;
    const auto start = std::chrono::steady_clock::now();
    m_impl->started(text, path, options);
    dynamo::setEnabled(options.backend != "none");
    dynamo::setDefaultBackend(options.backend == "default" ? "inductor" : options.backend,
                              options.backend != "default" ? dynamo::Forced::Named : dynamo::Forced::No);
    dynamo::setSink(m_impl->outer ? sink : nullptr);
    registerBackends(m_impl->outer ? sink : nullptr);
    python::RunResult result;
    {
        Observers observers(sink);
        result = python::runProgram(text, path, sink);
        observers.flush();
    }
    dynamo::setEnabled(true);
    if (options.measure && result.exitCode == 0) m_impl->measure(text, path);
    sink->write(
        trace::make("run", "run_finished",
                    {{"status", result.status},
                     {"exit_code", result.exitCode},
                     {"seconds", std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count()},
                     {"counters", m_impl->sink.counters()}}));
    return {result.exitCode, result.status};
}

void EmitSink::write(Record record) {
    const std::string kind = record["kind"];
    if (kind == "stdout" || kind == "exception") {
        TerminalSink().write(record);
    } else if (record["family"] == "artifact" && m_kinds.count(kind)) {
        std::cout << "# " << kind;
        for (const char* field : {"compile", "region"})
            if (const std::string value = record.value(field, ""); !value.empty()) std::cout << " " << value;
        std::cout << "\n" << record.value("text", "") << "\n" << std::flush;
    }
    if (m_next) m_next->write(std::move(record));
}

} // namespace strata::pipeline
