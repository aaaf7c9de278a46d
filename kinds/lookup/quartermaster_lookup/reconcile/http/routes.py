"""The paths of the reconciliation API, and the layers that a request passes through."""

from __future__ import annotations

import json
import re
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import quote

from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.logs import get_logger
from quartermaster.doors.wire.auth import HostGuard
from quartermaster.doors.wire.http_middleware import BodyLimit
from quartermaster.doors.wire.payload import read_parameters
from quartermaster.identity.limits import RateLimit
from quartermaster.service import Service
from quartermaster_lookup.reconcile.http.cors import KEY_IN_URL, ROOT
from quartermaster_lookup.reconcile.http.endpoint import Endpoint, Version
from quartermaster_lookup.reconcile.http.handlers import Asked, Handlers, Reply
from quartermaster_lookup.reconcile.http.pages import error_page
from quartermaster_lookup.reconcile.http.visitors import Visitors, principal_of, require
from quartermaster_lookup.settings import Reconcile

Handler = Callable[[Asked], Awaitable[Reply]]

_CALLBACK: Final = re.compile(r"[A-Za-z_$][A-Za-z0-9_$.]{0,127}")
_HEADERS: Final = {"cache-control": "no-store", "x-content-type-options": "nosniff"}

log = get_logger(part="reconcile")
_ROOTS: Final[tuple[tuple[str, Version], ...]] = (
    (f"{ROOT}/1.0", "1.0-draft"),
    (ROOT, "0.2"),
)
_IN_TABLE: Final = "/{table}"


class ReconcileDoor:
    """Reads requests, passes them to a handler, and renders the answers.

    Args:
        service: service that provides the answers.
    """

    def __init__(self, service: Service) -> None:
        self._public_url = service.settings.server.public_url
        self.handlers = Handlers(service)

    async def answer(
        self, request: Request, version: Version, handler: Handler, *, is_page: bool
    ) -> Response:
        """Answers a request. All requests to the API pass through this method, so that measuring,
        counting and logging happen in one place.

        Args:
            request: a request whose user has been verified.
            version: API version of the path.
            handler: handler of the endpoint.
            is_page: whether people see the answer in a browser. If so, errors are also shown as a
                page.

        Raises:
            QmError: the error that the handler raised, unless it is shown on a page.
        """
        try:
            reply = await handler(await self._read(request, version))
            return _rendered(reply, request)
        except QmError as error:
            if not is_page or "json" in request.headers.get("accept", ""):
                raise
            log.info("page_refused", error=error.slug)
            return error_page(error)

    async def _read(self, request: Request, version: Version) -> Asked:
        principal = principal_of(request)
        if request.method == "POST":
            # The body of a request without a key is not read.
            require(principal)
        return Asked(
            principal=principal,
            endpoint=self._endpoint(request, version),
            parameters=await read_parameters(request),
            kind=request.path_params.get("kind", ""),
            language=_language(request),
        )

    def _endpoint(self, request: Request, version: Version) -> Endpoint:
        table: str | None = request.path_params.get("table")
        base = self._public_url or f"{request.url.scheme}://{request.headers.get('host', '')}"
        base = base.rstrip("/")
        in_version = "/1.0" if version == "1.0-draft" else ""
        in_table = f"/{quote(table, safe='')}" if table is not None else ""
        keyed: str = getattr(request.state, KEY_IN_URL, ROOT)
        return Endpoint(
            version=version,
            table=table,
            url=f"{base}{keyed}{in_version}{in_table}",
            id_space=f"{base}{ROOT}{in_table}/view?id=",
        )


def _rendered(reply: Reply, request: Request) -> Response:
    if isinstance(reply, HTMLResponse):
        return reply
    callback = request.query_params.get("callback")
    if callback is None or request.method == "POST":
        return JSONResponse(reply, headers=_HEADERS)
    if _CALLBACK.fullmatch(callback) is None:
        raise argument_invalid(
            f"{callback[:80]!r} is not a valid function name.", "Leave out the parameter callback."
        )
    # The response begins with a comment, so that the client cannot choose its first bytes.
    return Response(
        f"/**/{callback}({json.dumps(reply)});",
        media_type="text/javascript; charset=utf-8",
        headers=_HEADERS,
    )


def _language(request: Request) -> str | None:
    """Returns the first language in ``lang`` or in the header Accept-Language, without its
    region.
    """
    wanted = request.query_params.get("lang") or request.headers.get("accept-language", "")
    first = re.split(r"[,;-]", wanted, maxsplit=1)[0].strip().lower()
    return first if first.isalpha() and len(first) <= 8 else None


def reconcile_routes(
    service: Service, authorised: Callable[[ASGIApp], ASGIApp], limit: RateLimit
) -> list[Route]:
    """Returns the routes of each API version: first for all tables, then for one table.

    A table name must begin with a letter, so it cannot be confused with an API version. It also
    cannot be the name of an endpoint, because api.create_lookup refuses extend, flyout, match,
    preview, suggest and view.

    Args:
        service: the service to expose.
        authorised: function that wraps an application with the check of keys and tokens.
        limit: limit for the requests from one principal.
    """
    door = ReconcileDoor(service)
    options = service.settings.server

    def guarded(version: Version, handler: Handler, is_page: bool) -> ASGIApp:
        async def answer(request: Request) -> Response:
            return await door.answer(request, version, handler, is_page=is_page)

        app = request_response(answer)
        open_as = service.settings.of(Reconcile).open_as
        visitors = Visitors(app, authorised(app), service.database, open_as, limit)
        return HostGuard(BodyLimit(visitors, options.max_body_bytes), options, any_origin=True)

    def routes(root: str, version: Version) -> list[Route]:
        handlers = door.handlers

        def at(path: str, handler: Handler, method: str = "GET", *, is_page: bool = False) -> Route:
            endpoint = guarded(version, handler, is_page)
            return Route(f"{root}{path}", endpoint=endpoint, methods=[method])

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
