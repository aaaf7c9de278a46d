"""Limits the share of each principal in the work on projects.

A call of a project tool reads files, runs git, and starts processes that scan files. Each call
needs a place in one queue. A principal with few places can therefore use only few threads and
processes.
"""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from contextvars import ContextVar
from typing import Final

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.fair_queue import FairQueue
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.settings.sections import LimitSettings

_MIN_PLACES: Final = 4
# Such a call keeps several processors busy: one principal has half of the places.
_RESERVED_SHARE: Final = 0.5
_principal: Final[ContextVar[str]] = ContextVar(
    "principal of project work", default=LOCAL_PRINCIPAL
)


def principal_at_work() -> str:
    """Returns the name of the principal for whom this task works; LOCAL if the task does not belong
    to a call of a project tool.
    """
    return _principal.get()


class ProjectWork:
    """Limits how many calls of project tools run at the same time, and for how long.

    Args:
        limits: the settings.

    Attributes:
        queue: queue in which the calls wait for their turn.
    """

    def __init__(self, limits: LimitSettings) -> None:
        self.queue = FairQueue(
            "calls of project tools",
            limits.project_calls or max(os.cpu_count() or 1, _MIN_PLACES),
            limits.project_queue,
            kept_free=max(limits.kept_free, _RESERVED_SHARE),
            exempt=LOCAL_PRINCIPAL,
        )
        self._longest_s = limits.project_call_s

    @asynccontextmanager
    async def call(self, who: str) -> AsyncGenerator[None]:
        """Waits for a place in the queue, and ends the block at its time limit. The processes of
        the call are then ended immediately. A thread cannot be ended: its place becomes free when
        it returns, and the functions that run in threads have their own time limits (see `git`).

        Args:
            who: name of the principal that calls.

        Raises:
            WaitError: QM429 queue_full.
            QmError: QM504 project_call_timeout.
        """
        async with self.queue.slot(who):
            before = _principal.set(who)
            try:
                with anyio.move_on_after(self._longest_s) as running:
                    yield
            finally:
                _principal.reset(before)
        if running.cancelled_caught:
            raise QmError(
                504,
                "project_call_timeout",
                f"The call took longer than {self._longest_s:g} s and was ended.",
                "Ask about fewer or smaller files. An administrator can raise the setting "
                "limits.project_call_s.",
            )
