#!/usr/bin/env python3
"""Runs programs compiled and not compiled: both must print the same and end well.

Usage: check.py ENGINE PROGRAM..
Numbers in what is printed may differ in the last digits, as floating point sums do.
"""
import re
import subprocess
import sys

NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?")


def run(engine, program, backend):
    done = subprocess.run([engine, "run", program, "--backend", backend], capture_output=True, text=True, timeout=120)
    if done.returncode != 0:
        sys.exit(f"{program} with backend {backend} ended with status {done.returncode}:\n{done.stderr[-3000:]}")
    return done.stdout


def normal(text):
    """Without what legitimately differs: the name of the tape node, and how a tensor's numbers are padded."""
    return re.sub(r"\s+", " ", re.sub(r"grad_fn=<\w+>", "grad_fn", text)).replace("[ ", "[")


def same(a, b):
    a, b = normal(a), normal(b)
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    return all(abs(float(x) - float(y)) <= 2e-3 + 1e-3 * abs(float(y)) for x, y in zip(NUMBER.findall(a), NUMBER.findall(b)))


def main():
    engine, wrong = sys.argv[1], 0
    for program in sys.argv[2:]:
        plain = run(engine, program, "none")
        for backend in ("inductor", "aot_eager", "eager"):
            compiled = run(engine, program, backend)
            if not same(compiled, plain):
                wrong += 1
                print(f"{program}: {backend} prints\n{compiled}\nwhere nothing compiled prints\n{plain}")
        print(f"{program}: compared")
    return 1 if wrong or not sys.argv[2:] else 0


if __name__ == "__main__":
    sys.exit(main())
