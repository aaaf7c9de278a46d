"""Matches paths against globs. The globs are untrusted input, so matching takes linear time,
however many stars they have.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

from quartermaster.guardrails.linear_patterns import compiled

MOST_CHARACTERS: Final = 10_000
"""Largest total length of the globs of one check or one file. With globs of 60,000 characters and
many stars, one path took seconds.
"""
_PARTS: Final = re.compile(r"\*\*/|\*\*|\*|\?|[^*?]+")
_WILDCARD_PATTERNS: Final = {"**/": "(?s:.*/)?", "**": "(?s:.*)", "*": "[^/]*", "?": "[^/]"}


class Globs:
    """Globs that match paths exactly as the SQL function decisions.glob_expression does.

    `**` matches any characters. `*` and `?` match characters other than a slash.
    """

    def __init__(self, globs: Sequence[str]) -> None:
        self._pattern = compiled("|".join(map(_expression, globs))) if globs else None

    def match(self, path: str) -> bool:
        """Returns whether one of the globs matches the whole path."""
        return self._pattern is not None and self._pattern.fullmatch(_bytes(path)) is not None


def _expression(glob: str) -> str:
    found: list[str] = _PARTS.findall(glob)
    return "".join(_WILDCARD_PATTERNS.get(part, re.escape(_bytes(part).decode())) for part in found)


def _bytes(path: str) -> bytes:
    """Returns the path as UTF-8. Bytes of the path that are not UTF-8 become `?`."""
    return path.encode("utf-8", "replace")


@lru_cache(maxsize=4096)
def globs_of(*globs: str) -> Globs:
    """Returns compiled globs. The compiled globs are cached, because the same globs are matched
    against many files.
    """
    return Globs(globs)
