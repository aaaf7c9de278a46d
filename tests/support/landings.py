"""The installation scripts of earlier landings, from which upgrades are tested.

Each file in tests/install/landings/ has a number and a name: a version, a commit or a day. It holds
what differs from the script before it, as JSON that is compressed by xz: text, and runs of lines of
the script before (the first line and their number). So a landing takes a few kilobytes.

    python -m tests.support.landings [NAME]
"""

from __future__ import annotations

import hashlib
import json
import lzma
import re
import sys
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from quartermaster.install.apply import git_sha
from quartermaster.install.bundle import bundle
from tests.support import sql_files
from tests.support.sql_files import MIGRATIONS, ROOT, relative

FOLDER = ROOT / "tests" / "install" / "landings"
# In the folder of the migrations that it freezes.
FROZEN = "frozen.txt"

# So many equal lines are worth a reference to them.
_RUN = 3

Difference = list[str | list[int]]


def files() -> list[Path]:
    """Returns the files of all landings, in order."""
    return sorted(FOLDER.glob("*.xz"))


def scripts() -> dict[str, str]:
    """Returns the scripts of all landings, in order, by name."""
    found: dict[str, str] = {}
    script = ""
    for path in files():
        script = applied(script, json.loads(lzma.decompress(path.read_bytes())))
        found[path.stem.partition("_")[2]] = script
    return found


def starts() -> dict[str, str]:
    """Returns the scripts from which upgrades are tested: releases, commits that people use, the
    last two.

    The last may be what is to land now, so the one before is what has landed.
    """
    found = scripts()
    is_retained = re.compile(r"\d+\.\d+|[0-9a-f]{8}$").match
    return {
        name: text for name, text in found.items() if is_retained(name) or name in list(found)[-2:]
    }


def difference(before: str, after: str) -> Difference:
    """Returns what makes the second text out of the first."""
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    places = {tuple(old[i : i + _RUN]): i for i in reversed(range(len(old) - _RUN + 1))}
    parts: Difference = []
    here, follows = 0, 0
    while here < len(new):
        run = new[here : here + _RUN]
        place = follows if old[follows : follows + _RUN] == run else places.get(tuple(run))
        if place is None:
            parts.append(new[here])
            here += 1
            continue
        lines = zip(old[place:], new[here:], strict=False)
        length = next((i for i, (one, other) in enumerate(lines) if one != other), None)
        if length is None:
            length = min(len(old) - place, len(new) - here)
        parts.append([place, length])
        here, follows = here + length, place + length
    return parts


def applied(before: str, parts: Difference) -> str:
    """Returns the text that a difference makes."""
    old = before.splitlines(keepends=True)
    return "".join(
        part if isinstance(part, str) else "".join(old[part[0] : part[0] + part[1]])
        for part in parts
    )


def keep(name: str, script: str) -> Path | None:
    """Adds a landing; None if nothing has changed since the last one."""
    retained = scripts()
    before = list(retained.values())[-1] if retained else ""
    if before == script:
        return None
    if name in retained:
        name = next(f"{name}.{i}" for i in count(2) if f"{name}.{i}" not in retained)
    text = json.dumps(difference(before, script), ensure_ascii=False, separators=(",", ":"))
    path = FOLDER / f"{len(retained):04}_{name}.xz"
    path.write_bytes(lzma.compress(text.encode(), preset=9 | lzma.PRESET_EXTREME))
    return path


def digests() -> dict[str, str]:
    """Returns the SHA-256 of each migration of the core and of the kinds, by its path."""
    return {relative(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in MIGRATIONS}


def frozen() -> dict[str, str]:
    """Returns what is recorded of the frozen migrations: the SHA-256 by their paths."""
    return {
        relative(path.with_name(name)): digest
        for path in sql_files.files(f"migrations/{FROZEN}")
        for digest, name in map(str.split, path.read_text(encoding="utf-8").splitlines())
    }


def main() -> None:
    """Freezes all migrations, and keeps the script of the installation."""
    now, before = digests(), frozen()
    edited = sorted(name for name, digest in before.items() if now.get(name) != digest)
    if edited:
        sys.exit(
            f"{', '.join(edited)}: frozen migrations were changed or removed. Restore them, and put"
            " the change into a new migration."
        )
    for folder in sql_files.files("migrations"):
        migrations = [path for path in MIGRATIONS if path.parent == folder]
        lines = [f"{now[relative(path)]}  {path.name}\n" for path in migrations]
        (folder / FROZEN).write_text("".join(lines), encoding="utf-8")
    # The commit differs each time, also where nothing else does.
    script = bundle().replace(f"'{git_sha()}'", "null")
    added = keep(sys.argv[1] if sys.argv[1:] else f"{datetime.now(UTC):%Y-%m-%d}", script)
    size = "" if added is None else f": {added.stat().st_size / 1000:.0f} kB"
    sys.stdout.write(f"{added.relative_to(ROOT) if added else 'nothing has changed'}{size}\n")


if __name__ == "__main__":
    main()
