// LLVM's optimiser and code generator.

#include "engine/runtime/Host.h"
#include "engine/runtime/Ir.h"
#include "engine/runtime/VectorMath.h"
#include "engine/support/Error.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/LegacyPassManager.h>
#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>
#include <llvm/Support/raw_ostream.h>
#include <llvm/Target/TargetMachine.h>
#include <llvm/Transforms/Utils/Cloning.h>

namespace strata::runtime {
namespace {

llvm::TargetLibraryInfoImpl libraryInfo(const llvm::Module& module) {
    llvm::TargetLibraryInfoImpl info{llvm::Triple(module.getTargetTriple())};
    std::vector<llvm::VecDesc> table;
    for (const VectorFunction& f : vectorFunctions(target().vectorBits))
        table.emplace_back(f.scalar, f.vector, llvm::ElementCount::getFixed(static_cast<unsigned>(f.lanes)), false,
                           f.prefix);
    info.addVectorizableFunctions(table);
    return info;
}

llvm::OptimizationLevel pipelineLevel(int optimisation) {
    if (optimisation <= 1) return llvm::OptimizationLevel::O1;
    return optimisation == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

} // namespace

Ir::Ir() : m_context(std::make_unique<llvm::LLVMContext>()) {}
Ir::~Ir() = default;
void Ir::setModule(std::unique_ptr<llvm::Module> module) { m_module = std::move(module); }

void optimise(Ir& ir, const CompileOptions& options) {
    const auto machine = createMachine(options.optimisation);
    llvm::Module& module = ir.module();
    module.setDataLayout(machine->createDataLayout());

    llvm::PipelineTuningOptions tuning;
    tuning.LoopVectorization = tuning.SLPVectorization = options.optimisation >= 2;
    llvm::PassBuilder builder(machine.get(), tuning);
    llvm::LoopAnalysisManager loops;
    llvm::FunctionAnalysisManager functions;
    llvm::CGSCCAnalysisManager callGraph;
    llvm::ModuleAnalysisManager modules;
    const llvm::TargetLibraryInfoImpl info = libraryInfo(module);
    // Before registerFunctionAnalyses, which would register a table without vector functions: the first one counts.
    functions.registerPass([&] { return llvm::TargetLibraryAnalysis(info); });
    builder.registerModuleAnalyses(modules);
    builder.registerCGSCCAnalyses(callGraph);
    builder.registerFunctionAnalyses(functions);
    builder.registerLoopAnalyses(loops);
    builder.crossRegisterProxies(loops, functions, callGraph, modules);
    llvm::ModulePassManager passes =
        options.optimisation <= 0 ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                  : builder.buildPerModuleDefaultPipeline(pipelineLevel(options.optimisation));
    passes.run(module, modules);
}

std::vector<char> generate(Ir& ir, Output output, const CompileOptions& options) {
    const auto machine = createMachine(options.optimisation);
    const std::unique_ptr<llvm::Module> clone = llvm::CloneModule(ir.module());
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    passes.add(new llvm::TargetLibraryInfoWrapperPass(libraryInfo(*clone)));
    const auto type = output == Output::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
        throw support::Error("this machine's code generator cannot write the file");
    passes.run(*clone);
    return {bytes.begin(), bytes.end()};
}

} // namespace strata::runtime
