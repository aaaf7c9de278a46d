"""Finds remedies for programs that end at their start because of well-known problems, by their
output.
"""

from __future__ import annotations

import re
from typing import Final

_OLD_SDK: Final = re.compile(
    r"No module named 'mcp\.server\.fastmcp'|cannot import name '\w+' from 'mcp(?:\.[\w.]+)?'"
    r"|'Server' object has no attribute '(?:list|call|read|get|set|subscribe|unsubscribe)_\w+'"
)
_PYTHON: Final = re.compile(r"does not satisfy Python\s*(?:>=|==|~=|>)\s*(3\.\d+)")
_NODE: Final = re.compile(
    r"Unsupported engine|EBADENGINE|requires? Node(?:\.js)?\b|markAsUncloneable", re.IGNORECASE
)


def remedy_in(output: str) -> str | None:
    """Returns the remedy for a known problem; None if the output shows no known problem.

    Args:
        output: the last lines that the program has written to standard error.
    """
    if _OLD_SDK.search(output):
        return (
            "It was written for version 1 of the MCP SDK and got version 2, because its package"
            " allows both. Give it version 1, for instance: qm origin add NAME --replace --command"
            " \"uvx --with 'mcp<2' PACKAGE\"."
        )
    if version := _PYTHON.search(output):
        return (
            f"It needs Python {version[1]} or newer, for instance: qm origin add NAME --replace"
            f' --command "uvx --python {version[1]} PACKAGE".'
        )
    if _NODE.search(output):
        return "It needs a newer Node.js than the one here, whose version `node --version` shows."
    return None
