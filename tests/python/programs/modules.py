# nn.Module: registration, walks, printing, state, hooks, copies.
import copy
import torch
import torch.nn as nn
import torch.nn.functional as F

class Block(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc1 = nn.Linear(width, 2 * width)
        self.act = nn.GELU(approximate="tanh")
        self.fc2 = nn.Linear(2 * width, width, bias=False)
        self.scale = nn.Parameter(torch.ones(width))
        self.register_buffer("count", torch.zeros(1))
        self.register_buffer("hidden", torch.zeros(1), persistent=False)

    def forward(self, x):
        return x + self.fc2(self.act(self.fc1(x))) * self.scale

model = nn.Sequential(Block(2), nn.ReLU(), nn.ModuleList([nn.Identity(), nn.Identity()])[0], nn.Softmax(dim=-1))
print(model)
print([n for n, _ in model.named_parameters()], [n for n, _ in model.named_buffers()], [n for n, _ in model.named_modules()])
print(list(model.state_dict()), sum(p.numel() for p in model.parameters()), [type(c).__name__ for c in model.children()])
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.arange(p.numel()).reshape(p.shape) * 0.1 + i)
print(model(torch.ones(1, 2)))
other = copy.deepcopy(model)
print(other[0].scale is model[0].scale, torch.equal(other(torch.ones(1, 2)), model(torch.ones(1, 2))), other[0].fc1.weight.requires_grad)
state = model.state_dict()
state["0.scale"] = torch.zeros(2)
print(other.load_state_dict(state), other[0].scale)
for bad in ({"0.scale": torch.zeros(2)}, {**state, "0.scale": torch.zeros(3)}, {**state, "extra": torch.zeros(1)}):
    try:
        other.load_state_dict(bad)
    except RuntimeError as e:
        print(e)
print(other.load_state_dict({"0.scale": torch.zeros(2), "x": torch.zeros(1)}, strict=False))
model.eval()
print(model.training, model[0].act.training, model.train()[1].training)
model[0].register_forward_pre_hook(lambda m, args: print("before", type(m).__name__, len(args)))
handle = model[0].register_forward_hook(lambda m, args, out: out * 0)
print(model(torch.ones(1, 2)))
handle.remove()
print(model(torch.ones(1, 2)).shape)
for bad in (lambda: model.missing, lambda: setattr(model[0], "fc1", 3), lambda: setattr(model[0], "scale", torch.ones(2)), lambda: nn.Linear(2, 2)(torch.ones(1, 3)), lambda: model.register_parameter("a.b", None),
            lambda: nn.Module()(1)):
    try:
        bad()
    except Exception as e:
        print(type(e).__name__, e)
print(nn.ModuleDict({"a": nn.Linear(1, 1), "b": nn.Tanh()}), nn.ParameterList([torch.ones(1), torch.zeros(2, 2)]), nn.ModuleList([nn.Linear(1, 1), nn.Linear(1, 1), nn.ReLU()]))
print(nn.Dropout(0.1), nn.LayerNorm(4), nn.Embedding(3, 2, padding_idx=0), nn.LeakyReLU(), nn.Flatten(), nn.CrossEntropyLoss(), nn.LogSoftmax(1), nn.ELU(), nn.Hardtanh())
print(model.double()[0].fc1.weight.dtype, model.float()[0].count.dtype, isinstance(model[0].fc1.weight, nn.Parameter))
loss = model(torch.ones(1, 2)).sum()
loss.backward()
print([p.grad is None for p in model.parameters()])
model.zero_grad()
print([p.grad is None for p in model.parameters()])
model.requires_grad_(False)
print(any(p.requires_grad for p in model.parameters()), model.get_submodule("0.fc1"), model.get_parameter("0.scale").shape)
shared = nn.Module()
shared.a = shared.b = nn.Linear(1, 1)
print(len(list(shared.parameters())), len(list(shared.named_parameters(remove_duplicate=False))), F.linear(torch.ones(1, 2), torch.ones(1, 2), torch.ones(1)))
del shared.a
print([n for n, _ in shared.named_modules()], hasattr(shared, "a"), nn.Sequential(nn.ReLU(), nn.Tanh())[-1], len(nn.Sequential(nn.ReLU())))
