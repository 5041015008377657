#!/usr/bin/env bash
# Installs what is needed, builds, and starts Strata on its demonstration program.
# Without a display it runs the same offscreen, prints the stage summary and leaves a screenshot of every pane
# in build/screenshots.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/packages.sh
install_packages
build release
program=${1:-resources/programs/tour.py}
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
    exec build/release/bin/strata "$program" --run
fi
QT_QPA_PLATFORM=offscreen build/release/bin/strata "$program" --screenshots build/screenshots
echo "Screenshots: build/screenshots"
