# The tape: grad_fn, leaves, backward, grad, hooks, grad modes.
import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = (x * x + 2 * x).sum()
print(y, y.grad_fn.name(), x.is_leaf, y.is_leaf, x.grad_fn, x.grad)
print(type(y.grad_fn).__name__, y.grad_fn.next_functions[0][0].name(), y.grad_fn is y.grad_fn, repr(y.grad_fn).split(" at ")[0])
print((x * 2).grad_fn.next_functions[0][0].name())
y.backward()
print(x.grad)
(x * 3).sum().backward()
print(x.grad)
x.grad = None
print(torch.autograd.grad((x**3).sum(), x), x.grad)
g, = torch.autograd.grad((x**3).sum(), x, create_graph=True)
print(torch.autograd.grad(g.sum(), x))
h = []
w = torch.ones(2, requires_grad=True)
z = w * 2
handle = z.register_hook(lambda grad: h.append(grad) or grad * 10)
z.retain_grad()
z.sum().backward()
print(h, w.grad, z.grad)
handle.remove()
(w * 2).sum().backward()
print(w.grad)
with torch.no_grad():
    q = w * 2
    print(q.requires_grad, torch.is_grad_enabled())
    with torch.enable_grad():
        print((w * 2).requires_grad)
print(torch.is_grad_enabled())

@torch.no_grad()
def f(a):
    """doc"""
    return a * 2

print(f(w).requires_grad, f.__name__, f.__doc__)
with torch.set_grad_enabled(False):
    print((w * 2).requires_grad)
torch.set_grad_enabled(False)
print((w * 2).requires_grad)
torch.set_grad_enabled(True)
with torch.inference_mode():
    print((w * 2).requires_grad)
d = (w * 2).detach()
print(d.requires_grad, d.grad_fn, w.data.requires_grad, w.data is w)
a = torch.ones(2, requires_grad=True)
b = a.clone()
b[0] = 5
b.mul_(3)
b.sum().backward()
print(a.grad, b, b._version)
for bad in ("y.backward()", "(x * 2).backward()", "torch.autograd.grad(x.sum(), w)", "torch.ones(1).sum().backward()", "(x*2).requires_grad_(False)", "torch.autograd.grad(x.sum(), torch.ones(1))", "torch.ones(2).register_hook(print)"):
    try:
        eval(bad)
    except Exception as e:
        print(bad, "|", type(e).__name__, "|", str(e)[:150])
(x * torch.tensor([1.0, 10.0, 100.0])).backward(torch.ones(3))
print(x.grad)

# expect: tensor(26., grad_fn=<SumBackward0>) SumBackward0 True False None None
# expect: SumBackward0 AddBackward0 True <SumBackward0 object
# expect: torch::autograd::AccumulateGrad
# expect: tensor([4., 6., 8.])
# expect: tensor([ 7.,  9., 11.])
# expect: (tensor([ 3., 12., 27.]),) None
# expect: (tensor([ 6., 12., 18.]),)
# expect: [tensor([1., 1.])] tensor([20., 20.]) tensor([10., 10.])
# expect: tensor([22., 22.])
# expect: False False
# expect: True
# expect: True
# expect: False f doc
# expect: False
# expect: False
# expect: False
# expect: False None False False
# expect: tensor([0., 3.]) tensor([15.,  3.], grad_fn=<MulBackward0>) 2
# expect: y.backward() | RuntimeError | Trying to backward through the graph a second time (or directly access saved tensors after they have already been freed). Saved intermediate values of
# expect: (x * 2).backward() | RuntimeError | grad can be implicitly created only for scalar outputs
# expect: torch.autograd.grad(x.sum(), w) | RuntimeError | One of the differentiated Tensors appears to not have been used in the graph. Set allow_unused=True if this is the desired behavior.
# expect: torch.ones(1).sum().backward() | RuntimeError | element 0 of tensors does not require grad and does not have a grad_fn
# expect: (x*2).requires_grad_(False) | RuntimeError | you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph that doesn't require differentiation u
# expect: torch.autograd.grad(x.sum(), torch.ones(1)) | RuntimeError | One of the differentiated Tensors does not require grad
# expect: torch.ones(2).register_hook(print) | RuntimeError | cannot register a hook on a tensor that doesn't require gradient
# expect: tensor([  1.,  10., 100.])
