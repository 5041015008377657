#pragma once
// Turns the code generator's assembly file into the text that is shown.
//
// Every instruction, label and data line stays as it is and in its order, so that the text still assembles to the code
// that runs (Verify.h). Left out are lines that make no code: line tables (.file, .loc), unwind tables (.cfi_*), the
// debug sections, labels that only those refer to, the compiler's name. An instruction's C++ line is that of the last
// .loc before it in its function; labels, directives and data have none.

#include "engine/runtime/Module.h"

#include <string>

namespace strata::runtime {

Listing readAssembly(const std::string& assembly);

} // namespace strata::runtime
