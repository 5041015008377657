"""CPython 3.11 bytecode: decoded instructions, exception tables, and resume functions."""
import dis
import types

CACHED = {}


def instructions(code):
    """The despecialised instructions of a code object; EXTENDED_ARG is folded into the instruction it belongs to."""
    found = CACHED.get(code)
    if found is None:
        found = [i for i in dis.get_instructions(code) if i.opname not in ("EXTENDED_ARG", "CACHE")]
        if len(CACHED) > 4096:
            CACHED.clear()
        CACHED[code] = found
    return found


def line_of(instruction):
    return (instruction.positions.lineno or 0) if instruction.positions else 0


def protected(code, offset):
    """Whether an exception at this offset is handled in this code object."""
    return any(e.start <= offset < e.end for e in dis._parse_exception_table(code))


def _varint(value, out, first):
    digits = []
    while True:
        digits.append(value & 63)
        value >>= 6
        if not value:
            break
    digits.reverse()
    for n, d in enumerate(digits):
        byte = d | (64 if n + 1 < len(digits) else 0)
        out.append(byte | (128 if first and n == 0 else 0))


def exception_table(entries):
    out = bytearray()
    for e in entries:
        _varint(e.start // 2, out, True)
        _varint((e.end - e.start) // 2, out, False)
        _varint(e.target // 2, out, False)
        _varint(e.depth << 1 | e.lasti, out, False)
    return bytes(out)


def _emit(out, opname, arg=0):
    for shift in (24, 16, 8):
        if arg >> shift:
            out += bytes([dis.opmap["EXTENDED_ARG"], arg >> shift & 255])
    out += bytes([dis.opmap[opname], arg & 255])


LOCAL_OPS = {dis.opmap[n] for n in ("LOAD_FAST", "STORE_FAST", "DELETE_FAST")}


class CannotResume(Exception):
    pass


def resume_code(code, offset, stack_size, nulls, live, line):
    """A code object that goes on at `offset` of `code`.

    It keeps the whole original body behind a prologue that puts the saved stack back and jumps. Its parameters are
    ___stack0.. (with more underscores where those are taken) and the live locals. `nulls` holds the depths at which the stack has a NULL (a call's empty slot).
    """
    if code.co_cellvars:
        raise CannotResume("cell variables")
    stem = "___stack"
    while any(n.startswith(stem) for n in code.co_varnames):  # the code is a resume function itself
        stem += "_"
    stack_names = tuple(f"{stem}{i}" for i in range(stack_size) if i not in nulls)
    params = stack_names + tuple(live)
    rest = tuple(n for n in code.co_varnames if n not in live)
    names = params + rest
    where = {n: i for i, n in enumerate(names)}
    if len(names) > 255:
        raise CannotResume("more than 255 local variables")
    remap = [where[n] for n in code.co_varnames]
    body = bytearray(code.co_code)
    for i in range(0, len(body), 2):
        if body[i] in LOCAL_OPS and not _is_cache(code, i):
            if i >= 2 and body[i - 2] == dis.opmap["EXTENDED_ARG"]:
                raise CannotResume("more than 255 local variables")
            body[i + 1] = remap[body[i + 1]]
    prologue = bytearray()
    if code.co_freevars:
        _emit(prologue, "COPY_FREE_VARS", len(code.co_freevars))
    _emit(prologue, "RESUME")
    for i in range(stack_size):
        if i in nulls:
            _emit(prologue, "PUSH_NULL")
        else:
            _emit(prologue, "LOAD_FAST", where[f"{stem}{i}"])
    distance = offset // 2
    # The jump's own length depends on its argument: it is measured from behind it.
    _emit(prologue, "JUMP_FORWARD", distance)
    shift = len(prologue)
    entries = [e._replace(start=e.start + shift, end=e.end + shift, target=e.target + shift) for e in dis._parse_exception_table(code)]
    table = bytearray()
    units = shift // 2
    while units:
        n = min(units, 8)
        table.append(128 | 15 << 3 | n - 1)
        units -= n
    flags = code.co_flags & ~0x0C  # no *args, **kwargs
    return code.replace(
        co_argcount=len(params), co_posonlyargcount=0, co_kwonlyargcount=0, co_nlocals=len(names), co_varnames=names,
        co_code=bytes(prologue) + bytes(body), co_flags=flags, co_stacksize=code.co_stacksize + stack_size + 2,
        co_exceptiontable=exception_table(entries), co_linetable=bytes(table) + code.co_linetable,
        co_name=f"torch_dynamo_resume_in_{code.co_name.removeprefix('torch_dynamo_resume_in_').split('_at_')[0]}_at_{line}",
        co_qualname=f"torch_dynamo_resume_in_{code.co_name.removeprefix('torch_dynamo_resume_in_').split('_at_')[0]}_at_{line}")


_STARTS = {}


def _is_cache(code, offset):
    """Whether the code unit at offset is an inline cache, not an instruction."""
    starts = _STARTS.get(code)
    if starts is None:
        starts = {i.offset for i in dis.get_instructions(code)}
        if len(_STARTS) > 1024:
            _STARTS.clear()
        _STARTS[code] = starts
    return offset not in starts


def text(code):
    """(lines, instructions): the disassembly that is shown, one instruction a line."""
    lines = []
    for i in instructions(code):
        mark = ">>" if i.is_jump_target else "  "
        where = f"{line_of(i):4}" if line_of(i) else "    "
        lines.append(f"{where} {mark} {i.offset:4} {i.opname:24} {'' if i.arg is None else i.arg:>4} {'(' + i.argrepr + ')' if i.argrepr else ''}".rstrip())
    return lines


def resumes(code):
    return code.co_name.startswith("torch_dynamo_resume_in_")
