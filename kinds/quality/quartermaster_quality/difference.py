"""Compares two versions of a file line by line. The time depends only on the lengths of the
versions.

Runs in a worker.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

# Lines of the one version times lines of the other, without those that need no comparison. One
# step of a processor compares 30 of them, and this many take a quarter of a second.
_MOST_PAIRS: Final = 200_000_000
_TOO_LONG: Final = (
    "The versions differ in too many lines to be compared, so all changed lines count as new."
)


@dataclass(frozen=True)
class NewLines:
    """The lines of one version that are not in another version.

    Attributes:
        numbers: the line numbers, counted from 1.
        reason: why some lines were not compared and so count as new; empty if all were compared.
    """

    numbers: list[int]
    reason: str = ""


def new_lines(before: bytes, after: bytes) -> NewLines:
    """Returns the smallest set of lines that are only in the second version.

    Args:
        before: the first version.
        after: the second version.
    """
    old, new = before.splitlines(), after.splitlines()
    retained, reason = unchanged_lines(old, new)
    matched = {line for _, line in retained}
    return NewLines([line + 1 for line in range(len(new)) if line not in matched], reason)


def unchanged_lines(
    old: Sequence[bytes], new: Sequence[bytes]
) -> tuple[list[tuple[int, int]], str]:
    """Returns a longest sequence of lines that both versions contain in the same order.

    Returns:
        The pairs of line numbers in the two versions, counted from 0, and the reason why some lines
        may be missing. The reason is empty if no lines are missing.
    """
    head, tail = _common_ends(old, new)
    # What is in one version only needs no comparison.
    either = set(old[head : len(old) - tail]) & set(new[head : len(new) - tail])
    rows = [i for i in range(head, len(old) - tail) if old[i] in either]
    columns = [j for j in range(head, len(new) - tail) if new[j] in either]
    retained = [(i, i) for i in range(head)]
    reason = ""
    if len(rows) * len(columns) > _MOST_PAIRS:
        reason = _TOO_LONG
    else:
        pairs = _longest_common([old[i] for i in rows], [new[j] for j in columns])
        retained += ((rows[i], columns[j]) for i, j in pairs)
    retained += ((len(old) - n, len(new) - n) for n in range(tail, 0, -1))
    return retained, reason


def _common_ends(old: Sequence[bytes], new: Sequence[bytes]) -> tuple[int, int]:
    """Returns the number of equal lines at the start of two versions, and the number at their
    end.
    """
    most = min(len(old), len(new))
    head = 0
    while head < most and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < most - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    return head, tail


def _longest_common(old: Sequence[bytes], new: Sequence[bytes]) -> list[tuple[int, int]]:
    """Returns a longest common subsequence, by the algorithm of Hyyrö (2004). The algorithm
    computes the table of subsequence lengths row by row. Each row is a bit mask, in which a bit is
    0 where the length grows.
    """
    places: dict[bytes, int] = {}
    for j, line in enumerate(new):
        places[line] = places.get(line, 0) | 1 << j
    full = (1 << len(new)) - 1
    row = full
    table: list[int] = []
    for line in old:
        met = row & places[line]
        row = ((row + met) | (row - met)) & full
        table.append(row)
    found: list[tuple[int, int]] = []
    i, j = len(old), len(new)
    while i and j:
        if table[i - 1] >> (j - 1) & 1:
            j -= 1
            continue
        i -= 1
        if i == 0 or table[i - 1] >> (j - 1) & 1:
            j -= 1
            found.append((i, j))
    return found[::-1]
