"""Which objects of a look-up are read again, and in which order they come then."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

READ: Final = 16


def worth_reading(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The texts of the first objects; none if the topic was the name of an object."""
    if len(rows) < 2 or rows[0]["score"] > 1:
        return []
    return [row["text"] for row in rows[:READ]]


def reordered(
    rows: Sequence[dict[str, Any]], places: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """The objects in the order of api.rerank_symbols, with their new scores."""
    return [{**rows[each["place"] - 1], "score": each["score"]} for each in places]
