# Calls that do not fit raise PyTorch's errors.
import torch

t = torch.ones(2, 3)
for bad in ("torch.sin(3)", "torch.sin()", "torch.sin(t, t)", "torch.sin(t, foo=1)", "t.add('a')", "torch.add(t, 'a')", "t.mul(None)", "t.add(t, 2)", "t.add(t, alpha='q')",
            "t.reshape(2.0)", "t.reshape(-1, 2.5)", "t.transpose(0, 5)", "t.item()", "len(torch.tensor(1))", "list(torch.tensor(1))", "torch.tensor([[1, 2], [3]])", "torch.tensor([1, 'a'])",
            "torch.tensor({})", "t.foo", "torch.foo", "t.backward()", "torch.zeros('a')", "t.size(7)", "t.expand(3, 3)", "t.mm(t)", "t.view(5)", "torch.cat([t, 1])", "torch.cat(t)", "torch.stack([])",
            "torch.Tensor(3.5)", "torch.Size(['a'])", "torch.iinfo(torch.float32)", "t.clone()[0].squeeze(3)", "setattr(t, 'grad', 1)", "torch.device('cpu:x')",
            "torch.nn.functional.dropout(t, 2.0)", "t.requires_grad_().add_(1)", "torch.ones(3)[:2].expand(2, 2).contiguous().view(5)"):
    try:
        print(bad, eval(bad))
    except Exception as e:
        print(bad, "|", type(e).__name__, "|", e)

# expect: torch.sin(3) | TypeError | sin(): argument 'input' (position 1) must be Tensor, not int
# expect: torch.sin() | TypeError | sin() missing 1 required positional arguments: "input"
# expect: torch.sin(t, t) | TypeError | sin() takes 1 positional argument but 2 were given
# expect: torch.sin(t, foo=1) | TypeError | sin() got an unexpected keyword argument 'foo'
# expect: t.add('a') | TypeError | add(): argument 'other' (position 1) must be Tensor, not str
# expect: torch.add(t, 'a') | TypeError | add(): argument 'other' (position 2) must be Tensor, not str
# expect: t.mul(None) | TypeError | mul(): argument 'other' (position 1) must be Tensor, not NoneType
# expect: t.add(t, 2) | TypeError | add() takes 1 positional argument but 2 were given
# expect: t.add(t, alpha='q') | TypeError | add(): argument 'alpha' must be Number, not str
# expect: t.reshape(2.0) | TypeError | reshape(): argument 'shape' (position 1) must be tuple of ints, not float
# expect: t.reshape(-1, 2.5) | TypeError | reshape(): argument 'shape' failed to unpack the object at pos 2 with error "type must be tuple of ints,but got float"
# expect: t.transpose(0, 5) | IndexError | Dimension out of range (expected to be in range of [-2, 1], but got 5)
# expect: t.item() | RuntimeError | a Tensor with 6 elements cannot be converted to Scalar
# expect: len(torch.tensor(1)) | TypeError | len() of a 0-d tensor
# expect: list(torch.tensor(1)) | TypeError | iteration over a 0-d tensor
# expect: torch.tensor([[1, 2], [3]]) | ValueError | expected sequence of length 2 at dim 1 (got 1)
# expect: torch.tensor([1, 'a']) | TypeError | new(): invalid data type 'str'
# expect: torch.tensor({}) | RuntimeError | Could not infer dtype of dict
# expect: t.foo | AttributeError | 'Tensor' object has no attribute 'foo'
# expect: torch.foo | AttributeError | module 'torch' has no attribute 'foo'
# expect: t.backward() | RuntimeError | element 0 of tensors does not require grad and does not have a grad_fn
# expect: torch.zeros('a') | TypeError | zeros(): argument 'size' (position 1) must be tuple of ints, not str
# expect: t.size(7) | IndexError | Dimension out of range (expected to be in range of [-2, 1], but got 7)
# expect: t.expand(3, 3) | RuntimeError | The expanded size of the tensor (3) must match the existing size (2) at non-singleton dimension 0.  Target sizes: [3, 3].  Tensor sizes: [2, 3]
# expect: t.mm(t) | RuntimeError | mat1 and mat2 shapes cannot be multiplied (2x3 and 2x3)
# expect: t.view(5) | RuntimeError | shape '[5]' is invalid for input of size 6
# expect: torch.cat([t, 1]) | TypeError | expected Tensor as element 1 in argument 0, but got int
# expect: torch.cat(t) | TypeError | cat(): argument 'tensors' (position 1) must be tuple of Tensors, not Tensor
# expect: torch.stack([]) | RuntimeError | stack expects a non-empty TensorList
# expect: torch.Tensor(3.5) | TypeError | new(): data must be a sequence (got float)
# expect: torch.Size(['a']) | TypeError | torch.Size() takes an iterable of 'int' (item 0 is 'str')
# expect: torch.iinfo(torch.float32) | TypeError | torch.iinfo() requires an integer input type. Use torch.finfo to handle 'torch.iinfo'
# expect: t.clone()[0].squeeze(3) | IndexError | Dimension out of range (expected to be in range of [-1, 0], but got 3)
# expect: setattr(t, 'grad', 1) | TypeError | assigned grad expected to be a Tensor or None but got grad of type int
# expect: torch.device('cpu:x') | RuntimeError | Invalid device string: 'cpu:x'
# expect: torch.nn.functional.dropout(t, 2.0) | ValueError | dropout probability has to be between 0 and 1, but got 2.0
# expect: t.requires_grad_().add_(1) | RuntimeError | a leaf Variable that requires grad is being used in an in-place operation.
# expect: torch.ones(3)[:2].expand(2, 2).contiguous().view(5) | RuntimeError | shape '[5]' is invalid for input of size 4
