"""Patterns for classes of words that often come before personal data."""

from __future__ import annotations

import re
from typing import Final

from quartermaster.guardrails import addresses, health
from quartermaster.guardrails import personal_patterns as personal
from quartermaster.guardrails.linear_patterns import Constant

_GROUP: Final = re.compile(r"(?<!\\)\((?!\?)")


def _of(constant: Constant) -> str:
    """Returns the text of a pattern without capturing groups, in which a word may begin at any word
    boundary.
    """
    text = constant.pattern
    case = "(?i:" if text.startswith("(?i)") else "(?:"
    text = text.removeprefix("(?i)").replace(r"(?:^|[^\pL])", r"\b")
    return case + _GROUP.sub("(?:", text) + ")"


# If words of two classes begin at the same place, the first class counts.
CLASSES: Final = {
    "health": _of(health.WORDS),
    "birth": _of(personal.BIRTH),
    "document": _of(personal.ID_WORD),
    "vehicle": _of(personal.VEHICLE),
    "street": _of(addresses.STREET_WORD),
    "home": _of(addresses.HOME),
    "office": _of(personal.PUBLIC_CONTEXT),
    "private": _of(personal.PRIVATE_CONTEXT),
    "phone": _of(personal.PHONE_WORDS),
    "ip": _of(personal.IP_WORDS),
    "host": _of(personal.HOST_WORDS),
}
