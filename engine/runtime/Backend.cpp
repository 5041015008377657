// LLVM's optimiser and code generator.

#include "engine/runtime/Host.h"
#include "engine/runtime/Ir.h"
#include "engine/runtime/VectorMath.h"
#include "engine/support/Error.h"

#include <llvm/ADT/SmallVector.h>
#include <llvm/Analysis/TargetLibraryInfo.h>
#include <llvm/IR/DiagnosticInfo.h>
#include <llvm/IR/DiagnosticPrinter.h>
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

/// Keeps what LLVM would print to standard error, which is the user program's.
class Listener : public llvm::DiagnosticHandler {
public:
    explicit Listener(std::vector<Remark>& remarks) : m_remarks(remarks) {}
    const std::string& errors() const { return m_errors; }

    bool handleDiagnostics(const llvm::DiagnosticInfo& info) override {
        if (const auto* remark = llvm::dyn_cast<llvm::DiagnosticInfoOptimizationBase>(&info)) {
            const bool vectorised = remark->isPassed();
            const bool isRemark = info.getSeverity() == llvm::DS_Remark && remark->getPassName() == vectoriser;
            // The rest is about interleaving loops that are vectorised.
            const bool tells = vectorised || llvm::StringRef(remark->getMsg()).starts_with("loop not vectorized");
            if (isRemark && tells && remark->isLocationAvailable())
                m_remarks.push_back({static_cast<int>(remark->getLocation().getLine()), vectorised, remark->getMsg()});
        } else if (info.getSeverity() == llvm::DS_Error) {
            llvm::raw_string_ostream stream(m_errors);
            llvm::DiagnosticPrinterRawOStream printer(stream);
            info.print(printer);
        }
        return true;
    }
    bool isAnalysisRemarkEnabled(llvm::StringRef pass) const override { return pass == vectoriser; }
    bool isMissedOptRemarkEnabled(llvm::StringRef) const override { return false; } // says less than the analysis
    bool isPassedOptRemarkEnabled(llvm::StringRef pass) const override { return pass == vectoriser; }
    bool isAnyRemarkEnabled() const override { return true; }

private:
    static constexpr llvm::StringLiteral vectoriser = "loop-vectorize";
    std::vector<Remark>& m_remarks;
    std::string m_errors;
};

/// Listens while it lives.
class Listening {
public:
    Listening(llvm::LLVMContext& context, std::vector<Remark>& remarks) : m_context(context) {
        auto listener = std::make_unique<Listener>(remarks);
        m_listener = listener.get();
        context.setDiagnosticHandler(std::move(listener));
    }
    Listening(const Listening&) = delete;
    Listening& operator=(const Listening&) = delete;
    ~Listening() { m_context.setDiagnosticHandler(std::make_unique<llvm::DiagnosticHandler>()); }
    void throwErrors() const {
        if (!m_listener->errors().empty()) throw support::Error("LLVM refused a kernel: " + m_listener->errors());
    }

private:
    llvm::LLVMContext& m_context;
    Listener* m_listener;
};

llvm::OptimizationLevel pipelineLevel(int optimisation) {
    if (optimisation <= 1) return llvm::OptimizationLevel::O1;
    return optimisation == 2 ? llvm::OptimizationLevel::O2 : llvm::OptimizationLevel::O3;
}

} // namespace

Ir::Ir() : m_context(std::make_unique<llvm::LLVMContext>()) {}
Ir::~Ir() = default;
void Ir::setModule(std::unique_ptr<llvm::Module> module) {
    m_module = std::move(module);
}

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
    llvm::ModulePassManager passes = options.optimisation <= 0
                                         ? builder.buildO0DefaultPipeline(llvm::OptimizationLevel::O0)
                                         : builder.buildPerModuleDefaultPipeline(pipelineLevel(options.optimisation));
    const Listening listening(ir.context(), ir.remarks());
    passes.run(module, modules);
    listening.throwErrors();
}

std::vector<char> generate(Ir& ir, Output output, const CompileOptions& options) {
    const auto machine = createMachine(options.optimisation);
    const std::unique_ptr<llvm::Module> clone = llvm::CloneModule(ir.module());
    llvm::SmallVector<char, 0> bytes;
    llvm::raw_svector_ostream stream(bytes);
    llvm::legacy::PassManager passes;
    passes.add(new llvm::TargetLibraryInfoWrapperPass(libraryInfo(*clone)));
    const auto type =
        output == Output::Object ? llvm::CodeGenFileType::ObjectFile : llvm::CodeGenFileType::AssemblyFile;
    if (machine->addPassesToEmitFile(passes, stream, nullptr, type))
        throw support::Error("this machine's code generator cannot write the file");
    std::vector<Remark> ignored;
    const Listening listening(ir.context(), ignored);
    passes.run(*clone);
    listening.throwErrors();
    return {bytes.begin(), bytes.end()};
}

} // namespace strata::runtime
