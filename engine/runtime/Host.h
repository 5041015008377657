#pragma once
// The processor that kernels are compiled for: this one. LLVM's side of runtime::target().

#include "engine/runtime/Module.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace llvm {
class TargetMachine;
namespace orc {
class JITTargetMachineBuilder;
}
} // namespace llvm

namespace strata::runtime {

/// Registers LLVM's native target, once. Everything below does so itself.
void initialiseLlvm();

llvm::orc::JITTargetMachineBuilder machineBuilder(int optimisation);

/// A fresh machine: they may not be shared between threads.
std::unique_ptr<llvm::TargetMachine> createMachine(int optimisation);

/// Runs `work` to its end on a stack of 64 MB and throws what it throws. Clang's parser and LLVM recurse some kilobytes
/// a level of a nested expression; the caller's stack may be a small one.
void onLargeStack(const std::function<void()>& work);

/// The arguments of `clang -cc1` that compile a kernel, but for the file.
std::vector<std::string> frontendArguments(const CompileOptions& options);

/// A text that differs whenever the same C++ may give other code: options, processor, versions, vector functions.
std::string codeIdentity(const CompileOptions& options);

} // namespace strata::runtime
