#!/usr/bin/env bash
# What some tests need beyond Python packages. Nothing here is required: a test whose part is absent
# says so and skips. As root, missing Debian packages are installed (mmdebstrap builds the Debian 13
# server, libpython3.11 is what the embedded server's PL/Python loads, bubblewrap is the sandbox of
# probes, chromium looks at pages, pgbouncer pools connections, gnome-keyring and dbus-daemon are a
# Secret Service without a desktop). pgTAP is unpacked into build/pgtap,
# as anybody. Running it again does nothing.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'test prerequisites: %s\n' "$*"; }

command -v apt-get >/dev/null || { say "no apt-get here; skipped."; exit 0; }

missing=()
for package in mmdebstrap libpython3.11 bubblewrap chromium pgbouncer gnome-keyring dbus-daemon; do
    # A mention without the word installed is a package that was removed.
    dpkg-query --show --showformat '${Status}' "$package" 2>/dev/null | grep -q ' installed$' ||
        missing+=("$package")
done

pgtap=build/pgtap/usr/share/postgresql/15/extension/pgtap.control
updated=
update_lists() {
    [ -z "$updated" ] && [ "$(id -u)" = 0 ] || return 0
    apt-get update -qq || say "apt-get update failed; going on with the lists that are there."
    updated=yes
}

if [ ${#missing[@]} -gt 0 ]; then
    if [ "$(id -u)" = 0 ]; then
        update_lists
        for package in "${missing[@]}"; do
            if DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
                "$package" >/dev/null 2>&1; then
                say "installed $package."
            else
                say "could not install $package; tests that need it will skip."
            fi
        done
    else
        say "not root, so these stay missing: ${missing[*]}; tests that need them will skip."
    fi
fi

if [ ! -f "$pgtap" ]; then
    # apt drops to its own user for downloads, who cannot write into a private folder.
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
        say "could not download postgresql-15-pgtap (are the package lists there?); pgTAP tests will skip."
    fi
fi
