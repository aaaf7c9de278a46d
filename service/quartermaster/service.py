"""What every door of the service shares: database, upstreams, model, and its own identity."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import Final, Literal
from uuid import UUID

from anyio import to_thread

from quartermaster.calls.call_ends import CallEnds
from quartermaster.core.meters import Meters
from quartermaster.db import Database, Principal, Replica
from quartermaster.lookup.answers import LookupAnswers
from quartermaster.lookup.llm import Finaliser, open_finaliser
from quartermaster.models.async_embedder import AsyncEmbedder
from quartermaster.models.async_reranker import AsyncReranker, EarlyExit
from quartermaster.models.registered import RegisteredModels
from quartermaster.models.registry import open_reranker
from quartermaster.models.reranker import Reranker
from quartermaster.outage.database import GuardedDatabase
from quartermaster.outage.keeper import Keeper
from quartermaster.outage.kept import Kept
from quartermaster.outage.operations import Operations
from quartermaster.outage.outage import Outage
from quartermaster.outage.spool import Spool
from quartermaster.retrieval import Retriever
from quartermaster.secrets.store import SecretStore
from quartermaster.settings import Settings
from quartermaster.upstream.breakers import Breakers
from quartermaster.upstream.origins import Origins
from quartermaster.upstream.supervisor import Supervisor

WORKER = "quartermaster"
"""Principal of the service's own work."""

LOCAL = "local"
"""Principal of whoever uses this machine's local doors: run.json's token and stdio."""

_REMOTE_CALLS: Final = 4


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
        models: the embedding models that the database knows.
        embedder: of the active one.
        retriever: the way from a goal to cards, with the reranker if there is one.
        origins: how to reach each origin.
        upstreams: live connections to them.
        breakers: which of them are not called for a while.
        outage: whether the database is away.
        keeper: keeps what is needed then.
        spool: calls that were made meanwhile.
        ends: complete the rows of calls.
        lookups: where every door asks lookup tables.
        finaliser: chooses among their answers; None: no language model is configured.
        meters: what is counted.
    """

    settings: Settings
    data_dir: Path
    kind: Literal["up", "stdio"]
    id: UUID
    database: Database
    worker: Principal
    models: RegisteredModels
    embedder: AsyncEmbedder
    retriever: Retriever
    origins: Origins
    upstreams: Supervisor
    breakers: Breakers
    outage: Outage
    keeper: Keeper
    spool: Spool
    ends: CallEnds
    lookups: LookupAnswers
    finaliser: Finaliser | None
    meters: Meters


@asynccontextmanager
async def open_service(
    settings: Settings,
    data_dir: Path,
    runtime_dir: Path,
    service_dsn: str,
    kind: Literal["up", "stdio"],
    instance_id: UUID,
) -> AsyncGenerator[Service]:
    """Connects to the database, loads the models, makes the modes those of the settings.

    Args:
        settings: of this process.
        data_dir, runtime_dir: see quartermaster.core.paths.
        service_dsn: of the login role qm_service.
        kind: up or stdio.
        instance_id: of this process.

    Raises:
        QmError: QM503 database_unavailable; those of `open_embedding` and `open_reranker`.
    """
    options = settings.database
    async with GuardedDatabase.open(
        service_dsn,
        pool_min=options.pool_min,
        pool_max=options.pool_max,
        statement_timeout_ms=options.statement_timeout_ms,
        listen_dsn=options.listen_dsn,
    ) as database:
        worker = await database.find_principal(WORKER)
        secrets = SecretStore(data_dir)
        models = RegisteredModels(database, worker, settings.embedding, runtime_dir, secrets)
        model = await models.load_active()
        judge = await to_thread.run_sync(open_reranker, settings.reranker, runtime_dir, secrets)
        await database.call(
            "configure_modes", worker, modes=settings.modes.model_dump(by_alias=True)
        )
        canary = settings.canary
        await database.call(
            "configure_canary",
            worker,
            mode=canary.mode,
            percent=canary.percent,
            settings=canary.changes.model_dump(by_alias=True),
        )
        breakers = Breakers()
        outage, keeper, spool = Outage(), Keeper(database, data_dir), Spool(data_dir)
        if settings.outage.serve:
            max_age = timedelta(hours=settings.outage.max_age_h)
            kept = Kept(data_dir, keeper, outage, max_age)
            database.stand_in(outage, kept, Operations(kept, spool, settings.modes, breakers))
        meters = Meters()
        issuer = settings.server.public_url or WORKER
        origins = Origins(database, worker, secrets, settings.upstream, issuer)
        embedder = AsyncEmbedder(model, remembered=settings.embedding.query_cache)
        reranker = _async_reranker(judge, settings)
        async with (
            open_finaliser(settings.reconcile.llm, secrets) as finaliser,
            Replica.open(
                options.read_dsn,
                pool_max=options.pool_max,
                statement_timeout_ms=options.statement_timeout_ms,
            ) as replica,
            Supervisor(
                max_tools=settings.upstream.max_tools_per_origin,
                on_list_changed=origins.request_refresh,
            ) as upstreams,
            CallEnds.open(database, data_dir) as ends,
        ):
            yield Service(
                settings=settings,
                data_dir=data_dir,
                kind=kind,
                id=instance_id,
                database=database,
                worker=worker,
                models=models,
                embedder=embedder,
                retriever=Retriever(
                    database, embedder, reranker, settings.reranker.timeout_s, meters, replica
                ),
                origins=origins,
                upstreams=upstreams,
                breakers=breakers,
                outage=outage,
                keeper=keeper,
                spool=spool,
                ends=ends,
                lookups=LookupAnswers(database, settings.lookup, settings.limits, meters, embedder),
                finaliser=finaliser,
                meters=meters,
            )


def _async_reranker(model: Reranker | None, settings: Settings) -> AsyncReranker | None:
    if model is None:
        return None
    options = settings.reranker
    early_exit = None
    if options.margin is not None:
        early_exit = EarlyExit(options.margin, options.margin_keep)
    # A server reads several goals at a time; here they would only share the same cores.
    calls = _REMOTE_CALLS if options.provider == "api_remote" else 1
    return AsyncReranker(model, early_exit, calls=calls)
