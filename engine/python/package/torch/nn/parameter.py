"""Tensors that a module counts as its parameters, or as its state."""
import torch


class Parameter(torch.Tensor):
    """A tensor that becomes a parameter of the module it is assigned to. Requires a gradient, also inside no_grad."""

    def __new__(cls, data=None, requires_grad=True):
        if data is None:
            data = torch.empty(0)
        return torch.Tensor._make_subclass(cls, data, requires_grad)

    def __deepcopy__(self, memo):
        if id(self) in memo:
            return memo[id(self)]
        result = type(self)(self.data.clone(), self.requires_grad)
        memo[id(self)] = result
        return result

    def __repr__(self):
        return "Parameter containing:\n" + super().__repr__()


class Buffer(torch.Tensor):
    """A tensor that becomes a buffer of the module it is assigned to."""

    def __new__(cls, data=None, *, persistent=True):
        if data is None:
            data = torch.empty(0)
        made = torch.Tensor._make_subclass(cls, data, False)
        made.persistent = persistent
        return made
