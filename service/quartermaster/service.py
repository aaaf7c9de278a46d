"""The parts that all doors share: database, upstreams, models, and the service's identity."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from math import inf
from pathlib import Path
from typing import Final, Literal
from uuid import UUID

from anyio import to_thread

from quartermaster import api
from quartermaster.calls.built_in import BuiltIn
from quartermaster.calls.call_ends import CallEnds
from quartermaster.calls.call_log import CallLog
from quartermaster.calls.guarding import GuardrailFilter
from quartermaster.core.fair_queue import FairQueue
from quartermaster.core.kind_packages import kind_packages
from quartermaster.core.meters import Meters
from quartermaster.core.parts import Parts
from quartermaster.db import LOCAL_PRINCIPAL, WORKER, Connections, Database, Principal, Replica
from quartermaster.guardrails.linear_patterns import compile_constants
from quartermaster.models.asynchronous import AsyncEmbedder, AsyncReranker, EarlyExit
from quartermaster.models.registered import RegisteredModels
from quartermaster.models.registry import open_reranker
from quartermaster.models.reranker import Reranker
from quartermaster.outage.database import GuardedDatabase
from quartermaster.outage.operations import Operations
from quartermaster.outage.outage import Outage
from quartermaster.outage.outage_copy import OutageCopy
from quartermaster.outage.spool import Spool
from quartermaster.projects.work import ProjectWork
from quartermaster.retrieval import Retriever, search_queue
from quartermaster.secrets.store import SecretStore
from quartermaster.settings.settings import Settings
from quartermaster.upstream.breakers import Breakers
from quartermaster.upstream.origins import Origins
from quartermaster.upstream.supervisor import Supervisor, Upstreams

_REMOTE_CALLS: Final = 4


@dataclass(frozen=True)
class Service:
    """One running service process.

    Attributes:
        settings: the settings, as read at startup.
        data_dir: the data directory, with secrets, logs and upstream environments.
        kind: kind of the instance, up (serves HTTP) or stdio.
        id: id of this process in core.instance and in the rows that it works on.
        database: the service's connections.
        worker: the operator principal that the service uses for its own work.
        models: the embedding models that are registered in the database.
        retriever: object that finds cards for goals with the models in use.
        upstreams: connection details for each origin, and the live connections.
        calls: the log in which every call is recorded.
        guard: object that marks and masks the findings of the guardrails in results.
        outage: state of the outage, if the database is unavailable.
        outage_copy: the outage copy.
        spool: object that records calls during an outage.
        meters: counters for the metrics.
        built_in: the tools that run in this process.
        parts: objects that the packages of kinds keep in the service.
        closing: functions that close objects when the service ends, such as a package's processes.
        local: name of the principal that sends the requests on stdio.
    """

    settings: Settings
    data_dir: Path
    kind: Literal["up", "stdio"]
    id: UUID
    database: Database
    worker: Principal
    models: RegisteredModels
    retriever: Retriever
    upstreams: Upstreams
    calls: CallLog
    guard: GuardrailFilter
    outage: Outage
    outage_copy: OutageCopy
    spool: Spool
    meters: Meters
    built_in: BuiltIn
    parts: Parts = field(default_factory=Parts)
    closing: AsyncExitStack = field(default_factory=AsyncExitStack)
    local: str = LOCAL_PRINCIPAL

    def queues(self) -> list[FairQueue]:
        """Returns all queues in which principals wait for their turn."""
        queues = [self.retriever.queue, self.database.queue, self.built_in.work.queue]
        return [*queues, *self.upstreams.supervisor.queues()]


@asynccontextmanager
async def open_service(
    settings: Settings,
    data_dir: Path,
    runtime_dir: Path,
    service_dsn: str,
    kind: Literal["up", "stdio"],
    instance_id: UUID,
) -> AsyncGenerator[Service]:
    """Connects to the database, loads the models, and stores the modes from the settings.

    Args:
        settings: settings of this process.
        data_dir, runtime_dir: see quartermaster.core.paths.
        service_dsn: DSN of the login role qm_service.
        kind: kind of the instance, up or stdio.
        instance_id: id of this process.

    Raises:
        QmError: QM503 database_unavailable, QM500 kind_package_broken; the errors of
            `open_embedding`, `open_reranker` and of the packages of kinds.
    """
    secrets, meters = SecretStore(data_dir), Meters()
    async with AsyncExitStack() as stack:
        connections = await _connect(stack, settings, service_dsn)
        direct = Database(connections)
        worker = await direct.find_principal(WORKER)
        await _configure(direct, worker, settings)
        bridged = _bridge_outages(connections, direct, settings, data_dir)
        models = RegisteredModels(
            bridged.database, worker, settings.embedding, runtime_dir, secrets
        )
        retriever = await _open_retriever(stack, bridged.database, models, settings, meters)
        origins = _origins(bridged.database, worker, secrets, settings, data_dir)
        supervisor = await _open_supervisor(stack, settings, origins)
        ends = await stack.enter_async_context(CallEnds.open(bridged.database, data_dir))
        service = Service(
            settings=settings,
            data_dir=data_dir,
            kind=kind,
            id=instance_id,
            database=bridged.database,
            worker=worker,
            models=models,
            retriever=retriever,
            upstreams=Upstreams(origins, supervisor, bridged.breakers),
            calls=CallLog(bridged.database, instance_id, meters, ends),
            guard=GuardrailFilter(retriever.embedder),
            outage=bridged.outage,
            outage_copy=bridged.outage_copy,
            spool=bridged.spool,
            meters=meters,
            built_in=BuiltIn(ProjectWork(settings.limits)),
            closing=await stack.enter_async_context(AsyncExitStack()),
        )
        await _start_packages(service)
        yield service


async def _connect(stack: AsyncExitStack, settings: Settings, dsn: str) -> Connections:
    options = settings.database
    return await stack.enter_async_context(
        Connections.open(
            dsn,
            pool_min=options.pool_min,
            pool_max=options.pool_max,
            statement_timeout_ms=options.statement_timeout_ms,
            listen_dsn=options.listen_dsn,
            kept_free=settings.limits.kept_free,
        )
    )


@dataclass(frozen=True)
class _Bridged:
    """Returns access to the database. During an outage, the outage copy answers instead of the
    database.
    """

    database: Database
    breakers: Breakers
    outage: Outage
    outage_copy: OutageCopy
    spool: Spool


def _bridge_outages(
    connections: Connections, direct: Database, settings: Settings, data_dir: Path
) -> _Bridged:
    breakers, outage = Breakers(), Outage()
    outage_copy = OutageCopy(direct, data_dir, outage, timedelta(hours=settings.outage.max_age_h))
    spool_bytes = settings.outage.spool_mb * 2**20 or inf
    spool = Spool(data_dir, spool_bytes, settings.limits.kept_free)
    database = direct
    if settings.outage.serve:
        instead = Operations(outage_copy, spool, breakers)
        database = GuardedDatabase(connections, outage, outage_copy, instead)
    return _Bridged(database, breakers, outage, outage_copy, spool)


async def _open_retriever(
    stack: AsyncExitStack,
    database: Database,
    models: RegisteredModels,
    settings: Settings,
    meters: Meters,
) -> Retriever:
    """Loads the models, and opens the read replica if the settings name one."""
    embedder = AsyncEmbedder(
        await models.load_active(), remembered=settings.embedding.query_cache, calls=2
    )
    await to_thread.run_sync(compile_constants)
    reranker = settings.reranker
    judge = await to_thread.run_sync(open_reranker, reranker, models.runtime_dir, models.secrets)
    replica = await stack.enter_async_context(
        Replica.open(
            settings.database.read_dsn,
            pool_max=settings.database.pool_max,
            statement_timeout_ms=settings.database.statement_timeout_ms,
        )
    )
    return Retriever(
        database,
        embedder,
        _async_reranker(judge, settings),
        reranker.timeout_s,
        meters,
        replica,
        search_queue(settings.limits),
    )


def _origins(
    database: Database, worker: Principal, secrets: SecretStore, settings: Settings, data_dir: Path
) -> Origins:
    unconfined = settings.upstream.unconfined
    limits = settings.upstream.model_copy(
        update={"unconfined": settings.is_private if unconfined is None else unconfined}
    )
    issuer = settings.server.public_url or WORKER
    return Origins(database, worker, secrets, limits, data_dir, issuer)


async def _open_supervisor(
    stack: AsyncExitStack, settings: Settings, origins: Origins
) -> Supervisor:
    return await stack.enter_async_context(
        Supervisor(
            max_tools=settings.upstream.max_tools_per_origin,
            on_list_changed=origins.request_refresh,
            kept_free=settings.limits.kept_free,
        )
    )


async def _start_packages(service: Service) -> None:
    for package in kind_packages():
        if package.start is not None:
            service.parts.add(await package.start(service))


async def _configure(database: Database, worker: Principal, settings: Settings) -> None:
    modes, canary = settings.modes, settings.canary
    await database.call(api.configure_modes(modes=modes.model_dump(by_alias=True)), worker)
    await database.call(
        api.configure_canary(
            mode=canary.mode,
            percent=canary.percent,
            settings=canary.changes.model_dump(by_alias=True),
        ),
        worker,
    )


def _async_reranker(model: Reranker | None, settings: Settings) -> AsyncReranker | None:
    if model is None:
        return None
    options = settings.reranker
    early_exit = None
    if options.margin is not None:
        early_exit = EarlyExit(options.margin, options.margin_keep)
    # A model server can rerank for several goals at a time. A local model reranks for one goal at a
    # time, because all goals would share the same cores.
    calls = _REMOTE_CALLS if options.provider == "api_remote" else 1
    return AsyncReranker(model, early_exit, calls=calls)
