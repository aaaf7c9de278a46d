"""Items of the catalog as operators review them: findings, changes, decisions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import unified_diff
from typing import Any, Final

from rich.text import Text

from quartermaster.cli.output import confirm, out, print_json, print_table, say

Row = dict[str, Any]

PREVIEW: Final = {
    "name": "name",
    "was": "status",
    "because": "because",
    "current_version": "version",
    "findings": "findings",
    "calls": "calls in 30 days",
}
"""Members of the preview of a decision that people are shown, with their headings."""

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}


@dataclass(frozen=True)
class How:
    """How a decision is carried out.

    Attributes:
        reason: why; recorded with it.
        dry_run: only show what would change.
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
    undo: str,
    how: How,
) -> None:
    """Shows what would be decided, asks, decides, and reports.

    Args:
        seen: previews, one for each item.
        becomes: approved, quarantined or deprecated.
        decide: decides on the item of one preview.
        undo: command that takes the decision back.
        how: as the options say.
    """
    if not how.json:
        rows = [[row[column] for column in PREVIEW] for row in seen]
        print_table(tuple(PREVIEW.values()), rows, empty="There is nothing to decide.")
    if not how.dry_run and seen:
        confirm(f"Mark {'it' if len(seen) == 1 else 'them'} as {becomes}?", yes=how.yes)
        for row in seen:
            decide(row)
    if how.json:
        print_json([row | {"becomes": becomes, "done": not how.dry_run} for row in seen])
    elif not how.dry_run and seen:
        say(f"{len(seen)} {becomes}. To undo: {undo}.")


def print_list(rows: Sequence[Row], columns: Sequence[str], empty: str) -> None:
    """A list of items, with the names of the rules that found something in them."""
    print_table(columns, [[row[column] for column in columns] for row in rows], empty=empty)


def print_versions(versions: Sequence[Row]) -> None:
    """The versions of an item."""
    columns = ("version", "valid_from", "valid_to", "approved_at", "approved_by")
    headings = [column.replace("_", " ") for column in columns]
    print_table(headings, [[row[column] for column in columns] for row in versions])


def print_findings(findings: Sequence[Row]) -> None:
    """What the scan found in an item, if anything."""
    columns = ("severity", "rule", "member", "evidence")
    rows = [[row[column] for column in columns] for row in findings]
    print_table(columns, rows, wrapped="evidence")


def print_diff(name: str, rows: Sequence[Row]) -> None:
    """What changed in an item: a unified diff of each member.

    Args:
        name: of the item.
        rows: of api.diff_item.
    """
    if not rows:
        say(f"{name}: nothing changed.")
    for line in unified(name, rows):
        out.print(Text(line, style=_STYLES.get(line[:1], "")), soft_wrap=True)


def unified(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a unified diff, one section a member; an unchanged member has none.

    Args:
        name: of the item.
        rows: of api.diff_item.
    """
    for row in rows:
        yield from unified_diff(
            _lines(row["before"]),
            _lines(row["after"]),
            f"{name}/{row['member']} (version {row['version_before']})",
            f"{name}/{row['member']} (version {row['version_after']})",
            lineterm="",
        )


def _lines(text: str | None) -> list[str]:
    # A diff must not hide invisible characters.
    return [] if text is None else [_visible(line) for line in text.split("\n")]


def _visible(line: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else f"<U+{ord(c):04X}>" for c in line)
