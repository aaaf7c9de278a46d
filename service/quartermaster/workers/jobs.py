"""Runs the jobs of the database when they are due."""

from __future__ import annotations

from typing import Final, NoReturn

import anyio

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.service import Service

_LOOK_S: Final = 5.0

log = get_logger(part="jobs")


class JobWorker:
    """Looks every few seconds; the database lets no two processes run the same job.

    Args:
        service: what it works with.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def run(self) -> NoReturn:
        """Works until cancelled, however often the database goes away."""
        while True:
            try:
                await self.run_due()
            except QmError as error:
                log.warning("jobs_interrupted", error=str(error), again_in_s=_LOOK_S)
            await anyio.sleep(_LOOK_S)

    async def run_due(self) -> int:
        """Runs what is due, the longest waiting first.

        Returns:
            How many jobs ran.

        Raises:
            QmError: those of api.run_job.
        """
        done = 0
        while rows := await self._service.database.call("run_job", self._service.worker):
            [row] = rows
            done += 1
            outcome = "ok" if row["failure"] is None else "failed"
            self._service.meters.jobs.labels(row["job"], outcome).inc()
            if row["failure"] is not None:
                log.warning("job_failed", job=row["job"], failure=row["failure"])
            elif "warning" in row["result"]:
                log.warning("job_warns", job=row["job"], **row["result"])
            else:
                # One that looks every minute and finds nothing is no news.
                say = log.info if any(row["result"].values()) else log.debug
                say("job_done", job=row["job"], ms=round(row["duration_ms"]), **row["result"])
        return done
