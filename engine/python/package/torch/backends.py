"""Switches that programs read or set; the engine has one backend, its own."""


class _Flags:
    def __init__(self, **values):
        self.__dict__.update(values)

    def is_available(self):
        return False


cudnn = _Flags(enabled=False, deterministic=True, benchmark=False)
mps = _Flags()
