"""Changes one table of a TOML text, and keeps the rest of the text, comments included."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast


def with_entry(text: str, path: Sequence[str | int], entry: Any) -> str:
    """Returns the text with the table at a path added or replaced; missing tables are added.

    Args:
        text: the text.
        path: the keys that lead to the table.
        entry: the table.
    """
    import tomlkit
    from tomlkit.exceptions import ParseError

    *outer, name = map(str, path)
    # A table at the end changes nothing above it, unless the outer table is closed.
    gap = "" if not text or text.endswith("\n\n") else "\n" if text.endswith("\n") else "\n\n"
    table: dict[str, Any] = {name: entry}
    for key in reversed(outer):
        table = {key: table}
    added = text + gap + tomlkit.dumps(_tables(table))
    try:
        tomlkit.parse(added).unwrap()
    except (ParseError, ValueError, KeyError, TypeError):
        pass
    else:
        return added
    document = tomlkit.parse(text)
    place: Any = document
    for key in outer:
        place = place.setdefault(key, tomlkit.table(is_super_table=True))
    place[name] = entry
    return tomlkit.dumps(document)


def without_entry(text: str, path: Sequence[str | int]) -> str:
    """Returns the text without the table at a path. The path must exist."""
    import tomlkit

    *outer, name = map(str, path)
    document = tomlkit.parse(text)
    place: Any = document
    for key in outer:
        place = place[key]
    del place[name]
    return tomlkit.dumps(document)


def _tables(value: dict[str, Any]) -> Any:
    """Returns a mapping as a TOML table, whose inner mappings become tables, too. A table that
    contains only tables gets no heading.
    """
    import tomlkit

    holds_tables = all(isinstance(inner, dict) for inner in value.values())
    table = tomlkit.table(is_super_table=holds_tables)
    for key, inner in value.items():
        table[key] = _tables(cast("dict[str, Any]", inner)) if isinstance(inner, dict) else inner
    return table
