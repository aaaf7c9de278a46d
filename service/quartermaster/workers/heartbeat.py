"""Reports that this process is alive, and later its end. Other processes take over the unfinished
work of processes that have ended.
"""

from __future__ import annotations

import os
from typing import Final, NoReturn

import anyio

from quartermaster import __version__, api
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.service import Service

_BEAT_S: Final = 10.0
_BACKOFF_S: Final = 1.0

log = get_logger(part="workers")


async def first_beat(service: Service) -> None:
    """Registers this process. Unfinished work of a predecessor that died becomes due again."""
    while True:
        try:
            row = await service.database.call_one(_beat_of(service, is_first=True), service.worker)
        except QmError as error:
            log.warning("heartbeat_failed", error=str(error))
            await anyio.sleep(_BACKOFF_S)
        else:
            if any(row.values()):
                log.warning("took_up_work_of_a_gone_process", **row)
            return


async def beat(service: Service) -> NoReturn:
    """Sends a heartbeat every few seconds, even during an outage."""
    while True:
        await anyio.sleep(_BEAT_S)
        try:
            await service.database.call(_beat_of(service), service.worker)
        except QmError as error:
            if service.outage.since is None:
                log.warning("heartbeat_failed", error=str(error))


async def tell_installing(service: Service, servers: int) -> None:
    """Reports how many servers this process is installing; searches without results mention this
    number.
    """
    try:
        await service.database.call(_beat_of(service, installing=servers), service.worker)
    except QmError as error:
        log.warning("heartbeat_failed", error=str(error))


async def farewell(service: Service) -> None:
    """Reports the end of this process, and releases its unfinished work."""
    try:
        await service.database.call(api.end_instance(instance=service.id), service.worker)
    except QmError as error:
        log.warning("farewell_failed", error=str(error))


def _beat_of(
    service: Service, *, is_first: bool | None = None, installing: int | None = None
) -> ApiCall[api.HeartbeatRow]:
    return api.heartbeat(
        instance=service.id,
        kind=service.kind,
        version=__version__,
        pid=os.getpid(),
        is_first=is_first,
        installing=installing,
    )
