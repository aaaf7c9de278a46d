"""A goal taken apart: several sentences often are several steps, each with a tool of its own."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?;])\s+|\n+")
# A shorter one says nothing by itself: "Thank you."
_FEWEST_WORDS = 4
# A longer goal is a text, not a list of steps.
_MOST_SENTENCES = 8


def goal_parts(goal: str) -> list[str]:
    """The goal, and after it its sentences where it has two to eight of four words or more.

    Args:
        goal: in plain words.
    """
    sentences = [part.strip() for part in _END.split(goal) if len(part.split()) >= _FEWEST_WORDS]
    return [goal, *sentences] if 2 <= len(sentences) <= _MOST_SENTENCES else [goal]
