# torch.autograd.Function and module backward hooks.
import torch
import torch.nn as nn
from torch.autograd import Function
from torch.autograd.function import once_differentiable

class Cube(Function):
    @staticmethod
    def forward(ctx, x, scale=1.0):
        ctx.save_for_backward(x)
        ctx.scale = scale
        return x**3 * scale

    @staticmethod
    def backward(ctx, grad):
        x, = ctx.saved_tensors
        return 3 * x**2 * grad * ctx.scale, None

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = Cube.apply(x, 2.0)
print(y, y.grad_fn.name(), y.grad_fn.next_functions[0][0].name())
y.sum().backward()
print(x.grad)
g, = torch.autograd.grad(Cube.apply(x).sum(), x, create_graph=True)
print(g, torch.autograd.grad(g.sum(), x))

class Exp(Function):
    @staticmethod
    def forward(x):
        return x.exp()

    @staticmethod
    def setup_context(ctx, inputs, output):
        ctx.save_for_backward(output)

    @staticmethod
    def backward(ctx, grad):
        y, = ctx.saved_tensors
        return y * grad

g, = torch.autograd.grad(Exp.apply(x).sum(), x, create_graph=True)
print(g, torch.autograd.grad(g.sum(), x))

class Two(Function):
    @staticmethod
    def forward(ctx, a, b):
        print("needs", ctx.needs_input_grad, torch.is_grad_enabled())
        top = (a > b)
        ctx.mark_non_differentiable(top)
        return a * 2, top, b + 0

    @staticmethod
    @once_differentiable
    def backward(ctx, ga, gtop, gb):
        print("got", ga, gtop if gtop is None else gtop.dtype, gb)
        return ga * 2, None

a, b = torch.ones(2, requires_grad=True), torch.zeros(2)
p, q, r = Two.apply(a, b)
print(p.requires_grad, q.requires_grad, r.requires_grad)
p.sum().backward()
print(a.grad)

class Pass(Function):
    @staticmethod
    def forward(ctx, a):
        return a

    @staticmethod
    def backward(ctx, g):
        return g * 10

z = Pass.apply(a)
print(z is a, z.grad_fn.name())
z.sum().backward()
print(a.grad)
with torch.no_grad():
    print(Cube.apply(x).requires_grad, Cube.apply(torch.ones(1)).requires_grad)

class Wrong(Function):
    @staticmethod
    def forward(ctx, a):
        return a * 1

    @staticmethod
    def backward(ctx, g):
        return g, g

for bad in (lambda: Wrong.apply(a).sum().backward(), lambda: (lambda y: (y.sum().backward(), y.sum().backward()))(Cube.apply(x))):
    try:
        bad()
    except RuntimeError as e:
        print(str(e)[:90])
y = Cube.apply(w := x * 1)
w.add_(1)
try:
    y.sum().backward()
except RuntimeError as e:
    print(str(e)[:70])

m = nn.Linear(2, 1)
with torch.no_grad():
    m.weight.fill_(3.0)
m.register_full_backward_pre_hook(lambda m, go: print("pre", go))
h = m.register_full_backward_hook(lambda m, gi, go: print("post", gi, go))
i = torch.ones(1, 2, requires_grad=True)
m(i).sum().backward()
print(i.grad, m.weight.grad)
h.remove()
m.register_full_backward_hook(lambda m, gi, go: (gi[0] * 100,))
i.grad = None
m(i).sum().backward()
print(i.grad)

# expect: tensor([ 2., 16.], grad_fn=<CubeBackward>) CubeBackward torch::autograd::AccumulateGrad
# expect: tensor([ 6., 24.])
# expect: tensor([ 3., 12.], grad_fn=<MulBackward0>) (tensor([ 6., 12.]),)
# expect: tensor([2.7183, 7.3891], grad_fn=<MulBackward0>) (tensor([2.7183, 7.3891]),)
# expect: needs (True, False) False
# expect: True False True
# expect: got tensor([1., 1.]) torch.bool tensor([0., 0.])
# expect: tensor([2., 2.])
# expect: False PassBackward
# expect: tensor([12., 12.])
# expect: False False
# expect: function WrongBackward returned an incorrect number of gradients (expected 1, got 2)
# expect: Trying to backward through the graph a second time (or directly access saved tensors after
# expect: one of the variables needed for gradient computation has been modified
# expect: pre (tensor([[1.]]),)
# expect: post (tensor([[3., 3.]]),) (tensor([[1.]]),)
# expect: tensor([[3., 3.]]) tensor([[1., 1.]])
# expect: pre (tensor([[1.]]),)
# expect: tensor([[300., 300.]])
