#pragma once
// One run of one program: starts the interpreter, connects the stages to the trace, runs, and measures.

#include "engine/trace/Record.h"

#include <memory>
#include <set>
#include <string>
#include <vector>

namespace strata::pipeline {

struct SessionOptions {
    std::string backend =
        "default"; // of torch.compile where the program names none; default: inductor; none: nothing is compiled
    std::string device = "cpu";
    bool measure = false; // run twice more, eager and compiled, with only launches recorded
    std::vector<std::string> argv;
};

struct Outcome {
    int exitCode = 0;
    std::string status; // ok, exception, stopped, out_of_memory, exit
};

class Session {
public:
    /// Starts the interpreter and everything that a run needs, so that run() itself waits for nothing. Once a process.
    static void warmUp(const std::vector<std::string>& argv);

    /// `sink` receives the run's records (null: only standard output is written). Lives as long as the session.
    explicit Session(trace::Sink* sink);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    /// Runs a program to its end, its exception, or a stop. Never throws for what the program does.
    Outcome run(const std::string& text, const std::string& path, const SessionOptions& options);

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

/// Forwards records to another sink and prints the artifacts of chosen stages as text.
class EmitSink : public trace::Sink {
public:
    /// `kinds`: trace kinds; `next` may be null.
    EmitSink(std::set<std::string> kinds, trace::Sink* next) : m_kinds(std::move(kinds)), m_next(next) {}
    void write(trace::Record record) override;
    bool wantsSteps() const override { return m_next && m_next->wantsSteps(); }

private:
    std::set<std::string> m_kinds;
    trace::Sink* m_next;
};

} // namespace strata::pipeline
