"""Starts a service from its data directory: the database server, the schema, the model and the
workers.
"""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator, Callable, Generator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path
from typing import Literal
from uuid import UUID, uuid4

import anyio.to_thread

from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.locks import FileLock
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.install.installed import is_installed
from quartermaster.install.kind_folders import kind_folders
from quartermaster.install.pooler import require_direct
from quartermaster.install.service_access import (
    register_token,
    service_dsn,
    try_embedding,
    try_reranking,
)
from quartermaster.models.convert import TRAINED_LAYERS, convert_model
from quartermaster.models.device import folder_of
from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.service import Service, open_service
from quartermaster.settings.settings import Settings
from quartermaster.substrate.embedded import EmbeddedServer
from quartermaster.substrate.watch import restarted_when_dead

Progress = Callable[[str], None]


@contextmanager
def prepared_database(
    settings: Settings, data_dir: Path, progress: Progress
) -> Generator[tuple[str | None, str]]:
    """Provides a database with the schema of this release. Starts the embedded server unless the
    settings name another server.

    Args:
        settings: database.dsn, database.service_dsn and postgres are used.
        data_dir: the data directory, which is created if it does not exist.
        progress: function that is called with a description of each step.

    Yields:
        The administrator's DSN (None if only the service's DSN is known) and the service's DSN.

    Raises:
        QmError: errors from the embedded server or the installation.
    """
    options = settings.database
    of_pool = options.service_dsn if options.listen_dsn is None else None
    for direct in filter(None, (options.dsn, of_pool)):
        require_direct(direct)
    if options.dsn is None and options.service_dsn is not None:
        yield None, options.service_dsn
        return
    paths.make_usable(data_dir)
    if options.dsn is not None:
        yield options.dsn, _install(options.dsn, options.service_dsn, settings, data_dir, progress)
        return
    server = EmbeddedServer(
        data_dir,
        paths.runtime_dir(data_dir),
        settings.postgres.port or None,
        shared_buffers=settings.postgres.shared_buffers,
        session_memory=settings.postgres.session_memory,
    )
    dsn = server.start(progress)
    try:
        of_service = _install(dsn, None, settings, data_dir, progress)
        with restarted_when_dead(server):
            yield dsn, of_service
    finally:
        server.stop()


@contextmanager
def only_one(data_dir: Path) -> Generator[None]:
    """Prevents a second ``qm up`` from using the same data directory.

    Raises:
        QmError: QM409 already_running, QM500 data_dir_not_writable.
    """
    paths.make_usable(data_dir)
    with closing(FileLock(data_dir / paths.UP_LOCK)) as lock:
        if not lock.try_claim():
            run = paths.RunFile.read(data_dir)
            raise QmError(
                409,
                "already_running",
                f"a Quartermaster is already running in {data_dir}"
                + (f" at {run.url}" if run else ""),
                "Use that instance, stop it first, or choose another directory with --data-dir.",
            )
        yield


@asynccontextmanager
async def open_instance(
    settings: Settings,
    data_dir: Path,
    kind: Literal["up", "stdio"],
    progress: Progress = lambda _: None,
) -> AsyncGenerator[tuple[Service, str | None]]:
    """Starts in order everything that a door needs, and stops it in reverse order.

    Args:
        settings: settings of this process.
        data_dir: the data directory.
        kind: kind of the instance, up or stdio.
        progress: function that is called with a description of each step.

    Yields:
        The service, and the administrator's DSN if it is known.

    Raises:
        QmError: errors from the database, the model or the settings.
    """
    runtime_dir = paths.runtime_dir(data_dir)
    prepared = prepared_database(settings, data_dir, progress)
    admin_dsn, dsn = await anyio.to_thread.run_sync(prepared.__enter__)
    try:
        model = settings.embedding.model.rpartition("/")[2]
        if settings.embedding.provider == "onnx_local" and model in TRAINED_LAYERS:
            await anyio.to_thread.run_sync(
                lambda: convert_model(runtime_dir, model, progress=lambda step, _: progress(step))
            )
        async with open_service(
            settings, data_dir, runtime_dir, dsn, kind, _instance_id(data_dir, kind)
        ) as service:
            if admin_dsn is not None:
                await anyio.to_thread.run_sync(_try_in_database, admin_dsn, service)
            yield service, admin_dsn
    finally:
        with anyio.CancelScope(shield=True):
            await anyio.to_thread.run_sync(prepared.__exit__, None, None, None)


def local_token(data_dir: Path, admin_dsn: str | None) -> str:
    """Returns the bearer token of this machine's operator, which is the same at every start."""
    token = ServiceCredentials(data_dir).get("token")
    if admin_dsn is not None:
        # Several services may share a database, but each has its own token.
        register_token(
            admin_dsn, LOCAL_PRINCIPAL, token, f"run.json of {_instance_id(data_dir, 'up')}"
        )
    return token


def _install(
    dsn: str, own_service_dsn: str | None, settings: Settings, data_dir: Path, progress: Progress
) -> str:
    password = None if own_service_dsn else ServiceCredentials(data_dir).get("qm_service")
    folders = kind_folders(map(Path, settings.kinds.folders))
    if not is_installed(dsn, folders):
        # This module is imported late, because the migration library is slow to import.
        from quartermaster.install.apply import install

        is_embedded = settings.database.dsn is None
        install(dsn, limit_logins=is_embedded, progress=progress, folders=folders)
    return own_service_dsn or service_dsn(dsn, password or "")


def _try_in_database(admin_dsn: str, service: Service) -> None:
    """Tries to enable embed() and rerank() in psql, with the model folders of this process."""
    reranker = service.retriever.reranker
    try_embedding(admin_dsn, folder_of(service.retriever.embedder.model))
    try_reranking(admin_dsn, folder_of(reranker.model) if reranker else None)


def _instance_id(data_dir: Path, kind: Literal["up", "stdio"]) -> UUID:
    """Returns the instance id; ``qm up`` keeps it to recognise unfinished work after a crash."""
    if kind == "stdio":
        return uuid4()
    path = data_dir / "instance.json"
    try:
        return UUID(json.loads(path.read_text(encoding="utf-8"))["id"])
    except (FileNotFoundError, ValueError, TypeError, KeyError, AttributeError):
        # After the loss of the id, unfinished work is taken up as that of another instance.
        made = uuid4()
        paths.write_private(path, json.dumps({"id": str(made)}) + "\n")
        return made
