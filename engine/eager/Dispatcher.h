#pragma once
// The dispatcher: every op call walks its keys, outermost first: Composite (decomposes above autograd), Autograd
// (records the tape), a Mode where one is active (tracing), and the backend: CPU kernels, or Fake, which only computes
// metadata. Each real kernel run is one launch, counted and timed by support::Launcher.

#include "engine/ops/Registry.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace strata::eager {

enum class Key : std::uint8_t { Composite, Autograd, Mode, CPU, Fake };
std::string_view name(Key key);

/// One op that reached the backend: what TorchDispatchMode would see.
struct DispatchEvent {
    const ops::OpDef* op = nullptr;
    std::array<Key, 5> keys{};
    int keyCount = 0;
    std::vector<ops::SymInts> shapes; // of tensor arguments
    std::vector<ops::DType> dtypes;
    int launches = 0;
};

/// Intercepts calls below autograd on this thread, as TorchDispatchMode does. Innermost first; while one handles a
/// call, it and those inside it are off.
class Mode {
public:
    Mode() = default;
    Mode(const Mode&) = delete;
    Mode& operator=(const Mode&) = delete;
    virtual ~Mode() = default;
    virtual ops::Values handle(const ops::OpDef& op, ops::Values args) = 0;
    /// Whether Kind::Composite ops reach handle() undecomposed.
    virtual bool wantsComposite() const { return false; }
};

class ModeScope {
public:
    explicit ModeScope(Mode& mode);
    ~ModeScope();
    ModeScope(const ModeScope&) = delete;
    ModeScope& operator=(const ModeScope&) = delete;
    Mode& mode() const { return m_mode; }
    ModeScope* outer() const { return m_outer; }

private:
    Mode& m_mode;
    ModeScope* m_outer;
};

class Dispatcher : public ops::Caller {
public:
    static Dispatcher& instance(); // installs itself with ops::setCaller on first use

    /// Runs an op. Errors of the user's making are support::Error with PyTorch's message.
    ops::Values call(const ops::OpDef& op, ops::Values args) override;
    /// Skips autograd: for kernels of the compiled wrapper and for modes.
    ops::Values callBelowAutograd(const ops::OpDef& op, ops::Values args);

    /// What the op would return, as fake tensors, from its meta function: no autograd, mode or kernel.
    ops::Values callFake(const ops::OpDef& op, const ops::Values& args);
    /// Whether a Mode is on for this thread.
    static bool modeActive();

    /// Called after each op that ran on the CPU backend while set (calls on fake tensors are not reported); null to
    /// stop. Never inside a timed kernel.
    using Listener = std::function<void(const DispatchEvent&)>;
    void setListener(Listener listener);
};

/// Grad mode of this thread.
bool gradEnabled();
void setGradEnabled(bool enabled);

class GradModeScope {
public:
    explicit GradModeScope(bool enabled) : m_before(gradEnabled()) { setGradEnabled(enabled); }
    ~GradModeScope() { setGradEnabled(m_before); }
    GradModeScope(const GradModeScope&) = delete;
    GradModeScope& operator=(const GradModeScope&) = delete;

private:
    bool m_before;
};

} // namespace strata::eager
