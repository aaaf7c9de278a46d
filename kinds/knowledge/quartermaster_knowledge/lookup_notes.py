"""Sentences about a lookup: a name that does not exist, and an order that may still change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

_NAME: Final = re.compile(r"\A[A-Za-z_][\w.]*\Z")
_WORD: Final = re.compile(r"\A[^\W_]+\Z")
_MARK: Final = re.compile(r".[A-Z]")

Rows = Sequence[Mapping[str, Any]]


def is_name(topic: str | None) -> TypeGuard[str]:
    """Returns whether a topic may be the name of an object, so that versions can be compared."""
    return bool(topic and _NAME.match(topic))


def is_word(topic: str) -> bool:
    """Returns whether a topic is one ordinary word, which is also searched if an object has this
    name.
    """
    return bool(_WORD.match(topic)) and not _MARK.search(topic)


def names_library(passage: Mapping[str, Any], library: str) -> bool:
    """Returns whether a passage of api.ask_expert is from a note about a library: its title, its
    source or what it cites names the library. In the text, the name may be an ordinary word.
    """
    name = re.compile(rf"(?<![\w-]){re.escape(library)}(?![\w-])", re.IGNORECASE)
    named = (passage["title"], passage["source"], *passage["cites"])
    return any(name.search(each) for each in named)


def notes_of_lookup(
    library: str, topic: str | None, versions: Rows, rows: Rows, wanted: str | None = None
) -> list[str]:
    """Returns what a reader must know besides the objects that were found.

    Args:
        library: the name that was asked for.
        topic: what was asked.
        versions: rows of api.compare_versions; none if the topic is no name.
        rows: rows of api.lookup_symbols.
        wanted: the version that was asked for; None if no version was.
    """
    if not rows:
        return []
    notes: list[str] = []
    if rows[0]["is_near_miss"]:
        notes.append(f"{library} is not indexed. The nearest is {rows[0]['distribution']}.")
    installed = rows[0]["version"]
    if wanted and _without_zeros(wanted) != _without_zeros(installed):
        notes.append(
            f"Version {wanted} is not installed. This answer is from version {installed}, which is."
        )
    notes += _of_versions(topic, versions, rows)
    if waiting := rows[0]["waiting"]:
        notes.append(
            f"Vectors are still being computed (objects without one: at least {waiting:,}), so the"
            " order may change."
        )
    return notes


def _without_zeros(version: str) -> str:
    """1.2.0 is the same version as 1.2."""
    parts = version.split(".")
    while len(parts) > 1 and parts[-1] == "0":
        parts.pop()
    return ".".join(parts)


def _of_versions(topic: str | None, versions: Rows, rows: Rows) -> list[str]:
    installed = rows[0]["version"]
    current = next((row for row in versions if row["version"] == installed), None)
    if current is None:
        return []
    if current["has_it"]:
        gone = current["deprecated"]
        return [f"{topic} is deprecated: {gone}"] if gone else []
    if any(row["has_topic"] for row in rows):
        return []  # an ordinary word, which the objects were found by
    others = [row["version"] for row in versions if row["has_it"]]
    where = f" It exists in {', '.join(others)}." if others else ""
    return [f"{topic} does not exist in version {installed}.{where} The nearest follow."]
