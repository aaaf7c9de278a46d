"""The HTTP server: every door of the service, mounted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from typing import Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.doors.http.debug import DebugRoutes
from quartermaster.doors.http.keys import KEYS_PATH, PublicKeys
from quartermaster.doors.http.metrics import MetricsRoute
from quartermaster.doors.http.origin_log import OriginLog
from quartermaster.doors.http.status import StatusRoutes
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.doors.mcp.transparent_doors import MAX_SESSIONS, SESSION_IDLE_S, TransparentDoors
from quartermaster.doors.reconcile.http import OpenToPages, reconcile_routes
from quartermaster.doors.reconcile.mcp import DOOR, ReconcileFront
from quartermaster.doors.wire.auth import BearerAuth, HostGuard
from quartermaster.doors.wire.deferred_stream import DeferredStream
from quartermaster.doors.wire.guests import Guests
from quartermaster.doors.wire.http_middleware import (
    BodyLimit,
    RequestFrame,
    error_response,
    route_error,
)
from quartermaster.doors.wire.http_resource import METADATA_PATH, ProtectedResource
from quartermaster.identity.bearers import Bearers
from quartermaster.identity.limits import RateLimit
from quartermaster.service import Service


def create_app(service: Service) -> Starlette:
    """The ASGI application: MCP at ``/mcp``, ``/mcp/TOOLSET``, ``/mcp/reconcile`` and
    ``/mcp/transparent/ORIGIN``; where to get a token for it, and the key of those we sign;
    reconciliation under ``/reconcile``; ``/healthz``, ``/readyz``, ``/status``, ``/metrics``;
    debugging.

    Its lifespan must be entered once (uvicorn does); ``app.state.catalog_changed`` is to be called
    when tools were added, changed or removed, ``app.state.principals_changed`` when keys or
    principals were (they never block).

    Args:
        service: what is served; it must outlive the application.
    """
    front = McpFront(service)
    options = service.settings.server
    manager = StreamableHTTPSessionManager(
        front.server,
        # Refused before it gets here, in our own words.
        max_request_body_size=options.max_body_bytes,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=MAX_SESSIONS,
    )
    lookups = StreamableHTTPSessionManager(
        ReconcileFront(service).server,
        max_request_body_size=options.max_body_bytes,
        session_idle_timeout=SESSION_IDLE_S,
        max_sessions=MAX_SESSIONS,
    )
    doors = TransparentDoors(service)
    status = StatusRoutes(service, front)
    debug = DebugRoutes(service)
    origin_log = OriginLog(service)
    metrics = MetricsRoute(service, lambda: len(front.sessions))
    limit = RateLimit.of_requests(service.settings.limits, service.meters)
    guests = Guests(Bearers(service.database, service.settings.auth.oidc), limit)
    resource = ProtectedResource(service.settings)
    metadata = HostGuard(request_response(resource.metadata), options)

    def authorised(app: ASGIApp) -> ASGIApp:
        return BearerAuth(app, guests, resource)

    def protected(app: ASGIApp) -> ASGIApp:
        return HostGuard(BodyLimit(authorised(app), options.max_body_bytes), options)

    # Probes know neither token nor name, where the settings open it to them.
    measured: Callable[..., Any] = metrics.for_everybody
    if not service.settings.metrics.open:
        measured = protected(request_response(metrics.for_operators))
    mcp = protected(DeferredStream(StreamableHTTPASGIApp(manager)))
    lookup = protected(DeferredStream(StreamableHTTPASGIApp(lookups)))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncGenerator[None]:
        async with manager.run(), lookups.run(), anyio.create_task_group() as tasks:
            tasks.start_soon(guests.run)
            tasks.start_soon(doors.run)
            yield
            tasks.cancel_scope.cancel()

    app = Starlette(
        routes=[
            Route("/mcp", endpoint=mcp),
            Route(f"/mcp/{DOOR}", endpoint=lookup),
            Route("/mcp/{toolset}", endpoint=mcp),
            Route("/mcp/transparent/{origin}", endpoint=protected(DeferredStream(doors))),
            Route(METADATA_PATH, endpoint=metadata),
            Route(f"{METADATA_PATH}/mcp", endpoint=metadata),
            Route(f"{METADATA_PATH}/mcp/{DOOR}", endpoint=metadata),
            Route(f"{METADATA_PATH}/mcp/{{toolset}}", endpoint=metadata),
            Route("/status", endpoint=protected(request_response(status.status))),
            Route("/metrics", endpoint=measured),
            *reconcile_routes(service, authorised, limit),
            Route("/v1/origins/{origin}/log", endpoint=protected(request_response(origin_log.log))),
            Route("/v1/debug/select", endpoint=protected(request_response(debug.select))),
            # Open to upstreams, which check with it what this service signed for them.
            Route(KEYS_PATH, endpoint=PublicKeys(service.data_dir).keys),
            # Open to probes, which know neither token nor name; they learn nothing from them.
            Route("/healthz", endpoint=status.healthz),
            Route("/readyz", endpoint=status.readyz),
        ],
        middleware=[Middleware(OpenToPages), Middleware(RequestFrame, meters=service.meters)],
        exception_handlers={HTTPException: _explain_route_error},
        lifespan=lifespan,
    )

    def catalog_changed() -> None:
        front.catalog_changed()
        doors.catalog_changed()

    app.state.catalog_changed = catalog_changed
    app.state.principals_changed = guests.principals_changed
    return app


async def _explain_route_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return error_response(route_error(error), request.state.request_id)
