"""What every decision of an operator does: show what would happen, ask, carry it out, say so."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import typer

from quartermaster.cli.output import out, print_json, print_table

Row = dict[str, Any]

SHOWN: Final = {
    "name": "name",
    "was": "was",
    "because": "because",
    "current_version": "version",
    "findings": "findings",
    "calls": "calls in 30 days",
}
"""Members of a preview that people are shown, with their headings."""


@dataclass(frozen=True)
class How:
    """How a decision is carried out.

    Attributes:
        reason: why; kept with it.
        dry_run: only show what would happen.
        yes: do not ask.
        json: print for programs.
    """

    reason: str
    dry_run: bool
    yes: bool
    json: bool


def carry_out(
    seen: Sequence[Row],
    becomes: str,
    decide: Callable[[Row], object],
    how: How,
) -> None:
    """Shows what is decided on, asks, decides, and reports.

    Args:
        seen: previews, one of each.
        becomes: approved, quarantined or deprecated.
        decide: does it, for one preview.
        how: as the options say.
    """
    if not how.json:
        print_table(tuple(SHOWN.values()), [[row[column] for column in SHOWN] for row in seen])
    if not how.dry_run:
        if not how.yes:
            typer.confirm(f"They become {becomes}. Go on?", abort=True, err=True)
        for row in seen:
            decide(row)
    if how.json:
        print_json([row | {"becomes": becomes, "done": not how.dry_run} for row in seen])
    elif not how.dry_run:
        out.print(f"{len(seen)} {becomes}.")
