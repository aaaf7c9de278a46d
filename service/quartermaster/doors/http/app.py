"""The HTTP server: every door of the service, mounted."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import anyio
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.doors.http.debug import select
from quartermaster.doors.http.keys import KEYS_PATH, public_keys
from quartermaster.doors.http.metrics import MetricsRoute
from quartermaster.doors.http.origin_log import origin_log
from quartermaster.doors.http.status import StatusRoutes
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.doors.mcp.transparent_doors import TransparentDoors
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
    manager = front.server.over_http(options)
    lookups = ReconcileFront(service).server.over_http(options)
    doors = TransparentDoors(service)
    status = StatusRoutes(service, front)
    metrics = MetricsRoute(service, lambda: len(front.sessions))
    limit = RateLimit.of_requests(service.settings.limits, service.meters)
    guests = Guests(Bearers(service.database, service.settings.auth.oidc), limit)
    resource = ProtectedResource(service.settings)
    metadata = HostGuard(request_response(resource.metadata), options)

    def authorised(app: ASGIApp) -> ASGIApp:
        return BearerAuth(app, guests, resource)

    def protected(app: ASGIApp) -> ASGIApp:
        return HostGuard(BodyLimit(authorised(app), options.max_body_bytes), options)

    def of_service(answer: Callable[[Service, Request], Awaitable[Response]]) -> ASGIApp:
        return request_response(partial(answer, service))

    # Probes have neither token nor host name; the settings can admit them.
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
            Route("/v1/origins/{origin}/log", endpoint=protected(of_service(origin_log))),
            Route("/v1/debug/select", endpoint=protected(of_service(select))),
            # Open to upstreams, which check with it what this service signed for them.
            Route(KEYS_PATH, endpoint=partial(public_keys, service.data_dir)),
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
