"""Measures how random a value looks."""

from __future__ import annotations

import math
from collections import Counter


def kinds(text: str) -> int:
    """Returns how many of these four kinds of characters a text contains: digits, lower-case
    letters, upper-case letters, others.
    """
    return (
        any(c.isdigit() for c in text)
        + any(c.islower() for c in text)
        + any(c.isupper() for c in text)
        + any(not c.isalnum() for c in text)
    )


def entropy(value: str | bytes) -> float:
    """Returns the entropy of a value in bits per character, from the frequencies of its
    characters.
    """
    counts = Counter[str | int](value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
