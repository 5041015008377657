#pragma once
// What the loop compiler tells the trace: artifacts loops, fused_loops, memory_plan, wrapper and cpp, and a step for
// each fusion that was considered and each buffer that was reused.

#include "engine/inductor/Wrapper.h"

namespace strata::inductor {

void traceLoops(const Lowered& lowered, const Options& options);
void traceFusion(const Lowered& lowered, const Schedule& schedule, const Options& options);
void traceCpp(const Lowered& lowered, const Schedule& schedule, const PrintedProgram& printed, const Options& options);
void traceWrapper(const Lowered& lowered, const Schedule& schedule, const Wrapper& wrapper, const Options& options);

} // namespace strata::inductor
