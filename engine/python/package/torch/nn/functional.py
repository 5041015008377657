"""Functions of layers: PyTorch's names and signatures over the engine's ops."""
import math

import torch
from torch import _C
from torch.nn import _reduction as _Reduction

_nn = _C._nn


def _op(name):
    """A builtin op of torch._C._nn or of torch under its own name; a call of one that the engine lacks says so."""
    found = getattr(_nn, name, None) or getattr(_C._VariableFunctions, name, None)
    if found is not None:
        return found

    def missing(*args, **kwargs):
        raise NotImplementedError(f"this engine has no operator aten::{name}")

    missing.__name__ = missing.__qualname__ = name
    return missing


linear = _op("linear")
gelu = _op("gelu")
softplus = _op("softplus")
logsigmoid = _op("log_sigmoid")
hardshrink = _op("hardshrink")
softshrink = _op("softshrink")
bilinear = _op("bilinear")
conv1d = _op("conv1d")
conv2d = _op("conv2d")
_cross_entropy_loss = _op("cross_entropy_loss")
_elu = _op("elu")
_elu_ = _op("elu_")
_hardtanh = _op("hardtanh")
_hardtanh_ = _op("hardtanh_")
_leaky_relu = _op("leaky_relu")
_leaky_relu_ = _op("leaky_relu_")
_silu = _op("silu")
_silu_ = _op("silu_")


# Activations.

def threshold(input, threshold, value, inplace=False):
    """x where x > threshold, else value."""
    result = torch.where(input > threshold, input, value)
    return input.copy_(result) if inplace else result


def relu(input, inplace=False):
    if inplace:
        result = torch.relu_(input)
    else:
        result = torch.relu(input)
    return result


def relu_(input):
    return torch.relu_(input)


def glu(input, dim=-1):
    """The first half of `dim`, gated by the sigmoid of the second."""
    if input.dim() == 0:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    if input.size(dim) % 2 != 0:
        raise RuntimeError(f"Halving dimension must be even, but dimension {dim % input.dim()} is size {input.size(dim)}")
    a, b = input.chunk(2, dim)
    return a * b.sigmoid()


def hardtanh(input, min_val=-1.0, max_val=1.0, inplace=False):
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    if inplace:
        result = _hardtanh_(input, min_val, max_val)
    else:
        result = _hardtanh(input, min_val, max_val)
    return result


def relu6(input, inplace=False):
    if inplace:
        result = _hardtanh_(input, 0.0, 6.0)
    else:
        result = _hardtanh(input, 0.0, 6.0)
    return result


def elu(input, alpha=1.0, inplace=False):
    if inplace:
        result = _elu_(input, alpha)
    else:
        result = _elu(input, alpha)
    return result


def selu(input, inplace=False):
    alpha, scale = 1.6732632423543772848170429916717, 1.0507009873554804934193349852946
    if inplace:
        return _elu_(input, alpha, scale)
    return _elu(input, alpha, scale)


def celu(input, alpha=1.0, inplace=False):
    if inplace:
        return _elu_(input, alpha, 1.0, 1.0 / alpha)
    return _elu(input, alpha, 1.0, 1.0 / alpha)


def leaky_relu(input, negative_slope=0.01, inplace=False):
    if inplace:
        result = _leaky_relu_(input, negative_slope)
    else:
        result = _leaky_relu(input, negative_slope)
    return result


def silu(input, inplace=False):
    if inplace:
        return _silu_(input)
    return _silu(input)


def mish(input, inplace=False):
    result = input * torch.tanh(softplus(input))
    return input.copy_(result) if inplace else result


def hardsigmoid(input, inplace=False):
    result = _hardtanh(input + 3, 0.0, 6.0) / 6
    return input.copy_(result) if inplace else result


def hardswish(input, inplace=False):
    result = input * _hardtanh(input + 3, 0.0, 6.0) / 6
    return input.copy_(result) if inplace else result


def tanh(input):
    return input.tanh()


def sigmoid(input):
    return input.sigmoid()


def softsign(input):
    return input / (input.abs() + 1)


def tanhshrink(input):
    return input - input.tanh()


def _get_softmax_dim(ndim):
    return 0 if ndim == 0 or ndim == 1 or ndim == 3 else 1


def softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim(input.dim())
    if dtype is None:
        ret = input.softmax(dim)
    else:
        ret = input.softmax(dim, dtype=dtype)
    return ret


def softmin(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim(input.dim())
    if dtype is None:
        ret = (-input).softmax(dim)
    else:
        ret = (-input).softmax(dim, dtype=dtype)
    return ret


def log_softmax(input, dim=None, _stacklevel=3, dtype=None):
    if dim is None:
        dim = _get_softmax_dim(input.dim())
    if dtype is None:
        ret = input.log_softmax(dim)
    else:
        ret = input.log_softmax(dim, dtype=dtype)
    return ret


# Dropout.

def dropout(input, p=0.5, training=True, inplace=False):
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    if inplace:
        return torch.dropout_(input, p, training)
    return torch.dropout(input, p, training)


# Normalization.

def layer_norm(input, normalized_shape, weight=None, bias=None, eps=1e-5):
    return torch.layer_norm(input, normalized_shape, weight, bias, eps, torch.backends.cudnn.enabled)


def rms_norm(input, normalized_shape, weight=None, eps=None):
    if hasattr(_C._VariableFunctions, "rms_norm"):
        return torch.rms_norm(input, normalized_shape, weight, eps)
    dims = list(range(-len(normalized_shape), 0))
    eps = torch.finfo(input.dtype).eps if eps is None else eps
    result = input * torch.rsqrt(input.pow(2).mean(dims, keepdim=True) + eps)
    return result if weight is None else result * weight


def batch_norm(input, running_mean, running_var, weight=None, bias=None, training=False, momentum=0.1, eps=1e-5):
    if training:
        size = input.size()
        values = size[0] * math.prod(size[2:])
        if values == 1:
            raise ValueError(f"Expected more than 1 value per channel when training, got input size {size}")
    return torch.batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps, torch.backends.cudnn.enabled)


def normalize(input, p=2.0, dim=1, eps=1e-12, out=None):
    """The input with its p-norms along `dim` made 1."""
    denominator = input.norm(p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / denominator


# Lookup.

def embedding(input, weight, padding_idx=None, max_norm=None, norm_type=2.0, scale_grad_by_freq=False, sparse=False):
    if padding_idx is not None:
        if padding_idx > 0:
            if padding_idx >= weight.size(0):
                raise AssertionError("Padding_idx must be within num_embeddings")
        elif padding_idx < 0:
            if padding_idx < -weight.size(0):
                raise AssertionError("Padding_idx must be within num_embeddings")
            padding_idx = weight.size(0) + padding_idx
    else:
        padding_idx = -1
    if max_norm is not None:
        raise NotImplementedError("embedding: max_norm is not supported by this engine")
    return torch.embedding(weight, input, padding_idx, scale_grad_by_freq, sparse)


def one_hot(tensor, num_classes=-1):
    """A new last dim of `num_classes`, 1 at the class and 0 elsewhere."""
    if tensor.dtype != torch.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if num_classes == -1:
        num_classes = int(tensor.max()) + 1
    return (tensor.unsqueeze(-1) == torch.arange(num_classes)).to(torch.int64)


# Losses.

def _legacy_reduction(size_average, reduce, reduction):
    """The reduction that the arguments of long ago stood for."""
    if size_average is None and reduce is None:
        return reduction
    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    return "none" if not reduce else "mean" if size_average else "sum"


def _reduced(loss, reduction):
    number = _Reduction.get_enum(reduction)
    return loss if number == 0 else loss.mean() if number == 1 else loss.sum()


def cross_entropy(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean", label_smoothing=0.0):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    return _cross_entropy_loss(input, target, weight, _Reduction.get_enum(reduction), ignore_index, label_smoothing)


def nll_loss(input, target, weight=None, size_average=None, ignore_index=-100, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if hasattr(_nn, "nll_loss_nd"):
        return _nn.nll_loss_nd(input, target, weight, _Reduction.get_enum(reduction), ignore_index)
    return torch.ops.aten.nll_loss_forward.default(input, target, weight, _Reduction.get_enum(reduction), ignore_index)[0]


def _expanded(input, target):
    if target.size() == input.size():
        return input, target
    return torch.broadcast_tensors(input, target)


def mse_loss(input, target, size_average=None, reduce=None, reduction="mean", weight=None):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    expanded_input, expanded_target = _expanded(input, target)
    if weight is not None:
        return _reduced((expanded_input - expanded_target).pow(2) * weight, reduction)
    return _nn.mse_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))


def l1_loss(input, target, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    expanded_input, expanded_target = _expanded(input, target)
    return _nn.l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))


def smooth_l1_loss(input, target, size_average=None, reduce=None, reduction="mean", beta=1.0):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    expanded_input, expanded_target = _expanded(input, target)
    if beta == 0.0:
        return _nn.l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction))
    return _nn.smooth_l1_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), beta)


def huber_loss(input, target, reduction="mean", delta=1.0, weight=None):
    expanded_input, expanded_target = _expanded(input, target)
    if weight is not None:
        return _reduced(_nn.huber_loss(expanded_input, expanded_target, 0, delta) * weight, reduction)
    return _nn.huber_loss(expanded_input, expanded_target, _Reduction.get_enum(reduction), delta)


def binary_cross_entropy(input, target, weight=None, size_average=None, reduce=None, reduction="mean"):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is deprecated. "
                         "Please ensure they have the same size.")
    # Logarithms are cut off at -100, so that a wrong certain answer has a finite loss.
    loss = (target - 1) * torch.clamp((-input).log1p(), min=-100) - target * torch.clamp(input.log(), min=-100)
    return _reduced(loss if weight is None else loss * weight, reduction)


def binary_cross_entropy_with_logits(input, target, weight=None, size_average=None, reduce=None, reduction="mean", pos_weight=None):
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return torch.binary_cross_entropy_with_logits(input, target, weight, pos_weight, _Reduction.get_enum(reduction))


def kl_div(input, target, size_average=None, reduce=None, reduction="mean", log_target=False):
    """target * (log target - input); input holds log-probabilities."""
    reduction = _legacy_reduction(size_average, reduce, reduction)
    if log_target:
        loss = target.exp() * (target - input)
    else:
        loss = torch.where(target > 0, target * target.clamp_min(torch.finfo(target.dtype).tiny).log(), 0) - target * input
    if reduction == "batchmean":
        return loss.sum() / input.size(0) if input.dim() else loss.sum()
    return _reduced(loss, reduction)


def cosine_similarity(x1, x2, dim=1, eps=1e-8):
    """Inner products along `dim`, over the product of the norms."""
    product = (x1 * x2).sum(dim)
    norms = ((x1 * x1).sum(dim) * (x2 * x2).sum(dim)).clamp_min(eps * eps).sqrt()
    return product / norms


# Shapes.

def pad(input, pad, mode="constant", value=None):
    """`pad` counts elements before and after, the last dim first; negative counts cut off."""
    if mode != "constant":
        raise NotImplementedError(f"pad: mode {mode!r} is not supported by this engine")
    if len(pad) % 2 != 0:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) // 2 > input.dim():
        raise RuntimeError("Padding length too large")
    for number in range(len(pad) // 2):
        dim = input.dim() - 1 - number
        before, after = pad[2 * number], pad[2 * number + 1]
        input = input.narrow(dim, -min(before, 0), input.size(dim) + min(before, 0) + min(after, 0))
        input = _padded(input, dim, max(before, 0), max(after, 0), 0.0 if value is None else value)
    return input


def _padded(input, dim, before, after, value):
    parts = []
    for count in (before, None, after):
        if count is None:
            parts.append(input)
        elif count > 0:
            size = list(input.shape)
            size[dim] = count
            parts.append(torch.full(size, value, dtype=input.dtype))
    return torch.cat(parts, dim) if len(parts) > 1 else input



# Attention.

def scaled_dot_product_attention(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, enable_gqa=False):
    """softmax(query @ key^T * scale + mask) @ value; scale is 1 / sqrt(last size) unless given."""
    if enable_gqa:
        raise NotImplementedError("scaled_dot_product_attention: enable_gqa is not supported by this engine")
    factor = 1 / math.sqrt(query.size(-1)) if scale is None else scale
    weight = query @ key.transpose(-2, -1) * factor
    if is_causal:
        if attn_mask is not None:
            raise RuntimeError("_scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
        attn_mask = torch.ones(query.size(-2), key.size(-2), dtype=torch.bool).tril()
    if attn_mask is not None:
        if attn_mask.dtype == torch.bool:
            weight = weight.masked_fill(attn_mask.logical_not(), -math.inf)
        else:
            weight = weight + attn_mask
    weight = torch.softmax(weight, dim=-1)
    if dropout_p > 0.0:
        weight = dropout(weight, dropout_p)
    return weight @ value
