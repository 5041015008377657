"""Other shapes: the second one fails a guard and compiles a graph with a symbolic size; the third reuses it."""
import torch


@torch.compile
def scale(x):
    return x.sin() * x.shape[0]


for n in (4, 6, 9, 12):
    print(n, scale(torch.linspace(0, 1, n)))
print("another dtype", scale(torch.linspace(0, 1, 4, dtype=torch.float64)))
