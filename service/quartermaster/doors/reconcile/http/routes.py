"""Paths of the API, and the layers that a request passes."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.doors.reconcile.http.cors import ROOT
from quartermaster.doors.reconcile.http.door import Handler, ReconcileDoor
from quartermaster.doors.reconcile.http.endpoint import Version
from quartermaster.doors.reconcile.http.visitors import Visitors
from quartermaster.doors.wire.auth import HostGuard
from quartermaster.doors.wire.http_middleware import BodyLimit
from quartermaster.identity.limits import RateLimit
from quartermaster.service import Service

_ROOTS: Final[tuple[tuple[str, Version], ...]] = (
    (f"{ROOT}/1.0", "1.0-draft"),
    (ROOT, "0.2"),
)
_IN_TABLE: Final = "/{table}"


def reconcile_routes(
    service: Service, authorised: Callable[[ASGIApp], ASGIApp], limit: RateLimit
) -> list[Route]:
    """The routes: for each version over all tables, then over one.

    A table has to begin with a letter, so none is taken for a version; nor has one the name of an
    endpoint: extend, flyout, match, preview, suggest and view are refused by api.create_lookup.

    Args:
        service: what is served.
        authorised: puts an application behind the door where keys and tokens are looked at.
        limit: of requests of one principal.
    """
    door = ReconcileDoor(service)
    options = service.settings.server

    def guarded(version: Version, handler: Handler, is_page: bool) -> ASGIApp:
        async def answer(request: Request) -> Response:
            return await door.answer(request, version, handler, is_page=is_page)

        app = request_response(answer)
        open_as = service.settings.reconcile.open_as
        visitors = Visitors(app, authorised(app), service.database, open_as, limit)
        return HostGuard(BodyLimit(visitors, options.max_body_bytes), options, any_origin=True)

    def routes(root: str, version: Version) -> list[Route]:
        handlers = door.handlers
        at = partial(_route, root, partial(guarded, version))
        found = [
            at("/match", handlers.match, "POST"),
            at("/extend", handlers.extend, "POST"),
            at("/extend/propose", handlers.propose),
            at("/suggest/{kind}", handlers.suggest),
            at("/flyout/{kind}", handlers.flyout),
            at("/preview", handlers.preview, is_page=True),
            at("/view", handlers.view, is_page=True),
            at("", handlers.root),
        ]
        if version == "0.2":
            found.append(at("", handlers.post_root, "POST"))
        return found

    return [
        route
        for in_table in ("", _IN_TABLE)
        for root, version in _ROOTS
        for route in routes(f"{root}{in_table}", version)
    ]


def _route(
    root: str,
    guarded: partial[ASGIApp],
    path: str,
    handler: Handler,
    method: str = "GET",
    *,
    is_page: bool = False,
) -> Route:
    return Route(f"{root}{path}", endpoint=guarded(handler, is_page), methods=[method])
