"""What a value is while bytecode runs symbolically, and where it came from."""


class Source:
    """An expression over the frame's locals L and globals G that gives the value again; `text` is the expression in the
    transformed code, where locals are parameters."""
    __slots__ = ("name", "text")

    def __init__(self, name, text):
        self.name, self.text = name, text

    def attr(self, attribute):
        return Source(f"{self.name}.{attribute}", f"{self.text}.{attribute}")

    def item(self, key):
        return Source(f"{self.name}[{key!r}]", f"{self.text}[{key!r}]")


class NodeRef:
    """A node of the graph under construction, by number."""
    __slots__ = ("index",)

    def __init__(self, index):
        self.index = index


class Variable:
    source = None


class Const(Variable):
    def __init__(self, value, source=None):
        self.value, self.source = value, source

    def __repr__(self):
        return f"Const({self.value!r})"


class Tensor(Variable):
    """node is None for an input that nothing used yet; `real` is the input's own tensor."""
    def __init__(self, fake, node=None, source=None, real=None, role="input"):
        self.fake, self.node, self.source, self.real, self.role = fake, node, source, real, role

    def __repr__(self):
        return "TensorVariable()"


class SymInt(Variable):
    def __init__(self, value, node=None, source=None):
        self.value, self.node, self.source = value, node, source

    def __repr__(self):
        return f"SymNodeVariable({self.value})"


class Seq(Variable):
    """A tuple, list, torch.Size or set display. `original`: the items it had when it came from the caller."""
    def __init__(self, kind, items, source=None):
        self.kind, self.items, self.source = kind, items, source
        self.original = list(items) if source is not None else None

    def __repr__(self):
        return f"{self.kind.__name__}({self.items!r})"


class Dict(Variable):
    def __init__(self, items, source=None):
        self.items, self.source = items, source
        self.original = dict(items) if source is not None else None

    def __repr__(self):
        return f"dict({self.items!r})"


class Slice(Variable):
    def __init__(self, parts):
        self.parts = parts


class Iter(Variable):
    """An iterator over values that are known: what is left of it."""
    def __init__(self, items):
        self.items, self.at = items, 0


class Obj(Variable):
    """Any other Python object, known by identity."""
    def __init__(self, value, source=None):
        self.value, self.source = value, source
        self.written = {}

    def __repr__(self):
        return f"{type(self.value).__name__}({getattr(self.value, '__name__', '')})"


class Method(Variable):
    """A function or method name bound to a variable."""
    def __init__(self, owner, function, name):
        self.owner, self.function, self.name = owner, function, name

    def __repr__(self):
        return f"Method({self.name})"


class Func(Variable):
    """A function made inside the traced code."""
    def __init__(self, code, defaults, kwdefaults, closure, globals_):
        self.code, self.defaults, self.kwdefaults, self.closure, self.globals = code, defaults, kwdefaults, closure, globals_


class Cell(Variable):
    def __init__(self, value=None):
        self.value = value


class Super(Variable):
    def __init__(self, cls, owner):
        self.cls, self.owner = cls, owner


class GradMode(Variable):
    """torch.no_grad() and its kin, called but perhaps not entered."""
    def __init__(self, enabled):
        self.enabled = enabled


class Null(Variable):
    def __repr__(self):
        return "NULL"


NULL = Null()
