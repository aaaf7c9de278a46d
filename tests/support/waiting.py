"""Waiting for what announces itself by no event."""

from __future__ import annotations

from collections.abc import Callable

import anyio


async def until(condition: Callable[[], bool], within_s: float = 60) -> None:
    """Returns when the condition holds; fails after this time."""
    with anyio.fail_after(within_s):
        while not condition():  # noqa: ASYNC110 - there is no event
            await anyio.sleep(0.01)
