"""Functions whose derivative the program gives: subclasses of Function with forward and backward."""
import functools
import warnings

import torch
from torch import _C


class FunctionCtx:
    """What forward leaves for backward. Attributes are the program's to set."""

    def __init__(self, cls, needs_input_grad):
        self._function = cls
        self.needs_input_grad = needs_input_grad
        self.materialize_grads = True
        self.to_save = ()
        self.dirty_tensors = ()
        self.non_differentiable = ()

    def save_for_backward(self, *tensors):
        """Keeps tensors for backward, where they are saved_tensors; changing one in place meanwhile is an error."""
        self.to_save = tensors

    def save_for_forward(self, *tensors):
        pass

    def mark_dirty(self, *args):
        """These inputs were changed in place; they must be outputs too."""
        self.dirty_tensors = args

    def mark_non_differentiable(self, *args):
        """No gradient comes from these outputs."""
        self.non_differentiable = args

    def set_materialize_grads(self, value):
        """False: an output without a gradient gives backward None, not zeros."""
        self.materialize_grads = value

    def _run_backward(self, grads, saved):
        if self.materialize_grads:
            grads = tuple(torch.zeros(meta[0], dtype=meta[1]) if g is None and meta is not None else g for g, meta in zip(grads, self._metas))
        self.saved_tensors = saved
        try:
            results = self._function.backward(self, *grads)
        finally:
            del self.saved_tensors
        results = results if isinstance(results, tuple) else (results,)
        wanted = len(self.needs_input_grad)
        if len(results) > wanted and all(extra is None for extra in results[wanted:]):
            results = results[:wanted]
        if len(results) != wanted:
            raise RuntimeError(f"function {self._function.__name__}Backward returned an incorrect number of gradients (expected "
                               f"{wanted}, got {len(results)})")
        return results


class Function:
    """forward(ctx, ..) computes; backward(ctx, *grads) gives one gradient an argument of forward. With setup_context(ctx,
    inputs, output) overridden, forward takes no ctx."""

    @staticmethod
    def forward(*args, **kwargs):
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx, inputs, output):
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx, *grad_outputs):
        raise NotImplementedError("You must implement either the backward or vjp method for your custom autograd.Function to use it "
                                  "with backward mode AD.")

    def __init__(self, *args, **kwargs):
        warnings.warn(f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should "
                      "invoke them on the class itself. Instantiating an autograd function will raise an error in a future version "
                      "of PyTorch.", DeprecationWarning, stacklevel=2)

    @classmethod
    def apply(cls, *args, **kwargs):
        ctx = FunctionCtx(cls, tuple(isinstance(a, torch.Tensor) and a.requires_grad for a in args))
        with torch.no_grad():
            if cls.setup_context is Function.setup_context:
                result = cls.forward(ctx, *args, **kwargs)
            else:
                result = cls.forward(*args, **kwargs)
                cls.setup_context(ctx, args, result)
            outputs = result if isinstance(result, tuple) else (result,)
            outputs = tuple(_own_output(out, args, ctx) for out in outputs)
        if torch.is_grad_enabled() and any(ctx.needs_input_grad):
            differentiable = tuple(out if _differentiable(out, ctx) else None for out in outputs)
            ctx._metas = [(tuple(out.shape), out.dtype) if isinstance(out, torch.Tensor) else None for out in outputs]
            saved, ctx.to_save = ctx.to_save, ()
            _C._attach_function(cls.__name__ + "Backward", ctx, args, differentiable, tuple(saved))
        return outputs if isinstance(result, tuple) else outputs[0]


def _own_output(out, inputs, ctx):
    """An input that is given back as it came becomes a tensor of its own, which can have another history."""
    if isinstance(out, torch.Tensor) and any(out is each for each in inputs) and not any(out is each for each in ctx.dirty_tensors):
        return out.view_as(out)
    return out


def _differentiable(out, ctx):
    return isinstance(out, torch.Tensor) and out.is_floating_point() and not any(out is each for each in ctx.non_differentiable)


def once_differentiable(fn):
    """A backward that is not itself differentiated."""

    @functools.wraps(fn)
    def wrapper(ctx, *args):
        with torch.no_grad():
            return fn(ctx, *args)

    return wrapper
