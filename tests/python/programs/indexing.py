# Basic indexing reads and writes; negative and out-of-range positions.
import torch

x = torch.arange(24).reshape(2, 3, 4)
print(x[1], x[1, 2], x[1, 2, 3], x[-1, -1, -1])
print(x[0, 1:], x[:, 1], x[..., 0], x[:, :, ::2])
print(x[None].shape, x[:, None, 1].shape, x[..., None].shape, x[0, ..., 1:3].shape, x[()].shape)
print(x[torch.tensor(1)][0], x[0][torch.tensor(2), 1])
print(x[:, -2:, 1:100], x[:, 5:].shape, x[1:1].shape)
y = x.clone()
y[0] = 0
y[1, 1] = torch.tensor([7, 8, 9, 10])
y[:, :, 3] = -1
y[1, 2, 0] += 100
print(y)
z = torch.zeros(2, 3)
z[:, 1] = torch.tensor([[1.5], [2.5]]).reshape(2)
z[0] = torch.tensor([[[4.0, 5.0, 6.0]]])
z[1, ...] *= 2
print(z)
v = z[0]
v[0] = 42
print(z[0, 0], z.select(0, 0) is z, z[...] is z, z[0]._base is z)
for bad in ("x[2]", "x[0, 0, 0, 0]", "x[0][0][0][0]", "x[1.5]", "x[::-1]", "x[0:2:0]", "x[:, 3]", "x[-3]"):
    try:
        eval(bad)
    except Exception as e:
        print(bad, type(e).__name__, e)
try:
    del x[0]
except TypeError as e:
    print(e)
print(len(x), [row.tolist() for row in x[0]], 5 in x, 99 in x)
a, b = torch.tensor([[1, 2], [3, 4]])
print(a, b, *torch.tensor([5, 6]))
print([10, 20, 30][torch.tensor(1)], "abc"[torch.tensor(2)])

# expect: tensor([[12, 13, 14, 15],
# expect:         [16, 17, 18, 19],
# expect:         [20, 21, 22, 23]]) tensor([20, 21, 22, 23]) tensor(23) tensor(23)
# expect: tensor([[ 4,  5,  6,  7],
# expect:         [ 8,  9, 10, 11]]) tensor([[ 4,  5,  6,  7],
# expect:         [16, 17, 18, 19]]) tensor([[ 0,  4,  8],
# expect:         [12, 16, 20]]) tensor([[[ 0,  2],
# expect:          [ 4,  6],
# expect:          [ 8, 10]],
# expect:
# expect:         [[12, 14],
# expect:          [16, 18],
# expect:          [20, 22]]])
# expect: torch.Size([1, 2, 3, 4]) torch.Size([2, 1, 4]) torch.Size([2, 3, 4, 1]) torch.Size([3, 2]) torch.Size([2, 3, 4])
# expect: tensor([12, 13, 14, 15]) tensor(9)
# expect: tensor([[[ 5,  6,  7],
# expect:          [ 9, 10, 11]],
# expect:
# expect:         [[17, 18, 19],
# expect:          [21, 22, 23]]]) torch.Size([2, 0, 4]) torch.Size([0, 3, 4])
# expect: tensor([[[  0,   0,   0,  -1],
# expect:          [  0,   0,   0,  -1],
# expect:          [  0,   0,   0,  -1]],
# expect:
# expect:         [[ 12,  13,  14,  -1],
# expect:          [  7,   8,   9,  -1],
# expect:          [120,  21,  22,  -1]]])
# expect: tensor([[4., 5., 6.],
# expect:         [0., 5., 0.]])
# expect: tensor(42.) False False True
# expect: x[2] IndexError index 2 is out of bounds for dimension 0 with size 2
# expect: x[0, 0, 0, 0] IndexError too many indices for tensor of dimension 3
# expect: x[0][0][0][0] IndexError invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to convert a 0-dim tensor to a number
# expect: x[1.5] IndexError only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices (got float)
# expect: x[::-1] ValueError step must be greater than zero
# expect: x[0:2:0] ValueError slice step cannot be zero
# expect: x[:, 3] IndexError index 3 is out of bounds for dimension 1 with size 3
# expect: x[-3] IndexError index -3 is out of bounds for dimension 0 with size 2
# expect: Tensor does not support deleting items
# expect: 2 [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9, 10, 11]] True False
# expect: tensor([1, 2]) tensor([3, 4]) tensor(5) tensor(6)
# expect: 20 c
