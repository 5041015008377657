"""Forward and backward through the compiler, with gradients that eager gives."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.up = nn.Linear(n, 2 * n)
        self.down = nn.Linear(2 * n, n)
        self.scale = nn.Parameter(torch.ones(n))

    def forward(self, x):
        return x + self.scale * self.down(F.gelu(self.up(x), approximate="tanh"))


torch.manual_seed(0)
model = nn.Sequential(Block(8), nn.ReLU(), Block(8), nn.Linear(8, 3))
compiled = torch.compile(model)
x = torch.linspace(-1, 1, 40).reshape(5, 8)
target = torch.tensor([0, 1, 2, 1, 0])
for step in range(4):
    loss = F.cross_entropy(compiled(x), target)
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.05 * p.grad
            p.grad.zero_()
    print(step, loss.item())


@torch.compile
def chain(a, b):
    c = torch.tanh(a @ b)
    d = torch.where(c > 0, c * c, torch.exp(c))
    return d.mean(dim=0), d.amax(dim=1)


a = torch.linspace(-1, 1, 12).reshape(3, 4).requires_grad_()
b = torch.linspace(1, 2, 8).reshape(4, 2).requires_grad_()
u, v = chain(a, b)
(u.sum() + (v * v).sum()).backward()
print(u, v, a.grad, b.grad)
