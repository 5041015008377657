"""Containers, calls and control flow on known values inside compiled functions."""
import torch


def helper(t, scale=2, *rest, shift=0.0, **named):
    for r in rest:
        t = t + r
    return t * scale + shift + sum(named.values())


@torch.compile
def calls(x):
    return helper(x), helper(x, 3, 1, 2, shift=0.5, a=1, b=2), (lambda t: t - 1)(x)


@torch.compile
def containers(x, items, table):
    first, *rest = items
    out = [first + x, *[r * x for r in rest]]
    named = {"sum": sum(out), "n": len(items), **{k: v + x for k, v in table.items()}}
    if "bias" in table and len(rest) > 1:
        named["extra"] = table["bias"] * rest[-1]
    return out, named, tuple(reversed(out))[:2]


@torch.compile
def loops(x, n):
    total = x
    for i in range(n):
        if i % 2:
            continue
        total = total + i * x
    k = 0
    while k < 3:
        total = total - k
        k += 1
    for a, b in zip([1, 2], (x, x + 1)):
        total = total + a * b
    return total, [i for i in range(k)], f"{n} rounds of {x.shape[0]}"


class Scale:
    factor = 3

    def __init__(self, shift):
        self.shift = shift

    @property
    def twice(self):
        return self.shift * 2

    def apply(self, t):
        return t * self.factor + self.twice


@torch.compile
def objects(x, s):
    return s.apply(x) if isinstance(s, Scale) else x


def outer(k):
    @torch.compile
    def inner(x):
        return x * k
    return inner


x = torch.linspace(0, 1, 4)
print(calls(x))
print(containers(x, [x, x + 1, x + 2], {"bias": x * 3}))
print(containers(x, [x, x], {}))
for n in (2, 4, 4, 5):
    print(loops(x, n))
print(objects(x, Scale(0.25)), objects(x, Scale(0.5)), objects(x, None))
print(outer(2)(x), outer(3.5)(x))
