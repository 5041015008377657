"""Functions of torch that are Python over other functions."""
import math

import torch
from torch import _C

_VF = _C._VariableFunctions

__all__ = ["broadcast_shapes", "broadcast_tensors", "norm", "split"]


def broadcast_shapes(*shapes):
    """The shape that all of these broadcast to."""
    dims = max((len([s]) if isinstance(s, int) else len(s) for s in shapes), default=0)
    result = [1] * dims
    for shape in shapes:
        shape = (shape,) if isinstance(shape, int) else shape
        for i in range(-1, -1 - len(shape), -1):
            if shape[i] < 0:
                raise RuntimeError(f"Trying to create tensor with negative dimension ({shape[i]}): ({shape[i]})")
            if shape[i] == 1 or shape[i] == result[i]:
                continue
            if result[i] != 1:
                raise RuntimeError("Shape mismatch: objects cannot be broadcast to a single shape")
            result[i] = shape[i]
    return torch.Size(result)


def broadcast_tensors(*tensors):
    """Views of the tensors in their common shape."""
    shape = broadcast_shapes(*(t.shape for t in tensors))
    return tuple(t if t.shape == shape else t.expand(shape) for t in tensors)


def split(tensor, split_size_or_sections, dim=0):
    return tensor.split(split_size_or_sections, dim)


def norm(input, p="fro", dim=None, keepdim=False, out=None, dtype=None):
    """The p-norm of all elements, or over `dim`: (sum |x|^p)^(1/p)."""
    if dtype is not None:
        input = input.to(dtype)
    if p is None or p == "fro":
        p = 2.0
    if not isinstance(p, (int, float)):
        raise RuntimeError(f"norm: p = {p!r} is not supported by this engine")
    dims = list(range(input.dim())) if dim is None else [dim] if isinstance(dim, int) else list(dim)
    magnitude = input.abs()
    if p == math.inf:
        return magnitude.amax(dims, keepdim)
    if p == -math.inf:
        return magnitude.amin(dims, keepdim)
    if p == 0:
        return (input != 0).to(input.dtype).sum(dims, keepdim)
    if p == 1:
        return magnitude.sum(dims, keepdim)
    if p == 2:
        return (input * input).sum(dims, keepdim).sqrt()
    return magnitude.pow(p).sum(dims, keepdim).pow(1.0 / p)


def equal(input, other):
    """Whether two tensors have the same size and elements."""
    return input.shape == other.shape and bool((input == other).all())


def isclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """|input - other| <= atol + rtol * |other|, elementwise."""
    close = (input == other) | ((input - other).abs() <= atol + rtol * other.abs()) & (other.abs() != math.inf)
    return close | (input != input) & (other != other) if equal_nan else close


def allclose(input, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    return bool(isclose(input, other, rtol, atol, equal_nan).all())


# Ops where the engine declares them; else the definitions above.
for _name in ("equal", "isclose", "allclose"):
    if not hasattr(_VF, _name):
        __all__.append(_name)
        if not hasattr(torch.Tensor, _name):
            setattr(torch.Tensor, _name, globals()[_name])
del _name
