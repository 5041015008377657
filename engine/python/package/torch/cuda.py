"""There is no CUDA device in this engine: what programs ask before they use one."""


def is_available():
    return False


def device_count():
    return 0


def synchronize(device=None):
    raise AssertionError("Torch not compiled with CUDA enabled")


def manual_seed(seed):
    pass


def manual_seed_all(seed):
    pass
