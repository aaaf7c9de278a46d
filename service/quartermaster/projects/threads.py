"""Threads for work on the files of projects, apart from the threads of everything else.

What a project contains can make its reader wait. If all threads of the service waited, nothing else
would get one: the signing of the audit, the starts of servers, the calls of others.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, TypeVar, TypeVarTuple

from anyio import CapacityLimiter, to_thread
from anyio.lowlevel import RunVar

_MAX_THREADS: Final = 40
_MAX_BACKGROUND_THREADS: Final = 2
_calls: Final[RunVar[CapacityLimiter]] = RunVar("project threads")
_background: Final[RunVar[CapacityLimiter]] = RunVar("project threads in the background")
Given = TypeVarTuple("Given")
Found = TypeVar("Found")


async def run_sync(function: Callable[[*Given], Found], *arguments: *Given) -> Found:
    """Runs a function of a call that works on a project, in a thread.

    A thread cannot be ended: if the call is cancelled, it waits until the function returns.

    Args:
        function, arguments: what is run.
    """
    return await to_thread.run_sync(function, *arguments, limiter=_limiter(_calls, _MAX_THREADS))


async def run_in_background(function: Callable[[*Given], Found], *arguments: *Given) -> Found:
    """Runs work on a project that nobody waits for; see `run_sync`."""
    limiter = _limiter(_background, _MAX_BACKGROUND_THREADS)
    return await to_thread.run_sync(function, *arguments, limiter=limiter)


def _limiter(place: RunVar[CapacityLimiter], most: int) -> CapacityLimiter:
    """Returns the limiter of this event loop."""
    limiter = place.get(None)
    if limiter is None:
        limiter = CapacityLimiter(most)
        place.set(limiter)
    return limiter
