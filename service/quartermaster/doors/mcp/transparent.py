"""Serves one origin as if clients called the origin directly: nothing is renamed, searched or
added.

Rights, trust and the call log still apply: items that a caller may not use are not listed and
cannot be called.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, NoReturn

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp import MCPError
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp_types.version import MODERN_PROTOCOL_VERSIONS
from starlette.requests import Request
from starlette.types import Receive, Scope, Send

from quartermaster import api
from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.relay.reads import PAGE, JsonObject, Reads, decoded, encoded
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.relay.watches import Watches
from quartermaster.calls.replies import Reply, agreeing
from quartermaster.calls.sessions import Sessions
from quartermaster.calls.tool_calls import ToolCallRelay
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL
from quartermaster.db import Principal, Row
from quartermaster.doors.mcp.announcer import Announcer
from quartermaster.doors.mcp.definitions import listed_definition
from quartermaster.doors.mcp.handlers import RelayHandlers
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.doors.wire.session_limit import SessionLimit
from quartermaster.identity.authenticated import sender_of
from quartermaster.service import Service
from quartermaster.upstream.spec import OriginSpec

_ADMITTED_S: Final = 5.0


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
    """Requests the capabilities of an upstream.

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
        announcer: object that announces changes to clients.
    """

    def __init__(self, service: Service, origin: str, face: Face) -> None:
        self._database = service.database
        self._worker = service.worker
        self._origin = origin
        relay = Relay(service.upstreams)
        self._calls = ToolCallRelay(service.calls, relay, service.guard, service.built_in)
        sessions = Sessions(service.database)
        self.announcer = Announcer(service.database, origin, sessions)
        reads = Reads(service.calls, relay, service.guard, origin)
        watches = Watches(service.upstreams, reads.log)
        callers = Callers(service.database, sessions, name=service.local)
        handlers = RelayHandlers(callers, reads, self.announcer, watches, service.outage)
        # The names of all tools that were listed to any caller of this door. A name grants nothing,
        # because the right to call a tool is checked for each call.
        self._names: dict[str, str] = {}
        self._schemas: dict[str, Mapping[str, Any]] = {}
        self._output_schemas: dict[str, JsonObject | None] = {}
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
        """Updates the name, the description and the instructions that clients get, from the
        approved information about the origin.

        Raises:
            QmError: QM404 origin_not_found, QM503 database_unavailable.
        """
        asked = self._database.call_value(api.get_instructions(origin=self._origin), self._worker)
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
        listed = [tool for tool in tools if tool is not None]
        self._output_schemas |= {tool["name"]: tool.get("outputSchema") for tool in listed}
        page: JsonObject = {"tools": listed}
        if len(rows) > PAGE:
            page["nextCursor"] = encoded(rows[PAGE - 1]["name"])
        return page

    async def _call_tool(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        if params.name not in self._names:
            await self._rows(caller)
        callable_name = self._names.get(params.name)
        try:
            if callable_name is not None:
                given = params.arguments or {}
                reply = await self._calls.call_as_is(caller, callable_name, given)
                return agreeing(reply, self._output_schemas.get(params.name))
        except QmError as error:
            if error.slug != "tool_not_found":
                raise
        raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:200]}")

    async def _rows(self, caller: Caller) -> Sequence[Row]:
        listed = await self._database.call(
            api.list_items(kind=TOOL, of_origin=self._origin, maximum=None), caller.principal
        )
        for row in listed:
            self._names[row["name"]] = row["public_name"]
            self._schemas[row["name"]] = row["definition"]["input_schema"]
        rows: list[Row] = [row["definition"] for row in listed]
        return sorted(rows, key=lambda row: row["name"])


async def local_front(service: Service, origin: str) -> TransparentFront:
    """Creates the server of an origin, for clients on stdio.

    Args:
        service: service to expose.
        origin: name of the origin.

    Raises:
        QmError: QM404 origin_not_found, and the errors of Origins.spec and `face_of`.
    """
    local = await service.database.find_principal(service.local)
    origin_id = await service.database.call_value(api.find_origin(name=origin), local)
    spec = await service.upstreams.origins.spec(origin_id, local)
    front = TransparentFront(service, origin, await face_of(service, spec))
    await front.introduce()
    return front


def _declared(own: types.ServerCapabilities) -> types.ServerCapabilities:
    """Returns the relayed capabilities of an upstream. They always include notifications about list
    changes, because Quartermaster detects such changes itself.
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


@dataclass(eq=False)
class _Door:
    spec: OriginSpec
    front: TransparentFront
    manager: StreamableHTTPSessionManager
    open: anyio.Event = field(default_factory=anyio.Event)
    closed: anyio.Event = field(default_factory=anyio.Event)
    is_introduced: bool = False

    async def run(self) -> None:
        async with self.manager.run():
            self.open.set()
            await self.closed.wait()


class TransparentDoors:
    """The ASGI application behind the path of transparent origins; its method `run` must be running
    while the application serves requests.

    Args:
        service: service to expose.
        limit: limit for the sessions of one principal.
    """

    def __init__(self, service: Service, limit: SessionLimit) -> None:
        self._service = service
        self._limit = limit
        self._doors: dict[str, _Door] = {}
        self._opening = anyio.Lock()
        self._tasks: TaskGroup | None = None
        # The time until which a principal's access to the origin is cached; the rights to each item
        # are always checked.
        self._admitted: dict[tuple[Principal, str], tuple[int, float]] = {}

    def catalog_changed(self) -> None:
        """Makes the doors check access again, and read the approved information again. Must be
        called after tools were added, changed or removed; never blocks.
        """
        self._admitted.clear()
        for door in self._doors.values():
            door.is_introduced = False
            door.front.announcer.catalog_changed()

    async def run(self) -> NoReturn:
        """Keeps the doors open until cancelled."""
        async with anyio.create_task_group() as self._tasks:
            await anyio.sleep_forever()
        raise AssertionError("this point is never reached")

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Passes a request to the door of its origin. Raises QM404 origin_not_found, and the errors
        of Origins.spec and `face_of`.
        """
        request = Request(scope)
        door = await self._door(sender_of(request), request.path_params["origin"])
        await StreamableHTTPASGIApp(door.manager)(scope, receive, send)

    async def _door(self, principal: Principal, origin: str) -> _Door:
        origin_id = await self._admit(principal, origin)
        spec = await self._service.upstreams.origins.spec(origin_id, principal)
        door = self._doors.get(spec.name)
        if door is None or door.spec != spec:
            async with self._opening:
                door = self._doors.get(spec.name)
                if door is None or door.spec != spec:
                    door = await self._open(origin, spec, door)
        if not door.is_introduced:
            # The flag is set before the request, so that a change in the meantime causes another
            # request.
            door.is_introduced = True
            try:
                await door.front.introduce()
            except BaseException:
                door.is_introduced = False
                raise
        return door

    async def _admit(self, principal: Principal, origin: str) -> int:
        origin_id, until = self._admitted.get((principal, origin), (0, 0.0))
        if time.monotonic() < until:
            return origin_id
        origin_id = await self._service.database.call_value(api.find_origin(name=origin), principal)
        self._admitted[principal, origin] = (origin_id, time.monotonic() + _ADMITTED_S)
        return origin_id

    async def _open(self, origin: str, spec: OriginSpec, former: _Door | None) -> _Door:
        front = TransparentFront(self._service, origin, await face_of(self._service, spec))
        if former is not None:
            former.closed.set()
        options = self._service.settings.server
        door = _Door(spec, front, front.server.over_http(options, self._limit))
        assert self._tasks is not None
        self._tasks.start_soon(door.run)
        await door.open.wait()
        self._doors[spec.name] = door
        return door
