"""A branch on a tensor's value: the graph ends at the test, and each side is a graph of its own."""
import torch


@torch.compile
def f(x, y):
    s = x.sin()
    if s.sum() > 0:
        return s + y
    return s - y


x = torch.linspace(0.1, 1, 6)
y = torch.linspace(1, 2, 6)
print(f(x, y))
print(f(-x, y))
print(f(x * 0.5, y))
