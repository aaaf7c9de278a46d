"""Ends a service when another version of Quartermaster is installed in its database.

The functions in the database belong to one version of Quartermaster. A service of another version
could call functions that no longer exist, or misunderstand their results.
"""

from __future__ import annotations

from typing import Final, NoReturn

import anyio

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.wakeup import Wakeup
from quartermaster.install import discover
from quartermaster.service import Service

_LOOK_S: Final = 10.0

log = get_logger(part="workers")


class VersionWatch:
    """Ends the service if the installed version differs from the version with which the service was
    started.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wakeup = Wakeup()
        self._expected: str | None = None

    def wake(self) -> None:
        """Makes `run` compare the versions now. Called after a version was installed."""
        self._wakeup.ring()

    async def run(self) -> NoReturn:
        """Compares the versions after each installation, and every few seconds, because an
        announcement may have been missed.

        Raises:
            QmError: QM409 version_changed.
        """
        database = self._service.settings.database
        if database.dsn is None and database.service_dsn is not None:
            # An administrator installs there, and nothing was compared before the start.
            self._expected = await anyio.to_thread.run_sync(discover.digest)
        while True:
            found = await self._installed()
            self._expected = self._expected or found
            if found is not None and found != self._expected:
                log.error("another_version_was_installed")
                raise QmError(
                    409,
                    "version_changed",
                    "another version of Quartermaster was installed in the database, so this"
                    " service has ended",
                    "Start the service of the installed version: update this installation of"
                    " Quartermaster, then start it again.",
                )
            await self._wakeup.wait(_LOOK_S)

    async def _installed(self) -> str | None:
        try:
            row = await self._service.database.call_one(
                api.installed_digest(), self._service.worker
            )
        except QmError as error:
            if self._service.outage.since is None:
                log.warning("version_not_read", error=str(error), again_in_s=_LOOK_S)
            return None
        return str(row["installed_digest"])
