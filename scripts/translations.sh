#!/usr/bin/env bash
# Brings resources/translations up to date with the texts in the sources; with --check only says what is missing.
set -euo pipefail
cd "$(dirname "$0")/.."
ts=resources/translations/strata_zh_CN.ts
target=$ts
if [ "${1:-}" = --check ]; then
    target=$(mktemp --suffix=.ts)
    trap 'rm -f "$target"' EXIT
    cp "$ts" "$target"
fi
/usr/lib/qt6/bin/lupdate -silent -no-obsolete -locations none -I . views app -ts "$target"
if grep -q 'type="unfinished"' "$target"; then
    echo "Texts without a translation: $(grep -c 'type="unfinished"' "$target")"
    grep -B2 'type="unfinished"' "$target" | grep '<source>' | head -20
    exit 1
fi
