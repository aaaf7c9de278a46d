"""List cursors, which contain the last name on the previous page."""

from __future__ import annotations

import base64
from typing import Final

import mcp_types as types
from mcp import MCPError

PAGE: Final = 500
"""Largest number of list entries in one answer."""


def encoded(name: str) -> str:
    """Return the cursor for the page that begins after a name."""
    return base64.urlsafe_b64encode(name.encode()).decode()


def decoded(cursor: str | None) -> str | None:
    """Return the name after which a page begins; None for the first page.

    Raises:
        MCPError: INVALID_PARAMS: the cursor is unknown.
    """
    if cursor is None:
        return None
    try:
        return base64.b64decode(cursor.encode(), altchars=b"-_", validate=True).decode()
    except ValueError:
        raise MCPError(types.INVALID_PARAMS, f"The cursor {cursor[:80]!r} is unknown.") from None
