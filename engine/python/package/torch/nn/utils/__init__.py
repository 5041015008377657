"""Gradients clipped, parameters in one vector."""
import torch


def clip_grad_norm_(parameters, max_norm, norm_type=2.0, error_if_nonfinite=False, foreach=None):
    """Scales the gradients in place so that their norm, taken together, is at most `max_norm`. Returns the norm."""
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    grads = [p.grad for p in parameters if p.grad is not None]
    if not grads:
        return torch.tensor(0.0)
    with torch.no_grad():
        total = torch.stack([torch.norm(g.detach(), norm_type) for g in grads])
        total = torch.norm(total, norm_type)
        if error_if_nonfinite and not torch.isfinite(total):
            raise RuntimeError(f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
                               "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
                               "`error_if_nonfinite=False`")
        scale = torch.clamp(max_norm / (total + 1e-6), max=1.0)
        for grad in grads:
            grad.mul_(scale)
    return total


def clip_grad_value_(parameters, clip_value, foreach=None):
    """Clamps the gradients in place to [-clip_value, clip_value]."""
    parameters = [parameters] if isinstance(parameters, torch.Tensor) else parameters
    with torch.no_grad():
        for p in parameters:
            if p.grad is not None:
                p.grad.clamp_(-clip_value, clip_value)


def parameters_to_vector(parameters):
    return torch.cat([p.reshape(-1) for p in parameters])


def vector_to_parameters(vec, parameters):
    start = 0
    for p in parameters:
        p.data = vec[start:start + p.numel()].reshape(p.shape).data
        start += p.numel()
