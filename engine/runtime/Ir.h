#pragma once
// One unit between its stages: C++ text -> LLVM module -> optimised module -> object, assembly or IR text.

#include "engine/runtime/Module.h"

#include <memory>
#include <string>
#include <vector>

namespace llvm {
class LLVMContext;
class Module;
} // namespace llvm

namespace strata::runtime {

/// A module and the context it lives in, destroyed in that order. Used by one thread at a time.
class Ir {
public:
    Ir();
    Ir(const Ir&) = delete;
    Ir& operator=(const Ir&) = delete;
    ~Ir();

    llvm::LLVMContext& context() { return *m_context; }
    llvm::Module& module() { return *m_module; }
    void setModule(std::unique_ptr<llvm::Module> module);
    std::vector<Remark>& remarks() { return m_remarks; }

private:
    std::unique_ptr<llvm::LLVMContext> m_context;
    std::unique_ptr<llvm::Module> m_module; // after the context: destroyed before it
    std::vector<Remark> m_remarks;
};

/// Runs Clang's frontend, no pass. Throws support::Error with its diagnostics, each `line:column: error: text`.
std::unique_ptr<Ir> parseCpp(const std::string& cppText, const CompileOptions& options);

/// Runs LLVM's default pipeline of the options' level in place, and keeps the vectoriser's remarks.
void optimise(Ir& ir, const CompileOptions& options);

/// Cuts every instruction's location to the statement of the kernel that it belongs to (Statements.cpp). Changes line
/// tables, never code.
void creditStatements(Ir& ir);

enum class Output { Object, Assembly };
/// Generates code from a clone, so that every output of one module holds the same instructions: code generation changes
/// the module it works on, and a second run on it would allocate other registers.
std::vector<char> generate(Ir& ir, Output output, const CompileOptions& options);

/// The module as text without its debug metadata, which is what the lines were read from.
Listing printIr(Ir& ir);

} // namespace strata::runtime
