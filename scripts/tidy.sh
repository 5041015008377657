#!/usr/bin/env bash
# Runs clang-tidy over the sources of the release build (or over the files given).
set -euo pipefail
cd "$(dirname "$0")/.."
[ -f build/release/compile_commands.json ] || { echo "Build first: scripts/test.sh" >&2; exit 1; }
if [ $# -gt 0 ]; then
    printf '%s\0' "$@"
else
    find engine views app -name '*.cpp' -print0
fi | xargs -0 -n 4 -P "$(nproc)" clang-tidy-19 -p build/release --quiet
