# Calls that do not fit raise PyTorch's errors.
import torch

t = torch.ones(2, 3)
for bad in ("torch.sin(3)", "torch.sin()", "torch.sin(t, t)", "torch.sin(t, foo=1)", "t.add()", "t.add('a')", "torch.add(t, 'a')", "t.mul(None)", "t.add(t, 2)", "t.add(t, alpha='q')",
            "t.reshape(2.0)", "t.reshape(-1, 2.5)", "t.transpose(0, 5)", "t.item()", "len(torch.tensor(1))", "list(torch.tensor(1))", "torch.tensor([[1, 2], [3]])", "torch.tensor([1, 'a'])",
            "torch.tensor({})", "t.foo", "torch.foo", "t.backward()", "torch.zeros('a')", "t.size(7)", "t.expand(3, 3)", "t.mm(t)", "t.view(5)", "torch.cat([t, 1])", "torch.cat(t)", "torch.stack([])",
            "torch.Tensor(3.5)", "torch.Size(['a'])", "torch.iinfo(torch.float32)", "t.clone()[0].squeeze(3)", "torch.sum(input=t, self=t)", "t.sum(0, axis=0)", "setattr(t, 'grad', 1)", "torch.device('cpu:x')",
            "torch.nn.functional.dropout(t, 2.0)", "t.requires_grad_().add_(1)", "torch.ones(3)[:2].expand(2, 2).contiguous().view(5)"):
    try:
        print(bad, eval(bad))
    except Exception as e:
        print(bad, "|", type(e).__name__, "|", e)
