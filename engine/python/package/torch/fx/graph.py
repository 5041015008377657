"""A graph: nodes in execution order, and the Python code that they stand for."""
import builtins
import keyword
import re

import torch
from torch.fx.node import Node, _qualified_name, map_arg


class _NodeList:
    """The nodes in order; a change while iterating is seen, as in a linked list."""

    def __init__(self, graph, backwards=False):
        self._graph = graph
        self._backwards = backwards

    def __iter__(self):
        root = self._graph._root
        node = root._prev if self._backwards else root._next
        while node is not root:
            following = node._prev if self._backwards else node._next
            if not node._erased:
                yield node
            # An erased node leaves the chain: go on from where it stood.
            node = following if node._erased or node._next is node else node._prev if self._backwards else node._next

    def __len__(self):
        return self._graph._length

    def __reversed__(self):
        return _NodeList(self._graph, not self._backwards)


class _InsertPoint:
    def __init__(self, graph, insert):
        self.graph = graph
        self.before, graph._insert = graph._insert, insert

    def __enter__(self):
        return self

    def __exit__(self, type, value, tb):
        self.graph._insert = self.before


class Graph:
    def __init__(self):
        self._root = Node(self, "", "root", "", (), {})
        self._insert = self._root.prepend
        self._length = 0
        self._names = {}

    @property
    def nodes(self):
        return _NodeList(self)

    def find_nodes(self, *, op, target=None, sort=True):
        return [n for n in self.nodes if n.op == op and (target is None or n.target == target)]

    # Building.

    def _unique(self, hint):
        base = re.sub(r"[^0-9a-zA-Z_]+", "_", hint) or "_"
        if base[0].isdigit():
            base = "_" + base
        stem, number = base, self._names.get(base)
        match = re.match(r"(.*)_(\d+)$", base)
        if match and number is not None:
            stem = match.group(1)
        taken = self._names
        name, number = base, 0
        while name in taken or keyword.iskeyword(name) or hasattr(builtins, name) or name == "self":
            number += 1
            name = f"{stem}_{number}"
        taken[name] = 1
        return name

    def create_node(self, op, target, args=None, kwargs=None, name=None, type_expr=None):
        if op not in ("call_function", "call_method", "get_attr", "call_module", "placeholder", "output"):
            raise AssertionError(f"{op} is no opcode")
        hint = name if name is not None else target if isinstance(target, str) else getattr(target, "__name__", "node")
        node = Node(self, self._unique(hint), op, target, () if args is None else args, {} if kwargs is None else kwargs, type_expr)
        self._insert(node)
        self._length += 1
        return node

    def placeholder(self, name, type_expr=None, default_value=None):
        return self.create_node("placeholder", name, () if default_value is None else (default_value,), type_expr=type_expr)

    def get_attr(self, qualified_name, type_expr=None):
        return self.create_node("get_attr", qualified_name, type_expr=type_expr)

    def call_function(self, the_function, args=None, kwargs=None, type_expr=None, name=None):
        return self.create_node("call_function", the_function, args, kwargs, name, type_expr)

    def call_method(self, method_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_method", method_name, args, kwargs, type_expr=type_expr)

    def call_module(self, module_name, args=None, kwargs=None, type_expr=None):
        return self.create_node("call_module", module_name, args, kwargs, type_expr=type_expr)

    def output(self, result, type_expr=None):
        return self.create_node("output", "output", (result,), type_expr=type_expr)

    def node_copy(self, node, arg_transform=lambda x: x):
        """A copy of a node of another graph; arg_transform maps that graph's nodes to this one's."""
        copied = self.create_node(node.op, node.target, map_arg(node.args, arg_transform), map_arg(node.kwargs, arg_transform), node.name)
        copied.meta = dict(node.meta)
        return copied

    def graph_copy(self, g, val_map):
        """Copies g's nodes before its output; returns what that output would be."""
        for node in g.nodes:
            if node in val_map:
                continue
            if node.op == "output":
                return map_arg(node.args[0], lambda n: val_map[n])
            val_map[node] = self.node_copy(node, lambda n: val_map[n])
        return None

    def __deepcopy__(self, memo=None):
        copied = Graph()
        mapping = {}
        result = copied.graph_copy(self, mapping)
        for node in self.nodes:
            if node.op == "output":
                made = copied.output(result)
                made.meta = dict(node.meta)
        return copied

    # Changing.

    def inserting_before(self, n=None):
        return _InsertPoint(self, self._root.append if n is None else n.prepend)

    def inserting_after(self, n=None):
        if n is None:
            return _InsertPoint(self, self._root.prepend)
        point = [n]

        def insert(node):
            point[0].append(node)
            point[0] = node

        return _InsertPoint(self, insert)

    def erase_node(self, to_erase):
        if to_erase.users:
            raise RuntimeError(f"Tried to erase Node {to_erase} but it still had {len(to_erase.users)} users in the graph: {to_erase.users}!")
        if to_erase.graph is not self:
            raise RuntimeError(f"Attempting to remove {to_erase} from wrong graph!")
        if to_erase._erased:
            return
        to_erase._unlink()
        to_erase._erased = True
        to_erase._set_arguments((), {})
        self._length -= 1

    def eliminate_dead_code(self, is_impure_node=None):
        """Erases nodes without users; returns whether there were any."""
        impure = is_impure_node or Node.is_impure
        changed = False
        for node in list(reversed(self.nodes)):
            if not impure(node) and not node.users:
                self.erase_node(node)
                changed = True
        return changed

    def lint(self):
        """Raises RuntimeError unless every node is defined before its uses and names are unique."""
        seen, names = set(), set()
        for node in self.nodes:
            if node.graph is not self:
                raise RuntimeError(f"Node '{node}' does not belong to this Graph!")
            if node.name in names:
                raise RuntimeError(f"Node redefined name {node.name}!")
            for used in node.all_input_nodes:
                if used not in seen:
                    raise RuntimeError(f"Argument '{used}' of Node '{node}' was used before it has been defined! Please check that Nodes "
                                       f"in the graph are topologically ordered\n{self}")
            seen.add(node)
            names.add(node.name)

    # Reading.

    def output_node(self):
        for node in reversed(self.nodes):
            if node.op == "output":
                return node
        raise RuntimeError("the graph has no output")

    def python_code(self, root_module="self"):
        """(source of forward, globals it needs)"""
        writer = _CodeWriter(root_module)
        return writer.write(self), writer.globals

    def print_tabular(self):
        rows = [("opcode", "name", "target", "args", "kwargs")]
        rows += [(n.op, n.name, n._pretty_print_target(n.target), str(n.args), str(n.kwargs)) for n in self.nodes]
        widths = [max(len(row[i]) for row in rows) for i in range(5)]
        lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() for row in rows]
        lines.insert(1, "  ".join("-" * width for width in widths))
        print("\n".join(lines))

    def __str__(self):
        return "graph():\n" + "\n".join("    " + node.format_node() for node in self.nodes)


_OPERATORS = {"add": "{} + {}", "sub": "{} - {}", "mul": "{} * {}", "truediv": "{} / {}", "floordiv": "{} // {}", "mod": "{} % {}",
              "pow": "{} ** {}", "matmul": "{} @ {}", "and_": "{} & {}", "or_": "{} | {}", "xor": "{} ^ {}", "eq": "{} == {}",
              "ne": "{} != {}", "lt": "{} < {}", "le": "{} <= {}", "gt": "{} > {}", "ge": "{} >= {}", "getitem": "{}[{}]",
              "neg": "-{}", "pos": "+{}", "invert": "~{}"}


class _CodeWriter:
    """Nodes as Python statements; what has no literal goes into the globals."""

    def __init__(self, root):
        self.root = root
        self.globals = {"torch": torch, "device": torch.device, "inf": float("inf"), "nan": float("nan")}

    def write(self, graph):
        last_use = self._last_uses(graph)
        parameters, lines = [self.root], []
        for node in graph.nodes:
            if node.op == "placeholder":
                default = " = " + repr(node.args[0]) if node.args else ""
                parameters.append(str(node.target) + default)
                if node.name != node.target:
                    lines.append(f"{node.name} = {node.target}")
                continue
            freed = last_use.get(node, ())
            suffix = ";  " + " = ".join([n.name for n in freed] + ["None"]) if freed else ""
            lines.append(self._statement(node) + suffix)
        body = "\n".join("    " + line for line in lines) or "    pass"
        return f"def forward({', '.join(parameters)}):\n{body}\n"

    # Values are let go after their last use.
    def _last_uses(self, graph):
        seen, frees = set(), {}
        for node in reversed(graph.nodes):
            for used in node.all_input_nodes:
                if used not in seen:
                    seen.add(used)
                    if node.op != "output":
                        frees.setdefault(node, []).append(used)
        return frees

    def _statement(self, node):
        if node.op == "output":
            return f"return {self.arg(node.args[0])}"
        return f"{node.name} = {self._expression(node)}"

    def _expression(self, node):
        if node.op == "get_attr":
            return f"{self.root}.{node.target}"
        if node.op == "call_method":
            return f"{self.arg(node.args[0])}.{node.target}({self._arguments(node.args[1:], node.kwargs)})"
        if node.op == "call_module":
            return f"{self._module(node.target)}({self._arguments(node.args, node.kwargs)})"
        name = getattr(node.target, "__name__", "")
        if getattr(node.target, "__module__", None) == "_operator" and name in _OPERATORS and not node.kwargs:
            return _OPERATORS[name].format(*map(self.arg, node.args))
        return f"{self._function(node.target)}({self._arguments(node.args, node.kwargs)})"

    def _module(self, target):
        text = self.root
        for part in target.split("."):
            text = f"{text}.{part}" if part.isidentifier() else f'getattr({text}, "{part}")'
        return text

    def _function(self, function):
        name = _qualified_name(function)
        if name.startswith("torch."):
            found = torch
            for part in name.split(".")[1:]:
                found = getattr(found, part, None)
            if found is function:
                return name
        return self._global(name.replace(".", "_").strip("<>"), function)

    def _global(self, hint, value):
        name = re.sub(r"\W", "_", hint)
        number = 0
        while self.globals.get(name, value) is not value:
            number += 1
            name = f"{name}_{number}"
        self.globals[name] = value
        return name

    def _arguments(self, args, kwargs):
        return ", ".join([*map(self.arg, args), *(f"{key} = {self.arg(value)}" for key, value in kwargs.items())])

    def arg(self, value):
        if isinstance(value, Node):
            return value.name
        if isinstance(value, torch.Size):
            return "torch.Size([" + ", ".join(map(self.arg, value)) + "])"
        if isinstance(value, tuple):
            return "(" + ", ".join(map(self.arg, value)) + ("," if len(value) == 1 else "") + ")"
        if isinstance(value, list):
            return "[" + ", ".join(map(self.arg, value)) + "]"
        if isinstance(value, dict):
            return "{" + ", ".join(f"{key!r}: {self.arg(each)}" for key, each in value.items()) + "}"
        if isinstance(value, slice):
            return f"slice({self.arg(value.start)}, {self.arg(value.stop)}, {self.arg(value.step)})"
        if value is None or value is Ellipsis or isinstance(value, (bool, int, float, str, torch.dtype, torch.device)):
            return repr(value)
        return self._global("_constant", value)
