#include "engine/dynamo/Dynamo.h"

#include "engine/dynamo/State.h"
#include "engine/support/Error.h"

namespace strata::dynamo {

State& state() {
    static State all;
    return all;
}

void registerBackend(const std::string& name, Backend backend) {
    state().backends[name] = std::move(backend);
}

void setDefaultBackend(const std::string& name, Forced forced) {
    state().defaultBackend = name;
    state().forced = forced;
}

void setSink(trace::Sink* sink) {
    state().sink = sink;
}
void setEnabled(bool enabled) {
    state().enabled = enabled;
}

} // namespace strata::dynamo
