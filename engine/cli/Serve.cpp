#include "engine/cli/Commands.h"
#include "engine/pipeline/Session.h"
#include "engine/support/Error.h"
#include "engine/trace/Stream.h"

#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sys/resource.h>
#include <unistd.h>

namespace strata::cli {

namespace {

// The process's own start, so that the figure has the loading of libraries in it.
double millisecondsSinceStart() {
    std::ifstream stat("/proc/self/stat"), uptime("/proc/uptime");
    std::string word;
    for (int field = 1; field <= 22 && stat >> word; ++field)
        if (field == 2)
            while (word.back() != ')' && stat >> word) {
            }
    double up = 0;
    uptime >> up;
    const double startedAt = std::strtod(word.c_str(), nullptr) / static_cast<double>(sysconf(_SC_CLK_TCK));
    return (up - startedAt) * 1e3;
}

// Address space beyond what the process has already: allocation fails inside the program, with a MemoryError.
void limitMemory(std::int64_t megabytes) {
    if (megabytes <= 0) return;
    std::ifstream statm("/proc/self/statm");
    std::uint64_t pages = 0;
    statm >> pages;
    const rlim_t limit =
        pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + (static_cast<rlim_t>(megabytes) << 20);
    const rlimit bounds{limit, limit};
    setrlimit(RLIMIT_AS, &bounds);
}

} // namespace

int serve(int traceFd) {
    fcntl(traceFd, F_SETFD, FD_CLOEXEC);
    trace::StreamWriter writer(traceFd);
    pipeline::Session::warmUp({"strata-engine"});
    writer.write(trace::make("run", "engine_ready", {{"ms", millisecondsSinceStart()}}));
    std::string line;
    if (!std::getline(std::cin, line)) return 0; // the application went away before it had a job
    const trace::Json job = trace::Json::parse(line, nullptr, false);
    if (!job.is_object() || !job.contains("program"))
        throw support::Error("serve: the job is no JSON object with a program");
    limitMemory(job.value("memory_limit_mb", std::int64_t{0}));
    pipeline::SessionOptions options;
    options.backend = job.value("backend", "default");
    options.measure = job.value("measure", false);
    const std::string path = job.value("path", "program.py");
    options.argv = {path};
    int status = 0;
    {
        pipeline::Session session(&writer);
        status = session.run(job["program"], path, options).exitCode;
    }
    writer.flush();
    return status;
}

} // namespace strata::cli
