"""Keeps the outage copy up to date. The copy answers while the database is unavailable."""

from __future__ import annotations

import sqlite3
from typing import Final, NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.wakeup import Wakeup
from quartermaster.service import Service

# Reading the database for the outage copy may take at most a tenth of the time, and happens at most
# once per second.
_REST_FACTOR: Final = 9
_SHORTEST_REST_S: Final = 1.0

log = get_logger(part="outage")


class KeeperWorker:
    """Renews the outage copy at intervals, and whenever rights or tools change.

    Args:
        service: the service, whose copy and settings are used.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._changed = Wakeup()
        self.wake = self._changed.ring

    async def run(self) -> NoReturn:
        """Updates the copy until cancelled, even during an outage."""
        while True:
            wait_s, rest_s = self._service.settings.outage.renew_every_s, _SHORTEST_REST_S
            try:
                renewed = await self._service.outage_copy.renew()
                rest_s = max(rest_s, _REST_FACTOR * renewed.read_s)
                wait_s = wait_s if renewed.due_s is None else renewed.due_s
            except (QmError, OSError, sqlite3.Error) as error:
                if self._service.outage.since is None:
                    log.warning("outage_copy_not_renewed", error=str(error))
            await anyio.sleep(rest_s)
            await self._changed.wait(wait_s)
