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

# expect: Sequential(
# expect:   (0): Block(
# expect:     (fc1): Linear(in_features=2, out_features=4, bias=True)
# expect:     (act): GELU(approximate='tanh')
# expect:     (fc2): Linear(in_features=4, out_features=2, bias=False)
# expect:   )
# expect:   (1): ReLU()
# expect:   (2): Identity()
# expect:   (3): Softmax(dim=-1)
# expect: )
# expect: ['0.scale', '0.fc1.weight', '0.fc1.bias', '0.fc2.weight'] ['0.count', '0.hidden'] ['', '0', '0.fc1', '0.act', '0.fc2', '1', '2', '3']
# expect: ['0.scale', '0.count', '0.fc1.weight', '0.fc1.bias', '0.fc2.weight'] 22 ['Block', 'ReLU', 'Identity', 'Softmax']
# expect: tensor([[9.9479e-04, 9.9901e-01]], grad_fn=<SoftmaxBackward0>)
# expect: False True True
# expect: <All keys matched successfully> Parameter containing:
# expect: tensor([0., 0.], requires_grad=True)
# expect: Error(s) in loading state_dict for Sequential:
# expect: 	Missing key(s) in state_dict: "0.count", "0.fc1.weight", "0.fc1.bias", "0.fc2.weight".
# expect: Error(s) in loading state_dict for Sequential:
# expect: 	size mismatch for 0.scale: copying a param with shape torch.Size([3]) from checkpoint, the shape in current model is torch.Size([2]).
# expect: Error(s) in loading state_dict for Sequential:
# expect: 	Unexpected key(s) in state_dict: "extra".
# expect: _IncompatibleKeys(missing_keys=['0.count', '0.fc1.weight', '0.fc1.bias', '0.fc2.weight'], unexpected_keys=['x'])
# expect: False False True
# expect: before Block 1
# expect: tensor([[0.5000, 0.5000]], grad_fn=<SoftmaxBackward0>)
# expect: before Block 1
# expect: torch.Size([1, 2])
# expect: AttributeError 'Sequential' object has no attribute 'missing'
# expect: TypeError cannot assign 'int' as child module 'fc1' (torch.nn.Module or None expected)
# expect: TypeError cannot assign 'torch.FloatTensor' as parameter 'scale' (torch.nn.Parameter or None expected)
# expect: RuntimeError mat1 and mat2 shapes cannot be multiplied (1x3 and 2x2)
# expect: KeyError 'parameter name can\'t contain "."'
# expect: NotImplementedError Module [Module] is missing the required "forward" function
# expect: ModuleDict(
# expect:   (a): Linear(in_features=1, out_features=1, bias=True)
# expect:   (b): Tanh()
# expect: ) ParameterList(
# expect:     (0): Parameter containing: [torch.float32 of size 1]
# expect:     (1): Parameter containing: [torch.float32 of size 2x2]
# expect: ) ModuleList(
# expect:   (0-1): 2 x Linear(in_features=1, out_features=1, bias=True)
# expect:   (2): ReLU()
# expect: )
# expect: Dropout(p=0.1, inplace=False) LayerNorm((4,), eps=1e-05, elementwise_affine=True) Embedding(3, 2, padding_idx=0) LeakyReLU(negative_slope=0.01) Flatten(start_dim=1, end_dim=-1) CrossEntropyLoss() LogSoftmax(dim=1) ELU(alpha=1.0) Hardtanh(min_val=-1.0, max_val=1.0)
# expect: torch.float64 torch.float32 True
# expect: before Block 1
# expect: [False, False, False, False]
# expect: [True, True, True, True]
# expect: False Linear(in_features=2, out_features=4, bias=True) torch.Size([2])
# expect: 2 4 tensor([[3.]])
# expect: ['', 'b'] False Tanh() 1
