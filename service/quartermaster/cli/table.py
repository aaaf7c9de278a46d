"""Lays out tables for a terminal: each row fits, and names that people type are never cut."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from rich.cells import cell_len, chop_cells, set_cell_size

_NAMES: Final = frozenset(
    {"name", "tool", "server", "origin", "capability", "id", "table", "card", "principal", "by"}
)
_ONE_LINE: Final = frozenset({"brief", "change", "description", "goal"})
# Texts up to this length are called short. This is the length of a printed time.
_SHORT_CHARACTERS: Final = 16
_MIN_WIDTH: Final = 12
# With less, nobody learns much from the beginning of a description.
_READABLE_WIDTH: Final = 24
_LONG_WORD_CHARACTERS: Final = 30
_MOST_LINES: Final = 5
_GAP: Final = "  "


@dataclass(frozen=True)
class _Column:
    heading: str
    cells: Sequence[str]

    @cached_property
    def longest(self) -> int:
        return max(map(cell_len, self.cells), default=0)

    @property
    def is_name(self) -> bool:
        return self.heading in _NAMES

    @property
    def is_cut(self) -> bool:
        return self.heading in _ONE_LINE

    @property
    def word(self) -> int:
        """The smallest width at which no word is broken; 0 if the cells may be cut."""
        if self.is_name or self.is_cut:
            return self.longest if self.is_name else 0
        return max(cell_len(word) for cell in self.cells for word in cell.split(" "))

    @property
    def most(self) -> int:
        return max(self.longest, cell_len(self.heading))

    def least(self, longest_name: int | None = None) -> int:
        """Returns the smallest width at which the column is readable.

        Args:
            longest_name: maximum width for names; longer names get their own line.
        """
        heading = max(map(cell_len, self.heading.split(" ")))
        if self.is_name:
            return max(heading, min(self.longest, longest_name or self.longest))
        is_whole = self.longest <= _SHORT_CHARACTERS and not self.is_cut
        return max(heading, self.longest if is_whole else min(self.longest, _MIN_WIDTH))

    def is_readable(self, width: int) -> bool:
        """Returns whether texts of this width are readable, even if they are cut."""
        return not self.is_cut or width >= min(self.most, _READABLE_WIDTH)

    def wrapped(self, cell: str, width: int) -> list[str]:
        """Returns the lines of a cell; a name is one line, even if it is too long."""
        if self.is_name or cell_len(cell) <= width:
            return [cell]
        most = 1 if self.is_cut else _MOST_LINES
        lines = [part for line in wrapped(cell, width) for part in chop_cells(line, width)]
        return lines if len(lines) <= most else [*lines[: most - 1], _cut(lines[most - 1], width)]


def laid_out(
    headings: Sequence[str], rows: Sequence[Sequence[str]], width: int
) -> Iterator[list[str]]:
    """Yields the lines of the heading, then the lines of each row.

    Short cells and names stay whole. Sentences are wrapped between words, and descriptions are cut.
    A name that is too long has its own line. If the columns do not fit side by side, columns
    without a value are left out, then each description gets its own line below its row. If that is
    not enough, each row is a block with a line for each cell that is not empty, and the heading has
    no line.

    Args:
        headings: one for each column.
        rows: texts without line breaks.
        width: width of the terminal.
    """
    columns = [_Column(*each) for each in zip(headings, zip(*rows, strict=True), strict=True)]
    filled = [column for column in columns if column.longest]
    beside = [column for column in filled if not column.is_cut]
    for shown in (columns, filled, beside):
        widths = _widths(shown, width - len(_GAP) * (len(shown) - 1))
        if widths and all(map(_Column.is_readable, shown, widths)):
            break
    else:
        yield []
        for row in rows:
            facts = zip(headings, row, strict=True)
            yield [*described((fact for fact in facts if fact[1]), width), ""]
        return
    pairs = list(zip(shown, widths, strict=True))
    below = [column for column in filled if column not in shown]
    yield [
        *_side_by_side([wrapped(column.heading, w) for column, w in pairs], widths),
        *(f"{_GAP}{column.heading}" for column in below),
    ]
    for place in range(len(rows)):
        yield [
            *_side_by_side([column.wrapped(column.cells[place], w) for column, w in pairs], widths),
            *(
                _GAP + column.wrapped(column.cells[place], width - len(_GAP))[0]
                for column in below
                if column.cells[place]
            ),
        ]


def described(facts: Iterable[tuple[str, str]], width: int) -> Iterator[str]:
    """Yields lines with a label and a value for each fact. Long values are wrapped between words;
    long words are not broken.
    """
    pairs = list(facts)
    labels = max((cell_len(label) for label, _ in pairs), default=0)
    space = max(width - labels - len(_GAP), _SHORT_CHARACTERS)
    for label, value in pairs:
        lines = [line for part in value.split("\n") for line in wrapped(part, space)]
        yield from _side_by_side([[label], lines], [labels, width])


def wrapped(text: str, width: int) -> list[str]:
    """Returns the text in lines broken between words; a word that is too long has its own line."""
    first, *words = text.split(" ")
    lines = [first]
    for word in words:
        if cell_len(lines[-1]) + 1 + cell_len(word) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def _widths(columns: Sequence[_Column], space: int) -> list[int] | None:
    widths = [column.least() for column in columns]
    if sum(widths) > space:
        widths = [column.least(_SHORT_CHARACTERS) for column in columns]
    if (spare := space - sum(widths)) < 0:
        return None
    # Whole words and names come first, unless they are very long.
    for goals in (
        [min(each.word, _LONG_WORD_CHARACTERS) for each in columns],
        [each.most for each in columns],
    ):
        wanted = [max(goal - width, 0) for goal, width in zip(goals, widths, strict=True)]
        for done, place in enumerate(sorted(range(len(columns)), key=wanted.__getitem__)):
            more = min(wanted[place], spare // (len(columns) - done))
            widths[place] += more
            spare -= more
    return widths


def _side_by_side(cells: Sequence[Sequence[str]], widths: Sequence[int]) -> list[str]:
    lines: list[str] = []
    first = left = 0
    whole = sum(widths) + len(_GAP) * (len(widths) - 1)
    for cell, width in zip(cells, widths, strict=True):
        start, length = left, cell_len(cell[0])
        if start and start + length > max(whole, start + width):
            # A name that would not end in this line has one of its own.
            first, start = len(lines), max(whole - length, 0)
        lines += [""] * (first + len(cell) - len(lines))
        for number, text in enumerate(cell, first):
            lines[number] += " " * (start - cell_len(lines[number])) + text
        if length > width:
            first += 1
        left += width + len(_GAP)
    return [line.rstrip() for line in lines]


def _cut(line: str, width: int) -> str:
    return f"{set_cell_size(line, min(cell_len(line), width - 1)).rstrip()}…"
