"""The code that runs instead of the frame: Python source that reads the graph's inputs from where they came from, calls
the compiled graph, replays what the traced code did to the outside, and returns, or runs the instruction that broke the
graph and goes on in a resume function. The source is compiled; its bytecode is what runs and what is shown."""
import ast
import types

import torch
from torch import _C

from . import bytecode
from .exc import Skip
from .variables import Cell, Const, Dict, Func, GradMode, Iter, Method, NULL, Obj, Seq, Slice, Super, SymInt, Tensor, Variable


class Result:
    """What convert_frame makes an entry from."""
    def __init__(self, code, calls, reason, injected):
        self.code, self.calls, self.reason, self.injected = code, calls, reason, injected


class Codegen:
    def __init__(self, tracer):
        self.t = tracer
        self.lines, self.outputs, self.out_index, self.names = [], [], {}, {}
        self.made = {}

    # ---- values --------------------------------------------------------------------------------------------------------
    def text(self, v):
        """Source text that gives the variable's value after the graph has run."""
        t = self.t
        if isinstance(v, Const):
            return self.constant(v.value)
        if isinstance(v, Tensor):
            if v.source is not None:
                return v.source.text
            return self.output(v.node)
        if isinstance(v, SymInt):
            return v.source.text if v.source is not None else self.output(v.node) if v.node is not None else self.refuse("symbolic_output")
        if isinstance(v, (Seq, Dict)):
            return self.container(v)
        if isinstance(v, Slice):
            return "slice(" + ", ".join(self.text(p) for p in v.parts) + ")"
        if isinstance(v, Obj):
            if v.source is not None:
                return v.source.text
            return self.inject("obj", v.value)
        if isinstance(v, Method) and v.function is None:
            return f"{self.text(v.owner)}.{v.name}"
        if isinstance(v, Method):
            return f"{self.text(v.owner)}.{v.name}"
        if isinstance(v, Func) and not v.closure and not v.kwdefaults:
            defaults = "(" + "".join(self.text(d) + ", " for d in v.defaults) + ")"
            maker = self.inject("make_function", types.FunctionType)
            return f"{maker}({self.inject('code', v.code)}, {self.inject('globals', v.globals)}, {v.code.co_name!r}, {defaults})"
        self.refuse("value_not_rebuildable", type=type(v).__name__)

    def refuse(self, code, **values):
        raise Skip(code, **values)

    def constant(self, value):
        if isinstance(value, (int, str, bool, bytes, type(None))) or value is Ellipsis:
            return repr(value) if value is not Ellipsis else "..."
        if isinstance(value, float) and value == value and abs(value) != float("inf"):
            return repr(value)
        return self.inject("const", value)

    def inject(self, hint, value):
        for name, (known) in self.t.injected.items():
            if known is value:
                return name
        name = f"__{hint}_{self.t.compile_id.replace('/', '_')}_{len(self.t.injected)}"
        self.t.injected[name] = value
        return name

    def output(self, node):
        if node.index not in self.out_index:
            self.out_index[node.index] = len(self.outputs)
            self.outputs.append(node)
        return f"___out[{self.out_index[node.index]}]"

    def container(self, v):
        """A container that came from outside is that object (its changes are replayed); one made here is built once."""
        if v.source is not None and isinstance(v, (Seq, Dict)) and getattr(v, "kind", list) is not torch.Size:
            return v.source.text
        if id(v) in self.made:
            return self.made[id(v)]
        if isinstance(v, Dict):
            text = "{" + ", ".join(f"{self.constant(k) if not isinstance(k, tuple) else repr(k)}: {self.text(x)}" for k, x in v.items.items()) + "}"
        else:
            items = [self.text(x) for x in v.items]
            fields = getattr(v, "fields", None)
            if v.kind is list:
                text = "[" + ", ".join(items) + "]"
            elif v.kind is torch.Size:
                text = f"{self.inject('Size', torch.Size)}([{', '.join(items)}])"
            elif v.kind is tuple and not fields:
                text = "(" + "".join(i + ", " for i in items) + ")"
            else:
                self.refuse("value_not_rebuildable", type="named tuple")
        if isinstance(v, Dict) or v.kind is list:
            name = f"___made{len(self.made)}"
            self.made[id(v)] = name
            self.lines.append(f"{name} = {text}")
            return name
        return text

    # ---- the graph -----------------------------------------------------------------------------------------------------
    def finish_graph(self):
        """Ends the graph, compiles it, and gives the line that calls it (or none, without calls)."""
        t = self.t
        calls = _C._dynamo.output(t.graph, [n for n in self.outputs])
        if calls == 0 and not self.outputs:
            return 0, None
        from .convert_frame import compile_graph
        f = compile_graph(t)
        return calls, f"___out = {self.inject('compiled_fn', f)}({', '.join(text for _, text, _ in t.inputs)})"

    def replay(self):
        """Lines that do to outside objects what the traced code did."""
        for v in self.t.mutations:
            if isinstance(v, Dict):
                items = ", ".join(f"{self.constant(k)}: {self.text(x)}" for k, x in v.items.items())
                self.lines.append(f"___new = {{{items}}}")
                self.lines.append(f"{v.source.text}.clear()")
                self.lines.append(f"{v.source.text}.update(___new)")
            else:
                self.lines.append(f"{v.source.text}[:] = [{', '.join(self.text(x) for x in v.items)}]")
        for v, name in self.t.effects:
            self.lines.append(f"{v.source.text}.{name} = {self.text(v.written[name])}")
        for name, v in self.t.stored_globals.items():
            self.lines.append(f"globals()[{name!r}] = {self.text(v)}")

    # ---- ends ----------------------------------------------------------------------------------------------------------
    def returning(self, value):
        result = self.text(value)
        self.replay()
        self.lines.append(f"return {result}")
        calls, call = self.finish_graph()
        if calls == 0 and not self.t.mutations and not self.t.effects and not self.t.stored_globals:
            raise Skip("nothing_captured")
        return self.assemble(call, calls, None, self.t.root.line)

    def breaking(self, frame, ins, reason):
        t = self.t
        b, place = reason
        if t.code.co_freevars:
            self.refuse("break_with_closure")
        line = bytecode.line_of(ins)
        if ins.opname == "CALL":
            args = frame.popn(ins.arg)
            names, frame.kw_names = frame.kw_names, ()
            second, first = frame.pop(), frame.pop()
            f, args = (second, args) if first is NULL else (first, [second] + args)
            texts = [self.text(a) for a in args]
            for i, n in enumerate(names):
                k = len(texts) - len(names) + i
                texts[k] = f"{n}={texts[k]}"
            action = f"{self.text(f)}({', '.join(texts)})"
            self.go_on(frame, ins, action, line)
        elif ins.opname == "CALL_FUNCTION_EX":
            kwargs = self.text(frame.pop()) if ins.arg & 1 else None
            args = self.text(frame.pop())
            f = self.text(frame.pop())
            if frame.stack and frame.stack[-1] is NULL:
                frame.pop()
            self.go_on(frame, ins, f"{f}(*{args}" + (f", **{kwargs})" if kwargs else ")"), line)
        else:
            condition = self.text(frame.pop())
            taken, through = ins.argval, self.next_offset(frame, ins)
            on_true, on_false = (taken, through) if ins.opname.endswith("TRUE") else (through, taken)
            texts = [self.resume_call(frame, o, [], line) for o in (on_true, on_false)]
            self.replay()
            self.lines.append(f"if {condition}:\n        return {texts[0]}")
            self.lines.append(f"return {texts[1]}")
        calls, call = self.finish_graph()
        return self.assemble(call, calls, (b, place), line)

    def go_on(self, frame, ins, action, line):
        after = self.resume_call(frame, self.next_offset(frame, ins), ["___result"], line)
        self.replay()
        self.lines.append(f"___result = {action}")
        self.lines.append(f"return {after}")

    @staticmethod
    def next_offset(frame, ins):
        return frame.instrs[frame.by_offset[ins.offset] + 1].offset

    def resume_call(self, frame, offset, top, line):
        """`resume(stack.., live locals..)`."""
        t = self.t
        if any(isinstance(v, Iter) for v in frame.stack):
            self.refuse("break_in_loop")
        used = self.live(frame, offset)
        live = [n for n in frame.code.co_varnames if n in frame.locals and n in used]
        values = [frame.locals[n] for n in live]
        nulls = {i for i, v in enumerate(frame.stack) if v is NULL}
        try:
            code = bytecode.resume_code(t.code, offset, len(frame.stack) + len(top), nulls, live, line)
        except bytecode.CannotResume as e:
            self.refuse("cannot_resume", reason=str(e))
        f = types.FunctionType(code, t.globals, code.co_name)
        name = f"__resume_at_{line}_{t.compile_id.replace('/', '_')}_{offset}"
        t.injected[name] = f
        stack = [self.text(v) for v in frame.stack if v is not NULL] + top
        kept = [self.text(v) if isinstance(v, Variable) else n for n, v in zip(live, values)]
        return f"{name}({', '.join(stack + kept)})"

    @staticmethod
    def live(frame, offset):
        """Locals that code reachable from offset may read: conservatively, all that stands after it, and everything when
        it can jump back."""
        later = [i for i in frame.instrs if i.offset >= offset]
        if any("BACKWARD" in i.opname and i.argval < offset for i in later):
            later = frame.instrs
        return {i.argval for i in later if i.opname in ("LOAD_FAST", "DELETE_FAST")}

    # ---- assembly ------------------------------------------------------------------------------------------------------
    def assemble(self, call, calls, reason, line):
        t = self.t
        body = ([call] if call else []) + self.lines
        free = t.code.co_freevars
        if not all(n.isidentifier() for n in t.arg_names):
            self.refuse("argument_names")
        source = f"def ___run({', '.join(t.arg_names)}):\n"
        if free:
            source += f"    if 0: ({', '.join(free)},)\n"
        source += "".join(f"    {x}\n" for x in body)
        if free:
            source = f"def ___make({', '.join(free)}):\n" + "".join(f"    {x}\n" for x in source.splitlines()) + "    return ___run\n"
        tree = ast.parse(source)
        for node in ast.walk(tree):
            if hasattr(node, "lineno"):
                node.lineno = node.end_lineno = max(1, line)
                node.col_offset = node.end_col_offset = 0
        module = compile(tree, t.code.co_filename, "exec")
        code = next(c for c in module.co_consts if isinstance(c, types.CodeType))
        if free:
            code = next(c for c in code.co_consts if isinstance(c, types.CodeType) and c.co_name == "___run")
            if code.co_freevars != free:
                self.refuse("closure_order")
        code = code.replace(co_name=t.code.co_name, co_qualname=t.code.co_qualname)
        t.globals.update(t.injected)
        return Result(code, calls, reason, source)
