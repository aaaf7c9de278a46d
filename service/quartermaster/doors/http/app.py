"""The HTTP application, in which all doors of the service are mounted."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final, cast

import anyio
import uvicorn
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import kind_packages, servers
from quartermaster.core.logs import get_logger
from quartermaster.core.stop_signals import stop_signals
from quartermaster.doors.http import v1
from quartermaster.doors.http.endpoints import (
    KEYS_PATH,
    StatusRoutes,
    origin_log,
    public_keys,
    select,
)
from quartermaster.doors.http.metrics import MetricsRoute
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.doors.mcp.package_doors import DoorFront, place_doors, served_doors
from quartermaster.doors.mcp.transparent import TransparentDoors
from quartermaster.doors.wire.auth import BearerAuth, Guests, HostGuard
from quartermaster.doors.wire.deferred_stream import DeferredStream
from quartermaster.doors.wire.handshakes import Handshakes
from quartermaster.doors.wire.http_middleware import (
    BodyLimit,
    RequestFrame,
    error_response,
    route_error,
)
from quartermaster.doors.wire.http_protocol import LimitedHttp
from quartermaster.doors.wire.http_resource import METADATA_PATH, ProtectedResource
from quartermaster.doors.wire.known_list import KnownList
from quartermaster.doors.wire.server_tls import ServerTls
from quartermaster.doors.wire.session_limit import LimitedSessions, SessionLimit
from quartermaster.identity.bearers import Bearers
from quartermaster.identity.limits import RateLimit
from quartermaster.instance import local_token, only_one, open_instance
from quartermaster.service import Service
from quartermaster.settings.sections import ServerSettings
from quartermaster.settings.settings import Settings
from quartermaster.workers.run import run_workers

log = get_logger(part="up")
_POST: Final = ["POST"]


def create_app(service: Service) -> Starlette:
    """Creates the ASGI application. It serves MCP at ``/mcp``, ``/mcp/TOOLSET``,
    ``/mcp/transparent/ORIGIN`` and the doors and servers of packages. It also serves the routes of
    packages, searches and reads for programs under ``/v1``, and ``/healthz``, ``/readyz``,
    ``/status``, ``/metrics`` and debugging. The application also tells clients where to get a
    token, and publishes the key that verifies our signed tokens.

    The application's lifespan must be entered once, which uvicorn does. Call
    ``app.state.catalog_changed`` after tools were added, changed or removed, and
    ``app.state.principals_changed`` after keys or principals changed. Neither function blocks.

    Args:
        service: service to expose; it must outlive the application.
    """
    front = McpFront(service)
    options = service.settings.server
    refused = service.meters.limited.labels("sessions")
    sessions = SessionLimit(service.settings.limits.sessions, refused)
    manager = front.server.over_http(options, sessions)
    fixed = _fixed_servers(service, sessions)
    doors = TransparentDoors(service, sessions)
    limit = RateLimit.of_requests(service.settings.limits, service.meters)
    guests = Guests(Bearers(service.database, service.settings.auth.oidc), limit)
    gate = _Gate(guests, ProtectedResource(service.settings), options)
    http = [package.http for package in kind_packages() if package.http is not None]

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with AsyncExitStack() as stack:
            for held in (manager, *fixed.values()):
                await stack.enter_async_context(held.run())
            tasks = await stack.enter_async_context(anyio.create_task_group())
            tasks.start_soon(guests.run)
            tasks.start_soon(doors.run)
            yield
            tasks.cancel_scope.cancel()

    app = Starlette(
        routes=[
            *_mcp_routes(gate, manager, fixed, doors),
            *_status_routes(service, front, gate),
            *(route for each in http for route in each.routes(service, gate.authorised, limit)),
            *_program_routes(service, gate),
        ],
        middleware=[
            *(Middleware(each.layer) for each in http if each.layer is not None),
            Middleware(RequestFrame, meters=service.meters),
        ],
        exception_handlers={HTTPException: _explain_route_error},
        lifespan=lifespan,
    )

    def catalog_changed() -> None:
        front.announcer.catalog_changed()
        doors.catalog_changed()

    app.state.catalog_changed = catalog_changed
    app.state.principals_changed = guests.principals_changed
    return app


def _fixed_servers(service: Service, sessions: SessionLimit) -> dict[str, LimitedSessions]:
    """Returns the MCP servers and doors of packages, by the last part of their path."""
    options = service.settings.server
    fixed = {each.name: each.open(service).over_http(options, sessions) for each in servers()}
    for door in served_doors(service):
        fixed[door.name] = DoorFront(service, door).server.over_http(options, sessions)
    return fixed


@dataclass(frozen=True)
class _Gate:
    """The checks that a request passes before it is answered."""

    guests: Guests
    resource: ProtectedResource
    options: ServerSettings

    def authorised(self, app: ASGIApp) -> ASGIApp:
        return BearerAuth(app, self.guests, self.resource)

    def protected(self, app: ASGIApp) -> ASGIApp:
        limited = BodyLimit(self.authorised(app), self.options.max_body_bytes)
        return HostGuard(limited, self.options)


def _mcp_routes(
    gate: _Gate,
    manager: LimitedSessions,
    fixed: dict[str, LimitedSessions],
    doors: TransparentDoors,
) -> list[Route]:
    """Returns the routes of the MCP servers, and for each server the route to the document that
    tells its clients where to get a token.
    """
    metadata = HostGuard(request_response(gate.resource.metadata), gate.options)

    def served(held: LimitedSessions) -> ASGIApp:
        return gate.protected(DeferredStream(StreamableHTTPASGIApp(held)))

    mcp = gate.protected(KnownList(DeferredStream(StreamableHTTPASGIApp(manager))))
    routes = [Route("/mcp", endpoint=mcp)]
    for name, held in fixed.items():
        routes.append(Route(f"/mcp/{name}", endpoint=served(held)))
        routes.append(Route(f"{METADATA_PATH}/mcp/{name}", endpoint=metadata))
    transparent = gate.protected(DeferredStream(doors))
    return [
        *routes,
        Route("/mcp/{toolset}", endpoint=mcp),
        Route("/mcp/transparent/{origin}", endpoint=transparent),
        Route(METADATA_PATH, endpoint=metadata),
        Route(f"{METADATA_PATH}/mcp", endpoint=metadata),
        Route(f"{METADATA_PATH}/mcp/{{toolset}}", endpoint=metadata),
    ]


def _status_routes(service: Service, front: McpFront, gate: _Gate) -> list[Route]:
    status = StatusRoutes(service, front)
    metrics = MetricsRoute(service, lambda: len(front.sessions))
    # Prometheus may send no token and no host name. The setting metrics.open admits such requests.
    measured: Callable[..., Any] = metrics.for_everybody
    if not service.settings.metrics.open:
        measured = gate.protected(request_response(metrics.for_operators))
    return [
        Route("/status", endpoint=gate.protected(request_response(status.status))),
        Route("/metrics", endpoint=measured),
        # These paths are open to probes, which have no token and no host name. The answers
        # reveal nothing.
        Route("/healthz", endpoint=status.healthz),
        Route("/readyz", endpoint=status.readyz),
    ]


def _program_routes(service: Service, gate: _Gate) -> list[Route]:
    """Returns the routes for programs under /v1, and the route to the public key that verifies our
    signed tokens.
    """

    def of_service(answer: Callable[[Service, Request], Awaitable[Response]]) -> ASGIApp:
        return gate.protected(request_response(partial(answer, service)))

    return [
        Route("/v1/origins/{origin}/log", endpoint=of_service(origin_log)),
        Route("/v1/debug/select", endpoint=of_service(select)),
        Route("/v1/search", endpoint=of_service(v1.search), methods=_POST),
        Route("/v1/why", endpoint=of_service(v1.why), methods=_POST),
        Route("/v1/read/{operation}", endpoint=of_service(v1.read), methods=_POST),
        # This path is open to upstreams, which use the key to verify tokens that this service
        # signed.
        Route(KEYS_PATH, endpoint=partial(public_keys, service.data_dir)),
    ]


async def _explain_route_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_response(route_error(error), request.state.request_id)


Announce = Callable[[Service, paths.RunFile], Awaitable[None]]
"""A function that is called once, when everything is running. It does not delay the service."""


class _DoorServer(uvicorn.Server):
    """A uvicorn server that limits the time and the number of TLS handshakes. The class does not
    handle signals: our own code handles them, because the database must stop after the service.

    Args:
        config: configuration of uvicorn.
        tls: certificate of the service; None serves HTTP without TLS.
        handshake_timeout_s: time limit for a TLS handshake.
    """

    def __init__(
        self, config: uvicorn.Config, tls: ServerTls | None, handshake_timeout_s: float
    ) -> None:
        super().__init__(config)
        self._tls = tls
        self._handshake_timeout_s = handshake_timeout_s

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        self.started = False
        for listener in sockets or ():
            # Of a server, uvicorn only uses what both of them have.
            self.servers.append(cast("asyncio.Server", await self._serve_at(listener)))
        self.started = True

    async def _serve_at(self, listener: socket.socket) -> asyncio.Server | Handshakes:
        backlog = self.config.backlog
        if self._tls is None:
            loop = asyncio.get_running_loop()
            return await loop.create_server(self._protocol, sock=listener, backlog=backlog)
        handshakes = Handshakes(self._tls.context, self._handshake_timeout_s, self._protocol)
        handshakes.start(listener, backlog)
        return handshakes

    def _protocol(self) -> asyncio.Protocol:
        make: Any = self.config.http_protocol_class
        return make(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state
        )


async def up(
    settings: Settings,
    data_dir: Path,
    announce: Announce,
    progress: Callable[[str], None],
    *,
    stays: bool = True,
) -> None:
    """Runs the service until SIGTERM, SIGINT or SIGHUP; then stops the service, the upstreams and
    the embedded server.

    Args:
        settings: settings of this process.
        data_dir: the data directory.
        announce: function that is called when the service is running.
        progress: function that is called with each step of the start.
        stays: whether to continue after `announce`.

    Raises:
        QmError: QM409 already_running or port_in_use, QM422 tls_invalid, and the errors of
            open_instance.
    """
    tls = ServerTls.find(settings.server)
    settings = settings.model_copy(update={"server": _named(settings.server, tls)})
    with only_one(data_dir), _listening(settings.server.host, settings.server.port) as listener:
        async with open_instance(settings, data_dir, "up", progress) as (service, admin_dsn):
            await place_doors(service)
            app = create_app(service)
            server = _server(app, settings, tls)
            run = paths.RunFile(
                url=_url(settings.server.host, tls, listener.getsockname()[1]),
                token=local_token(data_dir, admin_dsn),
                pid=os.getpid(),
                ca=tls and tls.ca,
            )
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(_stop_on_signal, server)
                tasks.start_soon(_serve, server, listener, tasks.cancel_scope)
                changed = (app.state.catalog_changed, app.state.principals_changed)
                tasks.start_soon(run_workers, service, *changed)
                if tls is not None:
                    tasks.start_soon(tls.renew)
                while not server.started:  # noqa: ASYNC110 - uvicorn has no event for it
                    await anyio.sleep(0.02)
                _write_admin(data_dir, settings, admin_dsn)
                run.write(data_dir)
                log.info("serving", url=run.url, pid=run.pid)
                try:
                    await announce(service, run)
                    if not stays:
                        server.should_exit = True
                    await anyio.sleep_forever()
                finally:
                    paths.RunFile.remove(data_dir)
                    paths.remove_admin(data_dir)


def _server(app: Starlette, settings: Settings, tls: ServerTls | None) -> _DoorServer:
    config = uvicorn.Config(
        app,
        http=LimitedHttp.limited(settings.server),
        ws="none",
        log_config=None,
        access_log=False,
        timeout_graceful_shutdown=5,
        server_header=False,
    )
    return _DoorServer(config, tls, settings.server.header_timeout_s)


def _write_admin(data_dir: Path, settings: Settings, admin_dsn: str | None) -> None:
    """Writes admin.json, from which commands on this machine learn how to reach the database."""
    options = settings.database
    if (dsn := admin_dsn or options.service_dsn) is not None:
        is_embedded = {options.dsn, options.service_dsn} == {None}
        paths.write_admin(data_dir, dsn, is_embedded=is_embedded)


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
    with socket.socket(family, socket.SOCK_STREAM) as listener:
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


def _named(settings: ServerSettings, tls: ServerTls | None) -> ServerSettings:
    """Returns settings that also allow the host names of the certificate. This is safe. If a web
    page rebinds its host name to the address of this machine, no TLS handshake succeeds, because
    the certificate does not contain this name.
    """
    if tls is None:
        return settings
    names = {tls.host, *tls.names, *settings.allowed_hosts}
    return settings.model_copy(update={"allowed_hosts": tuple(sorted(names))})


def _url(host: str, tls: ServerTls | None, port: int) -> str:
    name = host if tls is None else tls.host
    shown = f"[{name}]" if ":" in name else name
    return f"{'http' if tls is None else 'https'}://{shown}:{port}"
