"""How much one principal may ask."""

from __future__ import annotations

import pytest

from quartermaster.core.errors import WaitError
from quartermaster.db import Principal
from quartermaster.identity.limits import RateLimit

ALICE, BOB = Principal(1, "alice", "user"), Principal(2, "bob", "user")


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def refusal(limit: RateLimit, principal: Principal = ALICE) -> WaitError | None:
    try:
        limit.spend(principal)
    except WaitError as error:
        return error
    return None


def test_a_burst_is_let_through_then_as_many_as_are_refilled():
    clock = Clock()
    limit = RateLimit("requests", per_s=2, burst=3, clock=clock)
    assert [refusal(limit) is None for _ in range(5)] == [True, True, True, False, False]
    refused = refusal(limit)
    assert refused is not None
    assert refused.retry_after_s == pytest.approx(0.5)
    assert (refused.slug, refused.header) == ("rate_limited", "1")
    assert refusal(limit, BOB) is None, "each has a bucket of its own"
    clock.now += 0.5
    assert refusal(limit) is None
    assert refusal(limit) is not None
    clock.now += 3600
    assert [refusal(limit) is None for _ in range(4)] == [True, True, True, False]


def test_no_limit_is_none():
    limit = RateLimit("requests", per_s=0, burst=1)
    assert all(refusal(limit) is None for _ in range(100))


def test_buckets_that_are_full_again_are_forgotten():
    clock = Clock()
    limit = RateLimit("requests", per_s=1, burst=1, clock=clock)
    for number in range(10_000):
        limit.spend(Principal(number, "x", "user"))
    clock.now += 10
    limit.spend(ALICE)
    assert len(limit._empty_at) == 1  # pyright: ignore[reportPrivateUsage]
