"""The Python side of Dynamo: contexts that switch the frame hook on around a call.

The hook itself is in C, in the module torch._C._dynamo; convert_frame.py compiles the frames that it meets. Without that
module everything runs in eager.
"""
import functools
import inspect

import torch
from torch._dynamo import config, external_utils

_PACKAGE = "<strata>/"


def _run(context, fn, args, kwargs):
    """fn(*args, **kwargs), its frames compiled as `context` says; None: run as they are."""
    dynamo = getattr(torch._C, "_dynamo", None)
    return fn(*args, **kwargs) if dynamo is None else dynamo.run(context, fn, args, kwargs)


def _innermost(fn):
    """The function that was compiled or disabled before, if `fn` is such a wrapper."""
    return getattr(fn, "_torchdynamo_orig_callable", fn)


class _Context:
    """Wraps functions and modules so that calls of them run under `self._value()`."""

    def _value(self):
        raise NotImplementedError

    def __call__(self, fn):
        if isinstance(fn, torch.nn.Module):
            return OptimizedModule(fn, self)
        if inspect.isclass(fn):
            fn.__call__ = self(fn.__call__)
            return fn
        if not callable(fn):
            raise AssertionError(f"A callable function is expected, but {type(fn)} is provided.")
        fn = _innermost(fn)
        context = self._value()

        @functools.wraps(fn)
        def compile_wrapper(*args, **kwargs):
            return _run(context, fn, args, kwargs)

        compile_wrapper._torchdynamo_orig_callable = fn
        compile_wrapper._torchdynamo_context = self
        return compile_wrapper


class Optimize(_Context):
    """What torch.compile was told; the frame hook reads it."""

    def __init__(self, backend, nopython=False, dynamic=None, mode=None, options=None):
        self.backend = backend
        self.nopython = nopython
        self.dynamic = dynamic
        self.mode = mode
        self.options = options

    def _value(self):
        return self


class _Disable(_Context):
    """Calls run in the interpreter, with everything that they call."""

    def _value(self):
        return None

    def __call__(self, fn):
        wrapped = super().__call__(fn)
        if not isinstance(wrapped, OptimizedModule):
            wrapped._torchdynamo_disable = True
        return wrapped


def optimize(backend="inductor", *, nopython=False, dynamic=None, mode=None, options=None):
    return Optimize(backend, nopython, dynamic, mode, options)


class OptimizedModule(torch.nn.Module):
    """A compiled module: its calls go through the compiler, everything else to the module that it was made from."""

    _own = {"_orig_mod", "dynamo_ctx", "forward", "__dict__", "training"}

    def __init__(self, mod, dynamo_ctx):
        object.__setattr__(self, "_orig_mod", mod)
        super().__init__()
        self._modules["_orig_mod"] = mod
        object.__setattr__(self, "dynamo_ctx", dynamo_ctx)
        self._initialize()
        object.__setattr__(self, "training", mod.training)

    def _initialize(self):
        forward = getattr(self._orig_mod.forward, "__func__", None)
        code = getattr(forward, "__code__", None)
        # A module of torch.nn has no frame of the user's: one stands in for it.
        builtin = code is not None and code.co_filename.startswith(_PACKAGE)
        call = external_utils.wrap_inline(self._orig_mod) if builtin else self._orig_mod.__call__
        object.__setattr__(self, "forward", self.dynamo_ctx(call))

    def __getattr__(self, name):
        if name == "_orig_mod":
            return self._modules["_orig_mod"]
        return getattr(self._orig_mod, name)

    def __setattr__(self, name, value):
        if name in type(self)._own:
            object.__setattr__(self, name, value)
            if name == "training":
                self._orig_mod.training = value
        else:
            setattr(self._orig_mod, name, value)

    def __delattr__(self, name):
        delattr(self._orig_mod, name)

    def __len__(self):
        if hasattr(type(self._orig_mod), "__len__"):
            return len(self._orig_mod)
        raise TypeError(f"{type(self._orig_mod).__name__} does not support len()")

    def __reduce__(self):
        return type(self), (self._orig_mod, self.dynamo_ctx)

    def __dir__(self):
        return sorted(set(dir(self._orig_mod)) | set(super().__dir__()))


def disable(fn=None, recursive=True, *, reason=None):
    """`fn` runs in the interpreter, and so does what it calls. As a decorator with or without arguments."""
    if fn is None:
        return lambda fn: disable(fn, recursive, reason=reason)
    return _Disable()(fn)


def reset():
    """Forgets all compiled code."""
    dynamo = getattr(torch._C, "_dynamo", None)
    if dynamo is not None:
        dynamo.reset()


def set_stance(stance="default", **kwargs):
    """force_eager runs compiled functions in eager, default compiles them; a context manager and decorator too."""
    return _Stance(stance)


class _Stance:
    def __init__(self, stance):
        if stance not in ("default", "force_eager"):
            raise RuntimeError(f"torch.compiler.set_stance: {stance!r} is not supported by this engine")
        self.prior = _Stance.current
        self.stance = stance
        self._set(stance)

    current = "default"

    @staticmethod
    def _set(stance):
        _Stance.current = stance
        dynamo = getattr(torch._C, "_dynamo", None)
        if dynamo is not None and hasattr(dynamo, "set_enabled"):
            dynamo.set_enabled(stance != "force_eager")

    def __enter__(self):
        self._set(self.stance)

    def __exit__(self, exc_type, exc_value, traceback):
        self._set(self.prior)

    def __call__(self, fn):
        self._set(self.prior)

        @functools.wraps(fn)
        def wrapper(*args, **kwargs):
            with _Stance(self.stance):
                return fn(*args, **kwargs)

        return wrapper


def is_compiling():
    return torch.compiler.is_compiling()


def graph_break(msg=""):
    """Ends the graph here. In eager it does nothing."""


def mark_dynamic(t, index):
    """The size of dim `index` is symbolic from the first compile."""
    for each in index if isinstance(index, (list, tuple)) else (index,):
        t.__dict__.setdefault("_dynamo_dynamic_indices", set()).add(each)


def mark_static(t, index=None):
    """The size of dim `index`, or of every dim, is never symbolic."""
    for each in range(t.dim()) if index is None else index if isinstance(index, (list, tuple)) else (index,):
        t.__dict__.setdefault("_dynamo_static_indices", set()).add(each)
