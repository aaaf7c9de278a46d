"""Command output: tables for people, JSON for programs, errors on standard error."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from itertools import accumulate
from pathlib import Path
from typing import Any, Final, cast
from uuid import UUID

import typer
from rich.console import Console
from rich.text import Text

from quartermaster.cli.short_help import SHORT_HELP
from quartermaster.cli.table import described, laid_out, wrapped
from quartermaster.core.errors import QmError, unwritable
from quartermaster.core.kind_packages import COMMANDS, entries

# Terminals interpret control characters, and tool descriptions come from untrusted sources.
# Invisible characters and those that change the direction of writing are shown as escapes, too.
_INVISIBLE_CODEPOINTS: Final = (0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x2028, 0x202F))
_CONTROLS: Final = {
    **{c: f"\\x{c:02x}" for c in (*range(32), *range(127, 160)) if c not in {9, 10}},
    **{c: f"\\u{c:04x}" for c in (*_INVISIBLE_CODEPOINTS, *range(0x2060, 0x2070), 0xFEFF)},
    **{c: f"\\U{c:08x}" for c in range(0xE0000, 0xE0080)},
    # Bytes of file names that are not UTF-8.
    **{c: f"\\x{c - 0xDC00:02x}" for c in range(0xDC80, 0xDD00)},
}
_BREAK: Final = re.compile(r"\s*[\n\t]\s*")

# A time in a JSON document of the database.
_MOMENT: Final = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d")
# The start of a command in a sentence, if there is such a command.
_COMMAND: Final = re.compile(r"(?<![\w./=-])qm (?=([a-z][\w-]*))")

# A command with the variables that it sets, up to the end of the sentence or a comma.
_WHOLE_COMMAND: Final = re.compile(
    r"(?:\b[A-Z_]+=\S+ )*(?<![\w./-])qm ([a-z][\w-]*).*?(?=[.,;:)](?:\s|$)|$)", re.M
)
# Options that say the same as a variable, and win over it.
_OPTIONS: Final = {"QM_DATABASE__DSN": "--dsn", "QM_DATA_DIR": "--data-dir"}
# Stands for a space at which no line is broken.
_GLUE: Final = "\ue000"

Column = str | Callable[[Any], object]
Columns = Sequence[str | tuple[str, Column]]

out = Console()
err = Console(stderr=True)
# Variables without which a printed command would be about something else than this one.
_repeated: Final[dict[str, str]] = {}


def print_json(value: object) -> None:
    """Prints one JSON document to stdout; intervals are in seconds, times in ISO 8601."""
    document = json.dumps(value, indent=2, ensure_ascii=False, default=_plain)
    sys.stdout.write(_encodable(document) + "\n")


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    title: str = "",
    empty: str = "",
) -> None:
    """Prints a table to stdout, as wide as the terminal (see `laid_out`).

    In a pipe, each row is one line, its cells are separated by tabs, and nothing is cut.

    Args:
        columns: headings.
        rows: cells, printed without markup.
        title: title above the table.
        empty: message to print to stderr if there are no rows.
    """
    headings = [_line(column) for column in columns]
    texts = [[_line(cell_text(cell)) for cell in row] for row in rows]
    if not texts:
        if empty:
            note(empty)
        return
    if title:
        out.out(_line(title), style="italic", highlight=False)
    if out.is_terminal:
        heading, *below = laid_out(headings, texts, out.width)
        _print_lines(heading, [line for lines in below for line in lines])
    else:
        _print_cells([headings, *texts])


def print_rows(
    rows: Iterable[Mapping[str, Any]],
    columns: Columns,
    *,
    title: str = "",
    empty: str = "",
) -> None:
    """Prints rows from the database as a table.

    Args:
        rows: mappings, one for each row.
        columns: for each column, a member, or a pair of a heading and its content. The content is a
            member, a format such as ``"{share:.1%}"``, or a function of the row.
        title, empty: see `print_table`.
    """
    shown = [
        (each.removeprefix("is_").replace("_", " "), each) if isinstance(each, str) else each
        for each in columns
    ]
    cells = [[_cell(row, column) for _, column in shown] for row in rows]
    headings = [heading for heading, _ in shown]
    print_table(headings, cells, title=title, empty=empty)


def print_facts(subject: str, name: str, facts: Mapping[str, Any]) -> None:
    """Prints the facts about one thing, one per line; empty values are left out.

    Args:
        subject: kind of the thing, such as ``origin``.
        name: name of the thing.
        facts: maps names to values. In a terminal, long values are wrapped.
    """
    shown = [(fact.replace("_", " "), cell_text(v)) for fact, v in facts.items()]
    pairs = [(subject, name), *(pair for pair in shown if pair[1])]
    if out.is_terminal:
        cleaned = [(_line(fact), harmless(value)) for fact, value in pairs]
        heading, *below = described(cleaned, out.width)
        _print_lines([heading], below)
    else:
        _print_cells([[_line(cell) for cell in pair] for pair in pairs])


def cell_text(value: object) -> str:
    """Returns a value as text for a table: times in local time to the minute, booleans as yes or
    no, lists with their elements joined.
    """
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return minute(value)
        case str() if _MOMENT.fullmatch(value):
            return minute(datetime.fromisoformat(value))
        case list():
            return ", ".join(map(cell_text, cast("list[object]", value)))
        case dict():
            return json.dumps(value, ensure_ascii=False, default=_plain) if value else ""
        case _:
            return str(value)


def minute(moment: datetime | None) -> str:
    """Returns a time for a table, in the time zone of this machine; empty if there is none."""
    return "" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M")


def counted(number: int, noun: str, several: str = "") -> str:
    """Returns a number with its noun: ``1 tool``, ``1,200 tools``, ``2 queries``, ``2
    instructions``.
    """
    return f"{number:,} {noun if number == 1 else several or noun.removesuffix('s') + 's'}"


def tallied(items: Mapping[str, int]) -> str:
    """Returns the number of items of each kind: ``1 resource template, 12 tools``."""
    return ", ".join(counted(n, kind.replace("_", " ")) for kind, n in sorted(items.items()))


def say(text: str) -> None:
    """Prints a sentence to stdout without markup, because it may contain untrusted names."""
    _tell(out, Text(harmless(pasteable(text))))


def say_problem(text: str) -> None:
    """Prints a sentence as `say` does, after the word Problem in red."""
    _tell(out, Text.assemble(("Problem", "bold red"), f" {harmless(pasteable(text))}"))


def note(text: str) -> None:
    """Prints a sentence to stderr, separate from the result."""
    _tell(err, Text(harmless(pasteable(text))))


def confirm(question: str, *, yes: bool) -> None:
    """Asks for confirmation, and ends the command unless the answer is yes.

    Args:
        question: question to ask, such as ``Remove it?``.
        yes: whether an option has already answered it.
    """
    if yes:
        return
    with _answered():
        typer.confirm(question, abort=True, err=True)


def confirm_by_name(question: str, name: str, *, yes: bool) -> None:
    """Asks the user to type a name, and ends the command if the answer differs.

    Args:
        question: question to ask, such as ``Type the name of the database``.
        name: the correct answer.
        yes: whether an option has already answered it.
    """
    if yes:
        return
    with _answered():
        if typer.prompt(question, err=True) != name:
            note(f"The name is {name}.")
            raise typer.Abort


@contextmanager
def _answered() -> Generator[None]:
    """If a question in the block fails because there is no terminal, prints that --yes confirms."""
    try:
        yield
    except typer.Abort:
        if not sys.stdin.isatty():
            err.print("\nWithout a terminal, confirm with --yes.")
        raise


def print_error(error: QmError, *, as_json: bool = False) -> None:
    """Prints an error to stderr: the message, the error code, and the next step.

    Args:
        error: the error.
        as_json: whether to print the JSON object that every route returns, for programs.
    """
    if as_json:
        sys.stderr.write(_encodable(json.dumps(error.as_dict(), ensure_ascii=False)) + "\n")
        return
    code = (f"({error.code} {harmless(error.slug)})", "dim")
    _tell(err, Text.assemble(("Error", "bold red"), f" {harmless(error.message)} ", code))
    if error.detail:
        _tell(err, Text(harmless(error.detail)))
    if error.hint:
        _tell(err, Text.assemble(("Next:", "bold"), f" {harmless(pasteable(error.hint))}"))


def repeat(variable: str, value: str) -> None:
    """Puts an environment variable before each command that is printed from now on.

    Args:
        variable: name of the variable.
        value: its value.
    """
    _repeated[variable] = value


def forget(variable: str) -> str | None:
    """Undoes `repeat` for the variable, and returns the value that was set."""
    return _repeated.pop(variable, None)


def pasteable(text: str) -> str:
    """Returns the text with the variables of `repeat` before each command (``qm ...``), so that a
    copied command works.
    """

    def repeating(found: re.Match[str]) -> str:
        if not _is_command(found[1]):
            return found[0]
        whole = _WHOLE_COMMAND.match(text, found.start())
        words = whole[0].split() if whole else []
        given = [
            f"{each} " for each in repeated() if _OPTIONS.get(each.partition("=")[0]) not in words
        ]
        return "".join(given) + found[0]

    return _COMMAND.sub(repeating, text)


def repeated() -> list[str]:
    """Returns the variables that each printed command sets, such as ``QM_DATA_DIR=/srv/data``."""
    return [f"{name}={shlex.quote(value)}" for name, value in _repeated.items()]


def _is_command(word: str) -> bool:
    return word in SHORT_HELP or any(entry.name == word for entry in entries(COMMANDS))


def harmless(text: str) -> str:
    """Escapes the control characters in a text, except tabs and newlines."""
    return text.translate(_CONTROLS)


@contextmanager
def written(to: Path | None) -> Generator[Callable[[str], object]]:
    """Provides a function that writes text to a file, or to standard output.

    Args:
        to: path of the file; None for standard output.

    Raises:
        QmError: QM422 file_not_writable.
    """
    if to is None:
        yield lambda text: out.out(text, end="", highlight=False)
        return
    try:
        with to.open("w", encoding="utf-8") as file:
            yield file.write
    except OSError as error:
        raise unwritable(to, error) from error


def _cell(row: Mapping[str, Any], column: Column) -> object:
    if callable(column):
        return column(row)
    return column.format_map(row) if "{" in column else row[column]


def _tell(console: Console, text: Text) -> None:
    """Prints a text. At a terminal, wraps it between words, but never within a command."""
    if not console.is_terminal:
        console.print(text, soft_wrap=True)
        return
    for paragraph in text.split("\n", allow_blank=True):
        glued = _WHOLE_COMMAND.sub(
            lambda found: found[0].replace(" ", _GLUE) if _is_command(found[1]) else found[0],
            paragraph.plain,
        )
        ends = accumulate(len(line) + 1 for line in wrapped(glued, console.width))
        for line in paragraph.divide(list(ends)[:-1]):
            line.rstrip()
            console.print(line, soft_wrap=True)


def _print_lines(heading: Sequence[str], below: Iterable[str]) -> None:
    if heading:
        out.out("\n".join(heading), style="bold", highlight=False)
    out.out("\n".join(below), highlight=False)


def _print_cells(rows: Iterable[Sequence[str]]) -> None:
    sys.stdout.write("".join("\t".join(row) + "\n" for row in rows))


def _line(text: str) -> str:
    return _BREAK.sub(" ", harmless(text)).strip()


def _encodable(document: str) -> str:
    """Returns JSON in which the surrogates of file names that are not UTF-8 are escaped."""
    return document.encode("utf-8", "backslashreplace").decode()


def _plain(value: object) -> str | float:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
