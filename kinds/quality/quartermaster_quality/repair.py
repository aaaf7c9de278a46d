"""Repairs a Python file with the safe fixes of ruff."""

from __future__ import annotations

import difflib
import re
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import Content
from quartermaster.projects.programs import how_to_install, program, run
from quartermaster_quality.difference import unchanged_lines
from quartermaster_quality.scanners.ruff import SELECT

_TIMEOUT_S: Final = 10.0
_FIXED_PATTERN: Final = re.compile(rb"\((\d+) fixed")
_LINE: Final = re.compile(rb"[^\n]*\n|[^\n]+")


async def repaired(content: Content) -> tuple[bytes, int]:
    """Applies safe fixes to a Python file. Returns the new bytes and the number of fixes.

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
    counted = _FIXED_PATTERN.search(done.err)
    return done.out, int(counted[1]) if counted else 0


def changes(before: bytes, after: bytes, path: str) -> str:
    """Returns the changes to a file in the format of ``diff -u``. This function runs in a worker.

    Args:
        before: the old version of the file.
        after: the new version of the file.
        path: path of the file.
    """
    old, new = _LINE.findall(before), _LINE.findall(after)
    parts = [f"--- a/{path}\n+++ b/{path}\n".encode()]
    for hunk in _Compared(old, new).get_grouped_opcodes():
        (_, i1, _, j1, _), (_, _, i2, _, j2) = hunk[0], hunk[-1]
        parts.append(f"@@ -{_extent(i1, i2)} +{_extent(j1, j2)} @@\n".encode())
        for tag, i1, i2, j1, j2 in hunk:
            if tag == "equal":
                parts += (_written(b" ", line) for line in old[i1:i2])
            else:
                parts += (_written(b"-", line) for line in old[i1:i2])
                parts += (_written(b"+", line) for line in new[j1:j2])
    return b"".join(parts).decode("utf-8", "replace")


class _Compared(difflib.SequenceMatcher[bytes]):
    """A sequence matcher that finds unchanged lines with `unchanged_lines`, because difflib alone
    takes up to half a minute for 8,000 lines.
    """

    def __init__(self, old: list[bytes], new: list[bytes]) -> None:
        super().__init__(None, old, new, autojunk=False)
        self._blocks: list[difflib.Match] = []
        last = difflib.Match(0, 0, 0)
        for i, j in unchanged_lines(old, new)[0]:
            if (i, j) == (last.a + last.size, last.b + last.size):
                last = last._replace(size=last.size + 1)
            else:
                self._blocks.append(last)
                last = difflib.Match(i, j, 1)
        self._blocks += [last, difflib.Match(len(old), len(new), 0)]

    def get_matching_blocks(self) -> list[difflib.Match]:
        return self._blocks


def _extent(first: int, last: int) -> str:
    """Returns a range of lines in the notation of diff. Lines are counted from 0, and the range
    ends before line ``last``.
    """
    number = last - first
    return f"{first + (number > 0)},{number}"


def _written(sign: bytes, line: bytes) -> bytes:
    end = b"" if line.endswith(b"\n") else b"\n\\ No newline at end of file\n"
    return sign + line + end
