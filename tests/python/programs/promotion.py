# Result dtypes: tensors with dims outrank 0-dim ones, which outrank numbers.
import torch

i, f, d, m = torch.tensor([1, 2]), torch.tensor([1.0]), torch.tensor([1.0], dtype=torch.float64), torch.tensor([True])
for text in ("i + 1", "i + 1.5", "i + f", "f + d", "i + d", "m + m", "m + 1", "m + 1.5", "i / 2", "i // 2", "i // 2.0", "f + torch.tensor(1.0, dtype=torch.float64)",
             "i + torch.tensor(1.5, dtype=torch.float64)", "i * True", "i ** 2", "2 ** i", "i.sum()", "m.sum()", "f.sum(dtype=torch.float64)", "i.float()", "i.sin()",
             "torch.where(m, i, 1.5)", "torch.full((1,), 1)", "torch.full((1,), 1.0)", "torch.full((1,), True)", "torch.arange(3)", "torch.arange(0, 1, 0.5)",
             "torch.tensor(1)", "torch.tensor([1, 2.5])", "torch.tensor([True, 2])", "torch.tensor([])", "torch.ones(1)", "torch.zeros_like(i)", "i.to(torch.float64)", "i.double()",
             "f.to(d)", "i == f", "i.mean(dtype=torch.float32)", "torch.as_tensor([1, 2])", "torch.as_tensor(2.0)", "torch.tensor(i)"):
    print(text, eval(text).dtype)
print(torch.result_type(i, 1.5), torch.promote_types(torch.int64, torch.float32), torch.can_cast(torch.float32, torch.int64), torch.get_default_dtype())
torch.set_default_dtype(torch.float64)
print(torch.tensor(1.5).dtype, torch.ones(1).dtype, (i / 2).dtype)
torch.set_default_dtype(torch.float32)
for bad in ("i.mean()", "i.requires_grad_()", "i.add_(0.5)", "torch.set_default_dtype(torch.int64)", "m - m"):
    try:
        print(eval(bad))
    except Exception as e:
        print(bad, type(e).__name__, e)
print(torch.finfo(torch.float32), torch.iinfo(torch.int64).max, torch.finfo(torch.float64).eps, torch.float32.itemsize, torch.int64.is_floating_point)

# expect: i + 1 torch.int64
# expect: i + 1.5 torch.float32
# expect: i + f torch.float32
# expect: f + d torch.float64
# expect: i + d torch.float64
# expect: m + m torch.bool
# expect: m + 1 torch.int64
# expect: m + 1.5 torch.float32
# expect: i / 2 torch.float32
# expect: i // 2 torch.int64
# expect: i // 2.0 torch.float32
# expect: f + torch.tensor(1.0, dtype=torch.float64) torch.float32
# expect: i + torch.tensor(1.5, dtype=torch.float64) torch.float64
# expect: i * True torch.int64
# expect: i ** 2 torch.int64
# expect: 2 ** i torch.int64
# expect: i.sum() torch.int64
# expect: m.sum() torch.int64
# expect: f.sum(dtype=torch.float64) torch.float64
# expect: i.float() torch.float32
# expect: i.sin() torch.float32
# expect: torch.where(m, i, 1.5) torch.float32
# expect: torch.full((1,), 1) torch.int64
# expect: torch.full((1,), 1.0) torch.float32
# expect: torch.full((1,), True) torch.bool
# expect: torch.arange(3) torch.int64
# expect: torch.arange(0, 1, 0.5) torch.float32
# expect: torch.tensor(1) torch.int64
# expect: torch.tensor([1, 2.5]) torch.float32
# expect: torch.tensor([True, 2]) torch.int64
# expect: torch.tensor([]) torch.float32
# expect: torch.ones(1) torch.float32
# expect: torch.zeros_like(i) torch.int64
# expect: i.to(torch.float64) torch.float64
# expect: i.double() torch.float64
# expect: f.to(d) torch.float64
# expect: i == f torch.bool
# expect: i.mean(dtype=torch.float32) torch.float32
# expect: torch.as_tensor([1, 2]) torch.int64
# expect: torch.as_tensor(2.0) torch.float32
# expect: torch.tensor(i) torch.int64
# expect: torch.float32 torch.float32 False torch.float32
# expect: torch.float64 torch.float64 torch.float64
# expect: i.mean() RuntimeError mean(): could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: Long
# expect: i.requires_grad_() RuntimeError only Tensors of floating point dtype can require gradients
# expect: i.add_(0.5) RuntimeError result type Float can't be cast to the desired output type Long
# expect: torch.set_default_dtype(torch.int64) TypeError only floating-point types are supported as the default type
# expect: m - m RuntimeError Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` operator instead.
# expect: finfo(resolution=1e-06, min=-3.40282e+38, max=3.40282e+38, eps=1.19209e-07, smallest_normal=1.17549e-38, tiny=1.17549e-38, dtype=float32) 9223372036854775807 2.220446049250313e-16 4 False
