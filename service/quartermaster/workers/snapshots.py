"""Seals the snapshots that the database's job creates. The service must do this, because it has the
key and the files.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from pathlib import Path
from typing import Final

from anyio import from_thread, to_thread

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import LOCAL_PRINCIPAL, Principal, Row
from quartermaster.secrets.store import SecretStore
from quartermaster.service import Service
from quartermaster.snapshots import artifact
from quartermaster.snapshots.seal import write_sealed
from quartermaster.snapshots.store import Store

_PAGE: Final = 1000
_PREFIX: Final = "regular-"

log = get_logger(part="snapshots")


class SnapshotWorker:
    """Writes, signs and stores regular snapshots, and removes the files of deleted snapshots.

    It acts as this machine's user, who is an administrator, so that a snapshot contains everybody's
    tools.

    Args:
        service: the service, whose database, data directory and settings are used.
    """

    def __init__(self, service: Service) -> None:
        self._service = service

    async def run_once(self) -> None:
        """Does all work that is due.

        Raises:
            QmError: errors from the database or the store.
        """
        database = self._service.database
        sealer = await database.find_principal(LOCAL_PRINCIPAL)
        for row in await database.call(api.list_snapshots(), sealer):
            if row["is_regular"] and row["signature"] is None:
                await self._seal(sealer, row)
        rows = await database.call(api.list_snapshots(), sealer)
        store = await to_thread.run_sync(self._store)
        if store is not None:
            for row in rows:
                path = artifact.path_of(self._service.data_dir, row["name"])
                if row["is_regular"] and row["artifact_url"] is None and path.exists():
                    url = await to_thread.run_sync(store.put, path)
                    await database.call(api.place_snapshot(name=row["name"], url=url), sealer)
        await to_thread.run_sync(self._forget, {row["name"] for row in rows}, store)

    async def _seal(self, sealer: Principal, row: Row) -> None:
        name: str = row["name"]
        items = self._items(sealer, name)
        sealed = await to_thread.run_sync(
            write_sealed, self._service.data_dir, name, row["manifest"], items
        )
        try:
            await self._service.database.call(api.seal_snapshot(**sealed), sealer)
        except QmError as error:
            # Another process has already stored the snapshot, or the snapshot was deleted, so this
            # file is not needed.
            if error.slug not in {"snapshot_sealed", "snapshot_not_found"}:
                raise
            artifact.path_of(self._service.data_dir, name).unlink(missing_ok=True)
        else:
            log.info("snapshot_sealed", snapshot=name, items=sum(row["items"].values()))

    def _items(self, sealer: Principal, name: str) -> Generator[Row]:
        """Yields the items of a snapshot, read page by page. This generator runs in the thread that
        writes the file.
        """

        async def page(after: int) -> Sequence[Row]:
            return await self._service.database.call(
                api.read_snapshot(name=name, after=after, maximum=_PAGE), sealer
            )

        after = 0
        while rows := from_thread.run(page, after):
            yield from rows
            after = rows[-1]["id"]

    def _store(self) -> Store | None:
        options = self._service.settings.snapshots
        if options.store is None:
            return None
        return Store(options.store, options, SecretStore(self._service.data_dir))

    def _forget(self, known: set[str], store: Store | None) -> None:
        folder: Path = artifact.path_of(self._service.data_dir, _PREFIX).parent
        for path in folder.glob(f"{_PREFIX}*.sqlite"):
            if path.stem not in known:
                if store is not None:
                    store.remove(path.name)
                path.unlink(missing_ok=True)
                log.info("snapshot_forgotten", snapshot=path.stem)
