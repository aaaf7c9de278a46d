"""The MCP server of the lookup tables, for both protocol eras."""

from __future__ import annotations

from collections.abc import Mapping
from time import perf_counter
from typing import Any, Final

import mcp_types as types
from mcp import MCPError

from quartermaster import __version__
from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.relay.parking import Parking
from quartermaster.calls.replies import compact_json, text_result
from quartermaster.calls.sessions import Context
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.doors.reconcile.mcp.answering import Answering
from quartermaster.doors.reconcile.mcp.arguments import require_fitting
from quartermaster.doors.reconcile.mcp.curation import Curation
from quartermaster.doors.reconcile.mcp.curator_tools import CURATOR_TOOLS
from quartermaster.doors.reconcile.mcp.errors import failure, protocol_error
from quartermaster.doors.reconcile.mcp.resources import RESOURCES, TEMPLATES, ResourceReader
from quartermaster.doors.reconcile.mcp.schemas import SCHEMA_VERSION
from quartermaster.doors.reconcile.mcp.tools import INSTRUCTIONS, TOOLS
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service

DOOR: Final = "reconcile"
"""Of ``/mcp/reconcile``: no toolset has this name."""

VERSION_KEY: Final = "quartermaster/version"
_SCHEMAS: Final = {tool.name: tool.input_schema for tool in (*TOOLS, *CURATOR_TOOLS)}
_FOR_ALL: Final = frozenset(tool.name for tool in TOOLS)
_META: Final[dict[str, Any]] = {VERSION_KEY: __version__}


class ReconcileFront:
    """One MCP server over the lookup tables of one service.

    Args:
        service: what is served.

    Attributes:
        server: the SDK's; run it on any transport.
    """

    def __init__(self, service: Service) -> None:
        self._callers = Callers(service.database, None)
        self._answering = Answering(service)
        self._curation = Curation(service.database)
        self._resources = ResourceReader(service)
        self.server = GatewayServer(
            f"quartermaster.{DOOR}",
            version=__version__,
            title="Quartermaster: lookup tables",
            instructions=INSTRUCTIONS,
            lifespan=lambda _server: Parking.open(),
            cache_hints=CACHE_HINTS,
            get_tool_input_schema=_SCHEMAS.get,
            on_list_tools=self._list_tools,
            on_call_tool=self._call_tool,
        )
        self.server.capabilities = lambda _version: types.ServerCapabilities(
            tools=types.ToolsCapability(list_changed=False),
            resources=types.ResourcesCapability(subscribe=False, list_changed=False),
        )
        page, read = types.PaginatedRequestParams, types.ReadResourceRequestParams
        self.server.add_request_handler("resources/list", page, self._list_resources)
        self.server.add_request_handler("resources/templates/list", page, self._list_templates)
        self.server.add_request_handler("resources/read", read, self._read)

    async def _list_tools(
        self, context: Context, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        caller = await self._callers.identify(context)
        with request_scope(caller.request_id):
            try:
                is_curator = await self._curation.is_curator(caller.principal)
            except QmError as error:
                raise protocol_error(error, caller) from error
        return types.ListToolsResult(tools=[*TOOLS, *(CURATOR_TOOLS if is_curator else ())])

    async def _call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        begun = perf_counter()
        caller = await self._callers.identify(context)
        with request_scope(caller.request_id):
            failed: QmError | None = None
            body: dict[str, Any] = {"schema_version": SCHEMA_VERSION}
            try:
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
                principal=caller.principal.name,
                error=failed.slug if failed else None,
                elapsed_ms=body["elapsed_ms"],
            )
        if failed is not None:
            result = failure(failed, caller.request_id)
        else:
            result = text_result(compact_json(body), body)
        result.meta = _META
        return result

    async def _answer(
        self, caller: Caller, name: str, arguments: Mapping[str, Any]
    ) -> dict[str, Any]:
        """Answers each call of a tool."""
        schema = _SCHEMAS.get(name)
        if schema is None:
            raise QmError(
                404,
                "tool_not_found",
                f"Unknown tool: {name[:100]!r}.",
                f"The tools are {', '.join(sorted(_FOR_ALL))}, and for curators more.",
            )
        require_fitting(name, schema, arguments)
        if name in _FOR_ALL:
            return await self._answering.answer(name, caller.principal, arguments)
        return await self._curation.answer(name, caller.principal, arguments)

    async def _list_resources(self, _context: Context, _params: object) -> Any:
        return types.ListResourcesResult(resources=[*RESOURCES])

    async def _list_templates(self, _context: Context, _params: object) -> Any:
        return types.ListResourceTemplatesResult(resource_templates=[*TEMPLATES])

    async def _read(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        caller = await self._callers.identify(context)
        with request_scope(caller.request_id):
            try:
                held = await self._resources.read(caller.principal, params.uri)
            except QmError as error:
                raise protocol_error(error, caller) from error
            except Exception as error:
                get_logger().exception("read_failed", uri=params.uri[:200])
                raise MCPError(types.INTERNAL_ERROR, "An internal error happened.") from error
        text = types.TextResourceContents(
            uri=params.uri, mime_type="application/json", text=compact_json(held), _meta=_META
        )
        return types.ReadResourceResult(contents=[text])
