#include "engine/eager/Dispatcher.h"

#include "engine/eager/AutogradKey.h"
#include "engine/eager/Backend.h"

#include <atomic>

namespace strata::eager {

namespace {

// The scope on top is the innermost mode that is on; a handler runs with the modes outside of its own.
thread_local ModeScope* activeMode = nullptr;
thread_local bool gradMode = true;

std::atomic<bool> listening{false};
Dispatcher::Listener& listener() {
    static auto* const installed = new Dispatcher::Listener;
    return *installed;
}

class ActiveModeGuard {
public:
    explicit ActiveModeGuard(ModeScope* inside) : m_before(activeMode) { activeMode = inside; }
    ~ActiveModeGuard() { activeMode = m_before; }
    ActiveModeGuard(const ActiveModeGuard&) = delete;
    ActiveModeGuard& operator=(const ActiveModeGuard&) = delete;

private:
    ModeScope* m_before;
};

void report(const ops::OpDef& op, const ops::Values& args, bool throughAutograd, int launches) {
    DispatchEvent event;
    event.op = &op;
    event.launches = launches;
    if (throughAutograd) event.keys[event.keyCount++] = Key::Autograd;
    event.keys[event.keyCount++] = Key::CPU;
    const auto add = [&](const ops::Tensor& tensor) {
        if (!tensor.defined()) return;
        event.shapes.push_back(tensor.sizes());
        event.dtypes.push_back(tensor.dtype());
    };
    for (const ops::Value& arg : args) {
        if (const auto* tensor = arg.as<ops::Tensor>())
            add(*tensor);
        else if (const auto* list = arg.as<ops::Tensors>())
            for (const ops::Tensor& tensor : *list) add(tensor);
    }
    listener()(event);
}

ops::Values runBelow(const ops::OpDef& op, ops::Values args, bool throughAutograd) {
    if (activeMode) {
        ModeScope& scope = *activeMode;
        const ActiveModeGuard guard(scope.outer());
        return scope.mode().handle(op, std::move(args));
    }
    if (!listening.load(std::memory_order_relaxed)) return backend::run(op, args).outputs;
    // The event's shapes are those before the call: an in-place op may change them.
    const bool fake = backend::isFakeCall(args);
    const ops::Values before = fake ? ops::Values() : args;
    backend::Result result = backend::run(op, args);
    if (!fake && !result.decomposed) report(op, before, throughAutograd, result.launches);
    return std::move(result.outputs);
}

} // namespace

std::string_view name(Key key) {
    switch (key) {
    case Key::Composite:
        return "CompositeImplicitAutograd";
    case Key::Autograd:
        return "Autograd";
    case Key::Mode:
        return "Mode";
    case Key::CPU:
        return "CPU";
    case Key::Fake:
        return "Fake";
    }
    return "";
}

ModeScope::ModeScope(Mode& mode) : m_mode(mode), m_outer(activeMode) {
    activeMode = this;
}
ModeScope::~ModeScope() {
    activeMode = m_outer;
}

bool gradEnabled() {
    return gradMode;
}
void setGradEnabled(bool enabled) {
    gradMode = enabled;
}

Dispatcher& Dispatcher::instance() {
    static auto* const dispatcher = [] {
        auto* made = new Dispatcher;
        ops::setCaller(made);
        return made;
    }();
    return *dispatcher;
}

ops::Values Dispatcher::call(const ops::OpDef& op, ops::Values args) {
    if (op.composite) {
        if (activeMode && activeMode->mode().wantsComposite()) return runBelow(op, std::move(args), false);
        return op.composite(args);
    }
    return autogradKey::call(op, std::move(args), [](const ops::OpDef& below, ops::Values arguments) {
        return runBelow(below, std::move(arguments), true);
    });
}

ops::Values Dispatcher::callBelowAutograd(const ops::OpDef& op, ops::Values args) {
    if (op.composite && !op.kernel) return op.composite(args);
    return runBelow(op, std::move(args), false);
}

ops::Values Dispatcher::callFake(const ops::OpDef& op, const ops::Values& args) {
    return backend::runFake(op, args);
}

bool Dispatcher::modeActive() {
    return activeMode != nullptr;
}

void Dispatcher::setListener(Listener installed) {
    listening = static_cast<bool>(installed);
    listener() = std::move(installed);
}

} // namespace strata::eager
