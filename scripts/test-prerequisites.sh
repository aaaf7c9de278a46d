#!/usr/bin/env bash
# Installs what some tests need in addition to Python packages. None of it is required: a test whose
# prerequisite is missing reports that and is skipped. Debian packages are installed only as root:
# mmdebstrap builds the Debian 13 server, the embedded server's PL/Python loads libpython3.11,
# bubblewrap and slirp4netns are the sandbox of local servers and its network, chromium renders
# pages, pgbouncer pools connections, and gnome-keyring with dbus-daemon provides a Secret Service
# without a desktop. pgTAP is unpacked into build/pgtap, which needs no root rights. The root
# filesystems of the Debian 13 server and of the machines of first starts are built here because
# setup leaves a core free. Running the script again does nothing. With the argument pgtap, only pgTAP is
# unpacked.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test prerequisites: %s\n' "$*"; }

command -v apt-get >/dev/null || { say "apt-get was not found; skipped."; exit 0; }

pgtap=build/pgtap/usr/share/postgresql/15/extension/pgtap.control
updated=
update_lists() {
    [ -z "$updated" ] && [ "$(id -u)" = 0 ] || return 0
    apt-get update -qq || say "apt-get update failed; continuing with the existing package lists."
    updated=yes
}

if [ ! -f "$pgtap" ]; then
    # apt downloads as its own user, who cannot write to a private folder.
    folder=$(mktemp -d)
    trap 'rm -rf "$folder"' EXIT
    chmod 755 "$folder"
    download() { (cd "$folder" && apt-get download -qq -o APT::Sandbox::User=root postgresql-15-pgtap) >/dev/null 2>&1; }
    if download || { update_lists; download; }; then
        rm -rf build/pgtap
        mkdir -p build/pgtap
        dpkg -x "$folder"/postgresql-15-pgtap_*.deb build/pgtap
        say "unpacked pgTAP into build/pgtap."
    else
        say "could not download postgresql-15-pgtap (do the package lists exist?); pgTAP tests will be skipped."
    fi
fi

[ "${1:-}" != pgtap ] || exit 0

missing=()
for package in mmdebstrap libpython3.11 bubblewrap slirp4netns chromium pgbouncer gnome-keyring dbus-daemon; do
    # An entry without the word "installed" is a package that was removed.
    dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null | grep -q ' installed$' ||
        missing+=("$package")
done
if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ]; then
        update_lists
        for package in "${missing[@]}"; do
            if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                "$package" >/dev/null 2>&1; then
                say "installed $package."
            else
                say "could not install $package; tests that need it will be skipped."
            fi
        done
    else
        say "these packages need root to be installed: ${missing[*]}; tests that need them will be skipped."
    fi
fi

if [ "$(id -u)" = 0 ]; then
    # Its packages come by pip, which a python3 may lack.
    python3 tests/support/debian_root.py >/dev/null 2>&1 ||
        say "the Debian 13 server is not built yet; the first test that needs it builds it."
    # Nobody waits for the machine of a first start but its test.
    setsid python3 -m tests.support.machine_root >/dev/null 2>&1 &
fi
