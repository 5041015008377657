"""What state_dict and load_state_dict do."""
from collections import OrderedDict, namedtuple
from itertools import chain

import torch
from torch.nn.parameter import Parameter

EXTRA_STATE = "_extra_state"


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    __slots__ = ()

    def __repr__(self):
        if not self.missing_keys and not self.unexpected_keys:
            return "<All keys matched successfully>"
        return super().__repr__()

    __str__ = __repr__


def _has_extra_state(module, method):
    from torch.nn.modules.module import Module
    return getattr(type(module), method) is not getattr(Module, method)


def _persistent_buffers(module):
    return ((name, b) for name, b in module._buffers.items() if name not in module._non_persistent_buffers_set)


def save(module, destination, prefix, keep_vars):
    """One module's own parameters and persistent buffers."""
    for name, value in chain(module._parameters.items(), _persistent_buffers(module)):
        if value is not None:
            destination[prefix + name] = value if keep_vars else value.detach()
    if _has_extra_state(module, "get_extra_state"):
        destination[prefix + EXTRA_STATE] = module.get_extra_state()


def collect(module, destination, prefix, keep_vars):
    """A module and its submodules."""
    metadata = {"version": module._version}
    if hasattr(destination, "_metadata"):
        destination._metadata[prefix[:-1]] = metadata
    for hook in module._state_dict_pre_hooks.values():
        hook(module, prefix, keep_vars)
    module._save_to_state_dict(destination, prefix, keep_vars)
    for name, child in module._modules.items():
        if child is not None:
            child.state_dict(destination=destination, prefix=prefix + name + ".", keep_vars=keep_vars)
    for hook in module._state_dict_hooks.values():
        hook(module, destination, prefix, metadata)
    return destination


def _copy_in(module, name, value, given, key, assign, error_msgs):
    """One value into its parameter or buffer."""
    if not isinstance(given, torch.Tensor):
        error_msgs.append(f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from checkpoint but '
                          f"received {type(given)}")
    elif given.shape != value.shape:
        error_msgs.append(f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in current "
                          f"model is {value.shape}.")
    elif assign:
        if isinstance(value, Parameter) and not isinstance(given, Parameter):
            given = Parameter(given, requires_grad=value.requires_grad)
        setattr(module, name, given)
    else:
        with torch.no_grad():
            value.copy_(given)


def load_one(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs):
    """One module's own values. What is wrong goes into the lists."""
    for hook in module._load_state_dict_pre_hooks.values():
        hook(module, state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
    own = {name: v for name, v in chain(module._parameters.items(), _persistent_buffers(module)) if v is not None}
    for name, value in own.items():
        key = prefix + name
        if key in state_dict:
            _copy_in(module, name, value, state_dict[key], key, local_metadata.get("assign_to_params_buffers", False), error_msgs)
        elif strict:
            missing_keys.append(key)
    extra_key = prefix + EXTRA_STATE
    if _has_extra_state(module, "set_extra_state"):
        if extra_key in state_dict:
            module.set_extra_state(state_dict[extra_key])
        elif strict:
            missing_keys.append(extra_key)
    elif strict and extra_key in state_dict:
        unexpected_keys.append(extra_key)
    if strict:
        for key in state_dict:
            if key.startswith(prefix) and key != extra_key:
                name, _, rest = key[len(prefix):].partition(".")
                if not (rest and name in module._modules) and not (not rest and name in own):
                    unexpected_keys.append(key)


def load(module, state_dict, strict, assign):
    """A module and its submodules. Raises RuntimeError listing everything that did not fit."""
    if not hasattr(state_dict, "items"):
        raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    metadata = getattr(state_dict, "_metadata", {})
    missing, unexpected, errors = [], [], []
    _load_tree(module, OrderedDict(state_dict), "", metadata, assign, missing, unexpected, errors)
    if strict:
        for what, keys in (("Missing", missing), ("Unexpected", unexpected)):
            if keys:
                errors.insert(0, f"{what} key(s) in state_dict: " + ", ".join(f'"{k}"' for k in keys) + ". ")
    if errors:
        raise RuntimeError("Error(s) in loading state_dict for {}:\n\t{}".format(type(module).__name__, "\n\t".join(errors)))
    return _IncompatibleKeys(missing, unexpected)


def _load_tree(module, state_dict, prefix, metadata, assign, missing, unexpected, errors):
    local = dict(metadata.get(prefix[:-1], {}))
    if assign:
        local["assign_to_params_buffers"] = True
    module._load_from_state_dict(state_dict, prefix, local, True, missing, unexpected, errors)
    for name, child in module._modules.items():
        if child is not None:
            start = prefix + name + "."
            _load_tree(child, {k: v for k, v in state_dict.items() if k.startswith(start)}, start, metadata, assign, missing, unexpected, errors)
    for hook in module._load_state_dict_post_hooks.values():
        if hook(module, _IncompatibleKeys(missing, unexpected)) is not None:
            raise AssertionError("Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new values, if "
                                 "incompatible_keys need to be modified, it should be done inplace.")
