"""Signs the end of the audit chain."""

from __future__ import annotations

from anyio import to_thread

from quartermaster.audit.head import Head
from quartermaster.secrets.signing_key import SigningKey
from quartermaster.service import Service


async def sign_audit(service: Service) -> None:
    """Sign the newest record unless it is already signed; the database does not have the key.

    Raises:
        QmError: QM503 database_unavailable.
    """
    for row in await service.database.call("audit_head", service.worker):
        if row["is_signed"]:
            return
        key = await to_thread.run_sync(SigningKey.open, service.data_dir)
        head = Head(row["record_id"], row["hash"].hex())
        await service.database.call(
            "sign_audit",
            service.worker,
            record_id=head.record,
            hash=row["hash"],
            public_key=key.public_key,
            signature=key.sign(head.message),
        )
        await to_thread.run_sync(head.write, service.data_dir)
