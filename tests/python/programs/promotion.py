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
