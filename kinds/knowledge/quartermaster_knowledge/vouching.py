"""Who says that a note was compared with its source."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


def verification_text(passage: Mapping[str, Any]) -> str:
    """Returns whether the note of a passage was compared with its source, and who says so; empty if
    Quartermaster itself does.

    Args:
        passage: a passage of api.ask_expert.
    """
    if passage["verified"]:
        return ""
    return f"verified, says {by}" if (by := passage["verified_by"]) else "from memory"
