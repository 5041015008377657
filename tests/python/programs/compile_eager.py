# torch.compile keeps what it wraps usable: names, attributes, state; and computes what eager computes.
import torch
import torch.nn as nn

@torch.compile
def f(x):
    """doc"""
    return torch.sin(x) + 1

@torch.compile(backend="eager", fullgraph=False, dynamic=False)
def g(x, *, scale=2):
    return x * scale

print(f(torch.zeros(2)), f.__name__, f.__doc__, g(torch.ones(2)), g(torch.ones(2), scale=3))
model = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
with torch.no_grad():
    for p in model.parameters():
        p.fill_(0.5)
c = torch.compile(model, backend="eager")
print(type(c).__name__, c(torch.ones(1, 2)), len(c), [n for n, _ in c.named_parameters()], list(c.state_dict()), c._orig_mod is model, isinstance(c, nn.Module))
c.eval()
print(model.training, c.training)
c(torch.ones(1, 2)).sum().backward()
print(model[0].bias.grad)
print(torch.compile(model, disable=True) is model, torch.compiler.is_compiling(), torch.compile(lambda x: x + 1, backend="eager")(torch.ones(1)))
h = torch.compiler.disable(lambda x: x * 2)
print(h(torch.ones(1)))
torch._dynamo.reset()
torch.compiler.reset()
torch._dynamo.graph_break()
with torch.no_grad():
    print(f(torch.zeros(1)))
try:
    torch.compile(3)
except Exception as e:
    print(type(e).__name__)

# expect: tensor([1., 1.]) f doc tensor([2., 2.]) tensor([3., 3.])
# expect: OptimizedModule tensor([[1.5000, 1.5000]], grad_fn=<ReluBackward0>) 2 ['_orig_mod.0.weight', '_orig_mod.0.bias'] ['_orig_mod.0.weight', '_orig_mod.0.bias'] True True
# expect: False False
# expect: tensor([1., 1.])
# expect: True False tensor([2.])
# expect: tensor([2.])
# expect: tensor([1.])
# expect: AssertionError
