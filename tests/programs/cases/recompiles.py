"""Guards: every change that matters compiles again, and the results are eager's."""
import torch


@torch.compile
def f(x, k, flag, name):
    y = x * k if flag else x / k
    return y + len(name)


@torch.compile
def g(x):
    return (x + x.shape[0]) * x.sum(), x.reshape(-1, 2) if x.shape[0] % 2 == 0 else x


scale = 2.0


@torch.compile
def uses_global(x):
    return x * scale


@torch.compile
def grads(x):
    return (x * x).sum()


x = torch.linspace(1, 2, 6)
for k in (2, 3, 3, 5):
    for flag in (True, False):
        print(f(x, k, flag, "ab" * k))
for n in (1, 2, 3, 4, 7, 8, 8):
    print(g(torch.linspace(0, 1, n)))
print(g(torch.arange(6)))
print(uses_global(x))
scale = 3.0
print(uses_global(x))
w = x.clone().requires_grad_()
for t in (x, w, x):
    out = grads(t)
    print(out.item(), out.requires_grad)
with torch.no_grad():
    print(grads(w).requires_grad)
