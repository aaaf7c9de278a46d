"""Runs ``qm up``: all of Quartermaster in one process, served over HTTP."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import anyio
import uvicorn
from starlette.datastructures import State

from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.stop_signals import stop_signals
from quartermaster.doors.http.app import create_app
from quartermaster.instance import local_token, only_one, open_instance
from quartermaster.service import Service
from quartermaster.settings import Settings
from quartermaster.workers.run import run_workers

log = get_logger(part="up")


class Announce(Protocol):
    """Called once when everything is running; it does not delay the service."""

    async def __call__(self, service: Service, run: paths.RunFile) -> None: ...


class _Server(uvicorn.Server):
    """Leaves the handling of signals to us, because the database must stop after the service."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


async def up(
    settings: Settings, data_dir: Path, announce: Announce, progress: Callable[[str], None]
) -> None:
    """Runs until SIGTERM, SIGINT or SIGHUP, then stops the service, upstreams and embedded server.

    Args:
        settings: settings of this process.
        data_dir: the data directory.
        announce: function that is called when the service is running.
        progress: function that is called with each step of the start.

    Raises:
        QmError: QM409 already_running or port_in_use, and the errors of open_instance.
    """
    with only_one(data_dir), _listening(settings.server.host, settings.server.port) as listener:
        async with open_instance(settings, data_dir, "up", progress) as (service, admin_dsn):
            app = create_app(service)
            config = uvicorn.Config(
                app,
                log_config=None,
                access_log=False,
                timeout_graceful_shutdown=5,
                server_header=False,
            )
            server = _Server(config)
            run = paths.RunFile(
                url=f"http://{_in_url(settings.server.host)}:{listener.getsockname()[1]}",
                token=local_token(data_dir, admin_dsn),
                dsn=admin_dsn or settings.database.service_dsn or "",
                pid=os.getpid(),
            )
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_stop_on_signal, server)
                tasks.start_soon(_serve, server, listener, tasks.cancel_scope)
                tasks.start_soon(_run_workers, service, app.state)
                while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                    await anyio.sleep(0.02)
                run.write(data_dir)
                log.info("serving", url=run.url, pid=run.pid)
                try:
                    await announce(service, run)
                    await anyio.sleep_forever()
                finally:
                    paths.RunFile.remove(data_dir)


async def _run_workers(service: Service, state: State) -> None:
    await run_workers(
        service,
        on_catalog_changed=state.catalog_changed,
        on_principals_changed=state.principals_changed,
    )


async def _serve(server: uvicorn.Server, listener: socket.socket, scope: anyio.CancelScope) -> None:
    await server.serve(sockets=[listener])
    scope.cancel()


async def _stop_on_signal(server: uvicorn.Server) -> None:
    with anyio.open_signal_receiver(*stop_signals()) as received:
        async for number in received:
            log.info("stopping", signal=signal.Signals(number).name)
            # After a second signal, the server stops without waiting for open requests.
            server.force_exit = server.should_exit
            server.should_exit = True


@contextmanager
def _listening(host: str, port: int) -> Generator[socket.socket]:
    """Opens the listening socket before anything else is started.

    Raises:
        QmError: QM409 port_in_use.
    """
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listener.bind((host, port))
        except OSError as error:
            raise QmError(
                409,
                "port_in_use",
                f"cannot listen on {host} port {port}: {error.strerror}",
                "Choose another port with --port; --port 0 takes any free port.",
            ) from error
        yield listener
    finally:
        listener.close()


def _in_url(host: str) -> str:
    return f"[{host}]" if ":" in host else host
