"""Command output: tables for people, JSON for programs, errors on standard error."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager
from datetime import date, datetime, timedelta
from pathlib import Path
from shutil import get_terminal_size
from typing import Any, Final, cast
from uuid import UUID

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from quartermaster.core.errors import QmError, unwritable

# Terminals interpret control characters, and tool descriptions come from untrusted sources.
# Invisible characters and those that change the direction of writing are shown as escapes, too.
_INVISIBLE: Final = (0xAD, 0x61C, 0x180E, *range(0x200B, 0x2010), *range(0x2028, 0x202F))
_CONTROLS: Final = {
    **{c: f"\\x{c:02x}" for c in (*range(32), *range(127, 160)) if c not in {9, 10}},
    **{c: f"\\u{c:04x}" for c in (*_INVISIBLE, *range(0x2060, 0x2070), 0xFEFF)},
    **{c: f"\\U{c:08x}" for c in range(0xE0000, 0xE0080)},
    # Bytes of file names that are not UTF-8.
    **{c: f"\\x{c - 0xDC00:02x}" for c in range(0xDC80, 0xDD00)},
}
_NAMES: Final = frozenset({"name", "tool", "server", "origin", "capability", "id", "table"})
_CUT: Final = frozenset({"brief", "change"})
# Texts up to this length are called short. This is the length of a printed time.
_SHORT: Final = 16
_NOTHING: Final[tuple[object, ...]] = (None, "", [], {})

# The start of a command in a sentence.
_COMMAND: Final = re.compile(r"(?<![\w./=-])qm (?=[a-z])")

Column = str | Callable[[Any], object]
Columns = Sequence[str | tuple[str, Column]]

out = Console()
err = Console(stderr=True)
# Variables without which a printed command would be about something else than this one.
_repeated: Final[dict[str, str]] = {}
# The width of tables in a pipe, unless the variable COLUMNS says otherwise.
_PIPE_WIDTH: Final = 120


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
    """Prints a table to stdout: one line per row, unless the output is too narrow for it.

    Names and short cells stay whole, and other cells are wrapped between words. A terminal gets
    short descriptions cut to one line. A pipe gets every word.

    Args:
        columns: headings.
        rows: cells, printed without markup.
        title: title above the table.
        empty: message to print to stderr if there are no rows.
    """
    texts = [[_line(cell_text(cell)) for cell in row] for row in rows]
    table = Table(title=title or None, show_header=True, header_style="bold", box=None)
    for place, column in enumerate(columns):
        cells = [row[place] for row in texts]
        longest = max((cell.cell_len for cell in cells), default=0)
        is_whole = column in _NAMES or longest <= _SHORT
        word = max((part.cell_len for cell in cells for part in cell.split(" ")), default=0)
        least = None if out.is_terminal else longest if is_whole else word
        table.add_column(_line(column), no_wrap=is_whole, min_width=least)
        for cell in cells:
            cell.no_wrap = is_whole or (column in _CUT and out.is_terminal)
            cell.overflow = "ellipsis" if cell.no_wrap else "fold"
    for row in texts:
        table.add_row(*row)
    if not table.row_count:
        if empty:
            note(empty)
    else:
        _print_fitted(table)


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
        columns: members to show, or pairs of a heading and a member, a format such as
            ``"{share:.1%}"`` or a function of the row.
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
        facts: values by name; long values are wrapped.
    """
    table = Table(show_header=True, header_style="bold", box=None)
    table.add_column(_line(subject), no_wrap=True)
    table.add_column(_line(name), overflow="fold")
    for fact, value in facts.items():
        if value not in _NOTHING:
            table.add_row(_line(fact.replace("_", " ")), Text(harmless(cell_text(value))))
    _print_fitted(table)


def cell_text(value: object) -> str:
    """A value as text for a table: times to the minute in local time, yes or no, joined lists."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else "no"
        case datetime():
            return minute(value)
        case list():
            return ", ".join(map(cell_text, cast("list[object]", value)))
        case dict():
            return json.dumps(value, ensure_ascii=False, default=_plain)
        case _:
            return str(value)


def minute(moment: datetime | None) -> str:
    """A time for a table, in the time zone of this machine; empty if there is none."""
    return "" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M")


def counted(number: int, noun: str, several: str = "") -> str:
    """A number with its noun: ``1 tool``, ``1,200 tools``, ``2 queries``, ``2 instructions``."""
    return f"{number:,} {noun if number == 1 else several or noun.removesuffix('s') + 's'}"


def tallied(items: Mapping[str, int]) -> str:
    """The number of items of each kind: ``1 resource template, 12 tools``."""
    return ", ".join(counted(n, kind.replace("_", " ")) for kind, n in sorted(items.items()))


def say(text: str) -> None:
    """Prints a sentence to stdout without markup, because it may contain untrusted names."""
    text = harmless(pasteable(text))
    out.print(text, markup=False, highlight=False, soft_wrap=not out.is_terminal)


def note(text: str) -> None:
    """Prints a sentence to stderr, separate from the result."""
    text = harmless(pasteable(text))
    err.print(text, markup=False, highlight=False, soft_wrap=not err.is_terminal)


def confirm(question: str, *, yes: bool) -> None:
    """Asks for confirmation; ends the command unless the answer is yes.

    Args:
        question: question to ask, such as ``Remove it?``.
        yes: whether an option has already answered it.
    """
    if yes:
        return
    try:
        typer.confirm(question, abort=True, err=True)
    except typer.Abort:
        if not sys.stdin.isatty():
            err.print("\nWithout a terminal, confirm with --yes.")
        raise


def print_error(error: QmError, *, as_json: bool = False) -> None:
    """Prints to stderr what happened, the error code, and what to do next.

    Args:
        error: the error.
        as_json: whether to print the JSON object that every route returns, for programs.
    """
    if as_json:
        sys.stderr.write(_encodable(json.dumps(error.as_dict(), ensure_ascii=False)) + "\n")
        return
    what = f" {harmless(error.message)} "
    lines = [Text.assemble(("Error", "bold red"), what, (f"({error.code} {error.slug})", "dim"))]
    lines += [Text(harmless(error.detail))] if error.detail else []
    if error.hint:
        lines.append(Text.assemble(("Next:", "bold"), f" {harmless(pasteable(error.hint))}"))
    for line in lines:
        err.print(line, soft_wrap=not err.is_terminal)


def repeat(variable: str, value: str) -> None:
    """Makes each command that is printed from now on set a variable.

    Args:
        variable: name of the variable.
        value: its value.
    """
    _repeated[variable] = value


def pasteable(text: str) -> str:
    """The text, in which each command (``qm ...``) works if somebody copies it."""
    given = " ".join(f"{name}={shlex.quote(value)}" for name, value in _repeated.items())
    return _COMMAND.sub(lambda _: f"{given} qm ", text) if given else text


def harmless(text: str) -> str:
    """The text with escaped control characters, except tabs and newlines."""
    return text.translate(_CONTROLS)


@contextmanager
def written(to: Path | None) -> Generator[Callable[[str], object]]:
    """A function that writes text to a file, or to standard output.

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


def _print_fitted(table: Table) -> None:
    """Prints a table as wide as the terminal; in a pipe, wide enough to keep every word whole."""
    if out.is_terminal:
        out.print(table)
        return
    width = get_terminal_size((_PIPE_WIDTH, 24)).columns
    pipe = Console(width=10 * width, color_system=None, force_terminal=False)
    pipe.width = max(width, pipe.measure(table).minimum)
    with pipe.capture() as captured:
        pipe.print(table)
    lines = (line.rstrip() for line in captured.get().splitlines())
    sys.stdout.write("".join(f"{line}\n" for line in lines))


def _line(text: str) -> Text:
    return Text(" ".join(harmless(text).split("\n")), no_wrap=True, overflow="ellipsis")


def _encodable(document: str) -> str:
    """JSON in which bytes of file names that are not UTF-8 stand as JSON escapes them."""
    return document.encode("utf-8", "backslashreplace").decode()


def _plain(value: object) -> str | float:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
