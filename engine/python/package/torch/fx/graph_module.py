"""A module whose forward is a graph."""
import linecache

import torch
from torch.fx.graph import Graph


def _copy_attribute(source, to, path):
    """The module, parameter or buffer at a dotted path, with the modules on the way."""
    *prefix, name = path.split(".")
    for item in prefix:
        found = getattr(source, item, None)
        if found is None:
            return
        if not hasattr(to, item):
            setattr(to, item, torch.nn.Module())
        source, to = found, getattr(to, item)
    if not hasattr(source, name) or hasattr(to, name):
        return
    value = getattr(source, name)
    if isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter):
        to.register_buffer(name, value)
    else:
        setattr(to, name, value)


class GraphModule(torch.nn.Module):
    """Made from a graph and where its attributes come from: a module, or a dict of them by path."""

    _number = 0

    def __new__(cls, *args, **kwargs):
        # Each has a class of its own, for a forward of its own.
        own = type(cls.__name__, (cls,), {"__module__": cls.__module__, "__qualname__": cls.__qualname__})
        return super().__new__(own)

    def __init__(self, root, graph, class_name="GraphModule"):
        super().__init__()
        self.__class__.__name__ = class_name
        wanted = [n.target for n in graph.nodes if n.op in ("get_attr", "call_module")]
        if isinstance(root, torch.nn.Module):
            self.training = root.training
            for target in wanted:
                _copy_attribute(root, self, target)
        else:
            for target in wanted:
                if target not in root:
                    raise RuntimeError(f"Node with target {target} was referenced but that target was not provided in `root`!")
            for path in sorted(root, key=lambda p: p.count(".")):
                holder = self
                *prefix, name = path.split(".")
                for item in prefix:
                    if not hasattr(holder, item):
                        setattr(holder, item, torch.nn.Module())
                    holder = getattr(holder, item)
                setattr(holder, name, root[path])
        self.meta = {}
        self.graph = graph

    @property
    def graph(self):
        return self._graph

    @graph.setter
    def graph(self, g):
        if not isinstance(g, Graph):
            raise AssertionError(f"Expected a Graph instance, but got {type(g)}")
        self._graph = g
        self.recompile()

    @property
    def code(self):
        return self._code

    def recompile(self):
        """Makes the code, and forward, from the graph as it is now."""
        self._code, names = self._graph.python_code()
        number = GraphModule._number
        GraphModule._number += 1
        path = f"<eval_with_key>.{number}"
        # With a loader the text is found by linecache, as for a module in an archive.
        linecache.cache[path] = (len(self._code), None, self._code.splitlines(True), path)
        names = dict(names)
        exec(compile(self._code, path, "exec"), names)
        type(self).forward = names["forward"]
        return self._code

    def print_readable(self, print_output=True, include_stride=False, include_device=False, colored=False):
        """The code with each value's dtype and shape; printed, and returned."""
        lines = self._code.rstrip().split("\n")
        typed = {n.name: _describe(n) for n in self._graph.nodes if n.op != "output"}
        out = [f"class {self._get_name()}(torch.nn.Module):"]
        for line in lines:
            name = line.strip().partition(" = ")[0]
            if line.startswith("def forward("):
                inside = line[len("def forward("):-2].split(", ")
                line = "def forward(" + ", ".join(p + typed.get(p, "") for p in inside) + "):"
            elif name in typed:
                line = line.replace(name, name + typed[name], 1)
            out.append("    " + line)
        text = "\n".join(out) + "\n"
        if print_output:
            print(text)
        return text

    def __deepcopy__(self, memo):
        import copy
        copied = GraphModule(self, copy.deepcopy(self._graph))
        copied.__dict__.update({k: v for k, v in self.__dict__.items() if k in ("training", "meta")})
        return copied

    def __str__(self):
        return f"{super().__str__()}\n\n\n\n{self._code}\n# To see more debug info, please use `graph_module.print_readable()`"


def _describe(node):
    value = node.meta.get("example_value", node.meta.get("val"))
    if not isinstance(value, torch.Tensor):
        return ""
    short = {"float32": "f32", "float64": "f64", "int64": "i64", "int32": "i32", "bool": "b8", "uint8": "u8", "int8": "i8",
             "int16": "i16", "float16": "f16", "bfloat16": "bf16"}[str(value.dtype).removeprefix("torch.")]
    return f': "{short}[{", ".join(str(s) for s in value.shape)}]"'
