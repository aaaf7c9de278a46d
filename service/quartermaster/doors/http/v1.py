"""The endpoints below ``/v1`` for programs that send JSON over HTTP instead of MCP: searches, and
what the database lets the caller read.

Each takes a JSON object and returns one. Each runs what MCP or psql runs, with the rights of the
caller's key.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date, timedelta
from decimal import Decimal
from math import isfinite
from typing import Any, cast
from uuid import UUID

from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from quartermaster.calls.arguments import find_problems
from quartermaster.core.api_call import without_none
from quartermaster.core.errors import argument_invalid
from quartermaster.db import Row
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS, bridge_schema
from quartermaster.doors.mcp.discovery import WARNINGS_KEY, Discovery
from quartermaster.doors.wire.payload import decode
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service


async def search(service: Service, request: Request) -> Response:
    """Finds tools or other cards for a goal, with the arguments and the answer of search_tools.

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


async def read(service: Service, request: Request) -> Response:
    """Runs an operation of the database that changes nothing, with the arguments in the body.

    The answer has the rows, and the SQL type of each column. Times are in ISO 8601, intervals in
    seconds, and bytes in hexadecimal digits.

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
        name: name under which the schema is remembered.

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
    """Returns a row without numbers that JSON does not have."""
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
