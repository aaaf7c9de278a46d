"""Signs the end of the audit chain."""

from __future__ import annotations

from typing import NoReturn

import anyio

from quartermaster.audit.head import Head
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.secrets.signing_key import SigningKey
from quartermaster.service import Service

_log = get_logger(part="audit")


class AuditWorker:
    """Signs the audit chain: the key is with the service, not with the database.

    Args:
        service: its database and its data directory, where the key is.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def run(self) -> NoReturn:
        """Works until cancelled, however often the database goes away."""
        while True:
            try:
                await self.sign()
            except (QmError, OSError) as error:
                _log.warning("audit_not_signed", error=str(error))
            await anyio.sleep(self._service.settings.audit.sign_every_s)

    async def sign(self) -> None:
        """Signs the newest record, unless somebody has.

        Raises:
            QmError: QM503 database_unavailable.
        """
        database, worker = self._service.database, self._service.worker
        for row in await database.call("audit_head", worker):
            if row["is_signed"]:
                return
            data_dir = self._service.data_dir
            key = await anyio.to_thread.run_sync(SigningKey.open, data_dir)
            head = Head(row["record_id"], row["hash"].hex())
            await database.call(
                "sign_audit",
                worker,
                record_id=head.record,
                hash=row["hash"],
                public_key=key.public_key,
                signature=key.sign(head.message),
            )
            await anyio.to_thread.run_sync(head.write, data_dir)
