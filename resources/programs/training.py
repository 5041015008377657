"""A training step: the joint graph, what the forward saves, what the backward recomputes."""
import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(32, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 10))
compiled = torch.compile(model)
x = torch.linspace(-1, 1, 16 * 32).reshape(16, 32)
target = torch.arange(16) % 10
for step in range(5):
    loss = F.cross_entropy(compiled(x), target)
    loss.backward()
    with torch.no_grad():
        for p in model.parameters():
            p -= 0.1 * p.grad
            p.grad = None
    print(step, round(loss.item(), 4))
