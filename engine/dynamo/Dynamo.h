#pragma once
// Dynamo: a PEP 523 frame-evaluation hook that runs real bytecode symbolically, captures FX graphs, guards what it
// relied on, and gives the rest back to the interpreter. First stage of the compiled path.

#include "engine/fx/Graph.h"
#include "engine/ops/Value.h"
#include "engine/symbolic/ShapeEnv.h"
#include "engine/trace/Record.h"

#include <functional>
#include <memory>
#include <string>

namespace strata::dynamo {

using CompiledFn = std::function<ops::Values(const ops::Values& inputs)>;

/// What a backend gets.
struct Captured {
    std::shared_ptr<fx::Graph> graph;
    std::string compile;  // "0/0"
    ops::Values examples; // an example a placeholder: fake tensors, SymInts
    symbolic::ShapeEnv* shapeEnv = nullptr;
    /// Runs the graph node by node by calling the captured Python callables, on real or fake tensors, with the
    /// interpreter lock held. `around` is told each node before it runs (may be null).
    std::function<ops::Values(const ops::Values& inputs, const std::function<void(const fx::Node*)>& around)> run;
};
/// Errors: support::Refusal makes Dynamo fall back to the captured graph in eager, with the reason in the trace.
using Backend = std::function<CompiledFn(const Captured& captured)>;

/// Backends by name: inductor, aot_eager, eager. A Python callable given to torch.compile is a backend as well.
void registerBackend(const std::string& name, Backend backend);
/// Which calls of torch.compile the default backend takes: those that name none, all that name one too (the command
/// line's choice), or even those that give a callable.
enum class Forced : std::uint8_t { No, Named, All };
void setDefaultBackend(const std::string& name, Forced forced);

/// Where records go; null: nowhere. Set before a run.
void setSink(trace::Sink* sink);
/// Forgets all compiled code (torch._dynamo.reset).
void reset();
/// Adds the functions of torch._dynamo to the interpreter: called once, after python::initialize.
void initialize();
/// While off, torch.compile'd functions run in plain eager (torch.compiler.set_stance("force_eager")).
void setEnabled(bool enabled);

} // namespace strata::dynamo
