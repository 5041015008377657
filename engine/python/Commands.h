#pragma once
// The module `_strata`: how Python text that belongs to the engine (the recorder) asks the engine for something.
// Programs do not use it.

#include "engine/trace/Record.h"

#include <functional>
#include <string>

namespace strata::python {

using Command = std::function<trace::Json(const trace::Json& arguments)>;

/// `_strata.command(name, arguments)` calls it, both sides as JSON text. Call before initialize().
void registerCommand(const std::string& name, Command command);

} // namespace strata::python
