#pragma once
// Checks that what is displayed is what is executed, on the bytes in memory.

#include "engine/runtime/Module.h"

#include <string>
#include <vector>

namespace strata::runtime {

/// Assembles `assembly` (a listing's text) with LLVM's assembler and compares each function with the bytes in memory
/// of `running`, those that the linker wrote apart. One sentence a difference; empty when they are the same code.
/// Throws support::Error when the text does not assemble.
std::vector<std::string> differences(const std::string& assembly, const Module& running);

/// The same for two compiled units.
std::vector<std::string> differences(const Module& one, const Module& other);

} // namespace strata::runtime
