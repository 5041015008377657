#pragma once
// Short forms for derivative formulas in op declarations.

#include "engine/ops/Functional.h"

namespace strata::ops {

/// Derivative of an op with one output. `formula` takes (grad) or (grad, saved) and returns the gradients of the schema
/// arguments in order, or the one gradient of the first.
template <class F> Derivative derivative(std::vector<int> savesArgs, std::vector<int> savesOutputs, F formula) {
    return {std::move(savesArgs), std::move(savesOutputs),
            [formula](const Saved& saved, const Tensors& grads) -> Tensors {
                if (!grads.at(0).defined()) return {};
                const auto run = [&] {
                    if constexpr (std::is_invocable_v<F, const Tensor&, const Saved&>)
                        return formula(grads.at(0), saved);
                    else
                        return formula(grads.at(0));
                };
                if constexpr (std::is_same_v<decltype(run()), Tensor>)
                    return {run()};
                else
                    return run();
            }};
}

/// The gradient when argument `position` needs one, else undefined.
template <class F> Tensor ifNeeded(const Saved& saved, std::size_t position, F gradient) {
    return saved.needs.at(position) ? gradient() : Tensor();
}

/// A saved argument: a tensor (as saved) or the number that stood in its place.
inline const Tensor& savedArg(const Saved& saved, std::size_t position) {
    return saved.args.at(position).tensor();
}

inline bool isOne(const Scalar& scalar) {
    if (const auto* i = std::get_if<SymInt>(&scalar)) return i->sameAs(1);
    if (const auto* d = std::get_if<double>(&scalar)) return *d == 1.0;
    return std::get<bool>(scalar);
}

/// grad * scalar; grad itself for 1 (PyTorch's maybe_multiply).
inline Tensor scaled(const Tensor& grad, const Scalar& scalar) {
    return isOne(scalar) ? grad : f::mulScalar(grad, scalar);
}

/// A 0-dim zero of grad's dtype, for where().
inline Tensor zeroLike(const Tensor& grad) {
    return f::scalarTensor(0.0, grad.dtype(), grad.device());
}

} // namespace strata::ops
