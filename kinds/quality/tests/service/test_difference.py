"""New lines are as few as possible, and found in a time that only the lengths determine."""

from __future__ import annotations

from random import Random

import pytest

from quartermaster_quality.difference import new_lines
from tests.support.lots import lots


@pytest.mark.parametrize(
    ("before", "after", "numbers"),
    [
        (b"a\nb\nc\n", b"a\nx\nb\nc\ny\n", [2, 5]),
        (b"", b"a\nb\n", [1, 2]),
        (b"a\n", b"", []),
        (b"a\n" * 30_000, b"b\n" * 30_000, [*range(1, 30_001)]),
        (b"a\nb\nc\n", b"c\nb\na\n", [2, 3]),
        (b"a\n" * 9, b"a\n" * 12, [10, 11, 12]),
    ],
)
def test_new_lines_are_those_that_the_first_version_does_not_have(
    before: bytes, after: bytes, numbers: list[int]
):
    found = new_lines(before, after)
    assert (found.numbers, found.reason) == (numbers, "")


def test_no_fewer_lines_can_be_new():
    random = Random(41)
    for _ in range(lots(400)):
        before, after = (random.choices("abcd", k=random.randrange(12)) for _ in "ab")
        found = new_lines("\n".join(before).encode(), "\n".join(after).encode())
        assert len(after) - len(found.numbers) == common(before, after)


def common(before: list[str], after: list[str]) -> int:
    """Returns the number of lines of a longest common subsequence, by the table of lengths."""
    row = [0] * (len(after) + 1)
    for line in before:
        above = row[:]
        for j, other in enumerate(after):
            row[j + 1] = above[j] + 1 if line == other else max(above[j + 1], row[j])
    return row[-1]


@pytest.mark.parametrize("number", [40_000, 400_000])
def test_too_many_lines_are_not_compared_with_a_word(number: int):
    before = [b"%d" % line for line in range(number)]
    found = new_lines(b"\n".join(before), b"\n".join([b"%d" % (number + 1), *before[::-1]]))
    assert len(found.numbers) == number + 1
    assert "too many lines" in found.reason
