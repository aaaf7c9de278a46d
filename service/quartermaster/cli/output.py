"""How commands speak: tables and progress for people, JSON for programs, errors on stderr."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from rich.console import Console
from rich.table import Table

from quartermaster.core.errors import QmError

# A terminal obeys them, and texts of tools come from strangers.
_CONTROLS: Final = {c: f"\\x{c:02x}" for c in (*range(32), *range(127, 160)) if c not in {9, 10}}
_NAMES: Final = frozenset({"name", "tool", "server", "origin", "capability"})

out = Console()
err = Console(stderr=True)


def print_json(value: object) -> None:
    """One JSON document on stdout; intervals are seconds, moments ISO 8601."""
    sys.stdout.write(json.dumps(value, indent=2, ensure_ascii=False, default=_plain) + "\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[Any]], *, title: str = "") -> None:
    """A table on stdout; cells are printed as they are, without markup."""
    table = Table(title=title or None, show_header=True, header_style="bold", box=None)
    for column in columns:
        # People copy names: those stay in one piece.
        table.add_column(column, overflow="fold", no_wrap=column in _NAMES)
    for row in rows:
        table.add_row(*("" if cell is None else _escaped(str(cell)) for cell in row))
    out.print(table)


def print_rows(rows: Sequence[Mapping[str, Any]], columns: Sequence[str], as_json: bool) -> None:
    """Some columns of rows as a table, or the rows whole as JSON."""
    if as_json:
        print_json(rows)
    else:
        print_table(columns, [[row[column] for column in columns] for row in rows])


def minute(moment: datetime | None) -> str:
    """A moment for a table, in the time of this machine; nothing where there is none."""
    return "" if moment is None else moment.astimezone().strftime("%Y-%m-%d %H:%M")


def print_error(error: QmError) -> None:
    """What happened, its code, and what to do next; on stderr."""
    err.print(f"[bold red]Error[/] {_escaped(error.message)} [dim]({error.code} {error.slug})[/]")
    if error.detail:
        err.print(_escaped(error.detail))
    if error.hint:
        err.print(f"[bold]Next:[/] {_escaped(error.hint)}")


def harmless(text: str) -> str:
    """The text with control characters spelt out, but for tabs and line ends."""
    return text.translate(_CONTROLS)


def _escaped(text: str) -> str:
    return harmless(text).replace("[", "\\[")


def _plain(value: object) -> str | float:
    if isinstance(value, date):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    if isinstance(value, UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} is not JSON")
