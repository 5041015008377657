#pragma once
// Runs Python text in the embedded interpreter and keeps what it sent.

#include "engine/python/Binding.h"

#include <string>
#include <vector>

namespace strata::test {

struct Run {
    python::RunResult result;
    std::string out, err, traceback, type, message;
    trace::Json frames = trace::Json::array();
    std::vector<trace::Record> records;
    std::string lastFrame() const { // "file:line"
        if (frames.empty()) return "";
        return frames.back()["file"].get<std::string>() + ":" + std::to_string(frames.back()["line"].get<int>());
    }
};

inline Run run(const std::string& text, const std::string& path = "program.py") {
    python::initialize({path});
    trace::MemorySink sink;
    Run run;
    run.result = python::runProgram(text, path, &sink);
    for (const trace::Record& record : sink.records) {
        if (record["kind"] == "stdout")
            (record["stream"] == "stdout" ? run.out : run.err) += record["text"].get<std::string>();
        if (record["kind"] != "exception") continue;
        run.traceback = record["traceback"];
        run.type = record["type"];
        run.message = record["message"];
        run.frames = record["frames"];
    }
    run.records = std::move(sink.records);
    return run;
}

} // namespace strata::test
