"""Module backward hooks: nodes of the tape at a module's inputs and outputs that pass gradients through the hooks."""
import torch
from torch.autograd.function import Function


class BackwardHookFunction(Function):
    """The identity, with a function between the gradients of its outputs and those of its inputs."""

    @staticmethod
    def forward(ctx, change, *tensors):
        ctx.change = change
        ctx.set_materialize_grads(False)
        ctx.mark_non_differentiable(*[t for t in tensors if not t.requires_grad])
        return tuple(t.view_as(t) for t in tensors)

    @staticmethod
    def backward(ctx, *grads):
        return (None, *ctx.change(grads))


class BackwardHook:
    """One call of a module with backward hooks: they run when the gradients of both its outputs and inputs are there."""

    def __init__(self, module, hooks, pre_hooks):
        self.module, self.hooks, self.pre_hooks = module, hooks, pre_hooks
        self.grad_outputs = None
        self.input_places = None
        self.input_count = 0

    def _wrap(self, values, change):
        """The values with their tensors behind a node, and where those stand; None when no gradient flows."""
        places = [i for i, v in enumerate(values) if isinstance(v, torch.Tensor)]
        if not torch.is_grad_enabled() or not any(values[i].requires_grad for i in places):
            return values, None
        wrapped = list(values)
        for place, tensor in zip(places, BackwardHookFunction.apply(change, *(values[i] for i in places))):
            wrapped[place] = tensor
        return tuple(wrapped), places

    @staticmethod
    def _spread(values, places, count):
        spread = [None] * count
        for place, value in zip(places, values):
            spread[place] = value
        return tuple(spread)

    def wrap_inputs(self, args):
        self.input_count = len(args)
        args, self.input_places = self._wrap(args, self._inputs_changed)
        return args

    def wrap_outputs(self, result):
        outputs = result if isinstance(result, tuple) else (result,)
        count = len(outputs)
        outputs, self.output_places = self._wrap(outputs, lambda grads: self._outputs_changed(grads, count))
        return outputs if isinstance(result, tuple) else outputs[0]

    def _outputs_changed(self, grads, count):
        grad_outputs = self._spread(grads, self.output_places, count)
        for hook in self.pre_hooks:
            changed = hook(self.module, grad_outputs)
            if changed is not None:
                grad_outputs = changed if isinstance(changed, tuple) else (changed,)
        self.grad_outputs = grad_outputs
        if self.input_places is None:
            # No input takes a gradient: the hooks run with the outputs' alone.
            for hook in self.hooks:
                hook(self.module, (None,) * self.input_count, grad_outputs)
        return tuple(grad_outputs[i] for i in self.output_places)

    def _inputs_changed(self, grads):
        grad_inputs = self._spread(grads, self.input_places, self.input_count)
        for hook in self.hooks:
            changed = hook(self.module, grad_inputs, self.grad_outputs)
            if changed is not None:
                grad_inputs = changed if isinstance(changed, tuple) else (changed,)
        self.grad_outputs = None
        return tuple(grad_inputs[i] for i in self.input_places)
