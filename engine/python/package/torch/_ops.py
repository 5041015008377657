"""torch.ops.aten: every overload that the engine declares, callable by its full name, as graphs name them."""
from torch import _C


class OpOverload:
    """torch.ops.aten.add.Tensor"""

    def __init__(self, packet, name):
        self.overloadpacket = packet
        self._overloadname = name
        self._qualified = f"{packet._qualified}.{name}"
        self.namespace = "aten"
        self.__name__ = f"{packet.__name__}.{name}"
        self.__module__ = "torch._ops.aten"

    def __call__(self, /, *args, **kwargs):
        return _C._call_overload(self._qualified, *args, **kwargs)

    def __repr__(self):
        return f"<OpOverload(op='{self.namespace}.{self.overloadpacket.__name__}', overload='{self._overloadname}')>"

    def __str__(self):
        return self._qualified

    def name(self):
        base = f"aten::{self.overloadpacket.__name__}"
        return base if self._overloadname == "default" else f"{base}.{self._overloadname}"

    @property
    def _schema(self):
        return "aten::" + _C._schema(self._qualified)

    def __deepcopy__(self, memo):
        return self


class OpOverloadPacket:
    """torch.ops.aten.add: picks the overload by its arguments."""

    def __init__(self, name):
        self.__name__ = name
        self._qualified = f"aten.{name}"
        self._overloads = _C._overloads(name)

    def overloads(self):
        return list(self._overloads)

    def __getattr__(self, name):
        if name.startswith("__") or name not in self.__dict__.get("_overloads", ()):
            raise AttributeError(f"The underlying op of '{self.__dict__.get('_qualified')}' has no overload name '{name}'")
        overload = OpOverload(self, name)
        setattr(self, name, overload)
        return overload

    def __call__(self, /, *args, **kwargs):
        error = None
        for name in self._overloads:
            try:
                return getattr(self, name)(*args, **kwargs)
            except TypeError as raised:
                error = error or raised
        raise error

    def __repr__(self):
        return f"<OpOverloadPacket(op='{self._qualified}')>"

    def __str__(self):
        return self._qualified


class _Namespace:
    def __init__(self, name):
        self.__name__ = name

    def __getattr__(self, name):
        if name.startswith("__") or not _C._overloads(name):
            raise AttributeError(f"'_OpNamespace' '{self.__name__}' object has no attribute '{name}'")
        packet = OpOverloadPacket(name)
        setattr(self, name, packet)
        return packet


class _Ops:
    def __init__(self):
        self.aten = _Namespace("aten")


ops = _Ops()
