"""The MCP server for lookup tables. It supports both protocol eras: handshake and stateless."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final, Literal

import mcp_types as types
from mcp import MCPError

from quartermaster import __version__
from quartermaster import api as core_api
from quartermaster.calls.arguments import find_problems
from quartermaster.calls.caller import Caller, Callers, request_id_of
from quartermaster.calls.relay.parking import Parking
from quartermaster.calls.replies import compact_json, text_result
from quartermaster.calls.sessions import Context
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service
from quartermaster_lookup.reconcile.mcp.answering import Answering
from quartermaster_lookup.reconcile.mcp.curation import curate
from quartermaster_lookup.reconcile.mcp.curator_tools import CURATOR_TOOLS
from quartermaster_lookup.reconcile.mcp.resources import RESOURCES, TEMPLATES, ResourceReader
from quartermaster_lookup.reconcile.mcp.schemas import SCHEMA_VERSION
from quartermaster_lookup.reconcile.mcp.tools import INSTRUCTIONS, TOOLS
from quartermaster_lookup.settings import Reconcile

# These errors mean that the form of the call is wrong; any other error is a value out of range.
_FORM: Final = frozenset({"", "type", "required", "additionalProperties"})
Code = Literal[
    "BAD_REQUEST",
    "UNAUTHORIZED",
    "FORBIDDEN",
    "NOT_FOUND",
    "UNSUPPORTED_TABLE",
    "INVALID_PARAM",
    "SERVER_ERROR",
    "TIMEOUT",
]
_OF_SLUG: Final[Mapping[str, Code]] = {
    "unsupported_table": "UNSUPPORTED_TABLE",
    "principal_unknown": "UNAUTHORIZED",
}
_OF_STATUS: Final[Mapping[int, Code]] = {
    400: "BAD_REQUEST",
    401: "UNAUTHORIZED",
    403: "FORBIDDEN",
    404: "NOT_FOUND",
    409: "INVALID_PARAM",
    413: "INVALID_PARAM",
    422: "INVALID_PARAM",
    429: "BAD_REQUEST",
    504: "TIMEOUT",
}
VERSION_KEY: Final = "quartermaster/version"
_SCHEMAS: Final = {tool.name: tool.input_schema for tool in (*TOOLS, *CURATOR_TOOLS)}
_FOR_ALL: Final = frozenset(tool.name for tool in TOOLS)
_META: Final[dict[str, Any]] = {VERSION_KEY: __version__}


def require_fitting(name: str, schema: Mapping[str, Any], arguments: Mapping[str, Any]) -> None:
    """Refuses arguments that do not match a tool's schema.

    Raises:
        QmError: QM400 bad_request if the form of the arguments is wrong, QM422 argument_invalid if
            a value is wrong.
    """
    for problem in find_problems(schema, arguments, known_as=f"reconcile {name}"):
        is_form = problem.keyword in _FORM
        raise QmError(
            400 if is_form else 422,
            "bad_request" if is_form else "argument_invalid",
            f"{problem.pointer[1:] or 'the arguments'}: {problem.message}",
            f"Correct the arguments to match the schema of {name}, and call again.",
        )


def code_of(error: QmError) -> Code:
    """Returns the code of an error. It is SERVER_ERROR if the caller cannot correct the error."""
    return _OF_SLUG.get(error.slug) or _OF_STATUS.get(error.status, "SERVER_ERROR")


def failure(error: QmError, request_id: str) -> types.CallToolResult:
    """Returns the answer to a failed tool call."""
    code = code_of(error)
    text = f"{code}: {error.message}" + (f"\nNext: {error.hint}" if error.hint else "")
    body = {"schema_version": SCHEMA_VERSION, "error": _body(error, request_id)}
    return text_result(text, body, is_error=True)


def protocol_error(error: QmError, _context: Context, request_id: str) -> MCPError:
    """Returns the JSON-RPC error for a resource that cannot be read."""
    code = types.INTERNAL_ERROR if code_of(error) == "SERVER_ERROR" else types.INVALID_PARAMS
    return MCPError(code, error.message, {"error": _body(error, request_id)})


def _body(error: QmError, request_id: str) -> dict[str, object]:
    details = {
        "slug": error.slug,
        "hint": error.hint,
        "detail": error.detail,
        "request_id": request_id,
    }
    return {
        "code": code_of(error),
        "message": error.message,
        "details": {name: value for name, value in details.items() if value},
    }


class ReconcileFront:
    """An MCP server for the lookup tables of one service.

    Args:
        service: the service to expose.

    Attributes:
        server: the server of the SDK, which can run on any transport.
    """

    def __init__(self, service: Service) -> None:
        self._callers = Callers(service.database, None, name=service.local)
        self._answering = Answering(service)
        self._database = service.database
        self._resources = ResourceReader(service)
        self.server = GatewayServer(
            service.settings.of(Reconcile).server_id,
            version=__version__,
            title="Quartermaster: lookup tables",
            instructions=INSTRUCTIONS,
            lifespan=lambda _server: Parking.open(),
            cache_hints=CACHE_HINTS,
            get_tool_input_schema=_SCHEMAS.get,
            on_list_tools=self._callers.handler(self._list_tools, protocol_error, "list_failed"),
            on_call_tool=self._call_tool,
        )
        self.server.capabilities = lambda _version: types.ServerCapabilities(
            tools=types.ToolsCapability(list_changed=False),
            resources=types.ResourcesCapability(subscribe=False, list_changed=False),
        )
        page, read = types.PaginatedRequestParams, types.ReadResourceRequestParams
        self.server.add_request_handler("resources/list", page, self._list_resources)
        self.server.add_request_handler("resources/templates/list", page, self._list_templates)
        handler = self._callers.handler(self._read, protocol_error, "read_failed")
        self.server.add_request_handler("resources/read", read, handler)

    async def _list_tools(self, caller: Caller, _params: object) -> types.ListToolsResult:
        is_curator = await self._database.call_value(core_api.is_curator(), caller.principal)
        return types.ListToolsResult(tools=[*TOOLS, *(CURATOR_TOOLS if is_curator else ())])

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        begun = perf_counter()
        request_id, who = request_id_of(context), None
        with request_scope(request_id):
            failed: QmError | None = None
            body: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
            try:
                caller = await self._callers.identify(context, request_id)
                who = caller.principal.name
                body |= await self._answer(caller, params.name, params.arguments or {})
            except QmError as error:
                failed = error
            except Exception:  # noqa: BLE001 - the SDK would hand its text to the client
                get_logger().exception("tool_failed", tool=params.name[:100])
                failed = QmError.internal()
            body["elapsed_ms"] = round(1000 * (perf_counter() - begun))
            get_logger(part="reconcile").info(
                "tool_answered",
                tool=params.name[:100],
                table=str((params.arguments or {}).get("table", ""))[:100],
                principal=who,
                error=failed.slug if failed else None,
                elapsed_ms=body["elapsed_ms"],
            )
        if failed is not None:
            result = failure(failed, request_id)
        else:
            result = text_result(compact_json(body), body)
        result.meta = _META
        return result

    async def _answer(
        self, caller: Caller, name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Checks the arguments of a tool call, and answers the call."""
        schema = _SCHEMAS.get(name)
        if schema is None:
            raise QmError(
                404,
                "tool_not_found",
                f"Unknown tool: {name[:100]!r}.",
                f"The tools are {', '.join(sorted(_FOR_ALL))}. Curators have more tools.",
            )
        require_fitting(name, schema, arguments)
        if name in _FOR_ALL:
            return await self._answering.answer(name, caller.principal, arguments)
        return await curate(self._database, name, caller.principal, arguments)

    async def _list_resources(self, _context: Context, _params: object) -> Any:
        return types.ListResourcesResult(resources=[*RESOURCES])

    async def _list_templates(self, _context: Context, _params: object) -> Any:
        return types.ListResourceTemplatesResult(resource_templates=[*TEMPLATES])

    async def _read(
        self, caller: Caller, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        held = await self._resources.read(caller.principal, params.uri)
        text = types.TextResourceContents(
            uri=params.uri, mime_type="application/json", text=compact_json(held), _meta=_META
        )
        return types.ReadResourceResult(contents=[text])
