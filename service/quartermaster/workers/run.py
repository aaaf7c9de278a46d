"""Runs the background work of a process: refreshes, embeddings, heartbeats, notifications."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, NoReturn

import anyio
from anyio.abc import TaskGroup

from quartermaster import api
from quartermaster.api import Channel
from quartermaster.audit.signer import AuditSigner
from quartermaster.catalog.ingest import RefreshWorker
from quartermaster.catalog.probes import ProbeWorker
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages
from quartermaster.core.logs import get_logger
from quartermaster.core.paths import read_admin
from quartermaster.core.wakeup import Wakeup, repeat
from quartermaster.outage.spool import replay
from quartermaster.service import Service
from quartermaster.substrate.memory import memory_of_sessions
from quartermaster.substrate.role_settings import reset_role_settings
from quartermaster.workers.embedder import EmbeddingWorker
from quartermaster.workers.heartbeat import beat, farewell, first_beat
from quartermaster.workers.notification_queue import CHANNELS, Heard, NotificationQueue
from quartermaster.workers.outage import KeeperWorker
from quartermaster.workers.snapshots import SnapshotWorker
from quartermaster.workers.version import VersionWatch

_jobs_log = get_logger(part="jobs")
# Notifications of changes that affect the outage copy.
_OUTAGE_COPY_CHANNELS: Final[tuple[Channel, ...]] = (
    "qm_rights",
    "qm_catalog",
    "qm_cards",
    "qm_origins",
)
_BACKOFF_S: Final = 1.0
_PAUSE_S: Final = 0.05
_JOBS_S: Final = 5.0
_SESSIONS_S: Final = 1.0
_LOOK_S: Final = 30.0
_FAREWELL_S: Final = 3.0
log = get_logger(part="workers")


async def run_due_jobs(service: Service) -> int:
    """Runs the jobs that are due, starting with the job that has waited longest. Two processes
    never run the same job at the same time.

    Returns:
        The number of jobs that ran.

    Raises:
        QmError: the errors of api.run_job.
    """
    done = 0
    while rows := await service.database.call(api.run_job(), service.worker):
        [row] = rows
        done += 1
        outcome = "ok" if row["failure"] is None else "failed"
        service.meters.jobs.labels(row["job"], outcome).inc()
        if row["failure"] is not None:
            _jobs_log.warning("job_failed", job=row["job"], failure=row["failure"])
        elif "warning" in row["result"]:
            _jobs_log.warning("job_warns", job=row["job"], **row["result"])
        else:
            # The run of a frequent job is not logged if there was nothing to do.
            say = _jobs_log.info if any(row["result"].values()) else _jobs_log.debug
            say("job_done", job=row["job"], ms=round(row["duration_ms"]), **row["result"])
    return done


async def end_sessions(service: Service) -> None:
    """Ends psql sessions that use more than their share of the database server.

    Settings that a login has stored for itself outlast its sessions, so they are reset. This is
    possible only in the embedded server, where we have a superuser.

    Raises:
        QmError: QM503 database_unavailable.
    """
    database = service.settings.database
    is_embedded = database.dsn is None and database.service_dsn is None
    # The processes of another server are on another machine.
    cluster = service.data_dir / "postgres" / "data"
    memory = memory_of_sessions(cluster) if is_embedded else {}
    rows = await service.database.call(api.end_sessions(memory=memory, can_reset=is_embedded), None)
    for row in rows:
        if row["reason"] == "reset":
            if admin_dsn := read_admin(service.data_dir):
                await anyio.to_thread.run_sync(reset_role_settings, admin_dsn, row["login"])
                log.warning("login_settings_reset", login=row["login"])
        else:
            log.warning("session_ended", login=row["login"], limit=row["reason"])


def _start_repeated(tasks: TaskGroup, service: Service) -> None:
    """Starts the work that is done at intervals, including the work of the packages of kinds."""
    audit = service.settings.audit
    signer = AuditSigner(service.database, service.worker, service.data_dir, audit.heads_to)
    snapshots = SnapshotWorker(service)
    for work, every_s, trouble in (
        (partial(run_due_jobs, service), _JOBS_S, "jobs_interrupted"),
        (partial(end_sessions, service), _SESSIONS_S, "sessions_not_ended"),
        (snapshots.run_once, _LOOK_S, "snapshots_interrupted"),
        (signer.sign, audit.sign_every_s, "audit_not_signed"),
    ):
        tasks.start_soon(repeat, work, every_s, trouble)
    outage_over = Wakeup()
    service.outage.when_over(outage_over.ring)
    spool = partial(replay, service.database, service.spool)
    tasks.start_soon(repeat, spool, _LOOK_S, "spool_not_replayed", outage_over)
    for work in (work for package in kind_packages() for work in package.work):
        tasks.start_soon(
            repeat, partial(work.run, service), work.every_s, f"{work.name}_interrupted"
        )


def _start_woken(
    tasks: TaskGroup, service: Service, on_principals_changed: Callable[[], None]
) -> list[tuple[Channel, Callable[[], None]]]:
    """Starts the workers that wait for notifications.

    Returns:
        For each channel, the function to call when a notification arrives.
    """
    refreshes, embeddings = RefreshWorker(service), EmbeddingWorker(service)
    probes, keeper, version = ProbeWorker(service), KeeperWorker(service), VersionWatch(service)
    for worker in (refreshes, embeddings, probes, version):
        tasks.start_soon(worker.run)
    if service.settings.outage.serve:
        tasks.start_soon(keeper.run)
    return [
        ("qm_refresh", refreshes.wake),
        ("qm_cards", embeddings.wake),
        ("qm_models", embeddings.wake),
        ("qm_probes", probes.wake),
        ("qm_principals", on_principals_changed),
        ("qm_installation", version.wake),
        *((channel, keeper.wake) for channel in _OUTAGE_COPY_CHANNELS),
    ]


async def run_workers(
    service: Service,
    on_catalog_changed: Callable[[], None],
    on_principals_changed: Callable[[], None] = lambda: None,
) -> NoReturn:
    """Does the background work until cancelled, even during an outage, or until another version is
    installed.

    Args:
        service: the service.
        on_catalog_changed: function that is called when tools have changed or may have changed;
            must not block.
        on_principals_changed: function that is called when a principal may have lost access; must
            not block.

    Raises:
        QmError: QM409 version_changed.
    """
    try:
        # The process must be registered before it claims work, because an unknown process is
        # treated as dead.
        await first_beat(service)
        async with anyio.create_task_group() as tasks:
            _start_repeated(tasks, service)
            wakes = _start_woken(tasks, service, on_principals_changed)
            notifications = NotificationQueue()
            tasks.start_soon(beat, service)
            tasks.start_soon(_listen, service, notifications)
            tasks.start_soon(_dispatch, service, notifications, wakes, on_catalog_changed)
            await anyio.sleep_forever()
    finally:
        with anyio.move_on_after(_FAREWELL_S, shield=True):
            await farewell(service)
    raise AssertionError("this point is never reached")


async def _listen(service: Service, notifications: NotificationQueue) -> NoReturn:
    """Receives notifications from the database. After an interruption, everything is treated as
    changed.
    """
    while True:
        try:
            # Notifications that were missed do not matter, because everything is checked once the
            # connection listens.
            await service.database.listen(CHANNELS, notifications.hear, notifications.miss)
        except QmError as error:
            # An outage is logged once, not with every attempt.
            if service.outage.since is None:
                log.warning("listening_interrupted", error=str(error), again_in_s=_BACKOFF_S)
        await anyio.sleep(_BACKOFF_S)


async def _dispatch(
    service: Service,
    notifications: NotificationQueue,
    wakes: Sequence[tuple[Channel, Callable[[], None]]],
    on_catalog_changed: Callable[[], None],
) -> NoReturn:
    while True:
        heard = await notifications.next()
        for channel, number in heard.dropped.items():
            service.meters.dropped_notifications.labels(channel).inc(number)
            log.warning("notifications_dropped", channel=channel, number=number)
        try:
            await _handle(service, heard, wakes)
            if heard.includes("qm_catalog"):
                on_catalog_changed()
        except Exception:
            # Whoever can log in to the database can send notifications. None may end the workers.
            log.exception("notification_not_handled")
        # A flood of notifications has the effect of a few.
        await anyio.sleep(_PAUSE_S)


async def _handle(
    service: Service, heard: Heard, wakes: Sequence[tuple[Channel, Callable[[], None]]]
) -> None:
    for channel, wake in wakes:
        if heard.includes(channel):
            wake()
    if heard.everything:
        service.upstreams.origins.forget_all()
    if heard.includes("qm_breakers"):
        await _renew_breakers(service)
    for origin_id in sorted(heard.origins):
        await _origin_changed(service, origin_id)


async def _renew_breakers(service: Service) -> None:
    try:
        rows = await service.database.call(api.list_breakers(), service.worker)
    except QmError as error:
        # The connection was lost again. The breakers are read again when it is back.
        log.warning("breakers_not_renewed", error=str(error))
        return
    for closed in service.upstreams.breakers.renew(rows):
        service.upstreams.supervisor.retry_now(closed)


async def _origin_changed(service: Service, origin_id: int) -> None:
    """Drops an origin's old definition, so that the next call uses the new one. Disconnects the
    origin if it can no longer be called.
    """
    names = service.upstreams.origins.forget(origin_id)
    if not names:
        return
    try:
        await service.upstreams.origins.spec(origin_id)
    except QmError as error:
        if error.slug in {"origin_not_found", "origin_not_callable"}:
            for name in names:
                await service.upstreams.supervisor.close(name)
