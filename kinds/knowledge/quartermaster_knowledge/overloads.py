"""Finds the keywords that no overload of a function accepts.

If a call fits no overload, a type checker does not say which keyword is wrong. So this module lets
the checker test each keyword separately, with values of an unknown type: ``f(*any, wrong=any,
**any)``.
"""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

RULE: Final = "no-matching-overload"
_CALLED_PATTERN: Final = re.compile(r"No overload of (?:\w+ ){0,5}`([\w.]+)`")
_UNKNOWN_PREFIX: Final = "_qm_unknown_"

# First line and column and last line and column, counted from 1, as a checker tells a place.
Place = tuple[int, int, int, int]


@dataclass(frozen=True)
class Keyword:
    """A keyword of a call that fits no overload.

    Attributes:
        place: place of the keyword in the file.
        name: name of the keyword.
        owner: the called function.
    """

    place: Place
    name: str
    owner: str


@dataclass
class Probe:
    """A probe file. It contains a separate test call for each keyword.

    Attributes:
        data: content of the file.
        asked: the place of each test call, and the keyword that the call tests.
    """

    data: bytes = b""
    asked: list[tuple[Place, Keyword]] = field(default_factory=list[tuple[Place, Keyword]])

    def not_taken(self, entries: Iterable[Mapping[str, Any]]) -> Iterator[Keyword]:
        """Yields the keywords that no overload accepts, according to the checker's messages about
        the probe file.
        """
        asked = dict(self.asked)
        for entry in entries:
            keyword = asked.get(place_of(entry))
            if entry["check_name"] == RULE and keyword is not None:
                yield keyword


def place_of(entry: Mapping[str, Any]) -> Place:
    """Returns the place in a message of the checker."""
    begin, end = (entry["location"]["positions"][key] for key in ("begin", "end"))
    return begin["line"], begin["column"], end["line"], end["column"]


def probe_of(data: bytes, entries: Sequence[Mapping[str, Any]]) -> Probe:
    """Returns the probe file for the calls that fit no overload.

    Args:
        data: content of the file, which must be valid Python.
        entries: the messages of the type checker about the file.
    """
    owners = {
        place_of(entry): found[1]
        if (found := _CALLED_PATTERN.search(str(entry["description"])))
        else ""
        for entry in entries
        if entry["check_name"] == RULE
    }
    if not owners:
        return Probe()
    prober = _Prober(data, owners)
    try:
        written = ast.unparse(prober.visit(ast.parse(data))).encode()
        tree = ast.parse(written)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        # Not everything that Python can read, it can write again.
        return Probe()
    probe, lines = Probe(written), written.splitlines()
    for node in ast.walk(tree):
        match node:
            case ast.Call(args=[ast.Starred(value=ast.Name(id=name))]) if name in prober.keywords:
                probe.asked.append((_place(node, lines), prober.keywords[name]))
            case _:
                pass
    return probe


class _Prober(ast.NodeTransformer):
    """Replaces each call that fits no overload with test calls, one per keyword.

    Args:
        data: content of the file.
        owners: maps the place of each call to the called function. The function is empty if the
            checker did not name it.
    """

    def __init__(self, data: bytes, owners: Mapping[Place, str]) -> None:
        self._lines = data.splitlines()
        self._owners = owners
        self._spans = {(line, last) for line, _, last, _ in owners}
        self.keywords: dict[str, Keyword] = {}  # by the name of the unknown value

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """Replaces a call that fits no overload with one test call per keyword. ast calls this
        method for each call in the file.
        """
        # Columns take time: each line is decoded for them.
        is_near = (node.lineno, node.end_lineno) in self._spans
        owner = self._owners.get(_place(node, self._lines)) if is_near else None
        named = [(each, each.arg) for each in node.keywords if each.arg is not None]
        if owner is None or not named:
            self.generic_visit(node)
            return node
        called = owner or ast.unparse(node.func)
        # Calls inside of what is called are asked about once, or the file would grow exponentially.
        plain = copy.deepcopy(node.func)
        self.generic_visit(node)
        calls: list[ast.expr] = []
        for each, name in named:
            value = ast.Name(f"{_UNKNOWN_PREFIX}{len(self.keywords)}_", ast.Load())
            self.keywords[value.id] = Keyword(_place(each, self._lines), name, called)
            asks = [ast.keyword(name, value), ast.keyword(None, value)]
            func = plain if calls else node.func
            calls.append(ast.Call(func, [ast.Starred(value, ast.Load())], asks))
        # Calls inside of what it is called with are asked about, too.
        rest = [*calls, *node.args, *(each.value for each in node.keywords)]
        return ast.Subscript(ast.Tuple(rest, ast.Load()), ast.Constant(0), ast.Load())


def _place(node: ast.expr | ast.keyword, lines: Sequence[bytes]) -> Place:
    """Returns the place of a node, counted in characters from 1. ast counts bytes from 0."""
    last, end = node.end_lineno or node.lineno, node.end_col_offset or node.col_offset
    return (
        node.lineno,
        _letters(lines, node.lineno, node.col_offset),
        last,
        _letters(lines, last, end),
    )


def _letters(lines: Sequence[bytes], line: int, column: int) -> int:
    return len(lines[line - 1][:column].decode("utf-8", "replace")) + 1
