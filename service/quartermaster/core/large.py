"""Processes JSON values from clients and upstreams. If a value is large, this is done outside the
event loop.

Code that reads or writes JSON keeps the interpreter's lock until it has finished one value. This is
also so in a thread. So a thread does not make such a step shorter, but other tasks can run between
the steps.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, ParamSpec, TypeVar, cast

from anyio import CapacityLimiter, to_thread

LARGE_BYTES: Final = 256_000
"""Longer texts are read outside the event loop; reading a shorter one takes 10 ms at most."""

# One step needs a whole processor, and several copies of its text.
_AT_ONCE: Final = CapacityLimiter(2)
_OF_A_VALUE: Final = 8

Given = ParamSpec("Given")
Made = TypeVar("Made")


async def handled(
    value: object, work: Callable[Given, Made], *given: Given.args, **named: Given.kwargs
) -> Made:
    """Returns the result of a function for a value. The function runs in a thread if the value is
    large.

    Args:
        value: the value or text whose size determines how long the function takes.
        work: the function.
        given: its arguments.
        named: its further arguments.
    """
    if not is_large(value):
        return work(*given, **named)
    return await to_thread.run_sync(lambda: work(*given, **named), limiter=_AT_ONCE)


def has_more_values(value: object, most: int) -> bool:
    """Returns whether a JSON value contains more than this number of values: lists, objects and
    members.
    """
    seen = 0
    level: list[Any] = [value]
    while level and seen <= most:
        seen += len(level)
        below: list[Any] = []
        for each in level:
            if isinstance(each, dict):
                below += cast("dict[str, Any]", each).values()
            elif isinstance(each, list):
                below += cast("list[Any]", each)
        level = below
    return seen > most


def is_large(value: object) -> bool:
    """Returns whether the JSON of a value is about as long as `LARGE_BYTES`, or longer."""
    left = LARGE_BYTES
    waiting: list[Any] = [value]
    while waiting and left >= 0:
        each = waiting.pop()
        left -= _OF_A_VALUE
        if isinstance(each, str | bytes):
            left -= len(each)
        elif isinstance(each, dict):
            waiting += cast("dict[str, Any]", each).values()
        elif isinstance(each, list):
            waiting += cast("list[Any]", each)
    return left < 0
