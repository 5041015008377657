# Sourced by the other scripts: installs what scripts/packages.txt lists, when something of it is missing.
# Needs Debian 12 and root or sudo.

install_packages() {
    local here missing=() sudo=()
    here=$(dirname "${BASH_SOURCE[0]}")
    while read -r package; do
        case $package in '' | '#'*) continue ;; esac
        dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
    done <"$here/packages.txt"
    [ ${#missing[@]} -eq 0 ] && return
    echo "Installing: ${missing[*]}"
    if [ "$(id -u)" -ne 0 ]; then
        command -v sudo >/dev/null || { echo "Packages are missing and there is neither root nor sudo. Install them with apt, then run this again." >&2; return 1; }
        sudo=(sudo)
    fi
    "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 -q update
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 -q install -y --no-install-recommends "${missing[@]}"
}

# build PRESET [cmake arguments..]: configures and builds into build/PRESET.
build() {
    local preset=$1
    shift
    cmake --preset "$preset" "$@"
    cmake --build --preset "$preset" -j "$(nproc)"
}
