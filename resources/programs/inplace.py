"""Changing an input in place: AOTAutograd makes it functional, and the caller still sees the change."""
import torch


@torch.compile
def f(x):
    x.add_(1)
    return x * 2


x = torch.linspace(0, 1, 4)
y = f(x)
print(x)
print(y)
