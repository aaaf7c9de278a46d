"""Splits a goal into sentences, which are often separate steps that need different tools."""

from __future__ import annotations

import re

_END = re.compile(r"(?<=[.!?;])\s+|\n+")
# A sentence with fewer words, such as "Thank you.", does not describe a step.
_FEWEST_WORDS = 4
# A goal with more sentences is treated as a description, not as a list of steps.
_MOST_SENTENCES = 8


def goal_parts(goal: str) -> list[str]:
    """Returns the goal, followed by its sentences if two to eight of them have four or more words.

    Args:
        goal: the goal in plain words.
    """
    sentences = [part.strip() for part in _END.split(goal) if len(part.split()) >= _FEWEST_WORDS]
    return [goal, *sentences] if 2 <= len(sentences) <= _MOST_SENTENCES else [goal]
