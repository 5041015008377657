"""Frames that are captured though they are the engine's own."""


def wrap_inline(fn):
    """A frame around `fn`, for callables whose own frame the compiler passes over."""

    def inner(*args, **kwargs):
        return fn(*args, **kwargs)

    return inner
