"""Softmax: a maximum, an exponential, a sum and a division become one kernel, row by row."""
import torch


@torch.compile
def softmax(x):
    return torch.softmax(x, dim=-1)


x = torch.linspace(-5, 5, 256 * 300).reshape(256, 300)
for _ in range(3):
    p = softmax(x)
print(p.shape, p.sum(dim=-1)[:4])
