"""Cursors of lists: the last name of the page before."""

from __future__ import annotations

import base64
from typing import Final

import mcp_types as types
from mcp import MCPError

PAGE: Final = 500
"""The most entries of a list in one answer."""


def encoded(name: str) -> str:
    """The cursor of the page that begins after a name."""
    return base64.urlsafe_b64encode(name.encode()).decode()


def decoded(cursor: str | None) -> str | None:
    """The name after which a page begins; None for the first.

    Raises:
        MCPError: INVALID_PARAMS: the cursor is none of ours.
    """
    if cursor is None:
        return None
    try:
        return base64.b64decode(cursor.encode(), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MCPError(types.INVALID_PARAMS, f"The cursor {cursor[:80]!r} is unknown.") from None
