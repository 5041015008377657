#pragma once
// The loop compiler: a functional ATen graph is lowered to loop IR, scheduled and fused, printed as C++/OpenMP, and
// wrapped in a callable that allocates buffers and launches kernels. Stage after AOTAutograd and prims.

#include "engine/fx/Graph.h"
#include "engine/ops/Value.h"
#include "engine/trace/Record.h"

#include <functional>
#include <memory>
#include <string>

namespace strata::inductor {

/// Compiles C++ text and returns a lookup of its extern "C" symbols (engine/runtime, through engine/pipeline).
using Link = std::function<std::function<void*(const std::string& symbol)>(const std::string& cppText)>;

struct Options {
    trace::Sink* sink = nullptr;
    std::string compile; // "0/0"
    std::string region;  // inference, forward, backward
    Link link;
};

using Executor = std::function<ops::Values(const ops::Values& inputs)>;

/// Throws support::Refusal for a node that has no lowering and no library call.
Executor compile(std::shared_ptr<const fx::Graph> graph, const Options& options);

} // namespace strata::inductor
