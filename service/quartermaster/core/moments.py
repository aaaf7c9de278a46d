"""Parses the times that people and agents enter."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Final

from quartermaster.core.errors import argument_invalid

_AGO: Final = re.compile(r"(\d{1,6}) ?(s|min|m|h|d|w)( ago)?")
_UNITS: Final = {
    "s": timedelta(seconds=1),
    "m": timedelta(minutes=1),
    "min": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def parse_moment(text: str) -> datetime:
    """Parses an ISO 8601 time or date; a time without an offset is in UTC. A length of time such as
    30m, 12h, 2d or 1w stands for the moment so long ago.

    Raises:
        QmError: QM422 argument_invalid.
    """
    try:
        if ago := _AGO.fullmatch(text.strip()):
            return datetime.now(UTC) - int(ago[1]) * _UNITS[ago[2]]
        moment = datetime.fromisoformat(text)
    except (ValueError, OverflowError) as error:
        raise argument_invalid(
            f"{text[:80]!r} is not an ISO 8601 time.",
            "Use a format such as 2026-08-01T12:00:00Z, or 12h for twelve hours ago.",
        ) from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
