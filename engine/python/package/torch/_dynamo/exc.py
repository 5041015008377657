"""What stops a capture."""


class Unsupported(RuntimeError):
    """torch.compile(fullgraph=True) met something that would break the graph."""


class Break(Exception):
    """The graph ends here; the interpreter takes over for one instruction."""
    def __init__(self, code, **values):
        super().__init__(code)
        self.code, self.values = code, values


class Skip(Exception):
    """The frame is not compiled; it runs as it is."""
    def __init__(self, code, **values):
        super().__init__(code)
        self.code, self.values = code, values


class Restart(Exception):
    """Traced again from the start: the graph is to end at a place found on the way."""
