"""Reads tables in plain text. The first line of a table contains the headings of its columns."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from typing import Final

from quartermaster.guardrails.linear_patterns import Constant

_SEPARATORS: Final = (b"\t", b"|", b";", b",")
_FEWEST_CELLS: Final = 3
_LONGEST_LINE: Final = 2_000
_LONGEST_NAME: Final = 40
_IS_DATA: Final = Constant(r"[:={}0-9]")


class Columns:
    """Finds the headings of the tables in a text.

    Args:
        data: the text as UTF-8.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data

    def heading(self, position: int) -> bytes:
        """Returns the heading of the cell at a position; empty if the position is not in a
        table.
        """
        data = self._data
        begin = data.rfind(b"\n", max(0, position - _LONGEST_LINE), position) + 1
        if position - begin > _LONGEST_LINE:
            return b""
        end = data.find(b"\n", position, position + _LONGEST_LINE)
        line = data[begin : end if end >= 0 else position + _LONGEST_LINE]
        for separator in _SEPARATORS:
            cells = _cells(line, separator)
            if len(cells) < _FEWEST_CELLS:
                continue
            names = self._names(begin, separator, len(cells))
            if names:
                name = names[min(_index(line, separator, position - begin), len(names) - 1)].strip()
                return name if len(name) <= _LONGEST_NAME and not _IS_DATA.search(name) else b""
        return b""

    def cells(self) -> Iterator[tuple[int, bytes, bytes]]:
        """Yields each cell below a heading: its position, its text and its heading, without
        surrounding spaces.
        """
        data, begin, block = self._data, 0, None
        for line in data.split(b"\n"):
            if len(line) > _LONGEST_LINE:
                block = None
            elif line.strip(b"-+|=: \r") or block is None:
                block = yield from self._row(line, begin, block)
            begin += len(line) + 1

    def _row(
        self, line: bytes, begin: int, block: tuple[bytes, list[bytes]] | None
    ) -> Generator[tuple[int, bytes, bytes], None, tuple[bytes, list[bytes]] | None]:
        """Yields the cells of a row, and returns the separator and the headings that apply to the
        next row.
        """
        if block is not None:
            separator, names = block
            cells = _cells(line, separator)
            if len(cells) == len(names):
                at = begin
                for cell, name in zip(cells, names, strict=True):
                    value = cell.strip(b' "\r')
                    if value:
                        yield at + cell.find(value), value, name.strip()
                    at += len(cell) + 1
                return block
        for separator in _SEPARATORS:
            cells = _cells(line, separator)
            if len(cells) >= _FEWEST_CELLS and all(len(c.strip()) <= _LONGEST_NAME for c in cells):
                return separator, cells
        return None

    def _names(self, begin: int, separator: bytes, count: int) -> list[bytes]:
        """Returns the cells of the first line of a table. The table consists of the given line and
        the adjacent lines with the same number of cells.
        """
        data, first = self._data, begin
        names: list[bytes] = []
        for _ in range(200):
            if first <= 0:
                break
            before = data.rfind(b"\n", max(0, first - 1 - _LONGEST_LINE), first - 1) + 1
            line = data[before : first - 1]
            cells = _cells(line, separator)
            is_rule = bool(line.strip()) and not line.strip(b"-+|=: \r")
            if len(cells) == count:
                names = cells
            elif not is_rule:
                break
            first = before
        return names


def _cells(line: bytes, separator: bytes) -> list[bytes]:
    if separator != b",":
        return line.split(separator)
    # Commas within quotation marks do not separate cells.
    parts = line.split(b'"')
    outside = b'"'.join(
        part if index % 2 == 0 else b"_" * len(part) for index, part in enumerate(parts)
    )
    cells: list[bytes] = []
    at = 0
    for part in outside.split(b","):
        cells.append(line[at : at + len(part)])
        at += len(part) + 1
    return cells


def _index(line: bytes, separator: bytes, position: int) -> int:
    return len(_cells(line[:position], separator)) - 1
