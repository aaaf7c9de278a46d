"""Signs the end of the audit chain, and sends each signed head away from this machine."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import anyio.to_thread

from quartermaster import api
from quartermaster.audit.faults import Head
from quartermaster.audit.sending import NotSentError, send
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal
from quartermaster.secrets.signing_key import SigningKey

_log = get_logger(part="audit")


class AuditSigner:
    """Signs new records as long as the chain still contains the last signed head.

    Args:
        database: connections to the database.
        worker: operator on whose behalf heads are signed.
        data_dir: data directory with the key and the heads.
        targets: where heads are sent; see `send`.
    """

    def __init__(
        self, database: Database, worker: Principal, data_dir: Path, targets: Sequence[str]
    ) -> None:
        self._database = database
        self._worker = worker
        self._data_dir = data_dir
        self._unsent: dict[str, list[str]] = {target: [] for target in targets}
        self.is_broken = False

    async def sign(self) -> None:
        """Signs the newest record unless it is already signed.

        A chain that no longer contains the last signed head is not signed again: a new signature
        would hide that records were removed.

        Raises:
            QmError: QM503 database_unavailable.
        """
        last = await anyio.to_thread.run_sync(Head.read, self._data_dir)
        asked = api.audit_head()
        if last is not None:
            asked = api.audit_head(last_id=last.record, last_hash=bytes.fromhex(last.hash))
        row = await self._database.call_one(asked, self._worker)
        self.is_broken = not row["last_holds"]
        if last is not None and self.is_broken:
            _log.critical("audit_chain_broken", record=last.record, next_step="qm audit verify")
            return
        record, digest = row["record_id"], row["hash"]
        if record is not None and digest is not None and not row["is_signed"]:
            await self._sign(record, digest, last)
        await self._send()

    async def _sign(self, record: int, digest: bytes, last: Head | None) -> None:
        key = await anyio.to_thread.run_sync(SigningKey.open, self._data_dir)
        head = Head(record, digest.hex())
        head = head.signed(key)
        # The file is written first: if this process is killed here, the file still has every head
        # that the database has, and the head is signed again.
        if head != last:
            await anyio.to_thread.run_sync(head.append, self._data_dir)
        await self._database.call(
            api.sign_audit(
                record_id=record,
                hash=digest,
                public_key=key.public_key,
                signature=bytes.fromhex(head.signature),
            ),
            self._worker,
        )
        for waiting in self._unsent.values():
            waiting.append(head.line)

    async def _send(self) -> None:
        for target, waiting in self._unsent.items():
            try:
                while waiting:
                    await send(target, waiting[0])
                    del waiting[0]
            except NotSentError as error:
                # It stays in the list, and is sent with the next ones.
                _log.warning("audit_head_not_sent", target=target, error=str(error))
