"""The problem with one query, which fails only this query and not its batch."""

from __future__ import annotations

from typing import Any


class QueryProblem(Exception):  # noqa: N818 - said of one query, not raised at anybody
    """The error for a query that cannot be read.

    Args:
        message: description of the problem, with the value.
        hint: what to send instead.
    """

    def __init__(self, message: str, hint: str) -> None:
        super().__init__(message)
        self.error: dict[str, Any] = {
            "slug": "query_invalid",
            "message": message,
            "hint": hint,
        }
