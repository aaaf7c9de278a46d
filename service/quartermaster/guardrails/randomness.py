"""How much a value looks drawn by lot."""

from __future__ import annotations

import math
from collections import Counter


def kinds(text: str) -> int:
    """Returns how many of these a text has: digits, lower case, upper case, other signs."""
    return (
        any(c.isdigit() for c in text)
        + any(c.islower() for c in text)
        + any(c.isupper() for c in text)
        + any(not c.isalnum() for c in text)
    )


def entropy(value: str | bytes) -> float:
    """Returns the bits that a letter of a value carries, by the frequency of its letters."""
    counts = Counter[str | int](value)
    return -sum(n / len(value) * math.log2(n / len(value)) for n in counts.values())
