#!/usr/bin/env bash
# Formats the C++ sources with clang-format; with --check it only says which differ, and fails.
set -euo pipefail
cd "$(dirname "$0")/.."
mapfile -d '' files < <(find engine views app tests -name '*.cpp' -print0 -o -name '*.h' -print0)
if [ "${1:-}" = --check ]; then
    clang-format-19 --dry-run --Werror "${files[@]}"
else
    clang-format-19 -i "${files[@]}"
fi
