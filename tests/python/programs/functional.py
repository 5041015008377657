# torch.nn.functional and the modules that call it, with values and gradients.
import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.tensor([-2.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0])
for name, f in [("relu", F.relu), ("relu6", F.relu6), ("gelu", F.gelu), ("gelu tanh", lambda v: F.gelu(v, approximate="tanh")), ("silu", F.silu), ("sigmoid", F.sigmoid), ("tanh", F.tanh),
                ("leaky_relu", lambda v: F.leaky_relu(v, 0.2)), ("elu", F.elu), ("selu", F.selu), ("celu", F.celu), ("softplus", F.softplus), ("hardtanh", F.hardtanh), ("softsign", F.softsign), ("tanhshrink", F.tanhshrink),
                ("hardsigmoid", F.hardsigmoid), ("hardswish", F.hardswish), ("mish", F.mish), ("threshold", lambda v: F.threshold(v, 0.5, -7.0)), ("softmax", lambda v: F.softmax(v, 0)), ("softmin", lambda v: F.softmin(v, 0)),
                ("log_softmax", lambda v: F.log_softmax(v, 0)), ("glu", lambda v: F.glu(v[:6], 0)), ("dropout eval", lambda v: F.dropout(v, 0.5, training=False))]:
    v = x.clone().requires_grad_()
    out = f(v)
    (out * torch.arange(1.0, out.numel() + 1)).sum().backward()
    print(name, out.detach(), v.grad)
a = torch.arange(6.0).reshape(2, 3) / 3
b = torch.tensor([[0.5, 0.25, 1.0], [0.0, 1.0, 0.75]])
t = torch.tensor([2, 0])
for r in ("mean", "sum", "none"):
    print(F.mse_loss(a, b, reduction=r), F.l1_loss(a, b, reduction=r), F.smooth_l1_loss(a, b, reduction=r, beta=0.5), F.huber_loss(a, b, reduction=r))
    print(F.cross_entropy(a, t, reduction=r), F.nll_loss(F.log_softmax(a, 1), t, reduction=r), F.binary_cross_entropy_with_logits(a, b, reduction=r), F.binary_cross_entropy(b, b, reduction=r))
    print(F.kl_div(F.log_softmax(a, 1), F.softmax(b, 1), reduction=r))
print(F.cross_entropy(a, torch.tensor([2, -100])), F.cross_entropy(a, t, weight=torch.tensor([1.0, 2.0, 3.0])), F.cross_entropy(a, t, label_smoothing=0.1))
print(F.linear(a, torch.ones(2, 3), torch.tensor([0.5, -0.5])), F.one_hot(t, 4), F.pad(a, (1, 2), value=9), F.pad(a, (0, -1, 1, 0)), F.normalize(a + 1), F.cosine_similarity(a + 1, b))
print(F.embedding(torch.tensor([[0, 1], [1, 0]]), a), nn.Embedding.from_pretrained(a)(t[1:]))
q = torch.arange(24.0).reshape(1, 2, 3, 4) / 24
print(F.scaled_dot_product_attention(q, q, q), F.scaled_dot_product_attention(q, q, q, is_causal=True))
print(nn.Flatten()(q).shape, nn.Unflatten(1, (1, 2))(q).shape, nn.CrossEntropyLoss()(a, t), nn.MSELoss()(a, b), nn.Softmax(1)(a), nn.GLU()(q).shape, nn.Identity(1, x=2)(a) is a)
for bad in ("F.dropout(a, -1)", "F.glu(a, 1)", "F.binary_cross_entropy(b, b[0])", "F.mse_loss(a, b, reduction='x')", "F.pad(a, (1,))", "F.one_hot(a)"):
    try:
        eval(bad)
    except Exception as e:
        print(bad, type(e).__name__, e)

# expect: relu tensor([0.0000, 0.0000, 0.0000, 0.0000, 0.5000, 1.0000, 2.0000]) tensor([0., 0., 0., 0., 5., 6., 7.])
# expect: relu6 tensor([0.0000, 0.0000, 0.0000, 0.0000, 0.5000, 1.0000, 2.0000]) tensor([0., 0., 0., 0., 5., 6., 7.])
# expect: gelu tensor([-0.0455, -0.1587, -0.1543,  0.0000,  0.3457,  0.8413,  1.9545]) tensor([-0.0852, -0.1666,  0.3975,  2.0000,  4.3375,  6.4999,  7.5966])
# expect: gelu tanh tensor([-0.0454, -0.1588, -0.1543,  0.0000,  0.3457,  0.8412,  1.9546]) tensor([-0.0861, -0.1659,  0.3979,  2.0000,  4.3368,  6.4978,  7.6027])
# expect: silu tensor([-0.2384, -0.2689, -0.1888,  0.0000,  0.3112,  0.7311,  1.7616]) tensor([-0.0908,  0.1447,  0.7801,  2.0000,  3.6998,  5.5660,  7.6355])
# expect: sigmoid tensor([0.1192, 0.2689, 0.3775, 0.5000, 0.6225, 0.7311, 0.8808]) tensor([0.1050, 0.3932, 0.7050, 1.0000, 1.1750, 1.1797, 0.7350])
# expect: tanh tensor([-0.9640, -0.7616, -0.4621,  0.0000,  0.4621,  0.7616,  0.9640]) tensor([0.0707, 0.8399, 2.3593, 4.0000, 3.9322, 2.5198, 0.4946])
# expect: leaky_relu tensor([-0.4000, -0.2000, -0.1000,  0.0000,  0.5000,  1.0000,  2.0000]) tensor([0.2000, 0.4000, 0.6000, 0.8000, 5.0000, 6.0000, 7.0000])
# expect: elu tensor([-0.8647, -0.6321, -0.3935,  0.0000,  0.5000,  1.0000,  2.0000]) tensor([0.1353, 0.7358, 1.8196, 4.0000, 5.0000, 6.0000, 7.0000])
# expect: selu tensor([-1.5202, -1.1113, -0.6918,  0.0000,  0.5254,  1.0507,  2.1014]) tensor([0.2379, 1.2935, 3.1990, 7.0324, 5.2535, 6.3042, 7.3549])
# expect: celu tensor([-0.8647, -0.6321, -0.3935,  0.0000,  0.5000,  1.0000,  2.0000]) tensor([0.1353, 0.7358, 1.8196, 4.0000, 5.0000, 6.0000, 7.0000])
# expect: softplus tensor([0.1269, 0.3133, 0.4741, 0.6931, 0.9741, 1.3133, 2.1269]) tensor([0.1192, 0.5379, 1.1326, 2.0000, 3.1123, 4.3864, 6.1656])
# expect: hardtanh tensor([-1.0000, -1.0000, -0.5000,  0.0000,  0.5000,  1.0000,  1.0000]) tensor([0., 0., 3., 4., 5., 0., 0.])
# expect: softsign tensor([-0.6667, -0.5000, -0.3333,  0.0000,  0.3333,  0.5000,  0.6667]) tensor([0.1111, 0.5000, 1.3333, 4.0000, 2.2222, 1.5000, 0.7778])
# expect: tanhshrink tensor([-1.0360, -0.2384, -0.0379,  0.0000,  0.0379,  0.2384,  1.0360]) tensor([0.9293, 1.1601, 0.6407, 0.0000, 1.0678, 3.4802, 6.5054])
# expect: hardsigmoid tensor([0.1667, 0.3333, 0.4167, 0.5000, 0.5833, 0.6667, 0.8333]) tensor([0.1667, 0.3333, 0.5000, 0.6667, 0.8333, 1.0000, 1.1667])
# expect: hardswish tensor([-0.3333, -0.3333, -0.2083,  0.0000,  0.2917,  0.6667,  1.6667]) tensor([-0.1667,  0.3333,  1.0000,  2.0000,  3.3333,  5.0000,  8.1667])
# expect: mish tensor([-0.2525, -0.3034, -0.2207,  0.0000,  0.3752,  0.8651,  1.9440]) tensor([-0.1084,  0.1184,  0.8685,  2.4000,  4.4321,  6.2942,  7.4852])
# expect: threshold tensor([-7., -7., -7., -7., -7.,  1.,  2.]) tensor([0., 0., 0., 0., 0., 6., 7.])
# expect: softmax tensor([0.0098, 0.0265, 0.0437, 0.0721, 0.1189, 0.1960, 0.5329]) tensor([-0.0486, -0.1057, -0.1305, -0.1431, -0.1170,  0.0032,  0.5416])
# expect: softmin tensor([0.5329, 0.1960, 0.1189, 0.0721, 0.0437, 0.0265, 0.0098]) tensor([ 0.5416,  0.0032, -0.1170, -0.1431, -0.1305, -0.1057, -0.0486])
# expect: log_softmax tensor([-4.6294, -3.6294, -3.1294, -2.6294, -2.1294, -1.6294, -0.6294]) tensor([ 0.7267,  1.2571,  1.7752,  1.9806,  1.6706,  0.5108, -7.9211])
# expect: glu tensor([-1.0000, -0.6225, -0.3655]) tensor([ 0.5000,  1.2449,  2.1932, -0.5000, -0.4700, -0.2949,  0.0000])
# expect: dropout eval tensor([-2.0000, -1.0000, -0.5000,  0.0000,  0.5000,  1.0000,  2.0000]) tensor([1., 2., 3., 4., 5., 6., 7.])
# expect: tensor(0.3866) tensor(0.5278) tensor(0.3160) tensor(0.1933)
# expect: tensor(1.1353) tensor(1.1353) tensor(0.6725) tensor(0.3030)
# expect: tensor(0.0116)
# expect: tensor(2.3194) tensor(3.1667) tensor(1.8958) tensor(1.1597)
# expect: tensor(2.2706) tensor(2.2706) tensor(4.0347) tensor(1.8178)
# expect: tensor(0.0696)
# expect: tensor([[0.2500, 0.0069, 0.1111],
# expect:         [1.0000, 0.1111, 0.8403]]) tensor([[0.5000, 0.0833, 0.3333],
# expect:         [1.0000, 0.3333, 0.9167]]) tensor([[0.2500, 0.0069, 0.1111],
# expect:         [0.7500, 0.1111, 0.6667]]) tensor([[0.1250, 0.0035, 0.0556],
# expect:         [0.5000, 0.0556, 0.4201]])
# expect: tensor([0.8020, 1.4686]) tensor([0.8020, 1.4686]) tensor([[0.6931, 0.7903, 0.4144],
# expect:         [1.3133, 0.2340, 0.5897]]) tensor([[0.6931, 0.5623, -0.0000],
# expect:         [0.0000, -0.0000, 0.5623]])
# expect: tensor([[ 0.0691, -0.0787,  0.0337],
# expect:         [-0.0506,  0.1730, -0.0769]])
# expect: tensor(0.8020) tensor(0.9686) tensor(1.1353)
# expect: tensor([[1.5000, 0.5000],
# expect:         [4.5000, 3.5000]]) tensor([[0, 0, 1, 0],
# expect:         [1, 0, 0, 0]]) tensor([[9.0000, 0.0000, 0.3333, 0.6667, 9.0000, 9.0000],
# expect:         [9.0000, 1.0000, 1.3333, 1.6667, 9.0000, 9.0000]]) tensor([[0.0000, 0.0000],
# expect:         [0.0000, 0.3333],
# expect:         [1.0000, 1.3333]]) tensor([[0.4243, 0.5657, 0.7071],
# expect:         [0.4915, 0.5735, 0.6554]]) tensor([0.9258, 0.8520])
# expect: tensor([[[0.0000, 0.3333, 0.6667],
# expect:          [1.0000, 1.3333, 1.6667]],
# expect:
# expect:         [[1.0000, 1.3333, 1.6667],
# expect:          [0.0000, 0.3333, 0.6667]]]) tensor([[0.0000, 0.3333, 0.6667]])
# expect: tensor([[[[0.1690, 0.2106, 0.2523, 0.2940],
# expect:           [0.1751, 0.2168, 0.2585, 0.3001],
# expect:           [0.1813, 0.2230, 0.2646, 0.3063]],
# expect:
# expect:          [[0.6874, 0.7290, 0.7707, 0.8124],
# expect:           [0.6934, 0.7351, 0.7767, 0.8184],
# expect:           [0.6994, 0.7410, 0.7827, 0.8244]]]]) tensor([[[[0.0000, 0.0417, 0.0833, 0.1250],
# expect:           [0.0865, 0.1282, 0.1698, 0.2115],
# expect:           [0.1813, 0.2230, 0.2646, 0.3063]],
# expect:
# expect:          [[0.5000, 0.5417, 0.5833, 0.6250],
# expect:           [0.5934, 0.6351, 0.6767, 0.7184],
# expect:           [0.6994, 0.7410, 0.7827, 0.8244]]]])
# expect: torch.Size([1, 24]) torch.Size([1, 1, 2, 3, 4]) tensor(1.1353) tensor(0.3866) tensor([[0.2302, 0.3213, 0.4484],
# expect:         [0.2302, 0.3213, 0.4484]]) torch.Size([1, 2, 3, 2]) True
# expect: F.dropout(a, -1) ValueError dropout probability has to be between 0 and 1, but got -1
# expect: F.glu(a, 1) RuntimeError Halving dimension must be even, but dimension 1 is size 3
# expect: F.binary_cross_entropy(b, b[0]) ValueError Using a target size (torch.Size([3])) that is different to the input size (torch.Size([2, 3])) is deprecated. Please ensure they have the same size.
# expect: F.mse_loss(a, b, reduction='x') ValueError x is not a valid value for reduction
# expect: F.pad(a, (1,)) RuntimeError Padding length must be divisible by 2
# expect: F.one_hot(a) RuntimeError one_hot is only applicable to index tensor of type LongTensor.
