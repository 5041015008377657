# Tensors print as PyTorch prints them.
import math
import torch

print(torch.tensor([[1.0, 2.5], [-3.0, 4.0]]))
print(torch.tensor([1.0, 2.0, 3.0]), torch.tensor([1, -20, 300]), torch.tensor([True, False]))
print(torch.tensor(3.14159), torch.tensor(7), torch.tensor(True), torch.tensor(2.0))
print(torch.tensor([1e-5, 1.0]), torch.tensor([1e9, 1.0]), torch.tensor([1234.5, 0.1]))
print(torch.tensor([math.nan, math.inf, -math.inf, 1.0]), torch.tensor([math.nan, 0.5]))
print(torch.tensor([]), torch.zeros(0, 3), torch.tensor([], dtype=torch.int64), torch.zeros(2, 0, dtype=torch.float64))
print(torch.tensor([1.0], dtype=torch.float64), torch.tensor([1, 2], dtype=torch.float64).sum())
print(torch.arange(24).reshape(2, 3, 4))
print(torch.arange(30) / 7)
print(torch.arange(2000))
print(torch.arange(1200.0).reshape(3, 400))
print(torch.zeros(2, requires_grad=True))
x = torch.ones(2, 2, requires_grad=True)
print(x * 2, (x * 2).sum(), x.detach())
print(torch.nn.Parameter(torch.zeros(2)))
print(str(torch.tensor([0.1, 0.25])), repr(torch.tensor(1e-10)), f"{torch.tensor(2.5):.3f} {torch.tensor(3):>4}")
print(torch.tensor([0.1 + 0.2], dtype=torch.float64), torch.tensor([100000.0, 2.0]), torch.tensor([1e8]), torch.tensor([1e8 + 8]))
print([torch.tensor(1), torch.tensor([2.0])], {"a": torch.tensor(0.5)})
print(torch.full((5, 20), 0.125))
print(torch.linspace(0, 1, 12).reshape(2, 2, 3).requires_grad_() + 0)
torch.set_printoptions(precision=2)
print(torch.tensor([1 / 3, 2 / 3]))
torch.set_printoptions(profile="default")
torch.set_printoptions(sci_mode=True)
print(torch.tensor([1 / 3, 2.0]))
torch.set_printoptions(profile="default", sci_mode=None)
print(torch.tensor([1 / 3]), torch.Size([2, 3]), torch.float32, torch.device("cpu"), torch.strided, torch.preserve_format)
print(torch.arange(6.0).reshape(2, 3).max(1))

# expect: tensor([[ 1.0000,  2.5000],
# expect:         [-3.0000,  4.0000]])
# expect: tensor([1., 2., 3.]) tensor([  1, -20, 300]) tensor([ True, False])
# expect: tensor(3.1416) tensor(7) tensor(True) tensor(2.)
# expect: tensor([1.0000e-05, 1.0000e+00]) tensor([1.0000e+09, 1.0000e+00]) tensor([1.2345e+03, 1.0000e-01])
# expect: tensor([nan, inf, -inf, 1.]) tensor([   nan, 0.5000])
# expect: tensor([]) tensor([], size=(0, 3)) tensor([], dtype=torch.int64) tensor([], size=(2, 0), dtype=torch.float64)
# expect: tensor([1.], dtype=torch.float64) tensor(3., dtype=torch.float64)
# expect: tensor([[[ 0,  1,  2,  3],
# expect:          [ 4,  5,  6,  7],
# expect:          [ 8,  9, 10, 11]],
# expect:
# expect:         [[12, 13, 14, 15],
# expect:          [16, 17, 18, 19],
# expect:          [20, 21, 22, 23]]])
# expect: tensor([0.0000, 0.1429, 0.2857, 0.4286, 0.5714, 0.7143, 0.8571, 1.0000, 1.1429,
# expect:         1.2857, 1.4286, 1.5714, 1.7143, 1.8571, 2.0000, 2.1429, 2.2857, 2.4286,
# expect:         2.5714, 2.7143, 2.8571, 3.0000, 3.1429, 3.2857, 3.4286, 3.5714, 3.7143,
# expect:         3.8571, 4.0000, 4.1429])
# expect: tensor([   0,    1,    2,  ..., 1997, 1998, 1999])
# expect: tensor([[0.0000e+00, 1.0000e+00, 2.0000e+00,  ..., 3.9700e+02, 3.9800e+02,
# expect:          3.9900e+02],
# expect:         [4.0000e+02, 4.0100e+02, 4.0200e+02,  ..., 7.9700e+02, 7.9800e+02,
# expect:          7.9900e+02],
# expect:         [8.0000e+02, 8.0100e+02, 8.0200e+02,  ..., 1.1970e+03, 1.1980e+03,
# expect:          1.1990e+03]])
# expect: tensor([0., 0.], requires_grad=True)
# expect: tensor([[2., 2.],
# expect:         [2., 2.]], grad_fn=<MulBackward0>) tensor(8., grad_fn=<SumBackward0>) tensor([[1., 1.],
# expect:         [1., 1.]])
# expect: Parameter containing:
# expect: tensor([0., 0.], requires_grad=True)
# expect: tensor([0.1000, 0.2500]) tensor(1.0000e-10) 2.500    3
# expect: tensor([0.3000], dtype=torch.float64) tensor([1.0000e+05, 2.0000e+00]) tensor([100000000.]) tensor([1.0000e+08])
# expect: [tensor(1), tensor([2.])] {'a': tensor(0.5000)}
# expect: tensor([[0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250],
# expect:         [0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250],
# expect:         [0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250],
# expect:         [0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250],
# expect:         [0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250, 0.1250,
# expect:          0.1250, 0.1250]])
# expect: tensor([[[0.0000, 0.0909, 0.1818],
# expect:          [0.2727, 0.3636, 0.4545]],
# expect:
# expect:         [[0.5455, 0.6364, 0.7273],
# expect:          [0.8182, 0.9091, 1.0000]]], grad_fn=<AddBackward0>)
# expect: tensor([0.33, 0.67])
# expect: tensor([3.3333e-01, 2.0000e+00])
# expect: tensor([0.3333]) torch.Size([2, 3]) torch.float32 cpu torch.strided torch.preserve_format
# expect: torch.return_types.max(
# expect: values=tensor([2., 5.]),
# expect: indices=tensor([2, 2]))
