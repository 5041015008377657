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
