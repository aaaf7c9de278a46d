"""Lets ruff repair a file, as far as it can do so safely."""

from __future__ import annotations

import difflib
import re
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import Content
from quartermaster.projects.programs import how_to_install, program, run
from quartermaster.quality.scanners.ruff import SELECT

_TIMEOUT_S: Final = 10.0
_FIXED: Final = re.compile(rb"\((\d+) fixed")


async def repaired(content: Content) -> tuple[bytes, int]:
    """The bytes of a Python file after safe repairs, and the number of repairs.

    Raises:
        QmError: QM503 tool_unavailable, QM504 timeout, QM502 repair_failed.
    """
    path = program("ruff")
    if path is None:
        hint = f"Install it: {how_to_install('ruff')}"
        raise QmError(503, "tool_unavailable", "ruff is not installed.", hint)
    name = content.path.rpartition("/")[2]
    command = [
        *(path, "check", "--isolated", "--no-cache", "--fix", "--no-unsafe-fixes"),
        *(f"--select={SELECT}", f"--stdin-filename={name}", "-"),
    ]
    try:
        done = await run(command, content.data, timeout_s=_TIMEOUT_S)
    except TimeoutError:
        raise QmError(
            504, "timeout", f"ruff did not finish within {_TIMEOUT_S:g} s.", "Try again once."
        ) from None
    if done.code not in {0, 1} or (content.data.strip() and not done.out.strip()):
        raise QmError(
            502,
            "repair_failed",
            "ruff could not repair the file.",
            "Correct its syntax errors first.",
        )
    counted = _FIXED.search(done.err)
    return done.out, int(counted[1]) if counted else 0


def changes(before: bytes, after: bytes, path: str) -> str:
    """The changes of a file, as ``diff -u`` writes them. Runs in a worker.

    Args:
        before: the file as it was.
        after: the file as it is.
        path: path of the file.
    """
    versions = (data.decode("utf-8", "replace") for data in (before, after))
    old, new = (text.splitlines(keepends=True) for text in versions)
    return "".join(difflib.unified_diff(old, new, f"a/{path}", f"b/{path}"))
