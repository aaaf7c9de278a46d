"""Waiting for what announces itself by no event: the only place of the tests that sleeps."""

from __future__ import annotations

import inspect
import time
from collections.abc import Callable, Iterator
from typing import Final

import anyio
import psycopg

# Where the machine is full, everything takes a multiple of its time: the end is there so that a
# test says what it has waited for. A test that is about a time names it.
LONGEST_S: Final = 180.0
"""Seconds after which a test that waits for what must come gives up."""


async def until(condition: Callable[[], object], within_s: float = LONGEST_S) -> None:
    """Returns when the condition holds, which may be asynchronous.

    Raises:
        TimeoutError: it does not within this time.
    """
    pauses = _pauses()
    with anyio.fail_after(within_s):
        while not (await met if inspect.isawaitable(met := condition()) else met):  # noqa: ASYNC110
            await anyio.sleep(next(pauses))


def wait_until(condition: Callable[[], object], within_s: float = LONGEST_S) -> bool:
    """Returns whether the condition holds within this time; returns as soon as it does."""
    pauses = _pauses()
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(next(pauses))
    return True


def wait_until_blocked(observer: psycopg.Connection[tuple[object, ...]], pid: int) -> None:
    """Returns once that backend of PostgreSQL waits for a lock of another."""
    blocked = "select where cardinality(pg_blocking_pids(%s)) > 0"
    assert wait_until(lambda: observer.execute(blocked, [pid]).fetchall())


def _pauses() -> Iterator[float]:
    """Yields seconds, more from time to time: what takes long is asked less often."""
    pause_s = 0.005
    while True:
        yield pause_s
        pause_s = min(1.2 * pause_s, 0.1)
