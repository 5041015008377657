#!/usr/bin/env python3
"""Checks the include rules of the folders. Exit status 1 and one line a violation, else 0."""
import pathlib
import re
import sys

# What each folder may include, besides itself and the standard library. "stages" do not include one another.
DATA = {"engine/support", "engine/trace", "engine/tensor", "engine/symbolic"}
IR = DATA | {"engine/fx", "engine/loop"}
ALLOWED = {
    "engine/support": set(),
    "engine/trace": {"engine/support"},
    "engine/symbolic": {"engine/support"},
    "engine/tensor": {"engine/support", "engine/symbolic"},
    "engine/fx": DATA,
    "engine/loop": DATA,
    "engine/ops": IR,
    "engine/eager": IR | {"engine/ops"},
    "engine/python": IR | {"engine/ops", "engine/eager"},
    "engine/dynamo": IR | {"engine/ops", "engine/eager", "engine/python"},
    "engine/jit": IR | {"engine/ops", "engine/eager", "engine/python"},
    "engine/aot": IR | {"engine/ops", "engine/eager"},
    "engine/inductor": IR | {"engine/ops"},
    "engine/runtime": {"engine/support", "engine/trace"},
    "engine/pipeline": IR | {f"engine/{d}" for d in "ops eager python dynamo jit aot inductor runtime".split()},
    "engine/cli": IR | {f"engine/{d}" for d in "python pipeline".split()},
    "views/model": {"engine/support", "engine/trace"},
    "views/layout": {"engine/support", "engine/trace", "views/model"},
    "views/canvas": {"engine/support", "engine/trace", "views/model", "views/layout"},
    "views/panes": {"engine/support", "engine/trace", "views/model", "views/layout", "views/canvas"},
}
VIEWS = {f for f in ALLOWED if f.startswith("views/")}
ALLOWED["app/host"] = {"engine/support", "engine/trace"} | VIEWS
ALLOWED["app/shell"] = ALLOWED["app/host"] | {"app/host"}
ALLOWED["app/gui"] = ALLOWED["app/shell"] | {"app/shell"}

# Outside headers that only some folders may see.
ONLY_IN = [
    (re.compile(r"^(Python\.h|internal/pycore|cpython/|opcode\.h|structmember\.h|frameobject\.h)"), {"engine/python", "engine/dynamo", "engine/jit"}),
    (re.compile(r"^(clang|llvm)/"), {"engine/runtime"}),
    (re.compile(r"^(cuda|nvrtc)"), {"engine/runtime"}),
    (re.compile(r"^(Q[A-Z]|Qsci/)"), {f for f in ALLOWED if not f.startswith("engine/")}),
]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]')


def main():
    root = pathlib.Path(__file__).resolve().parent.parent
    wrong = []
    for path in sorted(p for top in ("engine", "views", "app") for p in (root / top).rglob("*") if p.suffix in (".h", ".cpp", ".c")):
        folder = "/".join(path.relative_to(root).parts[:2])
        if folder not in ALLOWED:
            wrong.append(f"{path.relative_to(root)}: the folder {folder} has no rule in scripts/check_includes.py")
            continue
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            header = match.group(1)
            place = f"{path.relative_to(root)}:{number}"
            owner = "/".join(header.split("/")[:2])
            if header.split("/")[0] in ("engine", "views", "app"):
                if owner != folder and owner not in ALLOWED[folder]:
                    wrong.append(f"{place}: {folder} may not include {header}")
            for pattern, folders in ONLY_IN:
                if pattern.match(header) and folder not in folders:
                    wrong.append(f"{place}: {header} belongs to {', '.join(sorted(folders))}")
    print("\n".join(wrong) or "include rules: all kept")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
