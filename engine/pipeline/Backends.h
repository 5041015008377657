#pragma once
// What torch.compile's backends do with a captured graph: eager runs it, aot_eager takes it through AOTAutograd and
// interprets the ATen graphs, inductor goes on to loops, C++ and machine code.

#include "engine/trace/Record.h"

namespace strata::pipeline {

/// Registers eager, aot_eager and inductor with Dynamo. Records go to `sink` (null: nowhere) until the next call.
void registerBackends(trace::Sink* sink);

} // namespace strata::pipeline
