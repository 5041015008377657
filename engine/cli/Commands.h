#pragma once
// The subcommands of strata-engine. Each returns the process's exit status.

#include <string>
#include <vector>

namespace strata::cli {

struct RunArguments {
    std::string program, backend = "default", device = "cpu", traceFile;
    std::vector<std::string> emit, arguments;
    bool measure = false;
};
int run(const RunArguments& arguments);

struct RecordArguments {
    std::vector<std::string> programs;
    std::string output;   // a file; empty: standard output
    double timeout = 120; // seconds a program
    bool single = false;  // record in this very process
};
int record(const RecordArguments& arguments);

int dump(const std::string& file);
/// Waits for one job on standard input, a JSON object on one line, and runs it; records go to `traceFd`.
int serve(int traceFd);

/// The text of a file. Throws support::Error saying which file and why.
std::string readText(const std::string& path);

} // namespace strata::cli
