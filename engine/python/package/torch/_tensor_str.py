"""How tensors print: PyTorch's rules, on the elements as Python numbers. Printing runs no op, so that it leaves no launch
behind in what is being measured."""
import math

import torch


class _PrintOptions:
    precision = 4
    threshold = 1000
    edgeitems = 3
    linewidth = 80
    sci_mode = None


PRINT_OPTS = _PrintOptions()


def set_printoptions(precision=None, threshold=None, edgeitems=None, linewidth=None, profile=None, sci_mode=None):
    """Options for printing; `profile` is one of default, short, full and is applied first."""
    profiles = {"default": (4, 1000, 3, 80), "short": (2, 1000, 2, 80), "full": (4, math.inf, 3, 80)}
    if profile is not None:
        PRINT_OPTS.precision, PRINT_OPTS.threshold, PRINT_OPTS.edgeitems, PRINT_OPTS.linewidth = profiles[profile]
    if precision is not None:
        PRINT_OPTS.precision = precision
    if threshold is not None:
        PRINT_OPTS.threshold = threshold
    if edgeitems is not None:
        PRINT_OPTS.edgeitems = edgeitems
    if linewidth is not None:
        PRINT_OPTS.linewidth = linewidth
    PRINT_OPTS.sci_mode = sci_mode


def _leaves(nested, dim):
    """The numbers in nested lists of `dim` levels."""
    if dim == 0:
        yield nested
    elif dim == 1:
        yield from nested
    else:
        for each in nested:
            yield from _leaves(each, dim - 1)


class _Formatter:
    """One format for all elements: whole numbers, fixed point or scientific, padded to one width."""

    def __init__(self, values, floating):
        self.floating = floating
        self.int_mode = True
        self.sci_mode = False
        self.width = 1
        if not floating:
            self.width = max((len(str(v)) for v in values), default=1)
            return
        values = [v for v in values if math.isfinite(v) and v != 0]
        if not values:
            return
        smallest, largest = min(map(abs, values)), max(map(abs, values))
        self.int_mode = all(v == math.ceil(v) for v in values)
        self.sci_mode = PRINT_OPTS.sci_mode
        if self.sci_mode is None:
            self.sci_mode = largest / smallest > 1000.0 or largest > 1.0e8 or smallest < 1.0e-4
        # A whole number gets a point, which non-finite ones lack.
        self.width = max(len(self._plain(v)) for v in values)

    def _plain(self, value):
        if not self.floating:
            return str(value)
        if self.sci_mode:
            return f"{value:.{PRINT_OPTS.precision}e}"
        if self.int_mode:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{PRINT_OPTS.precision}f}"

    def format(self, value):
        return self._plain(value).rjust(self.width)


def _vector_str(values, size, indent, summarize, formatter):
    per_line = max(1, (PRINT_OPTS.linewidth - indent) // (formatter.width + 2))
    edge = PRINT_OPTS.edgeitems
    texts = [formatter.format(v) for v in values]
    if summarize and not edge:
        texts = ["..."]
    elif summarize and size > 2 * edge:
        texts = texts[:edge] + [" ..."] + texts[edge:]
    lines = [", ".join(texts[i:i + per_line]) for i in range(0, len(texts), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def _nested_str(nested, sizes, indent, summarize, formatter):
    dim = len(sizes)
    if dim == 0:
        return formatter.format(nested)
    if dim == 1:
        return _vector_str(nested, sizes[0], indent, summarize, formatter)
    slices = [_nested_str(each, sizes[1:], indent + 1, summarize, formatter) for each in nested]
    edge = PRINT_OPTS.edgeitems
    if summarize and sizes[0] > 2 * edge:
        slices = slices[:edge] + ["..."] + slices[edge:]
    return "[" + ("," + "\n" * (dim - 1) + " " * (indent + 1)).join(slices) + "]"


def _contents(tensor, indent):
    summarize = tensor.numel() > PRINT_OPTS.threshold
    nested = tensor._edges(PRINT_OPTS.edgeitems if summarize else -1)
    formatter = _Formatter(list(_leaves(nested, tensor.dim())), tensor.dtype.is_floating_point)
    return _nested_str(nested, tuple(tensor.shape), indent, summarize, formatter)


def _add_suffixes(text, suffixes, indent):
    parts = [text]
    last_line = len(text) - text.rfind("\n") + 1
    for suffix in suffixes:
        if last_line + len(suffix) + 2 > PRINT_OPTS.linewidth:
            parts.append(",\n" + " " * indent + suffix)
            last_line = indent + len(suffix)
        else:
            parts.append(", " + suffix)
            last_line += len(suffix) + 2
    return "".join(parts) + ")"


def _str(self, *, tensor_contents=None):
    plain = type(self) is torch.Tensor or type(self) is torch.nn.Parameter
    prefix = "FakeTensor(" if self._is_fake() else "tensor(" if plain else f"{type(self).__name__}("
    indent = len(prefix)
    suffixes = []
    default = torch.get_default_dtype()
    if self.device.type != "cpu":
        suffixes.append(f"device='{self.device}'")
    text = tensor_contents
    if self._is_fake():
        suffixes.append("size=" + str(tuple(self.shape)))
        if self.dtype != default:
            suffixes.append("dtype=" + str(self.dtype))
        text = text or "..."
    elif self.numel() == 0:
        if self.dim() != 1:
            suffixes.append("size=" + str(tuple(self.shape)))
        # There is no element that would show an int64.
        if self.dtype != default:
            suffixes.append("dtype=" + str(self.dtype))
        text = text or "[]"
    else:
        if not PRINT_OPTS.edgeitems:
            suffixes.append("size=" + str(tuple(self.shape)))
        if self.dtype not in (default, torch.int64, torch.bool):
            suffixes.append("dtype=" + str(self.dtype))
        text = text or _contents(self, indent)
    grad_fn = self.grad_fn
    if grad_fn is not None:
        suffixes.append(f"grad_fn=<{type(grad_fn).__name__}>")
    elif self.requires_grad:
        suffixes.append("requires_grad=True")
    return _add_suffixes(prefix + text, suffixes, indent)
