#include "engine/cli/Commands.h"
#include "engine/pipeline/Recorder.h"
#include "engine/support/Error.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <poll.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

namespace strata::cli {

namespace {

using trace::Json;

/// A child that records one program; what it prints is the record.
struct Child {
    std::string program;
    pid_t pid = -1;
    int output = -1;
    std::string text;
    std::chrono::steady_clock::time_point deadline;
};

Child start(const std::string& program, double timeout) {
    int ends[2];
    if (pipe(ends) != 0) throw support::Error(std::string("record: no pipe: ") + std::strerror(errno));
    Child child{program, fork(), ends[0], "", {}};
    if (child.pid < 0) throw support::Error(std::string("record: no child process: ") + std::strerror(errno));
    if (child.pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        execl("/proc/self/exe", "strata-engine", "record", "--single", program.c_str(), static_cast<char*>(nullptr));
        _exit(127);
    }
    close(ends[1]);
    child.deadline =
        std::chrono::steady_clock::now() + std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1e3));
    return child;
}

Json failed(const std::string& program, const std::string& why) {
    return {{"program", std::filesystem::path(program).stem().string()}, {"errors", {{"process", why}}}};
}

// Reads until the child closes its output or its time is over.
Json finish(Child& child) {
    bool late = false;
    char chunk[65536];
    while (true) {
        const auto left =
            std::chrono::duration_cast<std::chrono::milliseconds>(child.deadline - std::chrono::steady_clock::now())
                .count();
        pollfd waiting{child.output, POLLIN, 0};
        const int ready = left > 0 ? poll(&waiting, 1, static_cast<int>(left)) : 0;
        if (ready == 0) {
            late = true;
            kill(child.pid, SIGKILL);
            break;
        }
        if (ready < 0 && errno == EINTR) continue;
        const ssize_t n = read(child.output, chunk, sizeof chunk);
        if (n <= 0) break;
        child.text.append(chunk, static_cast<std::size_t>(n));
    }
    close(child.output);
    int status = 0;
    waitpid(child.pid, &status, 0);
    if (late) return failed(child.program, "timed out");
    if (WIFSIGNALED(status)) return failed(child.program, std::string("ended by ") + strsignal(WTERMSIG(status)));
    Json record = Json::parse(child.text, nullptr, false);
    if (!record.is_object())
        return failed(child.program, "exit status " + std::to_string(WEXITSTATUS(status)) + ", no record");
    return record;
}

} // namespace

int record(const RecordArguments& arguments) {
    if (arguments.single) {
        std::cout
            << pipeline::recordProgram(arguments.programs.at(0)).dump(-1, ' ', false, Json::error_handler_t::replace)
            << std::flush;
        return 0;
    }
    std::vector<Json> records(arguments.programs.size());
    const std::size_t atOnce = std::max(1U, std::thread::hardware_concurrency());
    for (std::size_t first = 0; first < records.size(); first += atOnce) {
        std::vector<Child> children;
        for (std::size_t i = first; i < std::min(first + atOnce, records.size()); ++i) {
            readText(arguments.programs[i]); // says which file is not there
            children.push_back(start(arguments.programs[i], arguments.timeout));
        }
        for (std::size_t i = 0; i < children.size(); ++i) records[first + i] = finish(children[i]);
    }
    std::string text = "[\n";
    for (std::size_t i = 0; i < records.size(); ++i)
        text += (i ? ",\n" : "") + records[i].dump(-1, ' ', false, Json::error_handler_t::replace);
    text += "\n]\n";
    if (arguments.output.empty()) {
        std::cout << text;
        return 0;
    }
    std::ofstream out(arguments.output, std::ios::binary);
    if (!(out << text)) throw support::Error("cannot write " + arguments.output + ": " + std::strerror(errno));
    return 0;
}

} // namespace strata::cli
