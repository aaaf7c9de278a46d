"""Learns from what happened: joins receipts to calls and renews the utility of tools."""

from __future__ import annotations

from typing import Final, NoReturn

import anyio

from quartermaster.errors import QmError
from quartermaster.logs import get_logger
from quartermaster.service import Service

_BACKOFF_S: Final = 10.0

log = get_logger(part="feedback")


class FeedbackWorker:
    """Runs the feedback every `settings.feedback.interval_s`; the database lets one process do it.

    Args:
        service: what it works with.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def run(self) -> NoReturn:
        """Works until cancelled, however often the database goes away."""
        while True:
            try:
                await self.learn_all()
            except QmError as error:
                log.warning("feedback_interrupted", error=str(error), again_in_s=_BACKOFF_S)
                await anyio.sleep(_BACKOFF_S)
            else:
                await anyio.sleep(self._service.settings.feedback.interval_s)

    async def learn_all(self) -> int:
        """Learns from every receipt whose time has come.

        Returns:
            How many receipts that were.

        Raises:
            QmError: those of api.run_feedback.
        """
        service, receipts = self._service, 0
        while True:
            done = await service.database.call_one(
                "run_feedback", service.worker, instance=service.id
            )
            receipts += done["learned"]
            if not done["learned"]:
                if receipts:
                    log.info("learned", receipts=receipts, tools=done["tools"])
                return receipts
