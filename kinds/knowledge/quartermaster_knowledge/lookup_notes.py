"""Writes notes about the result of a lookup: that a name does not exist, or that the order may
still change.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeGuard

_NAME: Final = re.compile(r"\A[A-Za-z_][\w.]*\Z")
_WORD: Final = re.compile(r"\A[^\W_]+\Z")
_MARK: Final = re.compile(r".[A-Z]")

Rows = Sequence[Mapping[str, Any]]


def is_name(topic: str | None) -> TypeGuard[str]:
    """Returns whether a topic can be the name of an object. Versions can be compared only for such
    a topic.
    """
    return bool(topic and _NAME.match(topic))


def is_word(topic: str) -> bool:
    """Returns whether a topic is one ordinary word. Such a word is also searched for in texts, even
    if an object has this name.
    """
    return bool(_WORD.match(topic)) and not _MARK.search(topic)


def names_library(passage: Mapping[str, Any], library: str) -> bool:
    """Returns whether a passage of api.ask_expert comes from a note about a library. The title, the
    source or a cited file or library must name it. A name in the text does not count, because it
    may be an ordinary word.
    """
    name = re.compile(rf"(?<![\w-]){re.escape(library)}(?![\w-])", re.IGNORECASE)
    named = (passage["title"], passage["source"], *passage["cites"])
    return any(name.search(each) for each in named)


def notes_of_lookup(
    library: str, topic: str | None, versions: Rows, rows: Rows, wanted: str | None = None
) -> list[str]:
    """Returns the sentences that a reader must know in addition to the objects.

    Args:
        library: the requested name of the library.
        topic: the topic of the lookup.
        versions: rows of api.compare_versions. Empty if the topic cannot be a name.
        rows: rows of api.lookup_symbols.
        wanted: the requested version. None if the caller named no version.
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
    """Returns a version without zeros at its end, because 1.2.0 is the same version as 1.2."""
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
