#!/usr/bin/env bash
# Installs what is needed, builds, and runs every test. With --sanitize it also builds the engine with the address and
# undefined-behaviour sanitizers and runs its tests there. With --tidy it runs clang-tidy over the engine and the views.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages
/usr/bin/python3.11 scripts/check_includes.py
scripts/format.sh --check
build release
export QT_QPA_PLATFORM=offscreen
ctest --preset release -j "$(nproc)"
for option in "$@"; do
    case $option in
    --sanitize)
        build asan
        ctest --preset asan -j "$(nproc)"
        ;;
    --tidy) scripts/tidy.sh ;;
    *)
        echo "scripts/test.sh: unknown option $option (known: --sanitize, --tidy)" >&2
        exit 2
        ;;
    esac
done
