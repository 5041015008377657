"""torch.compile, and what programs ask the compiler."""
import torch


def _compile(model=None, *, fullgraph=False, dynamic=None, backend="inductor", mode=None, options=None, disable=False):
    """A function or module whose calls are captured and compiled; as a decorator with or without arguments.

    fullgraph: a graph break is an error. dynamic: sizes are symbolic from the first call (True), never (False), or once they
    change (None). backend: a name, or a function of a GraphModule and example inputs that returns a callable.
    """
    if model is None:
        def decorate(model):
            if model is None:
                raise RuntimeError("Model can't be None")
            return _compile(model, fullgraph=fullgraph, dynamic=dynamic, backend=backend, mode=mode, options=options, disable=disable)

        return decorate
    if mode is not None and options is not None:
        raise RuntimeError("Either mode or options can be specified, but both can't be specified at the same time.")
    if disable:
        return model
    return torch._dynamo.optimize(backend, nopython=fullgraph, dynamic=dynamic, mode=mode, options=options)(model)


_compile.__name__ = _compile.__qualname__ = "compile"
_compile.__module__ = "torch"


def compile(*args, **kwargs):
    return _compile(*args, **kwargs)


def is_compiling():
    """True while a frame is captured: the compiler answers for itself, and this body is what eager sees."""
    return False


is_dynamo_compiling = is_compiling


def reset():
    torch._dynamo.reset()


def disable(fn=None, recursive=True, *, reason=None):
    return torch._dynamo.disable(fn, recursive, reason=reason)


def set_stance(stance="default", **kwargs):
    return torch._dynamo.set_stance(stance, **kwargs)


def cudagraph_mark_step_begin():
    pass
