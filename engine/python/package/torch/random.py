"""The CPU generator: torch.manual_seed and the state that random ops draw from."""
from torch import _C

default_generator = getattr(_C, "default_generator", None)


def manual_seed(seed):
    """Seeds the default generator and returns it."""
    seed = int(seed)
    if default_generator is not None:
        return default_generator.manual_seed(seed)


def seed():
    return default_generator.seed()


def initial_seed():
    return default_generator.initial_seed()


def get_rng_state():
    return default_generator.get_state()


def set_rng_state(new_state):
    default_generator.set_state(new_state)
