"""Python's builtins on symbolic values."""
import builtins
import functools
import math
import operator

import torch

from .exc import Break
from .variables import Const, Dict, Func, GradMode, Iter, Method, Obj, Seq, Slice, SymInt, Tensor

HANDLERS = {}

OPERATORS = {getattr(operator, n) for n in (
    "add sub mul truediv floordiv mod pow matmul and_ or_ xor lshift rshift neg pos invert not_ lt le eq ne gt ge getitem "
    "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor abs truth").split()}

# Functions of constants that have no effects.
PURE = {builtins.abs, builtins.round, builtins.divmod, builtins.pow, builtins.ord, builtins.chr, builtins.hash, builtins.repr, builtins.format,
        builtins.bool, builtins.int, builtins.float, builtins.str, builtins.complex, builtins.bytes, builtins.min, builtins.max, builtins.sum,
        *(getattr(math, n) for n in dir(math) if callable(getattr(math, n)) and not n.startswith("_"))}


def handles(f):
    def put(handler):
        HANDLERS[f] = handler
        return handler
    return put


def items_of(tracer, var):
    """The values that iterating over `var` gives, in order; Break when they are not known."""
    if isinstance(var, Iter):
        rest = var.items[var.at:]
        var.at = len(var.items)
        return rest
    if isinstance(var, Seq):
        return list(var.items)
    if isinstance(var, Dict):
        return [tracer.constant(k) for k in var.items]
    if isinstance(var, Const) and isinstance(var.value, (str, bytes, range, tuple, frozenset)):
        return [tracer.constant(v) for v in var.value]
    if isinstance(var, Tensor):
        size = tracer.tensor_attr(var, "shape").items
        if not size or not isinstance(size[0], Const):
            raise Break("iterate_over_dynamic_size")
        return [tracer.call_function_node(operator.getitem, [var, Const(i)], {}) for i in range(size[0].value)]
    if isinstance(var, Obj) and isinstance(var.value, (torch.nn.ModuleList, torch.nn.Sequential)):
        modules = tracer.get_attr(var, "_modules")
        return [modules.items[k] for k in modules.items]
    raise Break("iterate_over_unknown", type=tracer.type_name(var))


@handles(len)
def _len(tracer, args, kwargs):
    v = args[0]
    if isinstance(v, (Seq, Dict)):
        return Const(len(v.items))
    if isinstance(v, Const):
        return Const(len(v.value))
    if isinstance(v, Tensor):
        return tracer.tensor_attr(v, "shape").items[0]
    if isinstance(v, Obj) and isinstance(v.value, (torch.nn.ModuleList, torch.nn.Sequential, torch.nn.ModuleDict)):
        return Const(len(tracer.get_attr(v, "_modules").items))
    raise Break("call_unknown", function="len")


@handles(isinstance)
def _isinstance(tracer, args, kwargs):
    return Const(issubclass(tracer.python_type(args[0]), tracer.as_classes(args[1])))


@handles(issubclass)
def _issubclass(tracer, args, kwargs):
    return Const(issubclass(args[0].value, tracer.as_classes(args[1])))


@handles(type)
def _type(tracer, args, kwargs):
    if len(args) != 1:
        raise Break("call_unknown", function="type")
    return Obj(tracer.python_type(args[0]))


@handles(range)
def _range(tracer, args, kwargs):
    return Const(range(*[tracer.as_int(a) for a in args]))


@handles(slice)
def _slice(tracer, args, kwargs):
    parts = list(args)
    if len(parts) == 1:
        parts = [Const(None), parts[0]]
    return Slice(parts + [Const(None)] * (3 - len(parts)))


@handles(zip)
def _zip(tracer, args, kwargs):
    lists = [items_of(tracer, a) for a in args]
    strict = kwargs.get("strict")
    if strict is not None and strict.value and len({len(x) for x in lists}) > 1:
        raise Break("zip_strict_mismatch")
    return Iter([Seq(tuple, list(x)) for x in zip(*lists)])


@handles(enumerate)
def _enumerate(tracer, args, kwargs):
    start = args[1].value if len(args) > 1 else kwargs["start"].value if "start" in kwargs else 0
    return Iter([Seq(tuple, [Const(i + start), x]) for i, x in enumerate(items_of(tracer, args[0]))])


@handles(reversed)
def _reversed(tracer, args, kwargs):
    return Iter(items_of(tracer, args[0])[::-1])


@handles(iter)
def _iter(tracer, args, kwargs):
    if len(args) != 1:
        raise Break("call_unknown", function="iter")
    return args[0] if isinstance(args[0], Iter) else Iter(items_of(tracer, args[0]))


@handles(next)
def _next(tracer, args, kwargs):
    it = args[0]
    if not isinstance(it, Iter):
        raise Break("call_unknown", function="next")
    if it.at < len(it.items):
        it.at += 1
        return it.items[it.at - 1]
    if len(args) > 1:
        return args[1]
    raise Break("stop_iteration")


@handles(map)
def _map(tracer, args, kwargs):
    return Iter([tracer.call(args[0], list(x), {}) for x in zip(*[items_of(tracer, a) for a in args[1:]])])


@handles(filter)
def _filter(tracer, args, kwargs):
    kept = []
    for x in items_of(tracer, args[1]):
        answer = x if isinstance(args[0], Const) and args[0].value is None else tracer.call(args[0], [x], {})
        if tracer.truth(answer):
            kept.append(x)
    return Iter(kept)


@handles(tuple)
def _tuple(tracer, args, kwargs):
    return Seq(tuple, items_of(tracer, args[0]) if args else [])


@handles(list)
def _list(tracer, args, kwargs):
    return Seq(list, items_of(tracer, args[0]) if args else [])


@handles(dict)
def _dict(tracer, args, kwargs):
    out = Dict({})
    if args:
        if isinstance(args[0], Dict):
            out.items.update(args[0].items)
        else:
            for pair in items_of(tracer, args[0]):
                k, v = items_of(tracer, pair)
                out.items[tracer.key(k)] = v
    out.items.update(kwargs)
    return out


@handles(any)
def _any(tracer, args, kwargs):
    return Const(any(tracer.truth(x) for x in items_of(tracer, args[0])))


@handles(all)
def _all(tracer, args, kwargs):
    return Const(all(tracer.truth(x) for x in items_of(tracer, args[0])))


@handles(sum)
def _sum(tracer, args, kwargs):
    total = args[1] if len(args) > 1 else kwargs.get("start", Const(0))
    for x in items_of(tracer, args[0]):
        total = tracer.binary(operator.add, total, x)
    return total


@handles(getattr)
def _getattr(tracer, args, kwargs):
    name = args[1].value
    if len(args) > 2 and not tracer.has_attr(args[0], name):
        return args[2]
    return tracer.get_attr(args[0], name)


@handles(hasattr)
def _hasattr(tracer, args, kwargs):
    return Const(tracer.has_attr(args[0], args[1].value))


@handles(setattr)
def _setattr(tracer, args, kwargs):
    tracer.set_attr(args[0], args[1].value, args[2])
    return Const(None)


@handles(callable)
def _callable(tracer, args, kwargs):
    return Const(isinstance(args[0], (Func, Method)) or (isinstance(args[0], Obj) and callable(args[0].value)))


@handles(functools.reduce)
def _reduce(tracer, args, kwargs):
    items = items_of(tracer, args[1])
    total = args[2] if len(args) > 2 else items.pop(0)
    for x in items:
        total = tracer.call(args[0], [total, x], {})
    return total


@handles(sorted)
def _sorted(tracer, args, kwargs):
    items = items_of(tracer, args[0])
    key = kwargs.get("key")
    keys = [x if key is None or (isinstance(key, Const) and key.value is None) else tracer.call(key, [x], {}) for x in items]
    if not all(isinstance(k, Const) for k in keys):
        raise Break("sort_by_unknown")
    reverse = "reverse" in kwargs and bool(kwargs["reverse"].value)
    order = sorted(range(len(items)), key=lambda i: keys[i].value, reverse=reverse)
    return Seq(list, [items[i] for i in order])


def _extreme(f):
    def handler(tracer, args, kwargs):
        items = items_of(tracer, args[0]) if len(args) == 1 else args
        if kwargs or not all(isinstance(x, Const) for x in items):
            if not kwargs and all(isinstance(x, (Const, SymInt)) for x in items):
                best = items[0]
                for x in items[1:]:
                    if tracer.truth(tracer.binary(operator.lt if f is min else operator.gt, x, best)):
                        best = x
                return best
            raise Break("call_unknown", function=f.__name__)
        return Const(f(x.value for x in items))
    return handler


HANDLERS[min] = _extreme(min)
HANDLERS[max] = _extreme(max)


def _conversion(f):
    def handler(tracer, args, kwargs):
        if not args:
            return Const(f())
        v = args[0]
        if isinstance(v, SymInt):
            if f is int:
                return v
            if f is bool:
                return Const(tracer.truth(v))
            return Const(f(tracer.as_int(v)))
        if f is bool and isinstance(v, (Seq, Dict, Const)):
            return Const(tracer.truth(v))
        if f is str and isinstance(v, Seq) and all(isinstance(x, Const) for x in v.items):
            return Const(str(v.kind(x.value for x in v.items)))
        if not all(isinstance(a, Const) for a in args):
            raise Break("data_dependent_conversion" if isinstance(v, Tensor) else "call_unknown", function=f.__name__)
        return Const(f(*[a.value for a in args]))
    return handler


for f in (int, float, bool, str):
    HANDLERS[f] = _conversion(f)


def list_method(tracer, var, name, args, kwargs):
    items = var.items
    if name == "append":
        items.append(args[0])
    elif name == "extend":
        items.extend(items_of(tracer, args[0]))
    elif name == "insert":
        items.insert(tracer.as_int(args[0]), args[1])
    elif name == "pop":
        return items.pop(*[tracer.as_int(a) for a in args])
    elif name == "clear":
        items.clear()
    elif name == "reverse":
        items.reverse()
    elif name == "copy":
        return Seq(list, list(items))
    elif name in ("index", "count") and all(isinstance(x, Const) for x in items + args):
        return Const(getattr([x.value for x in items], name)(*[a.value for a in args]))
    elif name == "numel" and var.kind is torch.Size:
        total = Const(1)
        for x in items:
            total = tracer.binary(operator.mul, total, x)
        return total
    else:
        raise Break("call_unknown", function=f"{var.kind.__name__}.{name}")
    tracer.mutated(var)
    return Const(None)


def dict_method(tracer, var, name, args, kwargs):
    if name == "items":
        return Iter([Seq(tuple, [tracer.constant(k), v]) for k, v in var.items.items()])
    if name == "keys":
        return Iter([tracer.constant(k) for k in var.items])
    if name == "values":
        return Iter(list(var.items.values()))
    if name == "get":
        return var.items.get(tracer.key(args[0]), args[1] if len(args) > 1 else Const(None))
    if name == "copy":
        return Dict(dict(var.items))
    if name == "pop":
        k = tracer.key(args[0])
        if k not in var.items and len(args) < 2:
            raise Break("key_error")
        out = var.items.pop(k, args[1] if len(args) > 1 else None)
    elif name == "update":
        out = Const(None)
        var.items.update(_dict(tracer, args, kwargs).items)
    elif name == "setdefault":
        out = var.items.setdefault(tracer.key(args[0]), args[1] if len(args) > 1 else Const(None))
    elif name == "clear":
        out = Const(None)
        var.items.clear()
    else:
        raise Break("call_unknown", function=f"dict.{name}")
    tracer.mutated(var)
    return out


def grad_mode(f):
    return {torch.no_grad: False, torch.enable_grad: True, torch.inference_mode: False}.get(f)


__all__ = ["HANDLERS", "OPERATORS", "PURE", "GradMode", "dict_method", "grad_mode", "items_of", "list_method"]
