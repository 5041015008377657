"""Derivatives: backward and grad, and the grad modes."""
import torch
from torch import _C
from torch.autograd import function, grad_mode
from torch.autograd.function import Function
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled

__all__ = ["Function", "backward", "enable_grad", "grad", "inference_mode", "no_grad", "set_grad_enabled"]


def _as_tuple(value):
    if value is None:
        return ()
    return (value,) if isinstance(value, torch.Tensor) else tuple(value)


def _make_grads(outputs, grads):
    """Checks the gradients of the outputs, with ones for scalars that have none."""
    checked = []
    for out, grad in zip(outputs, grads):
        if isinstance(grad, torch.Tensor):
            if grad.shape != out.shape:
                raise RuntimeError(f"Mismatch in shape: grad_output[{len(checked)}] has a shape of {grad.shape} and output"
                                   f"[{len(checked)}] has a shape of {out.shape}.")
            checked.append(grad)
        elif grad is None:
            if out.requires_grad and out.numel() != 1:
                raise RuntimeError("grad can be implicitly created only for scalar outputs")
            checked.append(torch.ones_like(out) if out.requires_grad else None)
        else:
            raise TypeError("gradients can be either Tensors or None, but got " + type(grad).__name__)
    return tuple(checked)


def backward(tensors, grad_tensors=None, retain_graph=None, create_graph=False, grad_variables=None, inputs=None):
    """Computes the gradients of `tensors` with respect to graph leaves and adds them to their .grad."""
    if inputs is not None and len(_as_tuple(inputs)) == 0:
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    tensors = _as_tuple(tensors)
    grads = _as_tuple(grad_tensors) if grad_tensors is not None else (None,) * len(tensors)
    if retain_graph is None:
        retain_graph = create_graph
    if inputs is None:
        _C._backward_region(lambda: _C._run_backward(tensors, _make_grads(tensors, grads), retain_graph, create_graph, ()))
        return
    grads = _make_grads(tensors, grads)
    inputs = _as_tuple(inputs)
    for leaf, gradient in zip(inputs, _C._run_backward(tensors, grads, retain_graph, create_graph, inputs)):
        if gradient is not None:
            leaf.grad = gradient if leaf.grad is None else leaf.grad + gradient


def grad(outputs, inputs, grad_outputs=None, retain_graph=None, create_graph=False, only_inputs=True, allow_unused=None,
         is_grads_batched=False, materialize_grads=False):
    """The sum of the gradients of `outputs` with respect to each of `inputs`, as a tuple."""
    if is_grads_batched:
        raise RuntimeError("autograd.grad: is_grads_batched is not supported by this engine")
    outputs, inputs = _as_tuple(outputs), _as_tuple(inputs)
    grads = _as_tuple(grad_outputs) if grad_outputs is not None else (None,) * len(outputs)
    grads = _make_grads(outputs, grads)
    if retain_graph is None:
        retain_graph = create_graph
    if allow_unused is None:
        allow_unused = materialize_grads
    for number, each in enumerate(inputs):
        if not each.requires_grad:
            raise RuntimeError("One of the differentiated Tensors does not require grad")
    results = _C._run_backward(outputs, grads, retain_graph, create_graph, inputs)
    if not allow_unused and any(result is None for result in results):
        raise RuntimeError("One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True "
                           "if this is the desired behavior.")
    if materialize_grads:
        results = tuple(torch.zeros_like(x) if result is None else result for result, x in zip(results, inputs))
    return results
