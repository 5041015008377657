"""One operation of a graph."""
import builtins
import types

import torch


def map_arg(a, fn):
    """`a` with fn(node) for every node inside tuples, lists, dicts and slices."""
    if isinstance(a, Node):
        return fn(a)
    if isinstance(a, tuple):
        mapped = [map_arg(each, fn) for each in a]
        return type(a)(*mapped) if hasattr(a, "_fields") else tuple(mapped)
    if isinstance(a, list):
        return [map_arg(each, fn) for each in a]
    if isinstance(a, dict):
        return {key: map_arg(each, fn) for key, each in a.items()}
    if isinstance(a, slice):
        return slice(map_arg(a.start, fn), map_arg(a.stop, fn), map_arg(a.step, fn))
    return a


def _format_arg(arg):
    if isinstance(arg, Node):
        return "%" + arg.name
    if isinstance(arg, list):
        return "[" + ", ".join(map(_format_arg, arg)) + "]"
    if isinstance(arg, tuple):
        return "(" + ", ".join(map(_format_arg, arg)) + ("," if len(arg) == 1 else "") + ")"
    if isinstance(arg, dict):
        return "{" + ", ".join(f"{key}: {_format_arg(value)}" for key, value in arg.items()) + "}"
    return str(arg)


def _qualified_name(function):
    """How generated code names a callable: "torch.sin", "operator.add", "torch.nn.functional.gelu"."""
    name = getattr(function, "__name__", str(function))
    if isinstance(function, torch._ops.OpOverload):
        return f"torch.ops.{function}"
    if getattr(builtins, name, None) is function:
        return name
    if isinstance(function, types.MethodDescriptorType):
        return f"torch.Tensor.{name}"
    for module in (torch, torch.nn.functional):
        if getattr(module, name, None) is function:
            return f"{module.__name__}.{name}"
    return f"{getattr(function, '__module__', None) or ''}.{name}".lstrip(".").replace("_operator.", "operator.")


class Node:
    """op is placeholder, get_attr, call_function, call_method, call_module or output; target says of what."""

    def __init__(self, graph, name, op, target, args, kwargs, return_type=None):
        self.graph = graph
        self.name = name
        self.op = op
        self.target = target
        self.type = return_type
        self.meta = {}
        self.users = {}
        self._input_nodes = {}
        self._args = ()
        self._kwargs = {}
        self._erased = False
        self._prev = self._next = self
        self._set_arguments(args, kwargs)

    def _set_arguments(self, args, kwargs):
        for used in self._input_nodes:
            used.users.pop(self, None)
        self._input_nodes = {}
        self._args, self._kwargs = tuple(args), dict(kwargs)

        def note(node):
            self._input_nodes.setdefault(node)
            node.users.setdefault(self)
            return node

        map_arg(self._args, note)
        map_arg(self._kwargs, note)

    @property
    def args(self):
        return self._args

    @args.setter
    def args(self, value):
        self._set_arguments(value, self._kwargs)

    @property
    def kwargs(self):
        return self._kwargs

    @kwargs.setter
    def kwargs(self, value):
        self._set_arguments(self._args, value)

    @property
    def all_input_nodes(self):
        return list(self._input_nodes)

    @property
    def next(self):
        return self._next

    @property
    def prev(self):
        return self._prev

    @property
    def stack_trace(self):
        return self.meta.get("stack_trace")

    def update_arg(self, idx, arg):
        args = list(self.args)
        args[idx] = arg
        self.args = tuple(args)

    def update_kwarg(self, key, arg):
        self.kwargs = {**self.kwargs, key: arg}

    def replace_input_with(self, old_input, new_input):
        def replaced(node):
            return new_input if node is old_input else node

        self._set_arguments(map_arg(self._args, replaced), map_arg(self._kwargs, replaced))

    def replace_all_uses_with(self, replace_with, delete_user_cb=lambda user: True, *, propagate_meta=False):
        """Every user takes `replace_with` instead. Returns the users that changed."""
        changed = [user for user in self.users if user is not replace_with and delete_user_cb(user)]
        for user in changed:
            user.replace_input_with(self, replace_with)
        if propagate_meta:
            replace_with.meta.update(self.meta)
        return changed

    def prepend(self, x):
        """Moves x before this node."""
        if x is self or x is self._prev:
            return
        x._unlink()
        x._prev, x._next = self._prev, self
        self._prev._next = x
        self._prev = x

    def append(self, x):
        """Moves x after this node."""
        self._next.prepend(x)

    def _unlink(self):
        self._prev._next, self._next._prev = self._next, self._prev
        self._prev = self._next = self

    def is_impure(self):
        """Whether dead-code elimination must leave it."""
        return self.op in ("placeholder", "output") or self.op == "call_method" and str(self.target).endswith("_")

    def _pretty_print_target(self, target):
        return target if isinstance(target, str) else _qualified_name(target)

    def format_node(self):
        if self.op == "placeholder":
            default = f"(default={self.args[0]})" if self.args else ""
            return f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={self.target}]{default}"
        if self.op == "get_attr":
            return f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={self.target}]"
        if self.op == "output":
            return f"return {self.args[0]}"
        return (f"%{self.name} : [num_users={len(self.users)}] = {self.op}[target={self._pretty_print_target(self.target)}]"
                f"(args = {_format_arg(self.args)}, kwargs = {_format_arg(self.kwargs)})")

    def __repr__(self):
        return self.name
