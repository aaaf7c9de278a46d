"""Somebody sends a text that makes a pattern slow: its own parts, many times over.

Of a text that is ten times as long, a search takes about ten times as long. With patterns that try
one place after the other, it takes a hundred times as long, and nothing ends it.
"""

from __future__ import annotations

import ast
import re
import signal
import warnings
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from time import perf_counter, thread_time
from types import ModuleType
from typing import Any, Final

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.pumping import texts
from tests.support.sql_files import FUNCTION_FILES, modules

SHORT, LONG = 10_000, 100_000
# A machine that does other things is slower now and then; a square is 100 times.
MOST_GROWTH: Final = 40
# Whatever takes less with the longer text is no way to hold anything up.
QUICK_S: Final = 0.1
# Its server has other work, too, which counts.
QUICK_SQL_S: Final = 0.5
REPEATS: Final = 3
PATIENCE_S: Final = 5.0
SEARCHING: Final = frozenset({"search", "finditer", "findall", "sub", "subn", "split"})
ANCHORED: Final = frozenset({"match", "fullmatch"})

# Patterns that may take long, with the reason: nobody but the person who waits gives the text, or
# what waits is a process that ends after its seconds.
IN_A_WORKER: Final = "It runs in a worker, which ends after its seconds: the scan is degraded."
OWN_TEXT: Final = "Whoever gives the text waits for it himself, in his own process."
LIMITED: Final = "A process with a limit of seconds reads each package."
EXEMPT: Final = {
    "quartermaster_quality.scanners.secrets.": IN_A_WORKER,
    "quartermaster_quality.scanners.mypy.": IN_A_WORKER,
    "quartermaster_quality.taint.": IN_A_WORKER,
    "quartermaster.cli.": OWN_TEXT,
    "quartermaster.core.json_text.": OWN_TEXT,
    "quartermaster_decisions.miners.": OWN_TEXT,
    "quartermaster.settings.source.": OWN_TEXT,
    "quartermaster_knowledge.reading.": LIMITED,
    "quartermaster_knowledge.signatures.": LIMITED,
    "quartermaster.guardrails.health._BETWEEN_PATTERN ": "It reads a pattern of ours.",
    "quartermaster.guardrails.personal_words._GROUP ": "It reads a pattern of ours.",
    "quartermaster.guardrails.personal_features._NUMBER ": "It gets at most 26 letters.",
    "quartermaster.secrets.locators._REFERENCE ": "It reads what an administrator writes.",
}
EXEMPT_SQL: Final[dict[str, str]] = {}


class LateError(Exception):
    """A search took too long."""


@contextmanager
def ended_after(limit_s: float) -> Generator[None]:
    """Ends what takes longer. `re` looks for signals while it searches."""

    def end(*_: object) -> None:
        raise LateError

    before = signal.signal(signal.SIGALRM, end)
    signal.setitimer(signal.ITIMER_REAL, limit_s)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def grows_too_fast(
    work: Callable[[Any], object],
    makers: list[Callable[[int], str]],
    clock: Callable[[], float],
    quick_s: float = QUICK_S,
    *,
    as_bytes: bool = False,
) -> str:
    """Returns the beginning of a text with which the time grows faster than the length; or
    empty.
    """

    def seconds(size: int) -> float:
        text = make(size)
        given = text.encode() if as_bytes else text
        begun = clock()
        work(given)
        return clock() - begun

    for make in makers:
        try:
            with ended_after(PATIENCE_S):
                # What is slower than a line is seen here already.
                if seconds(SHORT) < quick_s / MOST_GROWTH:
                    continue
                first = min(seconds(SHORT) for _ in range(3))
                if all(seconds(LONG) > max(quick_s, MOST_GROWTH * first) for _ in range(REPEATS)):
                    return repr(make(60))
        except (LateError, psycopg.errors.QueryCanceled):
            return repr(make(60))
    return ""


def compiled(value: object, depth: int = 0) -> Iterator[re.Pattern[Any]]:
    """Yields the patterns in a value."""
    inner: list[Any] = []
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, (list, tuple, set, frozenset)):
        inner = [*value]  # pyright: ignore[reportUnknownVariableType]
    elif isinstance(value, dict):
        inner = [*value.items()]  # pyright: ignore[reportUnknownVariableType]
    elif hasattr(value, "__dataclass_fields__") and not isinstance(value, type):
        inner = [*vars(value).values()] if hasattr(value, "__dict__") else []
    for each in inner if depth < 4 else ():
        yield from compiled(each, depth + 1)


def uses(tree: ast.Module) -> dict[str, set[str]]:
    """Returns the methods that are called of each name at the top of a module."""
    found: dict[str, set[str]] = defaultdict(set)
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            found[node.value.id].add(node.attr)
    return found


def python_patterns() -> dict[str, tuple[re.Pattern[Any], str]]:
    """Returns each pattern by its place, and how it is used."""
    found: dict[str, tuple[re.Pattern[Any], str]] = {}
    seen: set[tuple[Any, int, str]] = set()
    for name, path in modules().items():
        if name.endswith("__main__"):
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        methods = uses(tree)
        places = [
            (f"{name}.{key}", pattern, methods[key] & (SEARCHING | ANCHORED))
            for key, value in vars(quietly_imported(name)).items()
            for pattern in compiled(value)
        ] + list(inline(name, tree))
        for place, pattern, used in places:
            method = "search" if used & SEARCHING or not used else sorted(used)[0]
            if used & (SEARCHING - {"search"}):
                method = "finditer"
            key = (pattern.pattern, pattern.flags, method)
            if key not in seen:
                seen.add(key)
                found[f"{place} {len(found)}"] = pattern, method
    return found


def quietly_imported(name: str) -> ModuleType:
    with warnings.catch_warnings():
        # One of the libraries of bandit warns on being loaded.
        warnings.simplefilter("ignore")
        return import_module(name)


def inline(name: str, tree: ast.Module) -> Iterator[tuple[str, re.Pattern[Any], set[str]]]:
    """Yields the patterns that functions of `re` get as they are."""
    for node in ast.walk(tree):
        match node:
            case ast.Call(
                func=ast.Attribute(value=ast.Name("re"), attr=method),
                args=[ast.Constant(value=pattern), *_],
            ) if method in SEARCHING | ANCHORED:
                flags = 0
                for each in [*node.args[1:], *(keyword.value for keyword in node.keywords)]:
                    if isinstance(each, ast.Attribute) and isinstance(each.value, ast.Name):
                        flags |= getattr(re, each.attr, 0) if each.value.id == "re" else 0
                yield f"{name}.{node.lineno}", re.compile(pattern, flags), {method}
            case _:
                pass


def searched(pattern: re.Pattern[Any], method: str) -> Callable[[Any], object]:
    if method == "finditer":
        return lambda text: sum(1 for _ in pattern.finditer(text))
    return getattr(pattern, method)


def test_by_a_pattern_of_the_service() -> None:
    patterns = {
        place: each
        for place, each in python_patterns().items()
        if not place.startswith(tuple(EXEMPT))
    }
    assert len(patterns) > 150

    slow: list[str] = []
    for place, (pattern, method) in patterns.items():
        is_bytes = isinstance(pattern.pattern, bytes)
        text = pattern.pattern.decode("latin-1") if is_bytes else pattern.pattern
        work = searched(pattern, method)
        if with_ := grows_too_fast(work, texts(text), thread_time, as_bytes=is_bytes):
            slow.append(f"{place} {method} {text!r}: {with_}")
    assert not slow, "\n".join(slow)


def test_no_exemption_is_left_over() -> None:
    places = {*python_patterns(), *(f"{name}." for name in modules())}
    assert not [each for each in EXEMPT if not any(place.startswith(each) for place in places)]


_LITERAL: Final = r"'(?:[^']|'')*'"
_OPERATOR: Final = re.compile(rf"(?:!~\*?|~\*?|similar to)\s*({_LITERAL})")
_FUNCTION: Final = re.compile(r"\bregexp_(?:replace|matches|match|split_to_\w+|count|substr)\s*\(")
_TO_PYTHON: Final = {
    **{rf"\{letter}": r"\b" for letter in "mM"},
    "[:alnum:]": "a-zA-Z0-9",
    "[:alpha:]": "a-zA-Z",
    "[:digit:]": "0-9",
    "[:punct:]": "!-/",
    "[:space:]": " ",
    "[:cntrl:]": "\x01-\x1f",
}


def sql_patterns() -> dict[str, tuple[str, bool]]:
    """Returns each pattern in a function of ours, its place, and whether it is found again and
    again.
    """
    found: dict[str, tuple[str, bool]] = {}
    for path in FUNCTION_FILES:
        text = re.sub(r"--[^\n]*", "", path.read_text(encoding="utf-8"))
        # Literals on lines of their own are one.
        text = re.sub(r"'[ \t]*\n\s*'", "", text)
        written = [(match[1], False) for match in _OPERATOR.finditer(text)]
        for match in _FUNCTION.finditer(text):
            second = arguments(text[match.end() :])[1].strip()
            if re.fullmatch(_LITERAL, second):
                written.append((second, True))
        for literal, is_global in written:
            pattern = literal[1:-1].replace("''", "'")
            found.setdefault(pattern, (f"{path.parent.name}.{path.stem}", is_global))
    return found


def arguments(text: str) -> list[str]:
    """Returns the arguments of a call, from what stands after its bracket."""
    found, depth = [""], 0
    for part in re.findall(rf"{_LITERAL}|.", text, re.DOTALL):
        if part == ")" and not depth:
            break
        depth += {"(": 1, ")": -1}.get(part, 0)
        if part == "," and not depth:
            found.append("")
        else:
            found[-1] += part
    return found


@pytest.fixture(scope="module")
def database(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as database:
        yield database


def test_by_a_pattern_of_the_database(database: Database) -> None:
    patterns = sql_patterns()
    assert len(patterns) > 100
    with database.connect() as connection:
        connection.execute("set statement_timeout = '10s'")

        slow: list[str] = []
        for pattern, (place, is_global) in patterns.items():
            if place in EXEMPT_SQL:
                continue
            plain = pattern
            for there, here in _TO_PYTHON.items():
                plain = plain.replace(there, here)
            question = (
                "select length(regexp_replace(%s, %s, '', 'g'))" if is_global else "select %s ~* %s"
            )

            def work(text: str, question: str = question, pattern: str = pattern) -> None:
                connection.execute(question, [text.replace("\0", "\x01"), pattern])

            if with_ := grows_too_fast(work, texts(plain), perf_counter, QUICK_SQL_S):
                slow.append(f"{place} {pattern!r}: {with_}")
    assert not slow, "\n".join(slow)
