"""Five pointwise ops: eager launches five kernels, compiled launches one."""
import torch


def f(x, y):
    a = torch.sin(x) * y + 1.0
    b = torch.tanh(a) - x
    return torch.sigmoid(b) * a


x = torch.linspace(-3, 3, 512 * 512).reshape(512, 512)
y = torch.linspace(1, 2, 512 * 512).reshape(512, 512)
compiled = torch.compile(f)
for _ in range(5):
    out = compiled(x, y)
print((out - f(x, y)).abs().max().item())
