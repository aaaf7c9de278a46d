"""Bundles: files that carry the documentation of packages to a machine without these packages."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Callable, Iterator, Sequence
from errno import EISDIR
from os import strerror
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Timer
from typing import Any, Final

from quartermaster.core.api_call import ApiCaller
from quartermaster.core.errors import QmError, unreadable, unwritable
from quartermaster.guardrails.masking import masked_secrets
from quartermaster_knowledge import api
from quartermaster_knowledge.indexing import Report, read_environment, store
from quartermaster_knowledge.rows import safe_rows

# The largest package that was seen takes 30 MB.
LONGEST_LINE: int = 200_000_000
# After this time, the first call waits for a lock of another one.
PATIENCE_S: float = 2.0
_NO_PACKAGE: Final = (ValueError, LookupError, TypeError, AttributeError, RecursionError)
_HEAD: Final = {"quartermaster": "symbols", "format": 1}
# The status of errors of the database about what it is given.
_REFUSED_STATUS: Final = 422
_WAITING_NOTE: Final = "Waiting for another command, or the service, that is storing packages."
_CUT_OFF: Final = "its end is missing"
_DAMAGE_REASON: Final = "it is damaged, or it is not a bundle"


def write_bundle(
    file: Path, folder: Path, only: Sequence[str] = (), report: Report | None = None
) -> dict[str, Any]:
    """Reads packages, and writes their documentation to a file. Needs no database.

    Args:
        file: the file. An existing file is replaced only after the new file is complete.
        folder: folder of packages.
        only: names of distributions. Empty means all of them.
        report: function that is called with the step, the number of finished packages, and the
            number of all packages.

    Raises:
        QmError: 404 library_not_installed, also if there are no packages; 404 file_not_found if a
            package cannot be read; 422 file_not_writable.
    """
    if file.is_dir():
        raise unwritable(file, IsADirectoryError(EISDIR, strerror(EISDIR)))
    packages = read_environment(folder, only, report)
    distributions = objects = 0
    try:
        # A folder of its own, because another process may be writing the same file.
        with TemporaryDirectory(".bundle", ".qm-", file.parent) as own:
            part = Path(own, "part")
            with part.open("wb") as raw, gzip.GzipFile("", "wb", fileobj=raw, mtime=0) as packed:
                packed.write(json.dumps(_HEAD).encode())
                for each in _read(packages, folder):
                    distributions += 1
                    objects += len(each["symbols"])
                    packed.write(f"\n{json.dumps(each)}".encode())
            if not distributions:
                raise _empty(folder)
            part.replace(file)
    except OSError as error:
        raise unwritable(file, error) from error
    return {"distributions": distributions, "objects": objects, "bytes": file.stat().st_size}


def _read(packages: Iterator[dict[str, Any]], folder: Path) -> Iterator[dict[str, Any]]:
    """Yields the packages. Converts errors in reading a package, so that the caller can distinguish
    them from errors in writing the bundle.
    """
    try:
        yield from packages
    except OSError as error:
        raise unreadable(Path(error.filename or folder), error) from error


def _empty(folder: Path) -> QmError:
    return QmError(
        404,
        "library_not_installed",
        f"No package is installed in {folder}, so no bundle was written.",
        "Install the packages there, or name another environment with --python.",
    )


def load_bundle(
    database: ApiCaller,
    file: Path,
    project: str | None = None,
    tell: Callable[[str], object] = lambda _: None,
) -> dict[str, Any]:
    """Stores the packages of a bundle. They replace the packages of an earlier bundle with the same
    file name.

    The caller must run this in one transaction, because an error can be anywhere in the file.

    Args:
        database: the database.
        file: the bundle.
        project: the project whose members may see the packages. If None, everybody may see them.
        tell: function that is called with a sentence if this function has to wait, because only one
            transaction at a time can store packages.

    Raises:
        QmError: 404 file_not_found, 422 bundle_invalid, and the errors of the database.
    """
    about: dict[str, Any] = {"folder": f"bundle:{file.name}", "project": project}
    waiting = Timer(PATIENCE_S, tell, [_WAITING_NOTE])
    waiting.start()
    try:
        environment = database.call_value(api.put_environment(**about, contents=[], complete=False))
    finally:
        waiting.cancel()
    try:
        objects, contents = store(database, environment, _distributions(file))
    except QmError as error:
        if error.status != _REFUSED_STATUS or error.slug == "bundle_invalid":
            raise
        raise _invalid(file, f"a package in the file is refused: {error.message}") from error
    except RecursionError as error:
        raise _invalid(file, "the JSON of a package in the file is nested too deeply") from error
    database.call_value(api.put_environment(**about, contents=contents))
    return {"distributions": len(contents), "objects": objects}


def _distributions(file: Path) -> Iterator[dict[str, Any]]:
    number = 0
    try:
        for number, line in enumerate(_lines(file), 1):
            each = json.loads(line)
            if number > 1:
                yield _checked(each)
            elif each != _HEAD:
                raise ValueError
    except EOFError as error:
        raise _invalid(file, _CUT_OFF) from error
    except (gzip.BadGzipFile, zlib.error) as error:
        raise _invalid(file, _DAMAGE_REASON) from error
    except OSError as error:
        raise unreadable(file, error) from error
    except _NO_PACKAGE as error:
        what = f"line {number} is not a package" if number > 1 else _DAMAGE_REASON
        raise _invalid(file, what) from error
    if not number:
        raise _invalid(file, "the file is empty")


def _invalid(file: Path, because: str) -> QmError:
    return QmError(
        422,
        "bundle_invalid",
        f"{file} cannot be loaded: {because.rstrip('.')}. Nothing was stored.",
        "Write the file again with qm docs bundle, and copy it as a binary file.",
    )


def _lines(file: Path) -> Iterator[bytes]:
    """Yields the lines of the bundle. Refuses overlong lines, because a small file could unpack to
    more data than fits into memory.
    """
    with gzip.open(file) as lines:
        while line := lines.readline(LONGEST_LINE + 1):
            if len(line) > LONGEST_LINE:
                raise _invalid(file, f"a line is longer than {LONGEST_LINE:,} bytes")
            yield line


def _checked(each: dict[str, Any]) -> dict[str, Any]:
    """Returns a distribution of the bundle. Secrets are masked again, because the file may come
    from anywhere.
    """
    unread = [masked_secrets(str(text)) for text in each.get("unread", ())]
    symbols = list(safe_rows(each["symbols"]))
    summary = masked_secrets(str(each.get("summary", "")))
    return {**each, "summary": summary, "unread": unread, "symbols": symbols}
