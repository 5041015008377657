"""The engine's own torch: real tensors, autograd and compiler behind PyTorch's names.

`torch.__version__` says whose it is. What a program asks for that the engine lacks raises AttributeError, as for any
name that a module does not have.
"""
import builtins
import math

from torch.version import __version__
from torch import _C
from torch._C import Generator
from torch._C import (Size, SymInt, Tensor, as_tensor, can_cast, contiguous_format, device, dtype, get_default_dtype,
                      get_num_threads, is_grad_enabled, layout, memory_format, preserve_format, promote_types, result_type,
                      set_default_dtype, set_num_threads, strided, tensor)
from torch._C import (bfloat16, bool, double, float, float16, float32, float64, half, int, int8, int16, int32, int64, long,
                      short, uint8)

# Every op with a function form, under its own name.
for _name in dir(_C._VariableFunctions):
    if not _name.startswith("__"):
        globals()[_name] = getattr(_C._VariableFunctions, _name)
del _name

e, inf, nan, pi = math.e, math.inf, math.nan, math.pi
newaxis = None

from torch._type_info import finfo, iinfo
from torch import _tensor
from torch._tensor_str import set_printoptions
from torch.functional import *
from torch import functional
from torch.random import default_generator, get_rng_state, initial_seed, manual_seed, seed, set_rng_state
from torch import random
from torch.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from torch import autograd
from torch._ops import ops
from torch import utils
from torch import nn
from torch import optim
from torch import fx
from torch import compiler
from torch import _dynamo
from torch import cuda
from torch import backends
from torch.compiler import _compile as compile

_VF = _C._VariableFunctions


def is_tensor(obj):
    """Whether `obj` is a torch.Tensor."""
    return isinstance(obj, Tensor)


def is_floating_point(input):
    return input.is_floating_point()


def is_complex(input):
    return input.is_complex()


def is_inference_mode_enabled():
    return False


def numel(input):
    return input.numel()


def typename(obj):
    """The name of an object's type, with its module; a tensor's legacy type name."""
    if isinstance(obj, Tensor):
        return obj.type()
    module = getattr(obj, "__module__", "") or ""
    if module == "builtins":
        module = ""
    name = getattr(obj, "__qualname__", None) or type(obj).__name__
    return f"{module}.{name}" if module else name


def get_default_device():
    return device("cpu")


def sym_int(value):
    return value if isinstance(value, SymInt) else builtins.int(value)


def sym_max(a, b):
    return a if a >= b else b


def sym_min(a, b):
    return a if a <= b else b


def sym_not(value):
    return not value
