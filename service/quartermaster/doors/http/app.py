"""The HTTP application, in which all doors of the service are mounted."""

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

from quartermaster.doors.http.endpoints import (
    KEYS_PATH,
    StatusRoutes,
    origin_log,
    public_keys,
    select,
)
from quartermaster.doors.http.metrics import MetricsRoute
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
    """Creates the ASGI application. It serves MCP at ``/mcp``, ``/mcp/TOOLSET``, ``/mcp/reconcile``
    and ``/mcp/transparent/ORIGIN``, reconciliation under ``/reconcile``, and ``/healthz``,
    ``/readyz``, ``/status``, ``/metrics`` and debugging. It also says where to get a token, and
    publishes the key that verifies our signed tokens.

    Its lifespan must be entered once, which uvicorn does. Call ``app.state.catalog_changed`` after
    tools were added, changed or removed, and ``app.state.principals_changed`` after keys or
    principals changed. Neither function blocks.

    Args:
        service: service to expose; it must outlive the application.
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

    # Probes have no token and no host name; the settings can admit them.
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
            # This path is open to upstreams, which use the key to verify tokens that this service
            # signed.
            Route(KEYS_PATH, endpoint=partial(public_keys, service.data_dir)),
            # These paths are open to probes, which have no token and no host name. The answers
            # reveal nothing.
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
