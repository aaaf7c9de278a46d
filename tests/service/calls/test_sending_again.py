"""A call that only reads is sent again after a refusal that passes, as the server asks."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from quartermaster.calls.call_record import CallRecord, CallTerms
from quartermaster.calls.tool_calls import send_repeatedly
from quartermaster.upstream.failure import FailureKind, HttpRefusal, UpstreamError

pytestmark = pytest.mark.anyio


def refused(
    status: int, after_s: float | None = 0.0, kind: FailureKind = "network", *, sent: bool = True
) -> UpstreamError:
    refusal = HttpRefusal(status, after_s)
    return UpstreamError(kind, "shop", f"answered HTTP {status}.", sent=sent, refusal=refusal)


async def attempts(failures: list[UpstreamError], **terms: Any) -> int:
    """Returns how often a call is sent until it succeeds; negative if it fails for good."""
    record = CallRecord(
        id=1,
        started_at=datetime.now(UTC),
        origin_id=1,
        origin="shop",
        tool="list",
        request_id="r",
        terms=CallTerms(**{"may_repeat": True, "attempts": 3} | terms),
    )
    left, sent = list(failures), 0

    async def send(timeout_s: float | None) -> str:
        nonlocal sent
        assert timeout_s is None or timeout_s > 0
        sent += 1
        if left:
            raise left.pop(0)
        return "done"

    try:
        assert await send_repeatedly(send, record, {}, continues=False) == "done"
    except UpstreamError:
        return -sent
    return sent


@pytest.mark.parametrize("status", [500, 502, 503])
async def test_a_server_that_fails_for_a_moment_is_asked_again(status: int) -> None:
    assert await attempts([refused(status)]) == 2
    assert await attempts([refused(status)] * 3) == -3
    assert await attempts([refused(status)], may_repeat=False) == -1


async def test_a_server_that_has_too_many_requests_is_asked_again_by_calls_that_only_read() -> None:
    busy = refused(429, 0.05, "busy", sent=False)
    assert await attempts([busy]) == 2
    assert await attempts([busy], may_repeat=False) == -1
    assert await attempts([UpstreamError("busy", "shop", "is busy.")]) == -1, "our own queue"


async def test_a_gateway_that_waited_in_vain_is_asked_again() -> None:
    assert await attempts([refused(504, 0.0, "timeout")]) == 2
    assert await attempts([UpstreamError("timeout", "shop", "took too long.", sent=True)]) == -1


async def test_nobody_waits_for_longer_than_a_call_may_take() -> None:
    assert await attempts([refused(503, 3600.0)]) == -1
    assert await attempts([refused(503, 20.0)], timeout_s=5.0) == -1


async def test_a_refusal_that_does_not_pass_is_final() -> None:
    assert await attempts([refused(400, None, "protocol")]) == -1
