"""Methods of torch.Tensor that are Python: what is built from other methods, and protocols of the language."""
import torch
from torch._C import Tensor
from torch.utils import hooks


def __repr__(self, *, tensor_contents=None):
    return torch._tensor_str._str(self, tensor_contents=tensor_contents)


def __format__(self, format_spec):
    if self.dim() == 0 and type(self) is Tensor and not self._is_fake():
        return self.item().__format__(format_spec)
    return object.__format__(self, format_spec)


def __reversed__(self):
    """The tensor with its first dim reversed."""
    return self if self.dim() == 0 else self.flip(0)


def __dir__(self):
    return sorted(set(dir(type(self))) | set(self.__dict__))


def __deepcopy__(self, memo):
    if not self.is_leaf:
        raise RuntimeError("Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the "
                           "moment.  If you were attempting to deepcopy a module, this may be because of a torch.nn.utils."
                           "weight_norm usage, see https://github.com/pytorch/pytorch/pull/103001")
    if id(self) in memo:
        return memo[id(self)]
    with torch.no_grad():
        copied = self.detach().clone()
        if type(self) is not Tensor:
            copied = Tensor._make_subclass(type(self), copied, False)
        copied.requires_grad_(self.requires_grad)
        if self.grad is not None:
            copied.grad = self.grad.__deepcopy__(memo)
    copied.__dict__.update({key: torch._tensor._deepcopy(value, memo) for key, value in self.__dict__.items()})
    memo[id(self)] = copied
    return copied


def _deepcopy(value, memo):
    import copy
    return copy.deepcopy(value, memo)


def __reduce_ex__(self, protocol):
    return _rebuild, (type(self), self.tolist(), str(self.dtype).replace("torch.", ""), tuple(self.shape), self.requires_grad)


def _rebuild(cls, data, dtype, shape, requires_grad):
    made = torch.tensor(data, dtype=getattr(torch, dtype)).reshape(shape)
    if cls is not Tensor:
        return Tensor._make_subclass(cls, made, requires_grad)
    return made.requires_grad_(requires_grad)


def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):
    """Computes the gradients of this tensor with respect to the leaves of the graph, and adds them to their .grad."""
    torch.autograd.backward(self, gradient, retain_graph, create_graph, inputs=inputs)


def register_hook(self, hook):
    """Calls hook(grad) whenever a gradient of this tensor is computed; what it returns, unless None, replaces the gradient."""
    if not self.requires_grad:
        raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
    number = self._register_hook(hook)
    return hooks.TensorHookHandle(self, number)


def split(self, split_size, dim=0):
    """Views of `split_size` along `dim`, or of each size in a list."""
    if isinstance(split_size, (int, torch.SymInt)):
        return torch._C._VariableFunctions.split(self, split_size, dim)
    return torch._C._VariableFunctions.split_with_sizes(self, split_size, dim)


def norm(self, p="fro", dim=None, keepdim=False, dtype=None):
    return torch.norm(self, p, dim, keepdim, dtype=dtype)


def is_shared(self):
    return False


def __array__(self, dtype=None):
    return self.numpy()






for _name in ("__repr__", "__format__", "__reversed__", "__dir__", "__deepcopy__", "__reduce_ex__", "__array__", "backward",
              "register_hook", "split", "norm", "is_shared"):
    _function = globals()[_name]
    _function.__qualname__ = f"Tensor.{_name}"
    setattr(Tensor, _name, _function)
del _name, _function

