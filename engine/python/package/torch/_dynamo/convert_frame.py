"""Compiles frames: called by the frame hook for code that no cache entry fits."""
import json
import time

import torch
from torch import _C

from . import bytecode, config
from .exc import Break, Restart, Skip, Unsupported
from .symbolic_convert import OBJ, Tracer
from .variables import Tensor


def compile_graph(tracer):
    """The compiled callable of the finished graph, by the backend that torch.compile was given. Its time is the backend's, not Dynamo's."""
    start = time.perf_counter()
    try:
        return call_backend(tracer)
    finally:
        tracer.backend_ms += ms(start)


def call_backend(tracer):
    name, forced = _C._dynamo.default_backend()
    given = tracer.config.backend
    if callable(given) and forced < 2:
        module = _C._dynamo.graph_module(tracer.graph)
        f = given(module, [e for _, _, e in tracer.inputs])
        # What the backend made runs as it is: its frames are not to be compiled again.
        return lambda *args: _as_tuple(_C._dynamo.run(None, f, args, {}))
    backend = name if forced or given in (None, "inductor") else given
    if LISTENING():
        _C._dynamo.emit_graph(tracer.graph, tracer.compile_id)
    examples = [_example(tracer, e) for e in tracer.inputs]
    try:
        return _C._dynamo.compile(tracer.graph, backend, tracer.compile_id, examples)
    except NotImplementedError as refusal:
        tracer.fallback = str(refusal)
        return _C._dynamo.eager(tracer.graph)


def _example(tracer, entry):
    number, text, example = entry
    if isinstance(example, torch.Tensor):
        return tracer.fakes[number]
    return example


def _as_tuple(result):
    return tuple(result) if isinstance(result, (tuple, list)) else (result,)


LISTENING = _C._dynamo.listening
FRAMES = {}      # code -> frame number
RECOMPILES = {}  # code -> entries made
SIZES = {}       # code -> source -> sizes seen


def forget():
    """torch._dynamo.reset()"""
    FRAMES.clear()
    RECOMPILES.clear()
    SIZES.clear()


def emit(family, kind, **fields):
    _C._dynamo.emit(json.dumps({"family": family, "kind": kind, **fields}, default=str))


class Record:
    """An entry's notes: what the hook tells a checked guard to."""
    def __init__(self, compile_id, function, guards):
        self.compile_id, self.function, self.guards = compile_id, function, guards

    def checked(self, failed, ns):
        if not LISTENING():
            return
        fields = {"compile": self.compile_id, "function": self.function, "passed": failed < 0, "ns": ns,
                  "failed": f"guards:{self.compile_id}:{failed}" if failed >= 0 else ""}
        emit("measure", "guard_check", **fields)
        if failed < 0:
            emit("compile", "cache", event="hit", compile=self.compile_id, function=self.function)
        else:
            self.last_failure = failed


def build_guard(guards):
    """(guard function, the expressions as text). The function returns the number of the first failing guard, or -1."""
    env, lines, texts = {}, [], []
    for n, g in enumerate(guards):
        names = []
        for i, o in enumerate(g["objects"]):
            env[f"o{n}_{i}"] = o
            names.append(f"o{n}_{i}")
        lines.append(f"        if not ({_with(g['expression'], names)}): return {n}\n")
        texts.append(_with(g["expression"], [_shown(o) for o in g["objects"]]))
    source = "def guard(L, G):\n    try:\n" + ("".join(lines) or "        pass\n") + "    except Exception:\n        return first(L, G)\n    return -1\n"

    def first(L, G):
        for n, g in enumerate(guards):
            names = {f"o{n}_{i}": o for i, o in enumerate(g["objects"])}
            try:
                if not eval(_with(g["expression"], list(names)), {**names, "L": L, "G": G}):
                    return n
            except Exception:
                return n
        return len(guards) - 1

    env["first"] = first
    exec(compile(source, "<strata>/guards", "exec"), env)
    return env["guard"], texts


def _with(expression, names):
    """The expression with each OBJ replaced by the next name."""
    parts = expression.split(OBJ)
    return "".join(a + b for a, b in zip(parts, list(names) + [""]))


def _shown(o):
    return getattr(o, "__name__", None) or str(o)


def global_guards(tracer, grad):
    """State of the process that the graph relies on: grad mode and the default dtype. What this engine has no switch for
    (deterministic algorithms, torch functions, saved-tensor hooks, a default device) cannot change."""
    fixed = {"file": tracer.code.co_filename, "line": tracer.code.co_firstlineno, "offset": 0, "source": ""}
    return [
        {"kind": "GRAD_MODE", "expression": f"{OBJ}() is {grad}", "objects": (torch.is_grad_enabled,), **fixed},
        {"kind": "GLOBAL_STATE", "expression": f"{OBJ}() is {OBJ}", "objects": (torch.get_default_dtype, torch.get_default_dtype()), **fixed},
    ]


def distinctness_guards(tracer):
    """Inputs that were different objects still are: the graph was captured for that."""
    place = {"file": tracer.code.co_filename, "line": tracer.code.co_firstlineno, "offset": 0}
    for names in tracer.distinctness():
        ids = ", ".join(f"id({n})" for n in names)
        yield {"kind": "NO_TENSOR_ALIASING", "source": "", "objects": (), "expression": f"len({{{ids}}}) == {len(names)}", **place}


def shape_guards(tracer):
    symbols = _C._dynamo.symbols(tracer.graph)
    out = []
    fixed = {"kind": "SHAPE_ENV", "source": "", "objects": ()}
    bind = {}
    for name, kind, source, dim in symbols:
        bind[name] = source if kind == "int" else f"{source}.size({dim})"
        place = {"file": tracer.code.co_filename, "line": tracer.code.co_firstlineno, "offset": 0}
        out.append({**fixed, "expression": f"{bind[name]} >= 2", **place})
    args = ", ".join(f"{n}={e}" for n, e in bind.items())
    for text, file, line in _C._dynamo.shape_guards(tracer.graph):
        text = text.replace("Min(", "min(").replace("Max(", "max(")
        out.append({**fixed, "expression": f"(lambda {', '.join(bind)}: {text})({args})", "file": file or tracer.code.co_filename, "line": line, "offset": 0})
    return out


def convert(conf, code, locals_, globals_, builtins_, closure, earlier, function):
    """(guard, code, record); None: never compile this code again; False: not this call."""
    if earlier >= config.recompile_limit:
        if LISTENING():
            emit("compile", "cache", event="limit", compile="", function=code.co_name)
        return None
    if code not in FRAMES:
        FRAMES[code] = len(FRAMES)
    compile_id = f"{FRAMES[code]}/{RECOMPILES.get(code, 0)}"
    builtins_ = builtins_ if isinstance(builtins_, dict) else builtins_.__dict__
    start = time.perf_counter()
    listening = LISTENING()
    if listening:
        reason = "guard_failed" if earlier else "resume" if bytecode.resumes(code) else "first_call"
        emit("compile", "compile_started", compile=compile_id, function=code.co_name, file=code.co_filename, line=code.co_firstlineno, reason=reason)
        emit("compile", "cache", event="recompile" if earlier else "miss", compile=compile_id, function=code.co_name)
        emit_bytecode("bytecode", compile_id, code)
    grad = torch.is_grad_enabled()
    status, tracer = "ok", None
    try:
        tracer, result = trace(compile_id, code, locals_, globals_, builtins_, function, conf, listening == 2)
    except Skip as s:
        if listening:
            emit("compile", "compile_finished", compile=compile_id, status="skipped", ms=ms(start), ops=0, guards=0, code=s.code, file=code.co_filename,
                 line=code.co_firstlineno, hint_values={k: str(v) for k, v in s.values.items()})
        RECOMPILES.setdefault(code, 0)
        return None
    finally:
        if torch.is_grad_enabled() != grad:
            _C._set_grad_enabled(grad)
    RECOMPILES[code] = RECOMPILES.get(code, 0) + 1
    guards = global_guards(tracer, grad) + tracer.guards + list(distinctness_guards(tracer)) + shape_guards(tracer)
    guard, texts = build_guard(guards)
    if result.reason is not None:
        status = "graph_break"
    if getattr(tracer, "fallback", None):
        status = "fallback"
    if listening:
        emit_all(tracer, result, guards, texts, compile_id, code, status, start, listening)
    return guard, result.code, Record(compile_id, code.co_name, guards)


def trace(compile_id, code, locals_, globals_, builtins_, function, conf, detail):
    breaks = {}
    sizes = SIZES.setdefault(code, {})
    for _ in range(100):
        tracer = Tracer(compile_id, code, locals_, globals_, builtins_, function, breaks, sizes, conf, detail)
        tracer.fakes = Fakes(tracer)
        try:
            result = tracer.root.run()
        except Restart as r:
            offset, b, place = r.args
            breaks = {**breaks, offset: (b, place)}
            continue
        for name, seen in tracer.seen_sizes.items():
            old = sizes.get(name)
            if isinstance(seen, list) and isinstance(old, list) and len(old) == len(seen):
                seen = [s if s == o else None for s, o in zip(seen, old)]
            sizes[name] = seen
        return tracer, result
    raise Skip("too_many_restarts")


class Fakes:
    """Placeholder number -> the fake tensor that tracing used."""
    def __init__(self, tracer):
        self.tracer = tracer

    def __getitem__(self, number):
        for value, v in self.tracer.wrapped.values():
            if isinstance(v, Tensor) and v.node is not None and v.node.index == number:
                return v.fake
        raise KeyError(number)


def ms(start):
    return (time.perf_counter() - start) * 1e3


def emit_bytecode(kind, compile_id, code, origin=None):
    items, lines = [], bytecode.text(code)
    for n, i in enumerate(bytecode.instructions(code)):
        line = bytecode.line_of(i)
        items.append({"id": f"{kind}:{compile_id}:{i.offset}", "from": [f"source:{code.co_filename}:{line}"] if line else [], "line": n + 1, "end_line": n + 1,
                      "label": f"{i.offset} {i.opname}", "offset": i.offset, "opname": i.opname, "arg": i.arg, "argrepr": i.argrepr, "source_line": line,
                      "jump_target": i.is_jump_target})
    emit("artifact", kind, compile=compile_id, region="", graph=code.co_name, text="\n".join(lines) + "\n", items=items)


def emit_all(tracer, result, guards, texts, compile_id, code, status, start, listening):
    lines, items = [], []
    for n, (g, text) in enumerate(zip(guards, texts)):
        lines.append(f"{g['kind']:32} {g['source'] or '-':40} {text}")
        items.append({"id": f"guards:{compile_id}:{n}", "from": [f"bytecode:{compile_id}:{g['offset']}"] if g["source"] else [], "line": n + 1, "end_line": n + 1,
                      "label": g["source"] or g["kind"], "guard_kind": g["kind"], "source": g["source"], "expression": text, "user_line": g["line"]})
    emit("artifact", "guards", compile=compile_id, region="", graph=code.co_name, text="\n".join(lines) + "\n", items=items)
    emit_bytecode("transformed_bytecode", compile_id, result.code)
    if listening == 2:
        for r in tracer.step_records:
            emit("step", "dynamo_step", compile=compile_id, **r)
        for item in items:
            emit("step", "guard_added", compile=compile_id, id=item["id"], **{"from": (item["from"] or [""])[0]})
        for name, file, line, depth, offset in tracer.inlined:
            emit("step", "inlined", compile=compile_id, function=name, file=file, line=line, depth=depth, **{"from": f"bytecode:{compile_id}:{offset}"})
    extra = {}
    if result.reason is not None:
        b, (file, line) = result.reason
        emit("step", "graph_break", compile=compile_id, code=b.code, values={k: str(v) for k, v in b.values.items()}, file=file, line=line,
             **{"from": f"source:{file}:{line}"})
        extra = {"code": b.code, "file": file, "line": line, "hint_values": {k: str(v) for k, v in b.values.items()}}
    if getattr(tracer, "fallback", None):
        extra = {"code": "backend_refused", "file": code.co_filename, "line": code.co_firstlineno, "hint_values": {"reason": tracer.fallback}}
    total = ms(start)
    emit("compile", "stage_finished", compile=compile_id, region="", stage="dynamo", ms=total - tracer.backend_ms)
    emit("compile", "compile_finished", compile=compile_id, status=status, ms=total, ops=result.calls, guards=len(guards), **extra)


_C._dynamo.set_convert_frame(convert)
