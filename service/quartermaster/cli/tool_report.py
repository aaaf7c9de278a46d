"""An item and its changes, as people read them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import unified_diff
from typing import Any, Final

from rich.text import Text

from quartermaster.cli.output import out, print_table

_STYLES: Final = {"+": "green", "-": "red", "@": "cyan"}
_PARTS: Final = ("versions", "findings", "probes", "definition")
_LONG: Final = ("input_schema", "output_schema")

Row = dict[str, Any]


def print_item(item: Row) -> None:
    """An item with its versions, findings and probes.

    Args:
        item: of api.get_item.
    """
    facts = {k: v for k, v in item.items() if k not in _PARTS}
    facts |= {k: v for k, v in item["definition"].items() if k not in _LONG}
    rows = [(k, v) for k, v in facts.items() if v not in (None, "", [], {})]
    print_table((item["kind"], item["public_name"]), rows)
    columns = ("version", "valid_from", "valid_to", "approved_at", "approved_by")
    print_table(columns, [[row[column] for column in columns] for row in item["versions"]])
    print_findings(item["findings"])
    if item["probes"]:
        columns = ("probed_at", "tool_version", "example", "is_honest", "sandbox", "problem")
        print_table(columns, [[row[column] for column in columns] for row in item["probes"]])


def print_findings(findings: Sequence[Row]) -> None:
    """What the scan found in an item, if anything.

    Args:
        findings: of api.get_item.
    """
    if findings:
        columns = ("severity", "rule", "member", "evidence")
        print_table(columns, [[row[column] for column in columns] for row in findings])


def print_diff(name: str, rows: Sequence[Row]) -> None:
    """What changed in an item: a unified diff of each member.

    Args:
        name: public name.
        rows: of api.diff_item.
    """
    if not rows:
        out.print(f"{name}: nothing changed.", markup=False)
    for line in unified(name, rows):
        out.print(Text(line, style=_STYLES.get(line[:1], "")), soft_wrap=True)


def unified(name: str, rows: Sequence[Row]) -> Iterator[str]:
    """Lines of a unified diff, one section a member.

    Args:
        name: public name.
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
    # Invisible characters are what a diff must not hide.
    return [] if text is None else [_visible(line) for line in text.split("\n")]


def _visible(line: str) -> str:
    return "".join(c if c.isprintable() or c == "\t" else f"<U+{ord(c):04X}>" for c in line)
