#pragma once
// Records what each stage does with a program, in the form that tests/golden/README.md describes.

#include "engine/trace/Record.h"

#include <string>

namespace strata::pipeline {

/// Runs the program several times in this process. A stage that fails stands under `errors`; the record of a program
/// that could not be recorded at all has only that.
trace::Json recordProgram(const std::string& path);

} // namespace strata::pipeline
