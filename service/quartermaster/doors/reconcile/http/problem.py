"""The problem of one query, which fails that query and not its batch."""

from __future__ import annotations

from typing import Any


class QueryProblem(Exception):  # noqa: N818 - said of one query, not raised at anybody
    """A query that cannot be read.

    Args:
        message: what is wrong, with the value.
        hint: what to send instead.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {
            "slug": "query_invalid",
            "message": message,
            "hint": hint,
        }
