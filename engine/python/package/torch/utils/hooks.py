"""Handles that take hooks away again."""
import weakref
from collections import OrderedDict


class RemovableHandle:
    """A hook in a dict of hooks, removed by remove() or at the end of a with block."""

    next_id = 0

    def __init__(self, hooks_dict, *, extra_dict=None):
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        extra = extra_dict if isinstance(extra_dict, list) else [extra_dict] if extra_dict is not None else []
        self.extra_dict_ref = tuple(weakref.ref(d) for d in extra)

    def remove(self):
        for reference in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = reference()
            if hooks is not None:
                hooks.pop(self.id, None)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


class TensorHookHandle:
    """A hook on a tensor's gradient."""

    def __init__(self, tensor, number):
        self._tensor = weakref.ref(tensor)
        self.id = number

    def remove(self):
        tensor = self._tensor()
        if tensor is not None:
            tensor._remove_hook(self.id)

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.remove()


def hooks_dict():
    """A dict that handles can refer to weakly."""
    return OrderedDict()
