"""Draws texts that people read, so that somebody who does not know the project can judge them.

``python -m lab.comparisons.texts SEED`` prints 150 texts with their places: as many from the help
of commands, from messages of the service, from errors, settings and reasons in the database, from
comments of functions, tables and columns, from manual pages, and from comments of the settings
file. ``--makers`` prints 60 texts for those who change the code instead: headers of functions,
docstrings, and manual pages. ``--all`` prints all texts of one source. A round ends well if at most
five texts (four of 60) are marked as hard or odd; otherwise all texts like them are mended, and the
next round takes another seed (lab/notes/english.md).
"""

from __future__ import annotations

import argparse
import ast
import itertools
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from tests.support.error_files import OF_CORE, ROW, STATEMENT
from tests.support.sql_files import FUNCTION_FILES, MIGRATIONS, OTHER_SQL, ROOT, files, modules

SERVICE: Final = ROOT / "service" / "quartermaster"
COUNT: Final = 150
MAKERS_COUNT: Final = 60
# Calls whose texts are read by people or by agents.
_TEXT_CALLS: Final = frozenset(
    (
        "say",
        "note",
        "confirm",
        "confirmed",
        "fail",
        "invalid",
        "unavailable",
        "missing",
        "not_found",
        "argument_invalid",
        "QmError",
        # Errors and reasons that a message quotes.
        "bad",
        "bad_file",
        "bad_line",
        "denied",
        "wrong",
        "locked",
        "needs_database",
        "BadParameter",
        "Fault",
        "MCPError",
        "NotComposeError",
        "NotNowError",
        "Problem",
        "ProviderError",
        "QueryProblem",
        "ToolRejectedError",
        "UnreadableError",
        "UpstreamError",
        # Findings about code, metrics, previews, and the descriptions of MCP tools and arguments.
        "weakness",
        "finding",
        "Finding",
        "counter",
        "gauge",
        "histogram",
        "foretell",
        "tool",
        "member",
        "flag",
    )
)
_KEYWORDS: Final = frozenset(("help", "description", "empty", "title", "hint"))
_SENTENCE: Final = re.compile(r"^[A-Z{].*[.!?]\s*$", re.DOTALL)
_LITERAL: Final = re.compile(r"'((?:[^']|'')*)'")
# Literals that stand below each other are one.
_LITERALS: Final = re.compile(r"'(?:[^']|'')*'(?:\s*\n\s*'(?:[^']|'')*')*")
_COMMENT: Final = re.compile(r"^comment on [^;]*? is\s+((?:'(?:[^']|'')*'\s*)+);", re.MULTILINE)
# In a call of which each literal is replaced by its number.
_HIDDEN_PATTERN: Final = re.compile(r"'(\d+)'")
_CASE: Final = re.compile(r"\bcase\b(?:(?!\bcase\b).)*?\bend\b", re.DOTALL)
_BRANCH: Final = re.compile(r"\b(?:then|else)\b(.*?)(?=\bwhen\b|\belse\b|\bend\b)", re.DOTALL)
_COALESCE: Final = re.compile(r"\bcoalesce\(((?:[^()]|\([^()]*\))*)\)")
# A column or a call.
_VALUE: Final = r"[\w.]+(?:\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\))?"
_LEAST_WORDS: Final = 3


class PlacedText(NamedTuple):
    """A text and its place."""

    place: str
    text: str


def draw(seed: int, names: Sequence[str], count: int) -> list[PlacedText]:
    """Returns as many texts of each named source, in the order of the names."""
    random = Random(seed)
    each = count // len(names)
    return [text for name in names for text in random.sample(sorted(SOURCES[name]()), each)]


def help_texts() -> Iterator[PlacedText]:
    """Help of commands, options and arguments, and the descriptions of MCP tools."""
    for path, tree in _modules():
        for node in ast.walk(tree):
            for line, words in _help_at(node):
                yield from _text(path, line, words)


def _help_at(node: ast.AST) -> Iterator[tuple[int, str]]:
    match node:
        case ast.FunctionDef() if _is_command(node):
            yield node.lineno, ast.get_docstring(node) or ""
        case ast.Call(func=function, args=arguments, keywords=keywords):
            name = _name(function)
            if name in {"Noun", "_text"} and arguments:
                yield node.lineno, _words(arguments[0])
            for each in keywords:
                if each.arg in _KEYWORDS and name not in _TEXT_CALLS:
                    yield each.value.lineno, _words(each.value)
        # See `Noun.verb`.
        case ast.Subscript(value=ast.Name(id="Annotated"), slice=ast.Tuple(elts=[_, text, *_])):
            yield text.lineno, _words(text)
        case ast.Dict(keys=keys, values=values):
            for key, value in zip(keys, values, strict=True):
                if isinstance(key, ast.Constant) and key.value == "description":
                    yield value.lineno, _words(value)
        case _:
            pass


def messages() -> Iterator[PlacedText]:
    """Yields sentences that commands and the service print, and errors that they raise."""
    for path, tree in _modules():
        for line, words in said(tree):
            yield from _text(path, line, words)


def said(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yields the lines and words of messages and of sentences in variables."""
    for node in ast.walk(tree):
        for each in _said(node):
            yield each.lineno, _words(each)


def _said(node: ast.AST) -> Iterator[ast.expr]:
    """Yields what a call says to people, and the sentences that a function returns or a variable
    gets.
    """
    match node:
        case ast.Call(func=function, args=arguments, keywords=keywords):
            if _name(function).lstrip("_") in _TEXT_CALLS:
                for argument in [*arguments, *(word.value for word in keywords)]:
                    yield from _branches(argument)
        case (
            ast.Return(value=ast.expr() as value)
            | ast.AnnAssign(value=ast.expr() as value)
            | ast.Assign(value=value)
            | ast.AugAssign(value=value)
        ):
            yield from (each for each in _branches(value) if _SENTENCE.search(_words(each)))
        case _:
            pass


def database_texts() -> Iterator[PlacedText]:
    """Yields errors with their hints, and settings with their meaning, in the database."""
    seeds = files("sql/seeds/*.sql")
    for path in [OF_CORE, *seeds]:
        text = path.read_text(encoding="utf-8")
        for statement in STATEMENT.finditer(text):
            for row in ROW.finditer(text, statement.start(), statement.end()):
                line = text.count("\n", 0, row.start()) + 2
                yield from _text(path, line, _sentences(row[0]))
    for path in FUNCTION_FILES:
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"core\.fail\((.*?)\);", text, re.DOTALL):
            line = text.count("\n", 0, found.start()) + 1
            for words in dict.fromkeys(map(_sentences, _alternatives(found[1]))):
                yield from _text(path, line, words)
    for path in seeds:
        text = re.sub(r"(?m)^ *--.*", "", path.read_text(encoding="utf-8"))
        text = STATEMENT.sub(lambda found: "\n" * found[0].count("\n"), text)
        for found in _LITERALS.finditer(text):
            words = _sentences(found[0])
            yield from _text(path, text.count("\n", 0, found.start()) + 1, words)


def comments() -> Iterator[PlacedText]:
    """Yields comments of functions, tables, columns and views, without those of frozen
    migrations.
    """
    unfrozen = [
        path
        for path in MIGRATIONS
        if path.name not in path.with_name("frozen.txt").read_text(encoding="utf-8")
    ]
    for path in [*FUNCTION_FILES, *unfrozen, *OTHER_SQL]:
        text = path.read_text(encoding="utf-8")
        for found in _COMMENT.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield from _text(path, line, "".join(_literals(found[1])))


def headers() -> Iterator[PlacedText]:
    """Yields the headers of SQL functions, each with the beginning of the comment below it.

    Headers that only list what is written are left out.
    """
    for path in FUNCTION_FILES:
        text = path.read_text(encoding="utf-8")
        lines = itertools.takewhile(lambda line: line.startswith("--"), text.splitlines())
        header = " ".join(line.removeprefix("--").strip() for line in lines)
        comment = "".join(_literals(found[1])) if (found := _COMMENT.search(text)) else ""
        first = re.split(r"(?<=[.:]) ", comment, maxsplit=1)[0]
        if not re.match(r"(Reads|Writes|Announces):|$", header):
            yield from _text(path, 1, f"({first}) {header}")


def docstrings() -> Iterator[PlacedText]:
    """Yields the docstrings of modules, classes and functions, without those of commands."""
    for path, tree in _modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef | ast.Module):
                line = getattr(node, "lineno", 1)
                if not (isinstance(node, ast.FunctionDef) and _is_command(node)):
                    yield from _text(path, line, ast.get_docstring(node) or "")


def paragraphs() -> Iterator[PlacedText]:
    """Yields paragraphs, list items and rows of tables of the manual, without code.

    Pages with measurements are records, like the notes in lab/.
    """
    pages = {*files("docs/*.md"), *files("README.md")} - {ROOT / "docs" / "reference.md"}
    for path in sorted(page for page in pages if not page.name.startswith("measured")):
        text = re.sub(
            r"^ *```.*?^ *```",
            lambda found: "\n" * found[0].count("\n"),
            path.read_text(encoding="utf-8"),
            flags=re.DOTALL | re.MULTILINE,
        )
        line = 1
        for part in re.split(r"\n(?=\n|[ ]*[*-] |[ ]*\d+\. |\|)", text):
            words = " ".join(part.split())
            if not words.startswith(("#", "<", "|--", "![")):
                start = len(part) - len(part.lstrip("\n"))
                yield from _text(path, line + start, words)
            line += part.count("\n") + 1


def settings() -> Iterator[PlacedText]:
    """Yields comments of the settings files, each with its key."""
    for path in sorted(ROOT.glob("[sk]*/*/**/default_settings.yaml")):
        yield from _comments_of(path)


def _comments_of(path: Path) -> Iterator[PlacedText]:
    key, start, words = "", 0, ""
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        head, _, message = line.partition("# ")
        if head.strip() or not message:
            yield from _text(path, start, f"{key.strip()}  # {words}" if words else "")
            key, start, words = head, number, message
        else:
            words = f"{words} {message}".strip()


SOURCES: Final[dict[str, Callable[[], Iterator[PlacedText]]]] = {
    "help": help_texts,
    "messages": messages,
    "database": database_texts,
    "comments": comments,
    "manual": paragraphs,
    "settings": settings,
    "headers": headers,
    "docstrings": docstrings,
}
USERS: Final = ("help", "messages", "database", "comments", "manual", "settings")
MAKERS: Final = ("headers", "docstrings", "manual")


def _modules() -> Iterator[tuple[Path, ast.Module]]:
    for path in modules().values():
        yield path, ast.parse(path.read_text(encoding="utf-8"))


def _is_command(node: ast.FunctionDef) -> bool:
    return any(
        isinstance(each, ast.Call) and _name(each.func) == "verb" for each in node.decorator_list
    )


def _name(function: ast.expr) -> str:
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def _branches(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.IfExp):
        yield from _branches(node.body)
        yield from _branches(node.orelse)
    else:
        yield node


def _words(node: ast.expr) -> str:
    """Returns the text of a literal; what is filled in stands in braces."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(map(_words, values))
        case ast.FormattedValue(value=value):
            return f"{{{ast.unparse(value)[:40]}}}"
        case ast.BinOp(left=left, right=right):
            return _words(left) + _words(right)
        case ast.IfExp(body=body):
            return _words(body)
        case _:
            return ""


def _is_prose(literal: str) -> bool:
    """Returns whether a literal is a sentence, and no JSON, pattern, array or part of a
    sentence.
    """
    words = literal.strip().count(" ")
    return words > 1 and not re.search(r"[|\\]|^\{|^pip |^A\d\d:|^\W*$", literal)


def _sentences(sql: str) -> str:
    """Returns the texts of a call or a row, each ended: a message and its hint are shown apart."""
    texts = filter(_is_prose, _literals(sql))
    return " ".join(text if re.search(r"[.:;?!]$", text) else f"{text}." for text in texts)


def _alternatives(sql: str) -> list[str]:
    """Returns the call once for each branch of a case and each part of a coalesce: people see only
    one.

    What stands between two concatenated literals becomes ``%s`` in one literal.
    """
    literals: list[str] = []

    def hide(found: re.Match[str]) -> str:
        literals.append(found[0])
        return f"'{len(literals) - 1}'"

    def show(found: re.Match[str]) -> str:
        return literals[int(found[1])]

    hidden = _LITERAL.sub(hide, re.sub(r"'\s*\n\s*'", "", sql))
    return [
        re.sub(rf"'\s*\|\|\s*{_VALUE}\s*\|\|\s*'", "%s", _HIDDEN_PATTERN.sub(show, each))
        for each in _expand(hidden)
    ]


def _expand(hidden: str) -> list[str]:
    if found := _CASE.search(hidden):
        parts = _BRANCH.findall(found[0])
    elif found := _COALESCE.search(hidden):
        parts = found[1].split(",")
    else:
        return [hidden]
    texts = [part for part in parts if _HIDDEN_PATTERN.search(part)] or parts[:1]
    return [
        each
        for part in texts
        for each in _expand(f"{hidden[: found.start()]}{part}{hidden[found.end() :]}")
    ]


def _literals(sql: str) -> list[str]:
    joined = re.sub(r"'\s*\n\s*'", "", sql)
    return [each.replace("''", "'") for each in _LITERAL.findall(joined)]


def _text(path: Path, line: int, text: str) -> Iterator[PlacedText]:
    words = " ".join(text.split())
    if len(words.split()) >= _LEAST_WORDS:
        yield PlacedText(f"{path.relative_to(ROOT)}:{line}", words)


def main() -> None:
    """Prints the texts."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("seed", type=int, nargs="?", default=1)
    parser.add_argument("--makers", action="store_true", help="texts for who changes the code")
    parser.add_argument("--all", choices=SOURCES, help="print all texts of a source")
    options = parser.parse_args()
    if options.all:
        texts = sorted(SOURCES[options.all]())
    elif options.makers:
        texts = draw(options.seed, MAKERS, MAKERS_COUNT)
    else:
        texts = draw(options.seed, USERS, COUNT)
    for number, each in enumerate(texts, start=1):
        print(f"{number}. [{each.place}] {each.text}")  # noqa: T201


if __name__ == "__main__":
    main()
