# The CPU generator gives PyTorch's numbers for a seed.
import torch
import torch.nn as nn

torch.manual_seed(0)
print(torch.rand(5), torch.rand(3, dtype=torch.float64), torch.randn(5), torch.randn(20), torch.randn(17, dtype=torch.float64))
print(torch.randint(10, (8,)), torch.randint(-5, 5, (4,)), torch.randint(0, 1 << 29, (4,)), torch.randint(0, 1 << 40, (3,)), torch.randperm(10))
print(torch.empty(7).uniform_(-0.3, 0.7), torch.empty(6).normal_(2, 3), torch.empty(6).bernoulli_(0.3), torch.rand(2, 3).t().uniform_(), torch.bernoulli(torch.tensor([0.2, 0.8, 0.5])))
print(torch.rand_like(torch.ones(2)), torch.randn_like(torch.ones(2)), torch.empty(5).random_(7), torch.rand(2, requires_grad=True))
print(nn.functional.dropout(torch.ones(10), 0.5), nn.Linear(3, 2).weight, nn.Linear(3, 2).bias, nn.Embedding(2, 3).weight, nn.Conv1d(1, 2, 3).weight)
w = torch.empty(3, 4)
for f in (nn.init.kaiming_uniform_, nn.init.kaiming_normal_, nn.init.xavier_uniform_, nn.init.xavier_normal_, nn.init.zeros_, nn.init.ones_, nn.init.eye_, lambda t: nn.init.constant_(t, 2.5), lambda t: nn.init.uniform_(t, -1, 1), nn.init.normal_):
    print(f(w))
torch.manual_seed(0)
print(torch.randn(3), torch.rand(2), torch.randn(3), torch.initial_seed())
g = torch.Generator().manual_seed(5)
print(torch.rand(3, generator=g), torch.rand(1), g.initial_seed())
state = torch.get_rng_state()
a = torch.rand(2)
torch.set_rng_state(state)
print(torch.equal(a, torch.rand(2)))
d = nn.Dropout(0.25)
y = d(torch.ones(1000))
print(y.max(), bool((y == 0).any()), d.eval()(torch.ones(3)))
for bad in ("torch.empty(2).uniform_(1, 0)", "torch.randint(5, 5, (1,))", "torch.empty(2).normal_(0, -1)", "torch.empty(2).bernoulli_(2)", "torch.rand(-1)", "nn.Dropout(2)"):
    try:
        eval(bad)
    except Exception as e:
        print(bad, type(e).__name__)

# expect: tensor([0.4963, 0.7682, 0.0885, 0.1320, 0.3074]) tensor([0.0726, 0.1716, 0.0585], dtype=torch.float64) tensor([ 0.2100,  0.9056,  0.6035,  0.8110, -0.0451]) tensor([ 1.8530,  0.4681, -0.1577,  1.4437,  0.2596, -0.1740, -0.6787,  0.9383,
# expect:          0.4889, -0.6731,  0.8728,  1.0554, -0.0048, -0.5181, -0.3067, -1.5810,
# expect:          1.7066, -0.4462,  0.7440,  1.5210]) tensor([-2.2897, -0.9441, -0.7140, -1.3089, -1.0794,  0.6521,  2.9994,  0.1498,
# expect:          1.7333, -0.6912,  0.7275, -1.3847, -1.1050,  1.3969, -1.0018,  2.2897,
# expect:         -1.3841], dtype=torch.float64)
# expect: tensor([0, 9, 9, 3, 1, 8, 1, 7]) tensor([ 3, -1, -4, -5]) tensor([412739490, 435765085, 402228834, 437060557]) tensor([483634128871, 643125240009, 545629156864]) tensor([2, 1, 5, 0, 3, 6, 9, 4, 7, 8])
# expect: tensor([ 0.1037,  0.1018, -0.2487, -0.2317,  0.1218,  0.2065, -0.0271]) tensor([ 4.6391, -2.8506,  1.7927, -0.2173,  4.4082, -0.0451]) tensor([0., 1., 1., 0., 1., 1.]) tensor([[0.6709, 0.5210],
# expect:         [0.2020, 0.8223],
# expect:         [0.4891, 0.1220]]) tensor([1., 1., 0.])
# expect: tensor([0.3203, 0.9217]) tensor([-0.1335, -2.5023]) tensor([4., 2., 1., 6., 4.]) tensor([0.2379, 0.9037], requires_grad=True)
# expect: tensor([0., 0., 2., 0., 0., 2., 2., 0., 2., 2.]) Parameter containing:
# expect: tensor([[ 0.1698,  0.1906,  0.4331],
# expect:         [-0.1859,  0.0009,  0.2972]], requires_grad=True) Parameter containing:
# expect: tensor([-0.1688, -0.3428], requires_grad=True) Parameter containing:
# expect: tensor([[ 0.8756, -1.7946, -0.2341],
# expect:         [-0.4097,  0.7382,  1.3363]], requires_grad=True) Parameter containing:
# expect: tensor([[[ 0.1706,  0.4746,  0.1570]],
# expect:
# expect:         [[-0.2732, -0.2714, -0.5459]]], requires_grad=True)
# expect: tensor([[-1.0920,  1.0740, -0.7954, -0.1393],
# expect:         [ 0.3509,  0.0390, -0.8241, -0.9900],
# expect:         [ 0.9762,  0.1994,  1.0161, -0.4106]])
# expect: tensor([[ 0.4453,  0.5727,  1.1826, -0.9508],
# expect:         [ 1.2613, -0.1467, -0.0321, -0.6330],
# expect:         [-0.9312,  0.1539, -0.0826, -0.2375]])
# expect: tensor([[-0.1427,  0.3215, -0.3378,  0.3514],
# expect:         [ 0.6166, -0.4834,  0.0091,  0.3828],
# expect:         [ 0.0726,  0.0773,  0.1156, -0.7278]])
# expect: tensor([[-0.5999, -0.2864,  0.6693, -0.1737],
# expect:         [-0.0400, -0.6181, -0.2462, -1.7656],
# expect:         [-0.7636,  0.5850,  0.4195,  0.0383]])
# expect: tensor([[0., 0., 0., 0.],
# expect:         [0., 0., 0., 0.],
# expect:         [0., 0., 0., 0.]])
# expect: tensor([[1., 1., 1., 1.],
# expect:         [1., 1., 1., 1.],
# expect:         [1., 1., 1., 1.]])
# expect: tensor([[1., 0., 0., 0.],
# expect:         [0., 1., 0., 0.],
# expect:         [0., 0., 1., 0.]])
# expect: tensor([[2.5000, 2.5000, 2.5000, 2.5000],
# expect:         [2.5000, 2.5000, 2.5000, 2.5000],
# expect:         [2.5000, 2.5000, 2.5000, 2.5000]])
# expect: tensor([[ 0.5451, -0.6268,  0.2869, -0.3506],
# expect:         [ 0.7814, -0.1799,  0.3893,  0.1776],
# expect:         [ 0.4255, -0.3398,  0.4876, -0.6985]])
# expect: tensor([[ 1.3446,  0.2733, -0.1897,  0.9146],
# expect:         [ 1.3997, -0.8398,  0.4093,  0.0543],
# expect:         [-0.3103, -0.1054, -0.7951,  2.3164]])
# expect: tensor([ 1.5410, -0.2934, -2.1788]) tensor([0.4556, 0.6323]) tensor([ 0.5684,  0.1604, -0.6065]) 0
# expect: tensor([0.8303, 0.1261, 0.9075]) tensor([0.2939]) 5
# expect: True
# expect: tensor(1.3333) True tensor([1., 1., 1.])
# expect: torch.empty(2).uniform_(1, 0) RuntimeError
# expect: torch.randint(5, 5, (1,)) RuntimeError
# expect: torch.empty(2).normal_(0, -1) RuntimeError
# expect: torch.empty(2).bernoulli_(2) RuntimeError
# expect: torch.rand(-1) RuntimeError
# expect: nn.Dropout(2) ValueError
