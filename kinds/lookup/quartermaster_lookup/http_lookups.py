"""The endpoint ``/v1/lookups/TABLE`` for programs that send JSON over HTTP instead of MCP."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route, request_response
from starlette.types import ASGIApp

from quartermaster.doors.http.v1 import arguments_of
from quartermaster.doors.wire.auth import HostGuard
from quartermaster.doors.wire.http_middleware import BodyLimit
from quartermaster.doors.wire.tool_schemas import flag, member, takes
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service
from quartermaster_lookup.part import Lookups

_LOOKUP: Final = takes(
    {
        "queries": {
            "type": "array",
            "items": {"type": ["string", "object"]},
            "minItems": 1,
            "description": "Names to look up, each a string or a query of api.search_lookups.",
        },
        "k_final": member("integer", "Maximum number of rows.", minimum=1, maximum=100),
        "explain": flag("Say how each row got its score."),
    },
    ["queries"],
)


async def look_up(service: Service, request: Request) -> Response:
    """Answers queries to a lookup table. The answers have the order of the queries.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of
            `LookupAnswers.search`.
    """
    given = await arguments_of(request, _LOOKUP, "look_up")
    queries: list[Any] = given.pop("queries")
    table: str = request.path_params["table"]
    lookups = service.parts[Lookups].answers
    answers = await lookups.search(sender_of(request), table, queries, door="http", **given)
    found = [
        {"rows": [*each.rows], "error": each.error, "retired": [*each.retired]} for each in answers
    ]
    return JSONResponse({"table": table, "answers": found})


def lookup_route(service: Service, authorised: Callable[[ASGIApp], ASGIApp]) -> Route:
    """Returns the route of the endpoint.

    Args:
        service: the service that answers.
        authorised: function that wraps an application with the check of keys and tokens.
    """
    options = service.settings.server
    answer = authorised(request_response(partial(look_up, service)))
    guarded = HostGuard(BodyLimit(answer, options.max_body_bytes), options)
    return Route("/v1/lookups/{table}", endpoint=guarded, methods=["POST"])
