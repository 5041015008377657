"""The CPU generator: torch.manual_seed and the state that random ops draw from."""
from torch import _C

default_generator = _C.default_generator


def manual_seed(seed):
    """Seeds the default generator and returns it."""
    return default_generator.manual_seed(int(seed))


def seed():
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    """The state of the default generator, for set_rng_state; opaque, where PyTorch has a tensor of bytes."""
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)
