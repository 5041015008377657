#include "engine/runtime/Host.h"

#include "engine/runtime/VectorMath.h"
#include "engine/support/Error.h"

#include <llvm/Config/llvm-config.h>
#include <llvm/ExecutionEngine/Orc/JITTargetMachineBuilder.h>
#include <llvm/Support/TargetSelect.h>
#include <llvm/Support/thread.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/TargetParser/Host.h>

#include <algorithm>
#include <exception>
#include <mutex>
#include <optional>

namespace strata::runtime {
namespace {

// -debug-compilation-dir is fixed, so that objects do not differ by where the engine was started.
constexpr const char* fixedArguments[] = {
    "-x",
    "c++",
    "-std=c++20",
    "-emit-llvm-only",
    "-disable-llvm-passes", // the pipeline is run by optimise(), with this project's vector functions
    "-main-file-name",
    "kernel.cpp",
    "-nostdsysteminc",
    "-nobuiltininc",
    "-nostdinc++",
    "-fno-rtti",
    "-fdeprecated-macro",
    "-w",
    "-ffp-contract=fast",
    "-mrelocation-model",
    "pic",
    "-pic-level",
    "2",
    "-fhalf-no-semantic-interposition",
    "-debug-info-kind=line-tables-only",
    "-dwarf-version=5",
    "-debugger-tuning=gdb",
    "-fdebug-compilation-dir=.",
    "-fno-caret-diagnostics",
    "-fbracket-depth", // printed expressions nest as deep as the fused graph
    "2048",
    "-ferror-limit",
    "20",
};

const llvm::orc::JITTargetMachineBuilder& hostBuilder() {
    static const llvm::orc::JITTargetMachineBuilder builder = [] {
        initialiseLlvm();
        auto found = llvm::orc::JITTargetMachineBuilder::detectHost();
        if (!found) throw support::Error("no code generator for this machine: " + llvm::toString(found.takeError()));
        found->setRelocationModel(llvm::Reloc::PIC_);
        found->setCodeModel(llvm::CodeModel::Small);
        found->getOptions().AllowFPOpFusion = llvm::FPOpFusion::Fast;
        found->getOptions().MCOptions.AsmVerbose = true; // comments of the assembly text; no effect on the code
        return *found;
    }();
    return builder;
}

bool hasFeature(const std::string& name) {
    const auto& features = hostBuilder().getFeatures().getFeatures();
    return std::find(features.begin(), features.end(), "+" + name) != features.end();
}

} // namespace

void initialiseLlvm() {
    static std::once_flag once;
    std::call_once(once, [] {
        llvm::InitializeNativeTarget();
        llvm::InitializeNativeTargetAsmPrinter();
        llvm::InitializeNativeTargetAsmParser();
    });
}

const Target& target() {
    static const Target host = [] {
        Target t;
        t.triple = hostBuilder().getTargetTriple().str();
        t.cpu = hostBuilder().getCPU();
        t.clangVersion = LLVM_VERSION_STRING;
        t.vectorBits = hasFeature("avx512f") && hasFeature("avx512vl") ? 512 : hasFeature("avx2") ? 256 : 128;
        // Each function stands under its own name and its intrinsic's.
        t.vectorFunctions = vectorFunctions(t.vectorBits).size() / 2;
        return t;
    }();
    return host;
}

llvm::orc::JITTargetMachineBuilder machineBuilder(int optimisation) {
    llvm::orc::JITTargetMachineBuilder builder = hostBuilder();
    constexpr llvm::CodeGenOptLevel levels[] = {llvm::CodeGenOptLevel::None, llvm::CodeGenOptLevel::Less,
                                                llvm::CodeGenOptLevel::Default, llvm::CodeGenOptLevel::Aggressive};
    builder.setCodeGenOptLevel(levels[std::clamp(optimisation, 0, 3)]);
    return builder;
}

std::unique_ptr<llvm::TargetMachine> createMachine(int optimisation) {
    auto machine = machineBuilder(optimisation).createTargetMachine();
    if (!machine) throw support::Error("no code generator for this machine: " + llvm::toString(machine.takeError()));
    return std::move(*machine);
}

void onLargeStack(const std::function<void()>& work) {
    std::exception_ptr error;
    llvm::thread thread(std::optional<unsigned>(64U << 20), [&] {
        try {
            work();
        } catch (...) {
            error = std::current_exception();
        }
    });
    thread.join();
    if (error) std::rethrow_exception(error);
}

std::vector<std::string> frontendArguments(const CompileOptions& options) {
    std::vector<std::string> out(std::begin(fixedArguments), std::end(fixedArguments));
    const auto add = [&](std::initializer_list<std::string> more) { out.insert(out.end(), more); };
    add({"-triple", target().triple, "-target-cpu", target().cpu});
    for (const std::string& feature : hostBuilder().getFeatures().getFeatures()) add({"-target-feature", feature});
    const int level = std::clamp(options.optimisation, 0, 3);
    add({"-O" + std::to_string(level)});
    if (level >= 2) add({"-vectorize-loops", "-vectorize-slp", "-funroll-loops"});
    add({"-mprefer-vector-width=" + std::to_string(target().vectorBits)});
    add({options.openmp ? "-fopenmp" : "-fopenmp-simd"});
    return out;
}

std::string codeIdentity(const CompileOptions& options) {
    std::string text = "strata kernel 1\nclang " + target().clangVersion + "\n";
    for (const std::string& argument : frontendArguments(options)) text += argument + " ";
    for (const VectorFunction& function : vectorFunctions(target().vectorBits)) text += "\n" + function.vector;
    return text;
}

} // namespace strata::runtime
