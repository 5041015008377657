#pragma once
// What the parts of Dynamo's C++ side share: the backends, the trace, and whether compiling is on.

#include "engine/dynamo/Dynamo.h"
#include "engine/python/Binding.h"

#include <map>
#include <string>

namespace strata::dynamo {

struct State {
    std::map<std::string, Backend> backends;
    std::string defaultBackend = "inductor";
    Forced forced = Forced::No;
    bool enabled = true;
    trace::Sink* sink = nullptr;
    PyObject* convertFrame = nullptr; // torch._dynamo's function that compiles a frame; owned
    std::uint64_t generation = 0;     // reset() raises it: entries of another generation are stale
};
State& state();

/// Installs the frame hook for a scope on this thread; nested scopes count.
class HookScope {
public:
    HookScope();
    ~HookScope();
    HookScope(const HookScope&) = delete;
    HookScope& operator=(const HookScope&) = delete;
};

/// While one lives, frames run untouched: Dynamo's own Python code, and the backends'.
class QuietScope {
public:
    QuietScope();
    ~QuietScope();
    QuietScope(const QuietScope&) = delete;
    QuietScope& operator=(const QuietScope&) = delete;
};

/// What torch.compile was called with, of the compiled call in progress; borrowed.
PyObject* currentConfig();
PyObject* setCurrentConfig(PyObject* config); // returns the one before

/// The functions of torch._C._dynamo that make and compile graphs.
PyMethodDef* graphMethods();

} // namespace strata::dynamo
