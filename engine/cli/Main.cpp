// strata-engine: the compiler driver, and the process that the application runs programs in.

#include "engine/cli/Commands.h"
#include "engine/pipeline/Session.h"
#include "engine/pipeline/Stages.h"
#include "engine/support/Error.h"
#include "engine/trace/Stream.h"

#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace strata::cli {

std::string readText(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    std::ostringstream text;
    if (!in || !(text << in.rdbuf())) throw support::Error("cannot read " + path + ": " + std::strerror(errno));
    return text.str();
}

int run(const RunArguments& arguments) {
    const std::string text = readText(arguments.program);
    std::set<std::string> kinds;
    for (const std::string& name : arguments.emit) {
        const pipeline::Stage* stage = pipeline::stageNamed(name);
        if (!stage) {
            std::string known;
            for (const pipeline::Stage& s : pipeline::stages)
                known += (known.empty() ? "" : ", ") + std::string(s.artifact);
            throw support::Error("--emit: there is no stage '" + name + "'; the stages are " + known);
        }
        kinds.insert(std::string(stage->artifact));
    }
    std::unique_ptr<trace::StreamWriter> file;
    if (!arguments.traceFile.empty()) {
        const int fd = open(arguments.traceFile.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
        if (fd < 0) throw support::Error("cannot write " + arguments.traceFile + ": " + std::strerror(errno));
        file = std::make_unique<trace::StreamWriter>(fd);
    }
    std::unique_ptr<pipeline::EmitSink> emit;
    if (!kinds.empty() || file) emit = std::make_unique<pipeline::EmitSink>(kinds, file.get());
    pipeline::SessionOptions options;
    options.backend = arguments.backend;
    options.device = arguments.device;
    options.measure = arguments.measure;
    options.argv = arguments.arguments;
    options.argv.insert(options.argv.begin(), arguments.program);
    pipeline::Session session(emit.get());
    return session.run(text, arguments.program, options).exitCode;
}

int dump(const std::string& file) {
    const std::string bytes = readText(file);
    trace::StreamReader reader;
    reader.feed(bytes.data(), bytes.size());
    while (const auto record = reader.next())
        std::cout << record->dump(-1, ' ', false, trace::Json::error_handler_t::replace) << "\n";
    reader.finish();
    if (reader.damage().empty()) return 0;
    std::cerr << "strata-engine: " << file << ": " << reader.damage() << "; what stands before it was printed\n";
    return 1;
}

} // namespace strata::cli

int main(int argc, char** argv) {
    using namespace strata;
    signal(SIGPIPE, SIG_IGN); // a reader that went away must not end a program
    CLI::App app{"Runs PyTorch programs through every layer of a compile stack.", "strata-engine"};
    app.require_subcommand(1);

    cli::RunArguments run;
    auto* runCommand = app.add_subcommand("run", "run a program");
    runCommand->add_option("program", run.program, "a Python file")->required();
    runCommand->add_option("arguments", run.arguments, "the program's own arguments, after --");
    runCommand
        ->add_option("--backend", run.backend,
                     "torch.compile's backend, whatever the program says; none: nothing is compiled")
        ->check(CLI::IsMember({"default", "none", "eager", "aot_eager", "inductor"}));
    runCommand->add_option("--device", run.device, "where tensors live")->check(CLI::IsMember({"cpu"}));
    runCommand->add_option("--emit", run.emit, "stages to print as text")->delimiter(',');
    runCommand->add_option("--trace", run.traceFile, "a .strata file to write");
    runCommand->add_flag("--measure", run.measure, "run twice more, eager and compiled, recording only launches");

    cli::RecordArguments record;
    auto* recordCommand = app.add_subcommand("record", "one JSON record a program: what each stage did");
    recordCommand->add_option("programs", record.programs, "Python files with a main()")->required();
    recordCommand->add_option("-o,--output", record.output, "a file for the JSON list; else standard output");
    recordCommand->add_option("--timeout", record.timeout, "seconds a program may take")->check(CLI::PositiveNumber);
    recordCommand->add_flag("--single", record.single, "record one program in this very process");

    std::string dumped;
    auto* dumpCommand = app.add_subcommand("dump", "a trace as JSON lines");
    dumpCommand->add_option("file", dumped, "a .strata file")->required();

    int traceFd = -1;
    auto* serveCommand = app.add_subcommand("serve", "wait for one job on standard input; what the application starts");
    serveCommand->add_option("--trace-fd", traceFd, "the file descriptor that records go to")->required();

    CLI11_PARSE(app, argc, argv);
    int status = 2;
    try {
        if (*runCommand) status = cli::run(run);
        if (*recordCommand) status = cli::record(record);
        if (*dumpCommand) status = cli::dump(dumped);
        if (*serveCommand) status = cli::serve(traceFd);
    } catch (const std::exception& error) {
        std::cerr << "strata-engine: " << error.what() << "\n";
    }
    std::cout.flush();
    // The interpreter's and the compiler's threads and caches are not worth taking apart at the end of a process.
    _exit(status);
}
