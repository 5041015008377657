# Attributes, conversions and protocols of tensors.
import copy
import torch

x = torch.arange(6.0).reshape(2, 3)
print(x.shape, x.size(), x.size(1), x.size(-1), x.stride(), x.stride(0), x.dim(), x.ndim, x.numel(), x.nelement(), x.element_size(), x.dtype, x.device, x.layout, x.is_contiguous(), x.t().is_contiguous(), x.nbytes, x.storage_offset(), x[1].storage_offset())
print(x.T, x.mT.shape, x.item() if x.numel() == 1 else x[0, 1].item(), x.tolist(), torch.tensor(5).tolist(), x.t().tolist())
print(x.long(), x.double().dtype, x.bool(), x.float() is x, x.to(torch.float32) is x, x.to(torch.int64).dtype, x.to("cpu") is x, x.to(x.long()).dtype, x.type(), x.type(torch.float64).dtype, x.type_as(x.long()).dtype, x.cpu() is x, x.to(dtype=torch.float64, copy=True).dtype)
y = x.clone()
y.note = "mine"
print(y.note, copy.deepcopy(y), copy.copy(x).shape, hash(x) == id(x), x == x.clone(), {x: 1}[x])
print(x.data is x, x.data.data_ptr() == x.data_ptr(), x[1].data_ptr() - x.data_ptr(), x.detach().data_ptr() == x.data_ptr())
z = torch.zeros(2)
z.data = torch.ones(3)
print(z, z._version, z.add_(1)._version, z.view(3, 1)._version, z.mul_(2).view(3)._version)
print(torch.is_tensor(x), isinstance(x, torch.Tensor), type(x), torch.numel(x), torch.typename(x), x.is_floating_point(), x.is_leaf, x.is_cuda, x.requires_grad)
s = x.shape
print(s[0], s[1:], s + (4,), s.numel(), len(s), tuple(s), list(s), s == (2, 3), torch.Size([1, 2]), (*s,), {s: 1}[torch.Size([2, 3])], s * 2, type(s[:1]))
print(x.split(2, 1), x.split([1, 2], dim=1), torch.split(x, 1), x.chunk(2), x.unbind(1), torch.cat([x, x], 1).shape, torch.stack((x, x)).shape)
print(x.reshape(-1), x.view(3, 2), x.view((6,)), x.permute(1, 0).shape, x.permute((1, 0)).shape, x.transpose(0, 1).shape, x.expand(4, 2, 3).shape, x.flatten(), x.unsqueeze(0).squeeze().shape, x.repeat(2, 1).shape)
print(torch.zeros(2, 3).shape, torch.zeros((2, 3)).shape, torch.ones([1]), torch.full((2,), 7), torch.arange(1, 10, 3), torch.linspace(0, 1, 3), torch.eye(2), torch.zeros_like(x).shape, torch.empty(0).shape, torch.zeros(size=(1,)), torch.ones(2, requires_grad=True))
print(x.sum(), x.sum(0), x.sum(dim=1, keepdim=True), x.sum(axis=0), x.mean(), x.mean((0, 1)), x.max(), x.max(1).values, x.min(dim=0).indices, x.amax(1), x.argmax(), x.argmax(dim=1), x.prod(), x.any(), (x > 2).all(), x.norm(), x.norm(1), torch.norm(x, dim=1))
values, indices = x.max(0)
print(values, indices, torch.where(x > 2, x, -1.0), x.clamp(1, 3), x.clamp(min=2), torch.maximum(x, torch.tensor(2.0)), x.masked_fill(x > 3, 0.0), torch.equal(x, x), torch.allclose(x, x + 1e-9))
print(x.requires_grad_().requires_grad, x.detach().requires_grad, x.clone().detach_().requires_grad, x.is_contiguous(), x.contiguous() is x)
a, b = torch.broadcast_tensors(torch.ones(2, 1), torch.ones(3))
print(a.shape, b.shape, torch.broadcast_shapes((2, 1), (3,)), torch.pi, torch.inf, torch.nan, torch.get_num_threads() > 0, torch.is_grad_enabled(), torch.cuda.is_available())
print(torch.Tensor(2, 0), torch.Tensor([1, 2]), torch.Tensor().shape, torch.as_tensor(x) is x, torch.tensor(x.detach()).shape, torch.tensor([[1, 2], [3, 4]]).t(), torch.tensor(((1.0,), (2.0,))), torch.tensor([torch.tensor(1.0), torch.tensor(2.0)]), torch.tensor(range(3)))
print(torch.ops.aten.add.Tensor(torch.ones(1), torch.ones(1), alpha=3), torch.ops.aten.relu(torch.tensor([-1.0, 1.0])), torch.ops.aten.add.Tensor, "Tensor" in torch.ops.aten.add.overloads())
print(x.__format__(""), format(torch.tensor(1.5), ".2f"), str(torch.tensor([1])), bool(torch.tensor([[True]])), int(torch.tensor(True)), round(float(torch.tensor(0.1)), 3))

# expect: torch.Size([2, 3]) torch.Size([2, 3]) 3 3 (3, 1) 3 2 2 6 6 4 torch.float32 cpu torch.strided True False 24 0 3
# expect: tensor([[0., 3.],
# expect:         [1., 4.],
# expect:         [2., 5.]]) torch.Size([3, 2]) 1.0 [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]] 5 [[0.0, 3.0], [1.0, 4.0], [2.0, 5.0]]
# expect: tensor([[0, 1, 2],
# expect:         [3, 4, 5]]) torch.float64 tensor([[False,  True,  True],
# expect:         [ True,  True,  True]]) True True torch.int64 True torch.int64 torch.FloatTensor torch.float64 torch.int64 True torch.float64
# expect: mine tensor([[0., 1., 2.],
# expect:         [3., 4., 5.]]) torch.Size([2, 3]) True tensor([[True, True, True],
# expect:         [True, True, True]]) 1
# expect: False True 12 True
# expect: tensor([4., 4., 4.]) 0 1 1 2
# expect: True True <class 'torch.Tensor'> 6 torch.FloatTensor True True False False
# expect: 2 torch.Size([3]) torch.Size([2, 3, 4]) 6 2 (2, 3) [2, 3] True torch.Size([1, 2]) (2, 3) 1 torch.Size([2, 3, 2, 3]) <class 'torch.Size'>
# expect: (tensor([[0., 1.],
# expect:         [3., 4.]]), tensor([[2.],
# expect:         [5.]])) (tensor([[0.],
# expect:         [3.]]), tensor([[1., 2.],
# expect:         [4., 5.]])) (tensor([[0., 1., 2.]]), tensor([[3., 4., 5.]])) (tensor([[0., 1., 2.]]), tensor([[3., 4., 5.]])) (tensor([0., 3.]), tensor([1., 4.]), tensor([2., 5.])) torch.Size([2, 6]) torch.Size([2, 2, 3])
# expect: tensor([0., 1., 2., 3., 4., 5.]) tensor([[0., 1.],
# expect:         [2., 3.],
# expect:         [4., 5.]]) tensor([0., 1., 2., 3., 4., 5.]) torch.Size([3, 2]) torch.Size([3, 2]) torch.Size([3, 2]) torch.Size([4, 2, 3]) tensor([0., 1., 2., 3., 4., 5.]) torch.Size([2, 3]) torch.Size([4, 3])
# expect: torch.Size([2, 3]) torch.Size([2, 3]) tensor([1.]) tensor([7, 7]) tensor([1, 4, 7]) tensor([0.0000, 0.5000, 1.0000]) tensor([[1., 0.],
# expect:         [0., 1.]]) torch.Size([2, 3]) torch.Size([0]) tensor([0.]) tensor([1., 1.], requires_grad=True)
# expect: tensor(15.) tensor([3., 5., 7.]) tensor([[ 3.],
# expect:         [12.]]) tensor([3., 5., 7.]) tensor(2.5000) tensor(2.5000) tensor(5.) tensor([2., 5.]) tensor([0, 0, 0]) tensor([2., 5.]) tensor(5) tensor([2, 2]) tensor(0.) tensor(True) tensor(False) tensor(7.4162) tensor(15.) tensor([2.2361, 7.0711])
# expect: tensor([3., 4., 5.]) tensor([1, 1, 1]) tensor([[-1., -1., -1.],
# expect:         [ 3.,  4.,  5.]]) tensor([[1., 1., 2.],
# expect:         [3., 3., 3.]]) tensor([[2., 2., 2.],
# expect:         [3., 4., 5.]]) tensor([[2., 2., 2.],
# expect:         [3., 4., 5.]]) tensor([[0., 1., 2.],
# expect:         [3., 0., 0.]]) True True
# expect: True False False True True
# expect: torch.Size([2, 3]) torch.Size([2, 3]) torch.Size([2, 3]) 3.141592653589793 inf nan True True False
# expect: tensor([], size=(2, 0)) tensor([1., 2.]) torch.Size([0]) True torch.Size([2, 3]) tensor([[1, 3],
# expect:         [2, 4]]) tensor([[1.],
# expect:         [2.]]) tensor([1., 2.]) tensor([0, 1, 2])
# expect: tensor([4.]) tensor([0., 1.]) aten.add.Tensor True
# expect: tensor([[0., 1., 2.],
# expect:         [3., 4., 5.]], requires_grad=True) 1.50 tensor([1]) True 1 0.1
