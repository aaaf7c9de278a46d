"""``qm stdio``: runs Quartermaster as a server that an MCP client starts itself."""

from __future__ import annotations

import os
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import anyio
import typer

from quartermaster import api
from quartermaster.bridge import KEY_VARIABLE
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import DataDir, Dsn, SettingsFile, configure
from quartermaster.cli.own_user import follow_owner
from quartermaster.core import logs, paths
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.core.stop_signals import stop_signals
from quartermaster.settings.settings import Settings

if TYPE_CHECKING:
    from quartermaster.service import Service

log = get_logger(part="stdio")


noun = Noun()


@noun.verb()
def stdio_command(
    config: Annotated[Path | None, "Add the servers in this mcpServers JSON file first."] = None,
    toolset: Annotated[
        str | None, "Serve only this toolset, or an endpoint such as 'reconcile' (lookup tables)."
    ] = None,
    origin: Annotated[str | None, "Serve only this origin, with its tools unchanged."] = None,
    list_all: Annotated[
        bool, "List all tools, for a client that searches in its list of tools by itself."
    ] = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
    settings: SettingsFile = None,
) -> None:
    """Serve MCP on standard input and output.

    If a Quartermaster is running in the data directory, this command passes the messages on to it.
    The environment variable QM_KEY contains the key to use. Without a key, requests come from the
    principal "local".
    The command ends when the input ends. The log is written to standard error.
    """
    if toolset is not None and origin is not None:
        raise typer.BadParameter("--toolset cannot be combined with --origin.")
    folder = paths.data_dir(data_dir)
    _refuse_if_served(folder)
    follow_owner(folder)
    configured = configure(folder, settings, dsn=dsn)
    logs.configure(configured.log.level, json=configured.log.as_json)
    from quartermaster.doors.stdio import claimed_stdio

    with claimed_stdio() as pipes:
        anyio.run(
            _serve,
            configured,
            folder,
            config,
            toolset,
            origin,
            list_all,
            pipes,
            backend_options={"use_uvloop": sys.platform != "win32"},
        )


def _refuse_if_served(folder: Path) -> None:
    """Refuses options that have no effect while a service is running. Without such options, `main`
    would have started the bridge instead of this command.

    Raises:
        QmError: QM409 already_running.
    """
    run = paths.RunFile.read(folder)
    if run is not None and run.is_alive():
        raise QmError(
            409,
            "already_running",
            f"A Quartermaster is running in {folder} at {run.url}. qm stdio passes all messages on"
            " to it, so --config, --dsn and --settings would have no effect.",
            "Leave these options out (import a file with: qm import FILE), or choose another"
            " directory with --data-dir.",
        )


async def _serve(
    settings: Settings,
    data_dir: Path,
    config: Path | None,
    toolset: str | None,
    origin: str | None,
    list_all: bool,
    pipes: tuple[int, int],
) -> None:
    from quartermaster.catalog.importers.apply import apply_origins_async
    from quartermaster.catalog.importers.mcp_servers import read_config
    from quartermaster.core.kind_packages import servers
    from quartermaster.db import LOCAL_PRINCIPAL
    from quartermaster.doors.mcp.mcp_server import McpFront
    from quartermaster.doors.mcp.package_doors import DoorFront, place_doors, served_doors
    from quartermaster.doors.mcp.transparent import local_front
    from quartermaster.doors.stdio import serve_stdio
    from quartermaster.instance import open_instance
    from quartermaster.secrets.store import SecretStore
    from quartermaster.workers.run import run_workers

    # A file with errors is refused before anything is started.
    imported = read_config(config) if config else None
    ended = anyio.Event()
    async with anyio.create_task_group() as signals:
        signals.start_soon(_end_on_signal, ended)
        async with open_instance(settings, data_dir, "stdio", _log_step) as (opened, _):
            if imported is not None:
                for warning in imported.warnings:
                    log.warning("config_warning", text=warning)
                for name, reason in imported.rejected.items():
                    log.warning("origin_rejected", origin=name, reason=reason)
                # The user who starts the service is its administrator, and so
                # grants what the file needs.
                local = await opened.database.find_principal(LOCAL_PRINCIPAL)
                await apply_origins_async(
                    imported.origins, opened.database, local, SecretStore(data_dir)
                )
            service = replace(opened, local=await _sender(opened))
            await place_doors(service)
            fixed = {door.name: door for door in served_doors(service)}
            of_packages = {each.name: each for each in servers()}
            if toolset is not None and toolset not in {*fixed, *of_packages}:
                await service.database.call(api.find_toolset(name=toolset), service.worker)
            front = McpFront(service, toolset, lists_all=list_all)
            server, changed = front.server, front.announcer.catalog_changed
            if toolset in of_packages:
                server = of_packages[toolset].open(service)
            elif toolset in fixed:
                server = DoorFront(service, fixed[toolset]).server
            elif origin is not None:
                alone = await local_front(service, origin)
                server, changed = alone.server, alone.announcer.catalog_changed
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(run_workers, service, changed)
                await serve_stdio(server, pipes, ended)
                tasks.cancel_scope.cancel()
        signals.cancel_scope.cancel()


async def _sender(service: Service) -> str:
    """Returns the name of the principal that sends all requests: the owner of QM_KEY, or the local
    principal.

    A client's key gives the same rights here as in a running service.
    """
    from quartermaster.db import LOCAL_PRINCIPAL
    from quartermaster.identity.bearers import Bearers

    if not (key := os.environ.get(KEY_VARIABLE)):
        return LOCAL_PRINCIPAL
    bearers = Bearers(service.database, service.settings.auth.oidc)
    found = await bearers.find(key, None)
    await bearers.check(found)
    return found.name


async def _end_on_signal(ended: anyio.Event) -> None:
    with anyio.open_signal_receiver(*stop_signals()) as received:
        async for number in received:
            # Everything is shut down in order, as if the client had disconnected.
            log.info("stopping", signal=signal.Signals(number).name)
            ended.set()


def _log_step(text: str) -> None:
    log.info("starting", step=text)
