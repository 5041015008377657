"""Writes the engine's Python files as C++: each module's name, source text and compiled code. Run by CMake with the very
Python that is embedded, so that the code objects are read back without compiling.

    embed.py PACKAGE_FOLDER OUTPUT.cpp
"""
import importlib.util
import marshal
import pathlib
import sys

PREFIX = "<strata>/"


def literal(data):
    """Bytes as a C++ string literal, broken into lines."""
    out = []
    for start in range(0, len(data), 64):
        out.append('"' + "".join(escaped(byte) for byte in data[start:start + 64]) + '"')
    return "\n".join(out) or '""'


def escaped(byte):
    if byte in (0x22, 0x5C, 0x3F):  # quote, backslash, and ? because of trigraphs
        return f"\\{byte:03o}"
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def modules(folder):
    for path in sorted(folder.rglob("*.py")):
        relative = path.relative_to(folder)
        package = path.name == "__init__.py"
        parts = relative.parent.parts if package else relative.with_suffix("").parts
        yield ".".join(parts), package, PREFIX + relative.as_posix(), path.read_bytes()


def main():
    folder, output = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    lines = ['#include "engine/python/Package.h"', "", "namespace strata::python {", "", "namespace {", "",
             "constexpr PackageFile files[] = {"]
    for name, package, path, source in modules(folder):
        code = marshal.dumps(compile(source, path, "exec", dont_inherit=True))
        lines.append(f'{{"{name}", {str(package).lower()}, "{path}", {{{literal(source)}, {len(source)}}}, {{{literal(code)}, {len(code)}}}}},')
    magic = importlib.util.MAGIC_NUMBER
    lines += ["};", "", "} // namespace", "", "std::span<const PackageFile> packageFiles() { return files; }",
              f"std::string_view packageMagic() {{ return {{{literal(magic)}, {len(magic)}}}; }}", "", "} // namespace strata::python", ""]
    output.write_text("\n".join(lines))


main()
