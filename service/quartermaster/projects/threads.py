"""Threads for work on the files of projects, separate from the threads for other work.

The content of a project can make a thread that reads it wait. If all threads of the service waited,
none would be free for other work, such as signing the audit, starting servers, or calls of other
principals.
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
    """Runs a function that works on a project, in a thread and for a call. A running thread cannot
    be stopped, so a cancelled call waits until the function returns.

    Args:
        function, arguments: the function and its arguments.
    """
    return await to_thread.run_sync(function, *arguments, limiter=_limiter(_calls, _MAX_THREADS))


async def run_in_background(function: Callable[[*Given], Found], *arguments: *Given) -> Found:
    """Runs work on a project in a thread, outside any call; see `run_sync`."""
    limiter = _limiter(_background, _MAX_BACKGROUND_THREADS)
    return await to_thread.run_sync(function, *arguments, limiter=limiter)


def _limiter(place: RunVar[CapacityLimiter], most: int) -> CapacityLimiter:
    """Returns this event loop's limiter for the number of threads."""
    limiter = place.get(None)
    if limiter is None:
        limiter = CapacityLimiter(most)
        place.set(limiter)
    return limiter
