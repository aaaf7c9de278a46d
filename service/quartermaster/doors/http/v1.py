"""The endpoints below ``/v1`` for programs that send JSON over HTTP instead of MCP: searches, and
reads of data that the caller may see.

Each endpoint takes a JSON object and returns a JSON object. Like MCP and psql, it calls the
functions in the api schema, with the rights of the caller's key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, Final, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.calls.arguments import find_problems
from quartermaster.core.api_call import without_none
from quartermaster.core.errors import argument_invalid
from quartermaster.core.moments import parse_moment
from quartermaster.db import Row
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS, bridge_schema
from quartermaster.doors.mcp.discovery import WARNINGS_KEY, Discovery
from quartermaster.doors.wire.payload import decode
from quartermaster.doors.wire.tool_schemas import member, takes
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service

_WHY_SCHEMA: Final = takes(
    {
        "goal": member("string", "The goal in plain words."),
        "tool": member("string", "Name of the tool."),
        "acting_as": member("string", "Name of another principal who would search."),
        "mode": member("string", "Search mode."),
        "kind": member("string", "Kind of the card; default: tool."),
        "limit": member("integer", "Maximum number of tools.", minimum=1, maximum=100),
        "budget_tokens": member("integer", "Maximum number of tokens.", minimum=1),
        "as_of": member("string", "A time in the past (ISO 8601)."),
    },
    ["goal", "tool"],
)


async def search(service: Service, request: Request) -> Response:
    """Finds tools or other cards for a goal. Arguments and answer are those of search_tools.

    Warnings, and the notice of an outage, are members of the answer.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of `Discovery.answer`.
    """
    schema = bridge_schema(SEARCH_TOOLS)
    assert schema is not None
    arguments = await arguments_of(request, schema, SEARCH_TOOLS)
    reply = await Discovery(service).answer(sender_of(request), arguments)
    more = without_none(
        warnings=(reply.meta or {}).get(WARNINGS_KEY), outage=service.outage.notice()
    )
    return JSONResponse({**(reply.structured_content or {}), **more})


async def why(service: Service, request: Request) -> Response:
    """Says why a search for a goal does not offer a tool: reason, detail and remedy.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of
            `Retriever.explain_absence`.
    """
    arguments = await arguments_of(request, _WHY_SCHEMA, "why")
    as_of: str | None = arguments.pop("as_of", None)
    top: int | None = arguments.pop("limit", None)
    answer = await service.retriever.explain_absence(
        sender_of(request), as_of=parse_moment(as_of) if as_of else None, top=top, **arguments
    )
    return JSONResponse(answer)


async def read(service: Service, request: Request) -> Response:
    """Runs a database operation that changes nothing, with the arguments in the body.

    The answer contains the rows, and the SQL type of each column. Times are in ISO 8601, intervals
    in seconds, and bytes in hexadecimal digits.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid, and the errors of `Database.read`.
    """
    operation: str = request.path_params["operation"]
    arguments = await _object(request)
    types, rows = await service.database.read(operation, sender_of(request), arguments)
    text = json.dumps({"types": types, "rows": [*map(_finite, rows)]}, default=_plain)
    return Response(text, media_type="application/json")


async def arguments_of(request: Request, schema: Mapping[str, Any], name: str) -> dict[str, Any]:
    """Returns the JSON object in the body of a request.

    Args:
        request: the request.
        schema: schema that the object has to match.
        name: name under which the compiled schema is cached.

    Raises:
        QmError: QM400 json_invalid, QM422 argument_invalid.
    """
    given = await _object(request)
    if problems := find_problems(schema, given, known_as=name):
        raise argument_invalid(
            "; ".join(map(str, problems)), f"The members are: {', '.join(schema['properties'])}."
        )
    return given


async def _object(request: Request) -> dict[str, Any]:
    """Returns the JSON object in the body of a request; an empty body is an empty object."""
    found = decode(await request.body() or "{}")
    if not isinstance(found, dict):
        raise argument_invalid(
            "The body is not a JSON object.", "Send the arguments as a JSON object."
        )
    return cast("dict[str, Any]", found)


def _finite(row: Row) -> dict[str, Any]:
    """Returns a row in which NaN and infinite numbers, which JSON does not have, are null."""
    return {
        name: None if isinstance(value, float) and not isfinite(value) else value
        for name, value in row.items()
    }


def _plain(value: object) -> str | float:
    match value:
        case date():
            return value.isoformat()
        case timedelta():
            return value.total_seconds()
        case Decimal():
            return float(value)
        case bytes():
            return value.hex()
        case UUID():
            return str(value)
        case _:
            raise TypeError(f"{type(value).__name__} is not JSON")
