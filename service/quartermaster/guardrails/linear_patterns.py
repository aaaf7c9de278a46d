"""Patterns whose time is linear in the length of the text, whatever somebody puts into it."""

from __future__ import annotations

from typing import Any, Final, cast

import re2

# The library has no types.
_re2: Final = cast("Any", re2)
_OPTIONS: Final = re2.Options()
_OPTIONS.log_errors = False
_OPTIONS.max_mem = 32 << 20


def compiled(pattern: str) -> Any:
    """Compile a pattern that is searched in UTF-8; a mistake raises `re2.error`."""
    return _re2.compile(pattern.encode(), _OPTIONS)
