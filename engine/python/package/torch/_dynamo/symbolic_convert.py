"""Runs a frame's bytecode on symbolic values, building the graph.

A Tracer belongs to one frame that is being compiled; a Frame is that frame or a function inlined into it. Whatever cannot
be traced raises Break. The tracer then starts again from the top, knowing where the graph is to end, so that it arrives
there with a clean state.
"""
import dis
import operator
import sys
import types

import torch
from torch import _C

from . import bytecode
from . import builtin_functions as known
from .exc import Break, Restart, Skip
from .variables import (NULL, Cell, Const, Dict, Func, GradMode, Iter, Method, NodeRef, Obj, Seq, Slice, Source, Super, SymInt,
                        Tensor, Variable)

# Stands in a guard's expression for an object that the guard function receives by name.
OBJ = "\x01"

MAX_DEPTH = 60
MAX_STEPS = 200_000

BINARY = [operator.add, operator.and_, operator.floordiv, operator.lshift, operator.matmul, operator.mul, operator.mod, operator.or_,
          operator.pow, operator.rshift, operator.sub, operator.truediv, operator.xor, operator.iadd, operator.iand, operator.ifloordiv,
          operator.ilshift, operator.imatmul, operator.imul, operator.imod, operator.ior, operator.ipow, operator.irshift, operator.isub,
          operator.itruediv, operator.ixor]
COMPARE = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne, ">": operator.gt, ">=": operator.ge}
CONSTANTS = (int, float, bool, str, bytes, complex, type(None), type(Ellipsis), torch.dtype, torch.device, range, frozenset)
BREAKABLE = {"CALL", "CALL_FUNCTION_EX", "POP_JUMP_FORWARD_IF_FALSE", "POP_JUMP_FORWARD_IF_TRUE"}
NO_TENSOR_RESULT = {"dim", "numel", "nelement", "element_size", "is_floating_point", "is_contiguous", "size", "stride", "ndimension", "is_complex"}


NOT_OPS = ("torch._dynamo", "torch.compiler", "torch.autograd", "torch.utils", "torch.fx", "torch.jit", "torch.optim", "torch.random")


def is_torch_callable(f):
    """Whether a call of f is one node of the graph: a function of torch or of torch.nn.functional, not of modules."""
    module = getattr(f, "__module__", None) or ""
    if isinstance(f, type) or module.startswith(NOT_OPS):
        return False
    owner = getattr(f, "__self__", None)
    if isinstance(f, types.BuiltinFunctionType) and (owner is None or isinstance(owner, types.ModuleType) or isinstance(owner, type)):
        return module.startswith("torch") or getattr(owner, "__name__", "").startswith(("torch", "_VariableFunctions"))
    return isinstance(f, types.FunctionType) and module.startswith("torch") and not module.startswith("torch.nn.modules")


class Frame:
    def __init__(self, tracer, code, globals_, builtins_, locals_, closure, depth, root=False):
        self.tracer, self.code, self.globals, self.builtins, self.depth, self.root = tracer, code, globals_, builtins_, depth, root
        self.locals = locals_
        self.stack = []
        self.cells = closure  # name -> Cell or value
        self.instrs = bytecode.instructions(code)
        self.by_offset = {i.offset: n for n, i in enumerate(self.instrs)}
        self.at = 0
        self.kw_names = ()
        self.current = self.instrs[0]

    @property
    def line(self):
        return bytecode.line_of(self.current)

    def push(self, v):
        self.stack.append(v)

    def pop(self):
        return self.stack.pop()

    def popn(self, n):
        if n == 0:
            return []
        out = self.stack[-n:]
        del self.stack[-n:]
        return out

    def jump(self, offset):
        self.at = self.by_offset[offset]

    def run(self):
        tracer = self.tracer
        while True:
            ins = self.current = self.instrs[self.at]
            tracer.steps += 1
            if tracer.steps > MAX_STEPS:
                raise Skip("too_many_steps")
            tracer.frame = self
            if self.root and ins.offset in tracer.breaks:
                return tracer.end_at_break(self, ins, tracer.breaks[ins.offset])
            if tracer.detail:
                tracer.record_step(self, ins)
            self.at += 1
            handler = getattr(self, "op_" + ins.opname, None)
            try:
                if handler is None:
                    raise Break("unsupported_opcode", opcode=ins.opname)
                result = handler(ins)
            except Break as b:
                if not self.root:
                    raise
                tracer.restart(self, ins, b)
            except (Restart, Skip):
                raise
            except Exception as e:  # the interpreter runs it again, and raises what is to be raised
                if not self.root:
                    raise Break("error_while_tracing", error=f"{type(e).__name__}: {e}") from e
                tracer.restart(self, ins, Break("error_while_tracing", error=f"{type(e).__name__}: {e}"))
            if result is not None:
                return result[0]

    # ---- stack and constants -----------------------------------------------------------------------------------------
    def op_RESUME(self, ins): pass
    def op_NOP(self, ins): pass
    def op_PRECALL(self, ins): pass
    def op_COPY_FREE_VARS(self, ins): pass
    def op_MAKE_CELL(self, ins):
        name = ins.argval
        self.cells[name] = Cell(self.locals.pop(name, None))
    def op_PUSH_NULL(self, ins): self.push(NULL)
    def op_POP_TOP(self, ins): self.pop()
    def op_COPY(self, ins): self.push(self.stack[-ins.arg])
    def op_SWAP(self, ins): self.stack[-1], self.stack[-ins.arg] = self.stack[-ins.arg], self.stack[-1]
    def op_LOAD_CONST(self, ins): self.push(self.tracer.constant(ins.argval))
    def op_KW_NAMES(self, ins): self.kw_names = self.code.co_consts[ins.arg]

    def op_LOAD_FAST(self, ins):
        if ins.argval not in self.locals:
            raise Break("unbound_local", name=ins.argval)
        value = self.locals[ins.argval]
        if self.root and not isinstance(value, Variable):
            value = self.locals[ins.argval] = self.tracer.wrap(value, Source(f"L[{ins.argval!r}]", ins.argval))
        self.push(value)

    def op_STORE_FAST(self, ins): self.locals[ins.argval] = self.pop()
    def op_DELETE_FAST(self, ins): self.locals.pop(ins.argval, None)

    def op_LOAD_DEREF(self, ins):
        value = self.cells.get(ins.argval)
        if isinstance(value, Cell):
            value = value.value
        if value is None:
            raise Break("unbound_local", name=ins.argval)
        if not isinstance(value, Variable):
            if not self.root:
                raise Break("closure_of_inlined_function", name=ins.argval)
            value = self.cells[ins.argval] = self.tracer.wrap(value, Source(f"L[{ins.argval!r}]", ins.argval))
        self.push(value)

    def op_LOAD_CLASSDEREF(self, ins): self.op_LOAD_DEREF(ins)
    def op_STORE_DEREF(self, ins):
        cell = self.cells.get(ins.argval)
        if not isinstance(cell, Cell):
            raise Break("writes_closure_variable", name=ins.argval)
        cell.value = self.pop()
    def op_LOAD_CLOSURE(self, ins):
        cell = self.cells.get(ins.argval)
        if not isinstance(cell, Cell):
            self.op_LOAD_DEREF(ins)
            cell = Cell(self.pop())
        self.push(cell)

    def op_LOAD_GLOBAL(self, ins):
        if ins.arg & 1:
            self.push(NULL)
        name = ins.argval
        if name in self.tracer.stored_globals and self.globals is self.tracer.globals:
            self.push(self.tracer.stored_globals[name])
        elif name in self.globals:
            self.push(self.tracer.wrap(self.globals[name], self.tracer.global_source(self.globals, name)))
        elif name in self.builtins:
            self.push(Obj(self.builtins[name], Source(f"G['__builtins_dict__']['{name}']", name)))
        else:
            raise Break("unbound_global", name=name)
    op_LOAD_NAME = op_LOAD_GLOBAL

    def op_STORE_GLOBAL(self, ins):
        if self.globals is not self.tracer.globals:
            raise Break("writes_global_of_inlined_function", name=ins.argval)
        self.tracer.stored_globals[ins.argval] = self.pop()

    # ---- attributes and items ----------------------------------------------------------------------------------------
    def op_LOAD_ATTR(self, ins): self.push(self.tracer.get_attr(self.pop(), ins.argval))
    def op_STORE_ATTR(self, ins):
        owner = self.pop()
        self.tracer.set_attr(owner, ins.argval, self.pop())

    def op_LOAD_METHOD(self, ins):
        self.push_method(self.tracer.get_attr(self.pop(), ins.argval))

    def push_method(self, f):
        self.push(NULL)
        self.push(f)

    def op_BINARY_SUBSCR(self, ins):
        key = self.pop()
        self.push(self.tracer.get_item(self.pop(), key))

    def op_STORE_SUBSCR(self, ins):
        key, owner, value = self.pop(), self.pop(), self.pop()
        self.tracer.set_item(owner, key, value)

    def op_DELETE_SUBSCR(self, ins):
        key, owner = self.pop(), self.pop()
        if isinstance(owner, Dict):
            del owner.items[self.tracer.key(key)]
        elif isinstance(owner, Seq) and owner.kind is list:
            del owner.items[self.tracer.as_int(key)]
        else:
            raise Break("unsupported_opcode", opcode=ins.opname)
        self.tracer.mutated(owner)

    # ---- operators ---------------------------------------------------------------------------------------------------
    def op_BINARY_OP(self, ins):
        b = self.pop()
        self.push(self.tracer.binary(BINARY[ins.arg], self.pop(), b))

    def op_COMPARE_OP(self, ins):
        b = self.pop()
        self.push(self.tracer.binary(COMPARE[ins.argval], self.pop(), b))

    def op_IS_OP(self, ins):
        b, a = self.pop(), self.pop()
        self.push(Const(self.tracer.identical(a, b) != bool(ins.arg)))

    def op_CONTAINS_OP(self, ins):
        b, a = self.pop(), self.pop()
        self.push(Const(self.tracer.contains(b, a) != bool(ins.arg)))

    def op_UNARY_NEGATIVE(self, ins): self.push(self.tracer.unary(operator.neg, self.pop()))
    def op_UNARY_POSITIVE(self, ins): self.push(self.tracer.unary(operator.pos, self.pop()))
    def op_UNARY_INVERT(self, ins): self.push(self.tracer.unary(operator.invert, self.pop()))
    def op_UNARY_NOT(self, ins): self.push(Const(not self.tracer.truth(self.pop())))

    # ---- jumps -------------------------------------------------------------------------------------------------------
    def branch(self, ins, when, keep=False):
        value = self.stack[-1] if keep else self.pop()
        if self.tracer.truth(value) == when:
            self.jump(ins.argval)
        elif keep:
            self.pop()

    def op_POP_JUMP_FORWARD_IF_FALSE(self, ins): self.branch(ins, False)
    def op_POP_JUMP_FORWARD_IF_TRUE(self, ins): self.branch(ins, True)
    def op_POP_JUMP_BACKWARD_IF_FALSE(self, ins): self.branch(ins, False)
    def op_POP_JUMP_BACKWARD_IF_TRUE(self, ins): self.branch(ins, True)
    def op_JUMP_IF_FALSE_OR_POP(self, ins): self.branch(ins, False, keep=True)
    def op_JUMP_IF_TRUE_OR_POP(self, ins): self.branch(ins, True, keep=True)

    def none_branch(self, ins, when):
        v = self.pop()
        if (isinstance(v, Const) and v.value is None) == when:
            self.jump(ins.argval)

    def op_POP_JUMP_FORWARD_IF_NONE(self, ins): self.none_branch(ins, True)
    def op_POP_JUMP_FORWARD_IF_NOT_NONE(self, ins): self.none_branch(ins, False)
    def op_POP_JUMP_BACKWARD_IF_NONE(self, ins): self.none_branch(ins, True)
    def op_POP_JUMP_BACKWARD_IF_NOT_NONE(self, ins): self.none_branch(ins, False)
    def op_JUMP_FORWARD(self, ins): self.jump(ins.argval)
    def op_JUMP_BACKWARD(self, ins): self.jump(ins.argval)
    def op_JUMP_BACKWARD_NO_INTERRUPT(self, ins): self.jump(ins.argval)

    def op_GET_ITER(self, ins):
        v = self.pop()
        self.push(v if isinstance(v, Iter) else Iter(known.items_of(self.tracer, v)))

    def op_FOR_ITER(self, ins):
        it = self.stack[-1]
        if it.at < len(it.items):
            it.at += 1
            self.push(it.items[it.at - 1])
        else:
            self.pop()
            self.jump(ins.argval)

    # ---- displays ----------------------------------------------------------------------------------------------------
    def op_BUILD_TUPLE(self, ins): self.push(Seq(tuple, self.popn(ins.arg)))
    def op_BUILD_LIST(self, ins): self.push(Seq(list, self.popn(ins.arg)))
    def op_BUILD_SLICE(self, ins):
        parts = self.popn(ins.arg)
        self.push(Slice(parts + [Const(None)] * (3 - len(parts))))
    def op_BUILD_MAP(self, ins):
        flat = self.popn(2 * ins.arg)
        self.push(Dict({self.tracer.key(k): v for k, v in zip(flat[::2], flat[1::2])}))
    def op_BUILD_CONST_KEY_MAP(self, ins):
        keys = self.pop().value
        self.push(Dict(dict(zip(keys, self.popn(ins.arg)))))
    def op_BUILD_STRING(self, ins):
        parts = self.popn(ins.arg)
        if not all(isinstance(p, Const) for p in parts):
            raise Break("format_of_unknown")
        self.push(Const("".join(p.value for p in parts)))
    def op_FORMAT_VALUE(self, ins):
        spec = self.pop().value if ins.arg & 4 else ""
        v = self.pop()
        if isinstance(v, SymInt):
            v = Const(self.tracer.as_int(v))
        if isinstance(v, Seq) and v.kind in (tuple, torch.Size, list) and all(isinstance(x, Const) for x in v.items):
            v = Const(v.kind(x.value for x in v.items))
        if not isinstance(v, Const):
            raise Break("format_of_unknown")
        convert = [lambda x: x, str, repr, ascii][ins.arg & 3]
        self.push(Const(format(convert(v.value), spec)))
    def op_LIST_APPEND(self, ins): v = self.pop(); self.stack[-ins.arg].items.append(v)
    def op_MAP_ADD(self, ins):
        v, k = self.pop(), self.pop()
        self.stack[-ins.arg].items[self.tracer.key(k)] = v
    def op_LIST_EXTEND(self, ins):
        v = self.pop()
        self.stack[-ins.arg].items.extend(known.items_of(self.tracer, v))
    def op_DICT_UPDATE(self, ins):
        v = self.pop()
        self.stack[-ins.arg].items.update(known._dict(self.tracer, [v], {}).items)
    op_DICT_MERGE = op_DICT_UPDATE
    def op_LIST_TO_TUPLE(self, ins): self.push(Seq(tuple, self.pop().items))
    def op_UNPACK_SEQUENCE(self, ins):
        items = known.items_of(self.tracer, self.pop())
        if len(items) != ins.arg:
            raise Break("unpack_mismatch")
        self.stack.extend(reversed(items))
    def op_UNPACK_EX(self, ins):
        items = known.items_of(self.tracer, self.pop())
        before, after = ins.arg & 255, ins.arg >> 8
        middle = items[before:len(items) - after]
        self.stack.extend(reversed(items[:before] + [Seq(list, middle)] + items[len(items) - after:]))

    # ---- calls -------------------------------------------------------------------------------------------------------
    def op_CALL(self, ins):
        args = self.popn(ins.arg)
        names, self.kw_names = self.kw_names, ()
        second, first = self.pop(), self.pop()
        if isinstance(first, type(NULL)):
            f = second
        else:
            f, args = first, [second] + args
        kwargs = dict(zip(names, args[len(args) - len(names):])) if names else {}
        self.push(self.tracer.call(f, args[:len(args) - len(names)], kwargs))

    def op_CALL_FUNCTION_EX(self, ins):
        kwargs = known._dict(self.tracer, [self.pop()], {}).items if ins.arg & 1 else {}
        args = known.items_of(self.tracer, self.pop())
        f = self.pop()
        if self.stack and isinstance(self.stack[-1], type(NULL)):
            self.pop()
        self.push(self.tracer.call(f, args, kwargs))

    def op_MAKE_FUNCTION(self, ins):
        code = self.pop().value
        closure = self.pop() if ins.arg & 8 else None
        if ins.arg & 4:
            self.pop()
        kwdefaults = self.pop().items if ins.arg & 2 else {}
        defaults = self.pop().items if ins.arg & 1 else []
        if isinstance(defaults, (tuple, list)) and not all(isinstance(d, Variable) for d in defaults):
            defaults = [self.tracer.constant(d) for d in defaults]
        self.push(Func(code, defaults, kwdefaults, closure.items if closure else [], self.globals))

    def op_RETURN_VALUE(self, ins):
        value = self.pop()
        if self.root:
            return (self.tracer.end_at_return(self, value),)
        return (value,)

    def op_LOAD_ASSERTION_ERROR(self, ins): self.push(Obj(AssertionError))
    def op_RAISE_VARARGS(self, ins): raise Break("raises")
    def op_IMPORT_NAME(self, ins): raise Break("import_in_function", name=ins.argval)

    # ---- with torch.no_grad() ----------------------------------------------------------------------------------------
    def op_BEFORE_WITH(self, ins):
        v = self.pop()
        if not isinstance(v, GradMode):
            raise Break("context_manager", type=self.tracer.type_name(v))
        self.push(Method(v, None, "__exit__"))
        v.before = torch.is_grad_enabled()
        self.tracer.set_grad_enabled(v.enabled)
        self.push(Const(None))


class Tracer:
    """The capture of one frame. See convert_frame.py for what becomes of it."""

    def __init__(self, compile_id, code, locals_, globals_, builtins_, function, breaks, dynamic, config, detail):
        self.compile_id, self.code, self.globals, self.builtins, self.breaks = compile_id, code, globals_, builtins_, breaks
        self.function, self.config, self.detail = function, config, detail
        self.graph = _C._dynamo.new_graph("forward")
        self.backend_ms = 0.0
        self.guards, self.guarded = [], {}
        self.wrapped = {}
        self.inputs = []         # (NodeRef, source text, example) in placeholder order
        self.stored_globals = {}
        self.mutations = []      # variables from outside that were changed, in the order of their first change
        self.effects = []        # (owner variable, attribute) written
        self.dynamic = dynamic   # source name -> sizes that vary
        self.seen_sizes = {}
        self.steps = 0
        self.module_stack = []
        self.injected = {}       # names that the transformed code needs in its globals
        self.symbol_nodes = {}
        self.step_records = []
        self.inlined = []
        self.frame = None
        args = code.co_varnames[:code.co_argcount + code.co_kwonlyargcount + bool(code.co_flags & 4) + bool(code.co_flags & 8)]
        self.arg_names = args
        self.root = Frame(self, code, globals_, builtins_, {n: locals_[n] for n in args if n in locals_},
                          {n: locals_[n] for n in code.co_freevars if n in locals_}, 0, root=True)

    # ---- where we are ------------------------------------------------------------------------------------------------
    def place(self):
        f = self.frame
        while f is not None and f.code.co_filename.startswith("<strata>"):
            f = getattr(f, "caller", None)
        f = f or self.root
        return f.code.co_filename, f.line

    def origin(self):
        if self.frame is None or self.frame.root:
            return [f"bytecode:{self.compile_id}:{self.root.current.offset}"]
        file, line = self.place()
        return [f"bytecode:{self.compile_id}:{self.root.current.offset}", f"source:{file}:{line}"]

    def record_step(self, frame, ins):
        self.step_records.append({
            "from": f"bytecode:{self.compile_id}:{ins.offset}" if frame.root else "", "code": frame.code.co_name, "depth": frame.depth,
            "offset": ins.offset, "opname": ins.opname, "stack": [self.describe(v) for v in frame.stack],
            "locals": {k: self.describe(v) for k, v in frame.locals.items() if isinstance(v, Variable)}})

    def describe(self, v):
        if isinstance(v, Tensor):
            return f"Tensor{list((v.real if v.fake is None else v.fake).shape)}"
        return repr(v)[:60]

    def restart(self, frame, ins, b):
        """Ends this attempt: the next one stops before `ins`, or the frame is skipped."""
        if self.config.nopython:
            from .exc import Unsupported
            file, line = self.place()
            raise Unsupported(f"{b.code} {b.values}\n  at {file}:{line}\n  Hint: fullgraph=True allows no graph break; take the call out of the compiled function.")
        if bytecode.protected(self.code, ins.offset):
            raise Skip("break_in_protected_block", reason=b.code, **b.values)
        if ins.opname not in BREAKABLE:
            raise Skip("break_at_instruction", opcode=ins.opname, reason=b.code, **b.values)
        raise Restart(ins.offset, b, self.place())

    # ---- values from outside -----------------------------------------------------------------------------------------
    def constant(self, value):
        if isinstance(value, tuple):
            return Seq(tuple, [self.constant(v) for v in value])
        if isinstance(value, slice):
            return Slice([Const(value.start), Const(value.stop), Const(value.step)])
        return Const(value)

    def global_source(self, globals_, name):
        if globals_ is self.globals:
            return Source(f"G[{name!r}]", name)
        module = globals_.get("__name__")
        if not isinstance(module, str) or getattr(sys.modules.get(module), "__dict__", None) is not globals_:
            raise Break("global_of_unknown_module", name=name)
        alias = "__import_" + module.replace(".", "_dot_")
        self.injected[alias] = sys.modules[module]
        self.globals[alias] = sys.modules[module]
        self.guard("MODULE_MATCH", f"G[{alias!r}]", f"G[{alias!r}] is {OBJ}", sys.modules[module])
        return Source(f"G[{alias!r}].{name}", f"{alias}.{name}")

    def guard(self, kind, source, expression, *objects):
        """`expression` has an OBJ for each object."""
        key = (kind, source, expression, tuple(id(o) for o in objects))
        if key in self.guarded:
            return
        self.guarded[key] = len(self.guards)
        file, line = self.place()
        self.guards.append({"kind": kind, "source": source, "expression": expression, "objects": objects, "file": file, "line": line,
                            "offset": self.root.current.offset})

    def wrap(self, value, source):
        memo = self.wrapped.get(source.name)
        if memo is not None and memo[0] is value:
            return memo[1]
        v = self.make(value, source)
        self.wrapped[source.name] = (value, v)
        return v

    def make(self, value, source):
        t = type(value)
        if isinstance(value, (torch.Tensor, list, dict)):
            # One object under two names is one variable, so that a change through one is seen through the other.
            for other, var in list(self.wrapped.values()):
                if other is value and var.source.name != source.name:
                    self.guard("DUPLICATE_INPUT", source.name, f"{source.name} is {var.source.name}")
                    return var
        if isinstance(value, torch.Tensor):
            role = "parameter" if isinstance(value, torch.nn.Parameter) else "input"
            return Tensor(None, None, source, value, role)
        if t is int and not source.name.startswith("G["):
            return self.wrap_int(value, source)
        if value is None or t is bool:
            self.guard("ID_MATCH", source.name, f"{source.name} is {value!r}")
            return Const(value, source)
        if t in (int, float, str, bytes, complex):
            shown = "{0!r}"
            same = f"({source.name} != {source.name})" if t is float and value != value else f"{source.name} == {value!r}"
            self.guard("EQUALS_MATCH" if t is not str else "CONSTANT_MATCH", source.name, f"type({source.name}) is {OBJ} and {same}", t)
            return Const(value, source)
        if isinstance(value, (torch.dtype, torch.device)) or value is Ellipsis:
            self.guard("EQUALS_MATCH", source.name, f"{source.name} == {OBJ}", value)
            return Const(value, source)
        if t in (tuple, list, torch.Size):
            self.guard("TYPE_MATCH", source.name, f"type({source.name}) is {OBJ}", t)
            self.guard("SEQUENCE_LENGTH", source.name, f"len({source.name}) == {len(value)}")
            return Seq(t, [self.wrap(v, source.item(i)) for i, v in enumerate(value)], source)
        if t is dict:
            if not all(isinstance(k, (str, int, bool, type(None))) for k in value):
                raise Break("dict_with_unknown_keys")
            self.guard("TYPE_MATCH", source.name, f"type({source.name}) is dict")
            self.guard("DICT_KEYS", source.name, f"list({source.name}) == {list(value)!r}")
            return Dict({k: self.wrap(v, source.item(k)) for k, v in value.items()}, source)
        if t is slice:
            raise Break("slice_argument")
        return Obj(value, source)

    def wrap_int(self, value, source):
        seen = self.dynamic.get(source.name)
        self.seen_sizes[source.name] = value if seen is None or seen == value else "dynamic"
        if seen is not None and seen != value and value not in (0, 1) and self.config.dynamic is not False:
            symbol = _C._dynamo.symbol(self.graph, value, "int", source.name, 0)
            if not isinstance(symbol, int):
                self.guard("TYPE_MATCH", source.name, f"type({source.name}) is int")
                number = _C._dynamo.placeholder(self.graph, str(symbol), "size", symbol, self.origin())
                self.add_input(number, source.text, symbol, size=True)
                v = SymInt(symbol, NodeRef(number), source)
                self.symbol_nodes[str(symbol)] = v
                return v
        self.guard("EQUALS_MATCH", source.name, f"type({source.name}) is int and {source.name} == {value}")
        return Const(value, source)

    def add_input(self, number, text, example, size=False):
        # Placeholders stand in the order in which they were made.
        self.inputs.append((number, text, example))

    def realize(self, v):
        """Makes a tensor from outside an input of the graph, with its guard."""
        if v.node is not None or v.source is None:
            return v
        real, name = v.real, v.source.name
        sizes, strides = list(real.shape), list(real.stride())
        seen = self.dynamic.get(name)
        marks = list(sizes)
        if isinstance(seen, list) and len(seen) == len(sizes):
            marks = [s if s == o else None for s, o in zip(sizes, seen)]
        if v.role == "parameter" or self.config.dynamic is False:
            marks = list(sizes)
        if self.config.dynamic is True and v.role != "parameter":
            marks = [None] * len(sizes)
        self.seen_sizes[name] = marks if v.role != "parameter" else sizes
        symbolic = []
        for d, (size, mark) in enumerate(zip(sizes, marks)):
            s = _C._dynamo.symbol(self.graph, size, "size", name, d) if mark is None else size
            symbolic.append(s)
            if not isinstance(s, int):
                number = _C._dynamo.placeholder(self.graph, str(s), "size", s, self.origin())
                self.add_input(number, f"{v.source.text}.size({d})", s, size=True)
                self.symbol_nodes[str(s)] = SymInt(s, NodeRef(number))
        fake_strides = self.symbolic_strides(sizes, strides, symbolic)
        v.fake = _C._dynamo.fake(real, symbolic, fake_strides)
        node_name = "".join(c if c.isalnum() else "_" for c in name).lower().strip("_") + "_"
        number = _C._dynamo.placeholder(self.graph, node_name.replace("__", "_"), v.role, v.fake, self.origin())
        v.node = NodeRef(number)
        self.add_input(number, v.source.text, real)
        self.guard("TENSOR_MATCH", name, f"{OBJ}({name}, {OBJ}, {OBJ}, {OBJ}, {real.requires_grad}, {OBJ}, {OBJ})", _C._dynamo.check_tensor, type(real),
                   real.dtype, real.device, tuple(s if isinstance(s, int) else None for s in symbolic),
                   tuple(s if isinstance(s, int) else None for s in fake_strides))
        return v

    @staticmethod
    def symbolic_strides(sizes, strides, symbolic):
        """Strides over the symbolic sizes: a stride that is the product of inner sizes is that product."""
        order = sorted(range(len(sizes)), key=lambda d: (strides[d], -d))
        out, running, product = [None] * len(sizes), 1, 1
        for d in order:
            out[d] = running if strides[d] == product else strides[d]
            if strides[d] == product:
                running, product = running * symbolic[d], product * sizes[d]
        return out

    # ---- graph nodes -------------------------------------------------------------------------------------------------
    def as_arg(self, v):
        if isinstance(v, Tensor):
            return self.realize(v).node
        if isinstance(v, SymInt):
            return v.node if v.node is not None else v.value
        if isinstance(v, Const):
            return v.value
        if isinstance(v, Seq):
            items = [self.as_arg(x) for x in v.items]
            return tuple(items) if v.kind is not list else items
        if isinstance(v, Slice):
            return slice(*[self.as_arg(p) for p in v.parts])
        if isinstance(v, Dict):
            return {k: self.as_arg(x) for k, x in v.items.items()}
        if isinstance(v, Obj) and isinstance(v.value, (torch.dtype, torch.device, torch.memory_format)):
            return str(v.value) if isinstance(v.value, torch.memory_format) else v.value
        raise Break("argument_not_for_graph", type=self.type_name(v))

    def as_fake(self, v):
        if isinstance(v, Tensor):
            return self.realize(v).fake
        if isinstance(v, (Const, SymInt, Obj)):
            return v.value
        if isinstance(v, Seq):
            items = [self.as_fake(x) for x in v.items]
            return items if v.kind is list else tuple(items)
        if isinstance(v, Slice):
            return slice(*[self.as_fake(p) for p in v.parts])
        if isinstance(v, Dict):
            return {k: self.as_fake(x) for k, x in v.items.items()}
        raise Break("argument_not_for_graph", type=self.type_name(v))

    def evaluate(self, f):
        file, line = self.place()
        return _C._dynamo.in_environment(self.graph, f, file, line)

    def node(self, op, target, f, args, kwargs):
        """Adds a call, evaluates it on fake tensors, and gives its result as a variable."""
        graph_args, graph_kwargs = [self.as_arg(a) for a in args], {k: self.as_arg(v) for k, v in kwargs.items()}
        fakes, fake_kwargs = [self.as_fake(a) for a in args], {k: self.as_fake(v) for k, v in kwargs.items()}
        try:
            if op == "call_method":
                result = self.evaluate(lambda: getattr(fakes[0], target)(*fakes[1:], **fake_kwargs))
            else:
                result = self.evaluate(lambda: f(*fakes, **fake_kwargs))
        except Break:
            raise
        except Exception as e:
            raise Break("fake_evaluation_failed", function=target, error=f"{type(e).__name__}: {e}") from e
        file, line = self.place()
        if not self.has_tensor(result) and not isinstance(result, torch.SymInt) and target not in ("setitem", "_set_grad_enabled"):
            return self.result(result, None)
        number = _C._dynamo.call(self.graph, op, target, f, graph_args, graph_kwargs, file, line, self.origin(), ".".join(self.module_stack))
        return self.result(result, NodeRef(number), args)

    @staticmethod
    def has_tensor(result):
        return isinstance(result, torch.Tensor) or (isinstance(result, (tuple, list)) and any(isinstance(x, torch.Tensor) for x in result))

    def result(self, value, node, args=()):
        if isinstance(value, torch.Tensor):
            for a in args:  # an in-place op gives back its own argument
                if isinstance(a, Tensor) and a.fake is value:
                    _C._dynamo.set_value(self.graph, node.index, value)
                    return a
            _C._dynamo.set_value(self.graph, node.index, value)
            return Tensor(value, node)
        if isinstance(value, torch.SymInt):
            known_node = self.symbol_nodes.get(str(value))
            if known_node is not None:
                if node is not None:
                    _C._dynamo.erase(self.graph, node.index)
                return known_node
            if node is not None:
                _C._dynamo.set_value(self.graph, node.index, value)
            return SymInt(value, node)
        if isinstance(value, (tuple, list)) and self.has_tensor(value):
            items = []
            file, line = self.place()
            for i, x in enumerate(value):
                n = _C._dynamo.call(self.graph, "call_function", "getitem", operator.getitem, [node, i], {}, file, line, self.origin(), "")
                items.append(self.result(x, NodeRef(n)))
            seq = Seq(tuple if isinstance(value, tuple) else list, items)
            seq.fields = getattr(type(value), "_fields", None)
            return seq
        if isinstance(value, torch.Size) or isinstance(value, (tuple, list)):
            return Seq(type(value) if type(value) in (tuple, list, torch.Size) else tuple, [self.result(x, None) for x in value])
        if isinstance(value, CONSTANTS):
            return Const(value)
        raise Break("unknown_result", type=type(value).__name__)

    def call_function_node(self, f, args, kwargs):
        return self.node("call_function", f.__name__, f, args, kwargs)

    def set_grad_enabled(self, enabled):
        file, line = self.place()
        f = _C._set_grad_enabled
        _C._dynamo.call(self.graph, "call_function", "_set_grad_enabled", f, [enabled], {}, file, line, self.origin(), "")
        f(enabled)

    # ---- questions ---------------------------------------------------------------------------------------------------
    def python_type(self, v):
        if isinstance(v, Tensor):
            return type(v.real) if v.real is not None else torch.Tensor
        if isinstance(v, Const):
            return type(v.value)
        if isinstance(v, SymInt):
            return int
        if isinstance(v, Seq):
            return v.kind
        if isinstance(v, Dict):
            return dict
        if isinstance(v, Slice):
            return slice
        if isinstance(v, Func):
            return types.FunctionType
        if isinstance(v, Obj):
            if v.source is not None:
                self.guard("TYPE_MATCH", v.source.name, f"type({v.source.name}) is {OBJ}", type(v.value))
            return type(v.value)
        raise Break("type_of_unknown")

    def type_name(self, v):
        try:
            return self.python_type(v).__name__
        except Break:
            return type(v).__name__

    def as_classes(self, v):
        if isinstance(v, Seq):
            return tuple(self.as_classes(x) for x in v.items)
        if isinstance(v, Obj):
            return v.value
        raise Break("isinstance_of_unknown")

    def as_int(self, v):
        if isinstance(v, Const) and isinstance(v.value, int):
            return v.value
        if isinstance(v, SymInt):
            return self.evaluate(lambda: int(v.value))
        raise Break("int_of_unknown", type=self.type_name(v))

    def key(self, v):
        if isinstance(v, Const):
            return v.value
        if isinstance(v, Seq) and v.kind is tuple and all(isinstance(x, Const) for x in v.items):
            return tuple(x.value for x in v.items)
        raise Break("unknown_key", type=self.type_name(v))

    def truth(self, v):
        if isinstance(v, Const):
            return bool(v.value)
        if isinstance(v, SymInt):
            return self.evaluate(lambda: bool(v.value != 0))
        if isinstance(v, (Seq, Dict)):
            return bool(v.items)
        if isinstance(v, Tensor):
            raise Break("data_dependent_jump")
        if isinstance(v, Obj) and isinstance(v.value, (types.FunctionType, type, torch.nn.Module, types.ModuleType)) and not hasattr(v.value, "__len__"):
            return True
        if isinstance(v, (Func, Method)):
            return True
        raise Break("truth_of_unknown", type=self.type_name(v))

    def identical(self, a, b):
        if isinstance(a, Const) and isinstance(b, Const):
            return a.value is b.value or (type(a.value) is type(b.value) and a.value == b.value and isinstance(a.value, (str, int, bool)))
        if isinstance(a, Obj) and isinstance(b, Obj):
            for v in (a, b):
                if v.source is not None:
                    self.guard("ID_MATCH", v.source.name, f"{v.source.name} is {OBJ}", v.value)
            return a.value is b.value
        same = a is b
        if type(a) is type(b) and a.source is not None and b.source is not None and a.source.name != b.source.name:
            self.guard("ID_MATCH", a.source.name, f"({a.source.name} is {b.source.name}) is {same}")
        return same

    def contains(self, container, v):
        if isinstance(container, Dict):
            return self.key(v) in container.items
        if isinstance(container, Seq) and isinstance(v, Const) and all(isinstance(x, Const) for x in container.items):
            return v.value in [x.value for x in container.items]
        if isinstance(container, Const) and isinstance(v, Const):
            return v.value in container.value
        if isinstance(container, Obj) and isinstance(container.value, (set, frozenset, dict)) and isinstance(v, Const) and container.source is not None:
            answer = v.value in container.value
            self.guard("SET_CONTAINS", container.source.name, f"({v.value!r} in {container.source.name}) is {answer}")
            return answer
        raise Break("contains_of_unknown")

    # ---- operators ---------------------------------------------------------------------------------------------------
    def binary(self, f, a, b):
        if isinstance(a, Tensor) or isinstance(b, Tensor):
            if f in (operator.eq, operator.ne) and any(isinstance(v, Const) and v.value is None for v in (a, b)):
                return Const(f is operator.ne)
            return self.call_function_node(f, [a, b], {})
        if isinstance(a, SymInt) or isinstance(b, SymInt):
            return self.symbolic(f, a, b)
        if isinstance(a, Const) and isinstance(b, Const):
            return self.constant(f(a.value, b.value))
        if f in (operator.add, operator.iadd) and isinstance(a, Seq) and isinstance(b, (Seq, Iter)):
            if f is operator.iadd and a.kind is list:
                a.items.extend(known.items_of(self, b))
                self.mutated(a)
                return a
            return Seq(tuple if a.kind is torch.Size and b.kind is tuple else a.kind, a.items + b.items)
        if f in (operator.mul, operator.imul) and isinstance(a, Seq):
            return Seq(a.kind, a.items * self.as_int(b))
        if f is operator.mod and isinstance(a, Const) and isinstance(a.value, str) and isinstance(b, Seq) and all(isinstance(x, Const) for x in b.items):
            return Const(a.value % tuple(x.value for x in b.items))
        if f in COMPARE.values() and isinstance(a, Seq) and isinstance(b, Seq) and f in (operator.eq, operator.ne):
            same = len(a.items) == len(b.items) and a.kind is not None and all(self.truth(self.binary(operator.eq, x, y)) for x, y in zip(a.items, b.items))
            return Const(same == (f is operator.eq))
        if f in (operator.eq, operator.ne) and isinstance(a, Obj) and isinstance(b, Obj) and type(a.value).__eq__ is object.__eq__:
            return Const(self.identical(a, b) == (f is operator.eq))
        if f in (operator.eq, operator.ne) and (isinstance(a, Const) or isinstance(b, Const)) and type(a) is not type(b) and not isinstance(a, Obj) and not isinstance(b, Obj):
            return Const(f is operator.ne)
        raise Break("operator_on_unknown", operator=f.__name__, left=self.type_name(a), right=self.type_name(b))

    def symbolic(self, f, a, b):
        x, y = (v.value if isinstance(v, (Const, SymInt)) else self._no(v) for v in (a, b))
        value = self.evaluate(lambda: f(x, y))
        if not isinstance(value, torch.SymInt):
            return Const(value)
        simple = self.symbol_nodes.get(str(value))
        if simple is not None:
            return simple
        file, line = self.place()
        number = _C._dynamo.call(self.graph, "call_function", f.__name__, f, [self.as_arg(a), self.as_arg(b)], {}, file, line, self.origin(), "")
        _C._dynamo.set_value(self.graph, number, value)
        v = SymInt(value, NodeRef(number))
        self.symbol_nodes[str(value)] = v
        return v

    def _no(self, v):
        raise Break("operator_on_unknown", left=self.type_name(v))

    def unary(self, f, v):
        if isinstance(v, Tensor):
            return self.call_function_node(f, [v], {})
        if isinstance(v, Const):
            return Const(f(v.value))
        if isinstance(v, SymInt) and f is operator.neg:
            return self.symbolic(operator.mul, v, Const(-1))
        raise Break("operator_on_unknown", operator=f.__name__, left=self.type_name(v))

    def get_item(self, owner, key):
        if isinstance(owner, Tensor) or isinstance(key, Tensor):
            return self.call_function_node(operator.getitem, [owner, key], {})
        if isinstance(owner, Seq):
            if isinstance(key, Slice):
                parts = [None if isinstance(p, Const) and p.value is None else self.as_int(p) for p in key.parts]
                return Seq(owner.kind, owner.items[slice(*parts)])
            return owner.items[self.as_int(key)]
        if isinstance(owner, Dict):
            return owner.items[self.key(key)]
        if isinstance(owner, Const) and isinstance(key, Const):
            return self.constant(owner.value[key.value])
        if isinstance(owner, Const) and isinstance(key, Slice):
            return self.constant(owner.value[slice(*[p.value for p in key.parts])])
        if isinstance(owner, Obj) and isinstance(owner.value, (torch.nn.ModuleList, torch.nn.Sequential, torch.nn.ModuleDict)):
            modules = self.get_attr(owner, "_modules")
            k = key.value
            if isinstance(k, int):
                k = list(modules.items)[k]
            return modules.items[k]
        raise Break("item_of_unknown", type=self.type_name(owner))

    def set_item(self, owner, key, value):
        if isinstance(owner, Tensor):
            self.node("call_function", "setitem", operator.setitem, [owner, key, value], {})
        elif isinstance(owner, Dict):
            owner.items[self.key(key)] = value
            self.mutated(owner)
        elif isinstance(owner, Seq) and owner.kind is list:
            owner.items[self.as_int(key)] = value
            self.mutated(owner)
        else:
            raise Break("item_of_unknown", type=self.type_name(owner))

    def mutated(self, v):
        if v.source is not None and v not in self.mutations:
            self.mutations.append(v)

    # ---- attributes --------------------------------------------------------------------------------------------------
    def tensor_attr(self, v, name):
        if name in ("shape", "dtype", "device", "ndim", "requires_grad", "is_cuda", "is_leaf", "itemsize", "layout", "is_cpu", "names", "is_sparse"):
            self.realize(v)
            value = self.evaluate(lambda: getattr(v.fake, name))
            if name == "shape":
                return Seq(torch.Size, [self.result(s, None) for s in value])
            return self.result(value, None) if not isinstance(value, torch.layout) else Obj(value)
        if name in ("T", "mT", "H", "real", "data", "grad"):
            if name in ("data", "grad", "H", "real"):
                raise Break("tensor_attribute", name=name)
            return self.node("call_function", "getattr", getattr, [v, Const(name)], {})
        if name in ("item", "tolist", "numpy", "backward", "register_hook", "retain_grad", "requires_grad_", "detach_", "set_", "resize_", "cpu", "cuda", "share_memory_"):
            if name not in ("requires_grad_", "cpu"):
                raise Break("tensor_method", name=name)
        if not hasattr(torch.Tensor, name):
            raise Break("tensor_attribute", name=name)
        return Method(v, None, name)

    def has_attr(self, v, name):
        if isinstance(v, Tensor):
            return hasattr(torch.Tensor, name)
        if isinstance(v, Obj):
            answer = hasattr(v.value, name)
            if v.source is not None:
                self.guard("HASATTR", v.source.name, f"hasattr({v.source.name}, {name!r}) is {answer}")
            return answer or name in v.written
        if isinstance(v, Const):
            return hasattr(v.value, name)
        return hasattr(self.python_type(v), name)

    def get_attr(self, v, name):
        if isinstance(v, Tensor):
            return self.tensor_attr(v, name)
        if isinstance(v, Seq):
            fields = getattr(v, "fields", None)
            if fields and name in fields:
                return v.items[fields.index(name)]
            return Method(v, None, name)
        if isinstance(v, Const):
            if isinstance(v.value, (torch.dtype, torch.device)) or not callable(getattr(v.value, name)):
                return self.constant(getattr(v.value, name))
            return Method(v, None, name)
        if isinstance(v, (Dict, Iter)):
            return Method(v, None, name)
        if isinstance(v, Super):
            return self.super_attr(v, name)
        if isinstance(v, Obj):
            return self.object_attr(v, name)
        if isinstance(v, Func) and name == "__name__":
            return Const(v.code.co_name)
        raise Break("attribute_of_unknown", type=self.type_name(v), name=name)

    def super_attr(self, v, name):
        mro = type(v.owner.value).__mro__
        for cls in mro[mro.index(v.cls) + 1:]:
            if name in cls.__dict__:
                f = cls.__dict__[name]
                if isinstance(f, types.FunctionType):
                    return Method(v.owner, f, name)
                break
        raise Break("super_attribute", name=name)

    def object_attr(self, v, name):
        value = v.value
        if name in v.written:
            return v.written[name]
        if isinstance(value, types.ModuleType):
            if v.source is not None:
                self.guard("MODULE_MATCH", v.source.name, f"{v.source.name} is {OBJ}", value)
            found = getattr(value, name)
            return self.wrap(found, v.source.attr(name)) if v.source is not None else Obj(found)
        if isinstance(value, type):
            found = getattr(value, name)
            return self.wrap(found, v.source.attr(name)) if v.source is not None else self.wrap(found, Source(f"{name}", name)) if isinstance(found, CONSTANTS) else Obj(found)
        if v.source is None:
            raise Break("attribute_of_unknown", type=type(value).__name__, name=name)
        cls = type(value)
        self.guard("TYPE_MATCH", v.source.name, f"type({v.source.name}) is {OBJ}", cls)
        own = getattr(value, "__dict__", {})
        if isinstance(value, torch.nn.Module):
            for table in ("_parameters", "_buffers", "_modules"):
                if name in own[table]:
                    return self.wrap(own[table][name], v.source.attr(table).item(name))
        if name in own:
            return self.wrap(own[name], v.source.attr(name))
        for base in cls.__mro__:
            if name in base.__dict__:
                found = base.__dict__[name]
                if own is not None and name not in own:
                    self.guard("NOT_PRESENT_IN_GENERIC_DICT", v.source.name, f"{name!r} not in {v.source.name}.__dict__") if hasattr(value, "__dict__") else None
                if isinstance(found, types.FunctionType):
                    return Method(v, found, name)
                if isinstance(found, property):
                    return self.inline(found.fget, [v], {})
                if isinstance(found, staticmethod):
                    return Obj(found.__func__)
                if isinstance(found, classmethod):
                    return Method(Obj(cls, Source(f"type({v.source.name})", f"type({v.source.text})")), found.__func__, name)
                if isinstance(found, types.MemberDescriptorType):
                    return self.wrap(getattr(value, name), v.source.attr(name))
                if hasattr(found, "__get__"):
                    raise Break("descriptor", name=name)
                return self.wrap(found, v.source.attr(name))
        raise Break("attribute_missing", type=cls.__name__, name=name)

    def set_attr(self, v, name, value):
        if isinstance(v, Obj) and v.source is not None and not isinstance(v.value, (types.ModuleType, type)):
            if any(name in base.__dict__ and hasattr(base.__dict__[name], "__set__") for base in type(v.value).__mro__):
                raise Break("descriptor", name=name)
            if isinstance(v.value, torch.nn.Module) and not isinstance(value, Const) and not (name in v.value.__dict__):
                raise Break("writes_module_attribute", name=name)
            self.guard("TYPE_MATCH", v.source.name, f"type({v.source.name}) is {OBJ}", type(v.value))
            if name not in v.written:
                self.effects.append((v, name))
            v.written[name] = value
            return
        raise Break("writes_attribute", type=self.type_name(v), name=name)

    # ---- calls -------------------------------------------------------------------------------------------------------
    def call(self, f, args, kwargs):
        if isinstance(f, Method):
            return self.call_method(f, args, kwargs)
        if isinstance(f, Func):
            return self.inline_func(f, args, kwargs)
        if not isinstance(f, Obj):
            raise Break("call_unknown", function=self.type_name(f))
        value = f.value
        if value is torch._dynamo.graph_break:
            raise Break("graph_break")
        if getattr(value, "_torchdynamo_disable", False):
            raise Break("disabled_function", function=getattr(value, "__name__", "?"))
        if hasattr(value, "_torchdynamo_orig_callable"):
            value = value._torchdynamo_orig_callable
        if isinstance(value, torch.nn.Module):
            return self.call_module(f, args, kwargs)
        if isinstance(value, types.MethodType):
            owner = f.source.attr("__self__") if f.source is not None else None
            self.guard_callable(f)
            return self.inline(value.__func__, [self.wrap(value.__self__, owner) if owner else Obj(value.__self__)] + args, kwargs)
        self.guard_callable(f)
        special = self.special_call(value, args, kwargs)
        if special is not None:
            return special
        if value in known.HANDLERS:
            return known.HANDLERS[value](self, args, kwargs)
        if value in known.OPERATORS:
            return self.operator_call(value, args)
        if is_torch_callable(value):
            return self.node("call_function", value.__name__, value, args, kwargs)
        if isinstance(value, types.FunctionType):
            return self.inline(value, args, kwargs)
        if value in known.PURE and not kwargs and all(isinstance(a, Const) for a in args):
            return self.constant(value(*[a.value for a in args]))
        raise Break("print" if value is print else "call_unknown", function=getattr(value, "__name__", type(value).__name__))

    def guard_callable(self, f):
        if f.source is None:
            return
        value = f.value
        kind = "BUILTIN_MATCH" if isinstance(value, (types.BuiltinFunctionType, type)) else "CLOSURE_MATCH"
        if f.source.name.startswith("G['__builtins_dict__']"):
            name = f.source.text
            self.guard(kind, f.source.name, f"{OBJ} is {OBJ} and {name!r} not in G", value, value)
            return
        self.guard(kind, f.source.name, f"{f.source.name} is {OBJ}", value)
        if isinstance(value, types.FunctionType) and not is_torch_callable(value):
            self.guard("CLOSURE_MATCH", f.source.name + ".__code__", f"{f.source.name}.__code__ is {OBJ}", value.__code__)

    def special_call(self, value, args, kwargs):
        enabled = known.grad_mode(value)
        if enabled is not None and not args:
            return GradMode(enabled)
        if value is torch.set_grad_enabled:
            return GradMode(bool(args[0].value))
        if value is torch.is_grad_enabled:
            return Const(torch.is_grad_enabled())
        if value is torch.is_tensor:
            return Const(isinstance(args[0], Tensor))
        if value in (torch.compiler.is_compiling, getattr(torch.compiler, "is_dynamo_compiling", None)):
            return Const(True)
        if value is super and len(args) == 0 and not self.frame.root:
            cls = self.frame.cells.get("__class__")
            cls = cls.value if isinstance(cls, Cell) else cls
            owner = self.frame.locals[self.frame.code.co_varnames[0]]
            return Super(cls.value if isinstance(cls, Obj) else cls, owner)
        if value is super:
            raise Break("call_unknown", function="super")
        if isinstance(value, type) and (issubclass(value, (torch.nn.Module, BaseException)) or value.__module__ != "builtins") and value not in known.HANDLERS:
            if value is torch.Size:
                return Seq(torch.Size, known.items_of(self, args[0]))
            raise Break("constructs_object", type=value.__name__)
        if getattr(value, "_torchdynamo_disable", False):
            raise Break("disabled_function", function=value.__name__)
        return None

    def operator_call(self, f, args):
        if len(args) == 1:
            return Const(not self.truth(args[0])) if f is operator.not_ else self.unary(f, args[0])
        if f is operator.getitem:
            return self.get_item(*args)
        return self.binary(f, *args)

    def call_method(self, m, args, kwargs):
        owner, name = m.owner, m.name
        if m.function is not None:
            return self.inline(m.function, [owner] + args, kwargs)
        if isinstance(owner, GradMode):
            self.set_grad_enabled(owner.before)
            return Const(None)
        if isinstance(owner, Tensor):
            if name in ("size", "stride") and not args and not kwargs and name == "size":
                return self.tensor_attr(owner, "shape")
            return self.node("call_method", name, None, [owner] + args, kwargs)
        if isinstance(owner, Seq):
            return known.list_method(self, owner, name, args, kwargs)
        if isinstance(owner, Dict):
            return known.dict_method(self, owner, name, args, kwargs)
        if isinstance(owner, Const):
            if name == "join" and len(args) == 1 and isinstance(args[0], (Seq, Iter)):
                items = known.items_of(self, args[0])
                if all(isinstance(x, Const) for x in items):
                    return Const(owner.value.join(x.value for x in items))
            if all(isinstance(a, Const) for a in args) and all(isinstance(a, Const) for a in kwargs.values()):
                return self.constant(getattr(owner.value, name)(*[a.value for a in args], **{k: a.value for k, a in kwargs.items()}))
        raise Break("call_unknown", function=f"{self.type_name(owner)}.{name}")

    HOOKS = ("_backward_hooks", "_backward_pre_hooks", "_forward_hooks", "_forward_hooks_with_kwargs", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs")

    def call_module(self, f, args, kwargs):
        module = f.value
        if f.source is None:
            raise Break("call_unknown", function=type(module).__name__)
        self.guard("TYPE_MATCH", f.source.name, f"type({f.source.name}) is {OBJ}", type(module))
        for hooks in self.HOOKS:
            if getattr(module, hooks, None):
                raise Break("module_hooks", type=type(module).__name__)
            if hooks in module.__dict__:
                self.guard("EMPTY_NN_MODULE_HOOKS_DICT", f"{f.source.name}.{hooks}", f"not {f.source.name}.{hooks}")
        forward = module.__dict__.get("forward")
        if forward is not None:
            raise Break("forward_on_instance", type=type(module).__name__)
        self.guard("NOT_PRESENT_IN_GENERIC_DICT", f.source.name, f"'forward' not in {f.source.name}.__dict__")
        path = f.source.name.replace("L['self']", "").replace("._modules['", ".").replace("']", "").lstrip(".")
        self.module_stack.append(path)
        try:
            return self.inline(type(module).forward, [f] + args, kwargs)
        finally:
            self.module_stack.pop()

    def inline(self, function, args, kwargs):
        while hasattr(function, "__wrapped__") and getattr(function, "_torchdynamo_inline", None):
            function = function.__wrapped__
        if not isinstance(function, types.FunctionType):
            raise Break("call_unknown", function=getattr(function, "__name__", "?"))
        if getattr(function, "_torchdynamo_disable", False):
            raise Break("disabled_function", function=function.__name__)
        defaults = [self.default(function, d, i) for i, d in enumerate(function.__defaults__ or ())]
        kwdefaults = {k: self.constant_default(v) for k, v in (function.__kwdefaults__ or {}).items()}
        closure = {}
        for name, cell in zip(function.__code__.co_freevars, function.__closure__ or ()):
            content = cell.cell_contents
            if isinstance(content, CONSTANTS + (types.FunctionType, type, types.ModuleType)):
                closure[name] = Cell(Const(content) if isinstance(content, CONSTANTS) else Obj(content))
            else:
                raise Break("closure_of_inlined_function", name=name)
        return self.inline_code(function.__code__, function.__globals__, args, kwargs, defaults, kwdefaults, closure, function.__name__)

    def default(self, function, value, i):
        return self.constant_default(value)

    def constant_default(self, value):
        if isinstance(value, CONSTANTS):
            return Const(value)
        if isinstance(value, tuple):
            return Seq(tuple, [self.constant_default(x) for x in value])
        if isinstance(value, (types.FunctionType, type)):
            return Obj(value)
        raise Break("default_argument", type=type(value).__name__)

    def inline_func(self, f, args, kwargs):
        closure = {n: c for n, c in zip(f.code.co_freevars, f.closure)}
        return self.inline_code(f.code, f.globals, args, kwargs, list(f.defaults), dict(f.kwdefaults), closure, f.code.co_name)

    def inline_code(self, code, globals_, args, kwargs, defaults, kwdefaults, closure, name):
        if code.co_flags & 0x2A0:  # generators, coroutines, async generators
            raise Break("generator", function=name)
        caller = self.frame
        if caller.depth >= MAX_DEPTH:
            raise Break("inlined_too_deep", function=name)
        locals_ = self.bind(code, args, kwargs, defaults, kwdefaults, name)
        builtins_ = globals_.get("__builtins__", self.builtins)
        builtins_ = builtins_ if isinstance(builtins_, dict) else builtins_.__dict__
        frame = Frame(self, code, globals_, builtins_, locals_, closure, caller.depth + 1)
        frame.caller = caller
        self.inlined.append((name, code.co_filename, code.co_firstlineno, frame.depth, self.root.current.offset))
        try:
            return frame.run()
        finally:
            self.frame = caller

    def bind(self, code, args, kwargs, defaults, kwdefaults, name):
        count, posonly = code.co_argcount, code.co_posonlyargcount
        names = code.co_varnames
        bound, kwargs = {}, dict(kwargs)
        for n, v in zip(names[:count], args):
            bound[n] = v
        extra = args[count:]
        for n in names[posonly:count] + names[count:count + code.co_kwonlyargcount]:
            if n in kwargs:
                if n in bound:
                    raise Break("bad_call", function=name)
                bound[n] = kwargs.pop(n)
        for i, d in enumerate(reversed(defaults)):
            bound.setdefault(names[count - 1 - i], d)
        for n, d in kwdefaults.items():
            bound.setdefault(n, d)
        at = count + code.co_kwonlyargcount
        if code.co_flags & 4:
            bound[names[at]] = Seq(tuple, list(extra))
            at += 1
        elif extra:
            raise Break("bad_call", function=name)
        if code.co_flags & 8:
            bound[names[at]] = Dict(kwargs)
        elif kwargs:
            raise Break("bad_call", function=name)
        if any(n not in bound for n in names[:count + code.co_kwonlyargcount]):
            raise Break("bad_call", function=name)
        return bound

    def distinctness(self):
        """Pairs of inputs that were different objects, where it matters: tensors, and containers that were changed."""
        tensors = [v.source.name for _, v in self.wrapped.values() if isinstance(v, Tensor) and v.node is not None]
        tensors = list(dict.fromkeys(tensors))
        if len(tensors) > 1:
            yield tensors
        for v in self.mutations:
            for other in dict.fromkeys(w for _, w in self.wrapped.values()):
                if other is not v and type(other) is type(v) and getattr(other, "kind", None) is getattr(v, "kind", None):
                    yield [v.source.name, other.source.name]

    # ---- ends --------------------------------------------------------------------------------------------------------
    def end_at_return(self, frame, value):
        from .codegen import Codegen
        return Codegen(self).returning(value)

    def end_at_break(self, frame, ins, reason):
        from .codegen import Codegen
        return Codegen(self).breaking(frame, ins, reason)
