"""Graph breaks of several kinds; the interpreter takes over and comes back."""
import math
import random

import torch


def unknown(t):
    return random.random() * 0 + t


@torch.compile
def data_dependent(x):
    if x.sum() > 0:
        y = x + 1
    else:
        y = x - 1
    return y * 2


@torch.compile
def item(x):
    n = x.sum().item()
    return x * n + math.sqrt(4)


@torch.compile
def in_loop(x):
    for i in range(3):
        x = x + 1
        print("round", i)
    return x


@torch.compile
def in_try(x):
    try:
        y = unknown(x) / 0
        raise ValueError("no")
    except ValueError as e:
        return x, str(e)


@torch.compile
def nested(x):
    def inner(t):
        print("inner")
        return t * 3
    return inner(x + 1) - 1


@torch.compile
def keeps_stack(x):
    return (x + 1) * unknown(x * 2) + (x - 1)


@torch.compile
def assertion(x):
    assert x.shape[0] == 4, "four"
    return x.cos()


x = torch.linspace(-1, 1, 4) + 0.3
print(data_dependent(x), data_dependent(-x), data_dependent(x))
print(item(x), in_loop(x), in_try(x), nested(x), keeps_stack(x), assertion(x))
try:
    assertion(torch.ones(3))
except AssertionError as e:
    print("AssertionError", e)


