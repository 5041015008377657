"""Limits of dtypes: torch.finfo, torch.iinfo."""
from torch import _C

# bits, eps, max, smallest normal, decimal resolution
_FLOATS = {
    _C.float16: (16, 2.0**-10, 65504.0, 2.0**-14, 1e-3),
    _C.bfloat16: (16, 2.0**-7, (2 - 2.0**-7) * 2.0**127, 2.0**-126, 1e-2),
    _C.float32: (32, 2.0**-23, (2 - 2.0**-23) * 2.0**127, 2.0**-126, 1e-6),
    _C.float64: (64, 2.0**-52, (2 - 2.0**-52) * 2.0**1023, 2.0**-1022, 1e-15),
}
_INTEGERS = {_C.uint8: (8, False), _C.int8: (8, True), _C.int16: (16, True), _C.int32: (32, True), _C.int64: (64, True)}


class finfo:
    def __init__(self, type=None):
        dtype = _C.get_default_dtype() if type is None else type
        if dtype not in _FLOATS:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{self.__class__.__module__}.finfo'")
        self.bits, self.eps, self.max, self.smallest_normal, self.resolution = _FLOATS[dtype]
        self.min = -self.max
        self.tiny = self.smallest_normal
        self.dtype = str(dtype).replace("torch.", "")

    def __repr__(self):
        return (f"finfo(resolution={self.resolution:g}, min={self.min:g}, max={self.max:g}, eps={self.eps:g}, "
                f"smallest_normal={self.smallest_normal:g}, tiny={self.tiny:g}, dtype={self.dtype})")


class iinfo:
    def __init__(self, type):
        if type not in _INTEGERS:
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{self.__class__.__module__}.iinfo'")
        self.bits, signed = _INTEGERS[type]
        self.min = -(1 << (self.bits - 1)) if signed else 0
        self.max = (1 << (self.bits - signed)) - 1
        self.dtype = str(type).replace("torch.", "")

    def __repr__(self):
        return f"iinfo(min={self.min:g}, max={self.max:g}, dtype={self.dtype})"


finfo.__module__ = iinfo.__module__ = "torch"
