"""Globs of paths. Projects write them, so their time is linear, however many stars they have."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from quartermaster.guardrails.linear_patterns import compiled

MOST_CHARACTERS: Final = 10_000
"""The globs of one check or one file have no more characters together: 60,000 with many stars took
seconds for one path."""
_PARTS: Final = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_WILDCARD_PATTERNS: Final = {"**/": "(?s:.*/)?", "**": "(?s:.*)", "*": "[^/]*", "?": "[^/]"}


class Globs:
    """Globs, as SQL reads them, too (decisions.glob_expression).

    `**` stands for any characters, `*` and `?` for characters other than a slash.
    """

    def __init__(self, globs: Sequence[str]) -> None:
        self._pattern = compiled("|".join(map(_expression, globs))) if globs else None

    def match(self, path: str) -> bool:
        """Returns whether one of the globs stands for the whole path."""
        return self._pattern is not None and self._pattern.fullmatch(_bytes(path)) is not None


def _expression(glob: str) -> str:
    found: list[str] = _PARTS.findall(glob)
    return "".join(_WILDCARD_PATTERNS.get(part, re.escape(_bytes(part).decode())) for part in found)


def _bytes(path: str) -> bytes:
    """Returns the path in UTF-8. Names in a repository may have bytes that are not; they become
    `?`.
    """
    return path.encode("utf-8", "replace")


@lru_cache(maxsize=4096)
def globs_of(*globs: str) -> Globs:
    """The same globs are asked for with one file after the other."""
    return Globs(globs)
