"""Captured graphs as Python objects: what a backend of the user's gets and may change."""
import operator

import torch
from torch.fx.node import Node, map_arg
from torch.fx.graph import Graph
from torch.fx.graph_module import GraphModule


def _function_named(target):
    """The callable of a graph's text name: "aten.add.Tensor", "sin", "getitem"."""
    if target.startswith("aten."):
        _, packet, overload = target.split(".")
        return getattr(getattr(torch.ops.aten, packet), overload)
    for place in (torch, operator, torch.nn.functional):
        if hasattr(place, target):
            return getattr(place, target)
    raise AttributeError(f"there is no function {target}")
