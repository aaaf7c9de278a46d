"""Says whether a note was compared with its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def verification_text(passage: Mapping[str, Any]) -> str:
    """Says whether the note of a passage was compared with its source, and who claims this. Returns
    an empty string if the comparison needs no mention.

    Args:
        passage: a passage from api.ask_expert.
    """
    if passage["verified"]:
        return ""
    return f"verified, says {by}" if (by := passage["verified_by"]) else "from memory"
