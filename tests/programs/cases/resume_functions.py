"""Resume functions go on in the middle of a function, with loops, try blocks and the saved stack."""
import argparse
import dis
import json
import textwrap
import types

from torch._dynamo import bytecode


def codes(code):
    yield code
    for c in code.co_consts:
        if isinstance(c, types.CodeType):
            yield from codes(c)


# Exception tables come out as CPython wrote them.
seen = 0
for module in (argparse, json.decoder, textwrap, dis, types):
    with open(module.__file__) as f:
        for code in codes(compile(f.read(), module.__file__, "exec")):
            entries = dis._parse_exception_table(code)
            assert bytecode.exception_table(entries) == code.co_exceptiontable, code
            seen += bool(entries)
print(seen > 10)


def work(a, b):
    c = a + b
    total = 0
    for i in range(3):
        total += i * c
    try:
        d = total / (a - a)
    except ZeroDivisionError as e:
        d = str(e)
    with open("/dev/null") as f:
        f.read()
    return [total, d, b] if total else None


def after(code, name):
    """The offset behind the first store of `name`."""
    instructions = bytecode.instructions(code)
    n = next(i for i, x in enumerate(instructions) if x.opname == "STORE_FAST" and x.argval == name)
    return instructions[n + 1].offset


code = work.__code__
resume = types.FunctionType(bytecode.resume_code(code, after(code, "c"), 0, set(), ["a", "b", "c"], 17), globals())
print(resume.__name__, resume(2, 3, 5) == work(2, 3), resume(2, 3, 5))
print(types.FunctionType(bytecode.resume_code(code, after(code, "total"), 0, set(), ["a", "b", "c", "total"], 18), globals())(1, 2, 3, 100))


# With two values on the stack: x + g(y) * 2 goes on behind the call.
def expression(x, y):
    return x + y.bit_length() * 2


instructions = bytecode.instructions(expression.__code__)
call = next(i for i, x in enumerate(instructions) if x.opname == "CALL")
f = types.FunctionType(bytecode.resume_code(expression.__code__, instructions[call + 1].offset, 2, set(), [], 40), globals())
print(f(10, 4), expression(10, 9))
