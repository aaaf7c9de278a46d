"""Calls one after the other, and by several clients at once."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AsyncExitStack
from time import perf_counter

import anyio

from lab.bench.overhead.doors import ArmEndpoint, Era, Visitor, visit
from lab.bench.timing import rate


async def one_by_one(visitor: Visitor, calls: int) -> list[float]:
    """Returns seconds that each of so many calls took, by a client that waits for each."""
    seconds: list[float] = []
    for _ in range(calls):
        begun = perf_counter()
        await visitor.call()
        seconds.append(perf_counter() - begun)
    return seconds


async def at_once(door: ArmEndpoint, era: Era, clients: int, seconds: float) -> float:
    """Calls per second of several clients, each with one call under way.

    Over stdio a server has one client, so that one has so many calls under way.

    Args:
        door: where they call.
        era: of the clients.
        clients: how many.
        seconds: how long they call.
    """
    async with AsyncExitStack() as connected:
        several = clients if door.transport == "http" else 1
        visitors = [await connected.enter_async_context(visit(door, era)) for _ in range(several)]
        await visitors[0].call()
        return await _calls_per_s([visitors[n % several] for n in range(clients)], seconds)


async def _calls_per_s(visitors: Sequence[Visitor], seconds: float) -> float:
    done = 0
    begun = perf_counter()
    until = begun + seconds

    async def call_on(visitor: Visitor) -> None:
        nonlocal done
        while perf_counter() < until:
            await visitor.call()
            done += 1

    async with anyio.create_task_group() as tasks:
        for visitor in visitors:
            tasks.start_soon(call_on, visitor)
    return rate(done, perf_counter() - begun)
