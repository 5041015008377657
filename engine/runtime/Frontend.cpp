// Clang, in process. The only file that includes its headers.

#include "engine/runtime/Host.h"
#include "engine/runtime/Ir.h"
#include "engine/support/Error.h"

#include <clang/CodeGen/CodeGenAction.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/CompilerInvocation.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/Module.h>
#include <llvm/Support/VirtualFileSystem.h>

namespace strata::runtime {
namespace {

constexpr const char* fileName = "kernel.cpp";

/// Keeps the errors, and the notes behind them, as `line:column: level: text`.
class Diagnostics : public clang::DiagnosticConsumer {
public:
    void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& info) override {
        DiagnosticConsumer::HandleDiagnostic(level, info);
        if (level < clang::DiagnosticsEngine::Error && (level != clang::DiagnosticsEngine::Note || m_text.empty()))
            return;
        llvm::SmallString<128> message;
        info.FormatDiagnostic(message);
        if (!m_text.empty()) m_text += "\n";
        if (info.hasSourceManager() && info.getLocation().isValid()) {
            const clang::PresumedLoc place = info.getSourceManager().getPresumedLoc(info.getLocation());
            if (place.isValid())
                m_text += std::to_string(place.getLine()) + ":" + std::to_string(place.getColumn()) + ": ";
        }
        m_text += (level == clang::DiagnosticsEngine::Note ? "note: " : "error: ") + message.str().str();
    }
    const std::string& text() const { return m_text; }

private:
    std::string m_text;
};

std::shared_ptr<clang::CompilerInvocation> invocation(const CompileOptions& options, Diagnostics& diagnostics) {
    const std::vector<std::string> texts = frontendArguments(options);
    std::vector<const char*> arguments;
    arguments.reserve(texts.size() + 1);
    for (const std::string& text : texts) arguments.push_back(text.c_str());
    arguments.push_back(fileName);

    clang::DiagnosticsEngine engine(new clang::DiagnosticIDs, new clang::DiagnosticOptions, &diagnostics, false);
    auto result = std::make_shared<clang::CompilerInvocation>();
    if (!clang::CompilerInvocation::CreateFromArgs(*result, arguments, engine))
        throw support::Error("Clang refused its arguments: " + diagnostics.text());
    return result;
}

} // namespace

std::unique_ptr<Ir> parseCpp(const std::string& cppText, const CompileOptions& options) {
    initialiseLlvm();
    Diagnostics diagnostics;
    // Kernels include nothing, so that one file is the whole file system: nothing on disk can change the code.
    auto files = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    files->addFile(fileName, 0, llvm::MemoryBuffer::getMemBuffer(cppText, fileName));

    clang::CompilerInstance compiler;
    compiler.setVerboseOutputStream(std::make_unique<llvm::raw_null_ostream>());
    compiler.setInvocation(invocation(options, diagnostics));
    compiler.createDiagnostics(&diagnostics, false);
    compiler.createFileManager(files);

    auto ir = std::make_unique<Ir>();
    clang::EmitLLVMOnlyAction action(&ir->context());
    const bool done = compiler.ExecuteAction(action);
    std::unique_ptr<llvm::Module> module = action.takeModule();
    if (!done || !module) throw support::Error("the generated C++ does not compile:\n" + diagnostics.text());
    ir->setModule(std::move(module));
    return ir;
}

} // namespace strata::runtime
