"""Parses the times that people and agents enter."""

from __future__ import annotations

from datetime import UTC, datetime

from quartermaster.core.errors import argument_invalid


def parse_moment(text: str) -> datetime:
    """Parses an ISO 8601 time or date; a time without an offset is in UTC.

    Raises:
        QmError: QM422 argument_invalid.
    """
    try:
        moment = datetime.fromisoformat(text)
    except ValueError as error:
        raise argument_invalid(
            f"{text[:80]!r} is not an ISO 8601 time.", "Use a format such as 2026-08-01T12:00:00Z."
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
