"""Unified diffs between two versions of an item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Final

from rich.text import Text

from quartermaster.cli.output import out, say
from quartermaster.cli.session import Row

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}


def print_diff(name: str, rows: Sequence[Row], since: str = " since the last approval") -> None:
    """Prints what changed in an item as a unified diff of each member.

    Args:
        name: name of the item.
        rows: rows returned by api.diff_item.
        since: what the newest version was compared with, for items that did not change.
    """
    if not rows:
        say(f"{name}: nothing changed{since}.")
    for line in unified(name, rows):
        out.print(Text(line, style=_STYLES.get(line[:1], "")), soft_wrap=True)


def unified(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a unified diff, with one section for each changed member.

    Args:
        name: name of the item.
        rows: rows returned by api.diff_item.
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
