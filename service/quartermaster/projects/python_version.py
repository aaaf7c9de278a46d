"""Determines the version of Python for which a project is written."""

from __future__ import annotations

import re
import tomllib
from typing import Any, Final, cast

# What is assumed where nothing is stated, and the versions that checkers know.
DEFAULT: Final = "3.11"
_OLDEST, _NEWEST = 10, 15
_LOWEST_PATTERN: Final = re.compile(r"(>=|~=|===?|>)\s*3\.(\d{1,2})(\.\d)?")


def python_version(pyproject: bytes) -> str:
    """Returns the lowest version that ``requires-python`` in a pyproject.toml allows. This function
    runs in a worker.

    Args:
        pyproject: the bytes of the file; empty if there is none.
    """
    try:
        data = tomllib.loads(pyproject.decode())
    except (ValueError, RecursionError):
        return DEFAULT
    project = data.get("project")
    stated = (
        cast("dict[str, Any]", project).get("requires-python")
        if isinstance(project, dict)
        else None
    )
    if not isinstance(stated, str):
        return DEFAULT
    minors = [
        int(minor) + (operator == ">" and not patch)
        for operator, minor, patch in _LOWEST_PATTERN.findall(stated)
    ]
    if not minors:
        return DEFAULT
    return f"3.{min(max(_OLDEST, *minors), _NEWEST)}"
