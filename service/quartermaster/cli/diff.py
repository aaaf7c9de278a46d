"""Unified diffs of the members of an item."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Final

from rich.text import Text

from quartermaster.cli.output import out, say
from quartermaster.cli.session import Row

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}


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
