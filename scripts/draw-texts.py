#!/usr/bin/env python3
"""Draws random texts, so that a reader who does not know the project can judge its English.

Each sort of text contributes the same number, if it has enough. A seed always draws the same texts.
Usage: scripts/draw-texts.py [--seed N] [--count N] [--sort SORT] [--all]
"""

from __future__ import annotations

import argparse
import ast
import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
# The reference is left out, because it repeats the comments in the SQL files.
_REFERENCE = "docs/reference.md"
_LEFT_OUT = ("tests/", "docs/lab/", "requirements/", "service/quartermaster/training/")

_DOLLARS = re.compile(r"\$(\w*)\$.*?\$\1\$", re.DOTALL)
_LITERAL = re.compile(r"'((?:[^']|'')*)'")
_COMMENT_ON = re.compile(r"^comment on (.+?) is\s+((?:'(?:[^']|'')*'\s*)+);", re.MULTILINE)
# Matches a sentence, as opposed to a name, a path or an SQL fragment.
_SENTENCE = re.compile(r"[A-Za-z%{][^\n]*? \S+ \S")
_STATEMENT = re.compile(
    r"(select|insert|update|delete|alter|create|drop|set|grant) [a-z_\"%*]+ ?[a-z(]"
    r"|(begin|comment on|lock table|order by|pragma|revoke|strict|ulimit|where) |(when|with) \("
    r"|grant %I |select \w\.|with \w+ as \(|cron\.schedule\("
)
# Matches two alternatives in a regular expression.
_PATTERN = re.compile(r"[a-z)\-]\|[a-z(\\]")
# Matches what a text contains besides English words: inserted values and types.
_NO_WORD = re.compile(r"\{.*?\}|%[0-9$]*[A-Za-z]|\w+\[.*\]|\bNone\b")
_LOGGING = {"debug", "info", "warning", "error", "exception", "log"}


class Text(NamedTuple):
    """One text and its position: its first and its last line."""

    sort: str
    path: str
    line: int
    end: int
    text: str


def is_sentence(text: str) -> bool:
    """Whether a string is for people, as opposed to a name, a format or an SQL statement."""
    words = re.findall(r"[A-Za-z]{2,}", _NO_WORD.sub(" ", text))
    is_code = _STATEMENT.match(text) or _PATTERN.search(text)
    return bool(_SENTENCE.match(text)) and not is_code and len(words) > 1


def comment_blocks(lines: list[str], mark: str) -> Iterator[tuple[int, int, str]]:
    """Comments that fill whole lines; consecutive comment lines are one text."""
    start = 0
    for number, line in enumerate([*lines, ""], start=1):
        is_comment = line.strip().startswith(mark + " ")
        if is_comment and not start:
            start = number
        elif not is_comment and start:
            block = [
                text.strip().removeprefix(mark).strip() for text in lines[start - 1 : number - 1]
            ]
            yield start, number - 1, " ".join(block)
            start = 0


def sql_texts(path: str, source: str) -> Iterator[Text]:
    lines = source.splitlines()
    for start, end, text in comment_blocks(lines, "--"):
        sort = "SQL header" if start == 1 else "SQL comment"
        yield Text(sort, path, start, end, text)
    documented: set[int] = set()
    for match in _COMMENT_ON.finditer(source):
        start = source.count("\n", 0, match.start()) + 1
        end = start + match.group().count("\n")
        documented.update(range(start, end + 1))
        text = "".join(_LITERAL.findall(match[2])).replace("''", "'")
        yield Text("comment on", path, start, end, f"[{match[1]}] {text}")
    for number, line in enumerate(lines, start=1):
        if number in documented or line.strip().startswith("--"):
            continue
        for literal in _LITERAL.findall(line):
            if is_sentence(literal):
                yield Text(
                    "SQL error, hint or label", path, number, number, literal.replace("''", "'")
                )


def written(node: ast.AST) -> str | None:
    """A string in Python source, with {...} for inserted values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(
            str(part.value) if isinstance(part, ast.Constant) else f"{{{ast.unparse(part.value)}}}"
            for part in node.values
        )
    return None


def sort_of_string(path: str, callers: list[ast.AST]) -> str:
    for node in reversed(callers):
        if isinstance(node, ast.keyword) and node.arg == "help":
            return "CLI help"
        if isinstance(node, ast.Raise):
            return "Python error"
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _LOGGING
            and "log" in ast.unparse(node.func.value)
        ):
            return "log line"
    return "CLI output" if "/cli/" in path else "Python string"


def python_texts(path: str, source: str) -> Iterator[Text]:
    for start, end, text in comment_blocks(source.splitlines(), "#"):
        yield Text("Python comment", path, start, end, text)
    docstrings: set[int] = set()
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            text, string = ast.get_docstring(node), node.body[0] if node.body else None
            if text and isinstance(string, ast.Expr):
                docstrings.add(id(string.value))
                is_command = "/cli/" in path and getattr(node, "name", "").endswith("_command")
                sort = "CLI help" if is_command else "docstring"
                yield Text(sort, path, string.lineno, string.end_lineno or 0, text)
    yield from strings(path, tree, docstrings, [])


def strings(path: str, node: ast.AST, skipped: set[int], callers: list[ast.AST]) -> Iterator[Text]:
    text = None if id(node) in skipped else written(node)
    if text is not None:
        if is_sentence(text):
            sort = sort_of_string(path, callers)
            yield Text(sort, path, node.lineno, node.end_lineno or 0, text)
        return
    for child in ast.iter_child_nodes(node):
        yield from strings(path, child, skipped, [*callers, node])


def paragraphs(path: str, source: str) -> Iterator[Text]:
    """Paragraphs, list items and table rows, without code and headings."""
    source = re.sub(
        r"^ *```.*?^ *```", lambda m: "\n" * m.group().count("\n"), source, flags=re.M | re.S
    )
    start, held = 0, list[str]()
    for number, line in enumerate([*source.splitlines(), ""], start=1):
        begins = re.match(r"\s*([*-] |\d+\. |\||#|$)", line)
        if begins and held:
            yield Text("docs", path, start, number - 1, " ".join(held))
            held = []
        if re.match(r"\s*(#|$|\|[ :-]*-)", line):
            continue
        if not held:
            start = number
        held.append(line.strip())


def collect() -> list[Text]:
    """All texts in the tracked files."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split()
    readers = {".sql": sql_texts, ".py": python_texts, ".md": paragraphs}
    found = list[Text]()
    for path in listed:
        reader = readers.get(Path(path).suffix)
        if reader and path != _REFERENCE and not path.startswith(_LEFT_OUT):
            found += reader(path, (ROOT / path).read_text(encoding="utf-8"))
    return found


def draw(texts: list[Text], seed: int, count: int) -> list[Text]:
    """Draws the same number of texts of each sort; if a sort has too few, more texts of the other
    sorts are drawn."""
    chance = random.Random(seed)  # noqa: S311 - it must be repeatable, not secret
    by_sort: dict[str, list[Text]] = {}
    for text in texts:
        by_sort.setdefault(text.sort, []).append(text)
    drawn = list[Text]()
    for left, sort in zip(
        range(len(by_sort), 0, -1), sorted(by_sort, key=lambda s: len(by_sort[s])), strict=True
    ):
        share = min(len(by_sort[sort]), -(-(count - len(drawn)) // left))
        drawn += sorted(chance.sample(by_sort[sort], share))
    return drawn


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=150)
    parser.add_argument("--sort", help="print only texts of this sort, such as 'docstring'")
    parser.add_argument("--all", action="store_true", help="print every text")
    asked = parser.parse_args()
    texts = [text for text in collect() if asked.sort in (None, text.sort)]
    for number, text in enumerate(
        texts if asked.all else draw(texts, asked.seed, asked.count), start=1
    ):
        print(f"{number}. {text.sort}, {text.path}:{text.line}\n   {text.text}\n")  # noqa: T201


if __name__ == "__main__":
    main()
