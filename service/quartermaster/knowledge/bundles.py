"""Bundles: what was read of packages, as one file for a machine that does not have the packages."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from quartermaster.core.calling import Calling
from quartermaster.core.errors import QmError
from quartermaster.decisions.redaction import redacted
from quartermaster.knowledge.indexing import read_environment, store
from quartermaster.knowledge.rows import safe_rows

# The largest package that was seen takes 30 MB.
LONGEST_LINE: int = 200_000_000
_NO_BUNDLE: Final = (OSError, EOFError, ValueError, LookupError, TypeError, AttributeError)
_HEAD: Final = {"quartermaster": "symbols", "format": 1}


def write_bundle(file: Path, folder: Path, only: Sequence[str] = ()) -> dict[str, Any]:
    """Read packages and write what was read to a file; no database is needed.

    Args:
        file: the file, which is replaced.
        folder: folder of packages.
        only: names of distributions; empty means all of them.
    """
    lines = [json.dumps(_HEAD)]
    objects = 0
    for each in read_environment(folder, only):
        objects += len(each["symbols"])
        lines.append(json.dumps(each))
    part = file.with_name(f".{file.name}.part")
    part.write_bytes(gzip.compress("\n".join(lines).encode(), mtime=0))
    part.replace(file)
    return {"distributions": len(lines) - 1, "objects": objects, "bytes": file.stat().st_size}


def load_bundle(database: Calling, file: Path, project: str | None = None) -> dict[str, Any]:
    """Store what a bundle contains; it replaces what a bundle of this name contained before.

    Args:
        database: the database.
        file: the bundle.
        project: the project for whose members it is; None makes it readable for everybody.

    Raises:
        QmError: 422 bundle_invalid, and whatever the database refuses.
    """
    about: dict[str, Any] = {"folder": f"bundle:{file.name}", "project": project}
    environment = database.call_value("put_environment", **about, contents=[], complete=False)
    objects, contents = store(database, environment, _distributions(file))
    database.call_value("put_environment", **about, contents=contents)
    return {"distributions": len(contents), "objects": objects}


def _distributions(file: Path) -> Iterator[dict[str, Any]]:
    try:
        lines = _lines(file)
        if json.loads(next(lines, "null")) != _HEAD:
            raise ValueError("it is no bundle of this format")
        for line in lines:
            yield _checked(json.loads(line))
    except (*_NO_BUNDLE, RecursionError) as error:
        raise QmError(
            422,
            "bundle_invalid",
            f"{file} cannot be loaded: {error}.",
            "Write the file again with qm docs bundle, and copy it as a binary file.",
        ) from error


def _lines(file: Path) -> Iterator[bytes]:
    """The lines of the bundle. A small file could unpack to more than the memory holds."""
    with gzip.open(file) as lines:
        while line := lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise ValueError(f"a line is longer than {LONGEST_LINE:,} bytes")
            yield line


def _checked(each: dict[str, Any]) -> dict[str, Any]:
    """A distribution of the bundle. The file comes from outside: secrets are masked again."""
    unread = [redacted(str(text)) for text in each.get("unread", ())]
    symbols = [
        {**row, "file": redacted(str(row.get("file", "")))} for row in safe_rows(each["symbols"])
    ]
    summary = redacted(str(each.get("summary", "")))
    return {**each, "summary": summary, "unread": unread, "symbols": symbols}
