"""Whether ops are recorded for backward, as context managers and decorators."""
import torch
from torch.utils._contextlib import _DecoratorContextManager, _NoParamDecoratorContextManager


class no_grad(_NoParamDecoratorContextManager):
    """Ops are not recorded."""

    def __init__(self):
        self.prev = False

    def __enter__(self):
        self.prev = torch.is_grad_enabled()
        torch._C._set_grad_enabled(False)

    def __exit__(self, exc_type, exc_value, traceback):
        torch._C._set_grad_enabled(self.prev)


class enable_grad(_NoParamDecoratorContextManager):
    """Ops are recorded, also inside no_grad."""

    def __enter__(self):
        self.prev = torch.is_grad_enabled()
        torch._C._set_grad_enabled(True)

    def __exit__(self, exc_type, exc_value, traceback):
        torch._C._set_grad_enabled(self.prev)


class set_grad_enabled(_DecoratorContextManager):
    """Sets the mode at once; as a context manager it puts the old one back, as a decorator it holds inside the function."""

    def __init__(self, mode):
        self.prev = torch.is_grad_enabled()
        self.mode = mode
        torch._C._set_grad_enabled(mode)

    def __call__(self, orig_func):
        torch._C._set_grad_enabled(self.prev)
        return super().__call__(orig_func)

    def __enter__(self):
        torch._C._set_grad_enabled(self.mode)

    def __exit__(self, exc_type, exc_value, traceback):
        torch._C._set_grad_enabled(self.prev)

    def clone(self):
        return self.__class__(self.mode)

    def __repr__(self):
        return f"{type(self).__module__}.{type(self).__name__}(mode={self.mode})"


class inference_mode(_DecoratorContextManager):
    """As no_grad in this engine: tensors made inside are ordinary ones."""

    def __new__(cls, mode=True):
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode=True):
        self.mode = mode

    def __enter__(self):
        self.prev = torch.is_grad_enabled()
        if self.mode:
            torch._C._set_grad_enabled(False)

    def __exit__(self, exc_type, exc_value, traceback):
        torch._C._set_grad_enabled(self.prev)

    def clone(self):
        return self.__class__(self.mode)
