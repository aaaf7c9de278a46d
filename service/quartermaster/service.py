"""What every door of the service shares: database, upstreams, model, and its own identity."""

from __future__ import annotations

import os
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import UUID

from quartermaster.db import Database, Principal
from quartermaster.models.async_embedder import AsyncEmbedder
from quartermaster.models.registry import load_embedding
from quartermaster.origins import Origins
from quartermaster.secret_store import SecretStore
from quartermaster.settings import Settings
from quartermaster.upstream.supervisor import Supervisor

WORKER = "quartermaster"
"""Principal of the service's own work."""

LOCAL = "local"
"""Principal of whoever uses this machine's local doors: run.json's token and stdio."""


@dataclass(frozen=True)
class Service:
    """One running process.

    Attributes:
        settings: as read at the start.
        data_dir: where secrets, logs and the environments of upstreams lie.
        kind: up (serves HTTP) or stdio.
        id: of this process, in core.instance and in the rows it works on.
        database: the service's connections.
        worker: principal of the service's own work, an operator.
        embedder: the active embedding model.
        origins: how to reach each origin.
        upstreams: live connections to them.
    """

    settings: Settings
    data_dir: Path
    kind: Literal["up", "stdio"]
    id: UUID
    database: Database
    worker: Principal
    embedder: AsyncEmbedder
    origins: Origins
    upstreams: Supervisor


@asynccontextmanager
async def open_service(
    settings: Settings,
    data_dir: Path,
    runtime_dir: Path,
    service_dsn: str,
    kind: Literal["up", "stdio"],
    instance_id: UUID,
) -> AsyncGenerator[Service]:
    """Connects to the database, loads the model, makes the modes those of the settings.

    Args:
        settings: of this process.
        data_dir, runtime_dir: see quartermaster.paths.
        service_dsn: of the login role qm_service.
        kind: up or stdio.
        instance_id: of this process.

    Raises:
        QmError: QM503 database_unavailable, QM404 model_file_missing.
    """
    options = settings.database
    async with Database.open(
        service_dsn,
        pool_min=options.pool_min,
        pool_max=options.pool_max,
        statement_timeout_ms=options.statement_timeout_ms,
    ) as database:
        worker = await database.find_principal(WORKER)
        model = load_embedding(
            settings.embedding.model, runtime_dir, settings.embedding.threads or os.cpu_count() or 1
        )
        await database.call(
            "configure_modes", worker, profiles=settings.profiles.model_dump(by_alias=True)
        )
        await database.call("configure_canary", worker, **settings.canary.model_dump(by_alias=True))
        await database.call("put_model", worker, name=model.name, dimension=model.dimension)
        origins = Origins(database, worker, SecretStore(data_dir), settings.upstream)
        async with Supervisor(
            max_tools=settings.upstream.max_tools_per_origin,
            on_list_changed=origins.request_refresh,
        ) as upstreams:
            yield Service(
                settings=settings,
                data_dir=data_dir,
                kind=kind,
                id=instance_id,
                database=database,
                worker=worker,
                embedder=AsyncEmbedder(model),
                origins=origins,
                upstreams=upstreams,
            )
