"""A tour of the compile stack: fusion, a softmax, a training step, a graph break, a second shape."""
import torch
import torch.nn as nn
import torch.nn.functional as F


@torch.compile
def chain(x, y):
    a = torch.sin(x) + y
    b = a * 2.0
    return torch.relu(b) - y


@torch.compile
def attention_weights(scores):
    return torch.softmax(scores * 0.125, dim=-1)


@torch.compile
def chatty(x):
    y = x * 2
    print("in the middle: the graph breaks here")
    return torch.cos(y) + 1


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(16, 32)
        self.out = nn.Linear(32, 4)

    def forward(self, x):
        return self.out(F.relu(self.hidden(x)))


torch.manual_seed(0)
x = torch.linspace(-3, 3, 64 * 64).reshape(64, 64)
y = torch.linspace(1, 2, 64 * 64).reshape(64, 64)
print("chain", chain(x, y).sum().item())
print("softmax", attention_weights(x).sum().item())
print("chatty", chatty(torch.linspace(0, 1, 10)).sum().item())

model = Classifier()
compiled = torch.compile(model)
inputs = torch.linspace(-1, 1, 8 * 16).reshape(8, 16)
labels = torch.tensor([0, 1, 2, 3, 3, 2, 1, 0])
for step in range(3):
    loss = F.cross_entropy(compiled(inputs), labels)
    model.zero_grad()
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
    print("step", step, "loss", loss.item())

# Another shape: a guard fails, and the second compile makes the size symbolic.
for n in (64, 48, 32):
    print("rows", n, chain(x[:n], y[:n]).sum().item())
