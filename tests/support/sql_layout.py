"""Rules for the text of function files. A body is one string to sqlfluff, so it cannot see them.

Each rule takes the text of a file, and returns a sentence for each place that breaks it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from functools import lru_cache
from typing import Any

import pglast
from pglast import ast
from pglast.parser import scan

WIDTH = 120
INDENT = 4
# Functions whose arguments are pairs of a key and a value.
PAIRED = {"json_build_object", "jsonb_build_object"}
QUOTES = ("$function$", "$python$")

_OPENS = {"(", "["}
_CLOSES = {")", "]"}
_STARTS = {"select", "insert", "update", "delete", "with", "perform"}
_CLAUSES = {
    "cross",
    "except",
    "from",
    "full",
    "having",
    "inner",
    "intersect",
    "limit",
    "offset",
    "returning",
    "select",
    "union",
    "where",
    "window",
}
# A condition ends where one of these begins.
_ENDS_CONDITION = _CLAUSES | {",", ";", ":=", "=>", "on", "when", "then", "else", "if", "loop"}
_ENDS_STATEMENT = {";", "loop", "begin", "declare", *QUOTES}
_ENDS_BRANCH = {"then", "else", "end"}
_KINDS_OF_JOIN = {"cross", "full", "inner", "left", "outer", "right"}
_PARTS: dict[type, str] = {
    ast.CreateFunctionStmt: "function",
    ast.CommentStmt: "comment",
    ast.AlterOwnerStmt: "owner",
    ast.GrantStmt: "grant",
}
_LOCKS = {"update", "share", "no", "key"}
_COMMENTS = {"SQL_COMMENT", "C_COMMENT"}


@dataclass
class Token:
    """A word of SQL: on which line, and whether it is the first or the last of this line."""

    text: str
    is_word: bool
    start: int
    line: int
    is_first: bool = False
    is_last: bool = False

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def last_line(self) -> int:
        return self.line + self.text.count("\n")


class End(Enum):
    """What ends: a condition, a statement, or all that stands between two brackets."""

    CONDITION = auto()
    STATEMENT = auto()
    FRAME = auto()


@dataclass
class Frame:
    """What stands between two brackets, or between `case` and `end`."""

    opener: Token | None = None
    before: Token | None = None
    first: int = 0
    clauses: list[Token] = field(default_factory=list[Token])
    conditions: list[Token] = field(default_factory=list[Token])
    commas: list[Token] = field(default_factory=list[Token])
    is_between: bool = False
    is_sorted: bool = False


@lru_cache(maxsize=1)
def tokens_of(text: str) -> list[Token]:
    """The words of a file and of its bodies, without comments."""
    found = list(_scan(text, 0, 1))
    for before, after in zip([None, *found], [*found, None], strict=True):
        is_break = before is None or after is None or before.last_line < after.line
        if before is not None:
            before.is_last = is_break
        if after is not None:
            after.is_first = is_break
    return found


def _scan(text: str, start: int, line: int) -> Iterator[Token]:
    at = 0
    for token in scan(text):
        line += text.count("\n", at, token.start)
        at = token.start
        word = text[token.start : token.end + 1]
        if token.name in _COMMENTS:
            continue
        if word.startswith(QUOTES[0]):
            body = word.removeprefix(QUOTES[0]).removesuffix(QUOTES[0])
            yield Token(QUOTES[0], False, start + at, line)
            yield from _scan(body, start + at + len(QUOTES[0]), line)
            end = start + token.end + 1 - len(QUOTES[0])
            yield Token(QUOTES[0], False, end, line + body.count("\n"))
        else:
            is_word = token.name == "IDENT" or token.kind != "NO_KEYWORD"
            yield Token(word, is_word and not word.startswith('"'), start + at, line)


def long_lines(text: str) -> list[str]:
    """Lines that a page does not hold, comments too."""
    return [
        f"line {number} has {len(line)} characters"
        for number, line in enumerate(text.split("\n"), 1)
        if len(line) > WIDTH
    ]


def blanks(text: str) -> list[str]:
    """Blanks at the end of a line, tabs, and an indentation that is no multiple of four."""
    inside = {
        line for token in tokens_of(text) for line in range(token.line + 1, token.last_line + 1)
    }
    found: list[str] = []
    for number, line in enumerate(text.split("\n"), 1):
        if line != line.rstrip():
            found.append(f"line {number} ends with a blank")
        indent = len(line) - len(line.lstrip())
        if number not in inside and (indent % INDENT or "\t" in line):
            found.append(f"line {number} is not indented by fours")
    return found


def capitals(text: str) -> list[str]:
    """Keywords and names with capital letters, which PostgreSQL reads as small ones."""
    return [
        f"line {token.line} has {token.text} in capitals"
        for token in tokens_of(text)
        if token.is_word and token.text != token.text.lower()
    ]


def crowded_queries(text: str) -> list[str]:
    """A query stands on one line, or each of its clauses begins a line."""
    return _in_frames(text, _crowded_clauses)


def crowded_conditions(text: str) -> list[str]:
    """If one condition begins a line with its `and` or `or`, the others beside it do, too."""
    return _in_frames(text, _crowded_conditions)


def crowded_arguments(text: str) -> list[str]:
    """Arguments of a call stand on one line, or one a line; a key stands beside its value."""
    return _in_frames(text, _crowded_arguments)


def _crowded_clauses(frame: Frame, end: End) -> list[str]:
    if end == End.CONDITION or len({token.line for token in frame.clauses}) < 2:
        return []
    return [
        f"line {token.line} has {token.text} after another clause"
        for token in frame.clauses[1:]
        if not token.is_first
    ]


def _crowded_conditions(frame: Frame, _: End) -> list[str]:
    if not any(token.is_first for token in frame.conditions):
        return []
    loosest = [token for token in frame.conditions if token.text == "or"] or frame.conditions
    return [
        f"line {token.line} has {token.text} after another condition"
        for token in loosest
        if not token.is_first
    ]


def _crowded_arguments(frame: Frame, end: End) -> list[str]:
    opener, before = frame.opener, frame.before
    # Names of columns stand after a blank, and are not arguments.
    if end != End.FRAME or opener is None or before is None or before.end != opener.start:
        return []
    if opener.text != "(" or not opener.is_last:
        return []
    is_paired = before.text in PAIRED and len(frame.commas) % 2 == 1
    keys, others = (frame.commas[::2], frame.commas[1::2]) if is_paired else ([], frame.commas)
    found = [f"line {comma.line} separates a key from its value" for comma in keys if comma.is_last]
    lines = {frame.first, *(comma.line for comma in frame.commas)}
    if len(lines) > 1 or any(comma.is_last for comma in others):
        found += [
            f"line {comma.line} has several arguments" for comma in others if not comma.is_last
        ]
    return found


def _in_frames(text: str, judge: Callable[[Frame, End], list[str]]) -> list[str]:
    """What a rule says about each frame whenever something in it ends."""
    found: list[str] = []
    frames = [Frame()]
    tokens = tokens_of(text)
    for before, token, after in zip([None, *tokens], tokens, [*tokens[1:], None], strict=False):
        word, frame = token.text, frames[-1]
        is_case = frame.opener is not None and frame.opener.text == "case"
        if word in _OPENS or (word == "case" and (before is None or before.text != "end")):
            frames.append(Frame(token, before, after.line if after else 0))
            continue
        if word in _CLOSES or (word == "end" and is_case):
            found += judge(frame, End.FRAME)
            frames.pop()
            continue
        is_clause = _is_clause(frame, before, token, after)
        ends_statement = word in _ENDS_STATEMENT or (word in _ENDS_BRANCH and not is_case)
        if ends_statement or is_clause or word in _ENDS_CONDITION:
            found += judge(frame, End.CONDITION)
            frame.conditions, frame.is_between = [], False
        if ends_statement:
            found += judge(frame, End.STATEMENT)
            frame.clauses = []
        if is_clause:
            frame.clauses.append(token)
        _note(frame, token)
    return found


def _note(frame: Frame, token: Token) -> None:
    """Keeps what the rules look at: commas between arguments, and what joins conditions."""
    match token.text:
        case "order":
            frame.is_sorted = True
        case "," if not frame.is_sorted:
            frame.commas.append(token)
        case "between":
            frame.is_between = True
        case "and" if frame.is_between:
            frame.is_between = False
        case "and" | "or":
            frame.conditions.append(token)
        case _:
            pass


def _is_clause(frame: Frame, before: Token | None, token: Token, after: Token | None) -> bool:
    """Whether a clause of a query begins here."""
    earlier, later = before.text if before else "", after.text if after else ""
    if not frame.clauses:
        return token.text in _STARTS
    # Words that begin a clause in some places only.
    sometimes = {
        "for": later in _LOCKS,
        "from": earlier not in {"distinct", "delete", "select", "perform", "rows"},
        "group": later == "by",
        "into": earlier != "insert" and frame.clauses[-1].text != "returning",
        "join": earlier not in _KINDS_OF_JOIN,
        "left": later != "(",
        "on": later == "conflict",
        "order": later == "by",
        "right": later != "(",
        "set": earlier != "update",
    }
    return sometimes.get(token.text, token.text in _CLAUSES)


def other_quotes(text: str) -> list[str]:
    """A body stands between $function$, a body of Python between $python$."""
    quotes = re.findall(r"^as (\S+)$", text, re.MULTILINE)
    return [f"a body begins with {quote}" for quote in quotes if quote not in QUOTES]


def unnamed_loops(text: str) -> list[str]:
    """Where a loop stands in a loop, exit and continue name the one that they mean."""
    found: list[str] = []
    tokens = tokens_of(text)
    depth = 0
    for before, token, after in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if token.text == "loop":
            depth += -1 if before.text == "end" else 1
        if token.text in {"exit", "continue"} and depth > 1 and after.text in {";", "when"}:
            found.append(f"line {token.line} has {token.text} without the name of a loop")
    return found


def disorder(text: str) -> list[str]:
    """The header, then each function with its comment, then its owner, then the grant."""
    statements: list[Any] = [raw.stmt for raw in pglast.parse_sql(text)]
    parts = " ".join(_PARTS.get(type(statement), "other") for statement in statements)
    found: list[str] = []
    if not re.fullmatch(r"function comment( function comment)*( owner)?( grant)?", parts):
        found.append(f"the parts are {parts}")
    header = text.partition("create ")[0]
    if not all(line.startswith("-- ") for line in header.splitlines()):
        found.append("before the function stands more than the header")
    return found


RULES = (
    long_lines,
    blanks,
    capitals,
    crowded_queries,
    crowded_conditions,
    crowded_arguments,
    other_quotes,
    unnamed_loops,
    disorder,
)
