"""Times that people enter: moments, and how long ago."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.moments import parse_moment


@pytest.mark.parametrize(
    ("text", "moment"),
    [
        ("2026-08-01", datetime(2026, 8, 1, tzinfo=UTC)),
        ("2026-08-01T12:00:30Z", datetime(2026, 8, 1, 12, 0, 30, tzinfo=UTC)),
        ("2026-08-01T12:00+02:00", datetime(2026, 8, 1, 10, tzinfo=UTC)),
    ],
)
def test_a_moment_without_an_offset_is_in_utc(text: str, moment: datetime) -> None:
    assert parse_moment(text) == moment


@pytest.mark.parametrize(
    ("text", "ago"),
    [
        ("90s", timedelta(seconds=90)),
        ("30m", timedelta(minutes=30)),
        ("30 min", timedelta(minutes=30)),
        ("12h", timedelta(hours=12)),
        ("2d ago", timedelta(days=2)),
        ("1w", timedelta(weeks=1)),
    ],
)
def test_a_length_of_time_is_so_long_ago(text: str, ago: timedelta) -> None:
    before = datetime.now(UTC)
    moment = parse_moment(text)
    assert before - ago <= moment <= datetime.now(UTC) - ago


@pytest.mark.parametrize("text", ["tomorrow", "", "5", "h", "-3h", "3y", "999999w"])
def test_anything_else_is_refused(text: str) -> None:
    with pytest.raises(QmError, match="is not an ISO 8601 time") as refused:
        parse_moment(text)
    assert "12h" in refused.value.hint
