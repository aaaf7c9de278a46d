"""One origin as if it were called directly: nothing is renamed, searched or added.

Rights, trust and the call log still apply: items that a caller may not use are not listed and
cannot be called.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import mcp_types as types
from mcp import MCPError
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.relay.cursors import PAGE, decoded, encoded
from quartermaster.calls.relay.reads import JsonObject, Reads
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.relay.watches import Watches
from quartermaster.calls.sessions import Sessions
from quartermaster.calls.tool_calls import Calls, Reply
from quartermaster.core.errors import QmError
from quartermaster.db import LOCAL, Row
from quartermaster.doors.mcp.announcer import Announcer
from quartermaster.doors.mcp.definitions import listed_definition
from quartermaster.doors.mcp.handlers import RelayHandlers
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service
from quartermaster.upstream import OriginSpec


@dataclass(frozen=True)
class Face:
    """The capabilities of an upstream.

    Attributes:
        handshake, stateless: capabilities for clients of each era.
        version: version of the upstream's program.
    """

    handshake: types.ServerCapabilities
    stateless: types.ServerCapabilities
    version: str


async def face_of(service: Service, spec: OriginSpec) -> Face:
    """Asks an upstream for its capabilities.

    Raises:
        UpstreamError: the upstream cannot be connected.
    """
    handshake = await (await service.upstreams.supervisor.reach(spec, handshake=True)).connected()
    usual = await (await service.upstreams.supervisor.reach(spec, handshake=False)).connected()
    return Face(
        handshake=_declared(handshake.capabilities),
        stateless=_declared(usual.capabilities),
        version=usual.session.server_info.version if usual.session.server_info else "",
    )


class TransparentFront:
    """The MCP server for one origin.

    Args:
        service: service to expose.
        origin: name of the origin.
        face: capabilities of the origin.

    Attributes:
        server: SDK server, which can run on any transport.
        announcer: announces changes to clients.
    """

    def __init__(self, service: Service, origin: str, face: Face) -> None:
        self._database = service.database
        self._worker = service.worker
        self._origin = origin
        relay = Relay(service.upstreams)
        self._calls = Calls(service.calls, relay)
        sessions = Sessions(service.database)
        self.announcer = Announcer(service.database, origin, sessions)
        reads = Reads(service.calls, relay, origin)
        watches = Watches(service.upstreams, reads.log)
        callers = Callers(service.database, sessions)
        handlers = RelayHandlers(callers, reads, self.announcer, watches, service.outage)
        # The names of all tools that any caller has seen at this door. The right to call a tool is
        # checked for each call.
        self._names: dict[str, str] = {}
        self._schemas: dict[str, Mapping[str, Any]] = {}
        self.server = GatewayServer(
            origin,
            version=face.version,
            lifespan=handlers.lifespan,
            cache_hints=CACHE_HINTS,
            get_tool_input_schema=self._schemas.get,
        )
        self.server.capabilities = lambda version: (
            face.stateless if version in MODERN_PROTOCOL_VERSIONS else face.handshake
        )
        handlers.add_to(self.server)
        page, call = types.PaginatedRequestParams, types.CallToolRequestParams
        self.server.add_request_handler("tools/list", page, handlers.handler(self._list_tools))
        self.server.add_request_handler("tools/call", call, handlers.handler(self._call_tool))

    async def introduce(self) -> None:
        """Updates the approved information that clients get about the origin.

        Raises:
            QmError: QM404 origin_not_found, QM503 database_unavailable.
        """
        asked = self._database.call_value("get_instructions", self._worker, origin=self._origin)
        said: JsonObject = await asked or {}
        server = self.server
        server.name = said.get("server", self._origin)
        server.title, server.description = said.get("title"), said.get("description")
        server.instructions = said.get("instructions")

    async def _list_tools(self, caller: Caller, params: types.PaginatedRequestParams) -> JsonObject:
        await self.announcer.viewed(caller.session, "tools")
        after = decoded(params.cursor)
        rows = [row for row in await self._rows(caller) if after is None or row["name"] > after]
        version = caller.context.protocol_version
        tools = [listed_definition(row, version) for row in rows[:PAGE]]
        page: JsonObject = {"tools": [tool for tool in tools if tool is not None]}
        if len(rows) > PAGE:
            page["nextCursor"] = encoded(rows[PAGE - 1]["name"])
        return page

    async def _call_tool(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        if params.name not in self._names:
            await self._rows(caller)
        callable_name = self._names.get(params.name)
        try:
            if callable_name is not None:
                return await self._calls.call_as_is(caller, callable_name, params.arguments or {})
        except QmError as error:
            if error.slug != "tool_not_found":
                raise
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:200]}")

    async def _rows(self, caller: Caller) -> list[Row]:
        listed = await self._database.call(
            "list_items", caller.principal, kind="tool", of_origin=self._origin, maximum=None
        )
        for row in listed:
            self._names[row["name"]] = row["public_name"]
            self._schemas[row["name"]] = row["definition"]["input_schema"]
        rows: list[Row] = [row["definition"] for row in listed]
        return sorted(rows, key=lambda row: row["name"])


async def local_front(service: Service, origin: str) -> TransparentFront:
    """Makes the server for one origin for the local door.

    Args:
        service: service to expose.
        origin: name of the origin.

    Raises:
        QmError: QM404 origin_not_found, and the errors of Origins.spec and `face_of`.
    """
    local = await service.database.find_principal(LOCAL)
    origin_id = await service.database.call_value("find_origin", local, name=origin)
    spec = await service.upstreams.origins.spec(origin_id, local)
    front = TransparentFront(service, origin, await face_of(service, spec))
    await front.introduce()
    return front


def _declared(own: types.ServerCapabilities) -> types.ServerCapabilities:
    """Returns the capabilities of an upstream that are relayed; list changes are detected in any
    case.
    """
    resources = own.resources
    return types.ServerCapabilities(
        tools=types.ToolsCapability(list_changed=True),
        prompts=types.PromptsCapability(list_changed=True) if own.prompts else None,
        resources=resources
        and types.ResourcesCapability(subscribe=resources.subscribe, list_changed=True),
        completions=own.completions,
        logging=own.logging,
    )
