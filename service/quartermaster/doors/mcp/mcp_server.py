"""The MCP server for every door and both protocol eras."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final, cast

import mcp_types as types
from mcp import MCPError

from quartermaster import __version__
from quartermaster.calls.arguments import find_problems
from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.pages import READ_RESULT, READ_RESULT_SCHEMA
from quartermaster.calls.relay.reads import Reads
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.relay.watches import Watches
from quartermaster.calls.replies import failure_reply, invalid_arguments_reply
from quartermaster.calls.sessions import Context, Sessions
from quartermaster.calls.tool_calls import Calls, Reply
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.announcer import Announcer
from quartermaster.doors.mcp.bridge_tools import (
    CALL_TOOL,
    DESCRIBE_TOOL,
    INSTRUCTIONS,
    SEARCH_TOOLS,
    bridge_schema,
    kind_tools,
    own_tools,
)
from quartermaster.doors.mcp.discovery import Discovery
from quartermaster.doors.mcp.handlers import RelayHandlers, protocol_error
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service

# Names that clients of release 0.1 and of smartmcp send.
_RENAMED: Final = {"query": "goal", "top_k": "limit"}


class McpFront:
    """One MCP server over one service, which any number of transports can use.

    Args:
        service: service to expose.
        toolset: toolset that is served on stdio; None serves everything that the principal may see.

    Attributes:
        server: SDK server, which can run on any transport.
        sessions: sessions of handshake clients.
        announcer: what tells clients of changes; its `catalog_changed` must be called after each.
    """

    def __init__(self, service: Service, toolset: str | None = None) -> None:
        self._service = service
        self._discovery = Discovery(service)
        self._relay = Relay(service.upstreams)
        self._calls = Calls(service.calls, self._relay, service.guard, service.built_in)
        self.sessions = Sessions(service.database)
        callers = Callers(service.database, self.sessions, toolset, service.local)
        self.announcer = Announcer(
            service.database, None, self.sessions, self._discovery.list_changed
        )
        reads = Reads(service.calls, self._relay, service.guard)
        watches = Watches(service.upstreams, reads.log)
        handlers = RelayHandlers(callers, reads, self.announcer, watches, service.outage)
        self.server = GatewayServer(
            "quartermaster",
            version=__version__,
            title="Quartermaster",
            instructions=INSTRUCTIONS,
            lifespan=handlers.lifespan,
            cache_hints=CACHE_HINTS,
            # Without this argument, the SDK would build our complete list of tools before each
            # call.
            get_tool_input_schema=bridge_schema,
            on_list_tools=callers.handler(self._list_tools, protocol_error, "list_failed"),
            on_call_tool=callers.handler(
                self._call_tool, self._call_refusal, "tool_failed", is_call=_is_call
            ),
        )
        handlers.add_to(self.server)

    async def _list_tools(self, caller: Caller, _params: object) -> types.ListToolsResult:
        return await self._discovery.list_tools(caller)

    async def _call_tool(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        return self._service.outage.marked(await self._dispatch(caller, params))

    def _call_refusal(self, failed: QmError, _context: Context, request_id: str) -> Reply:
        return self._service.outage.marked(failure_reply(failed, request_id))

    async def _dispatch(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        arguments = _under_present_names(params)
        schema = READ_RESULT_SCHEMA if params.name == READ_RESULT else bridge_schema(params.name)
        if schema is None:
            return await self._call_directly(caller, params.name, arguments)
        if params.name == CALL_TOOL:
            arguments = _with_parsed_arguments(arguments)
            if arguments.get("name") == READ_RESULT:
                asked = {"name": READ_RESULT, "arguments": arguments.get("arguments")}
                return await self._dispatch(
                    caller, types.CallToolRequestParams.model_validate(asked)
                )
        if problems := find_problems(schema, arguments, known_as=params.name):
            return invalid_arguments_reply(params.name, schema, problems, caller.request_id)
        if of_kind := kind_tools().get(params.name):
            return await of_kind.answer(self._service, caller, arguments)
        if params.name == CALL_TOOL:
            given: dict[str, Any] = arguments.get("arguments") or {}
            name, receipt = arguments["name"], arguments.get("receipt")
            return await self._calls.call(caller, name, given, receipt, by_bridge=True)
        answers = {
            SEARCH_TOOLS: self._discovery.search,
            DESCRIBE_TOOL: self._discovery.describe,
            READ_RESULT: self._calls.pages.read,
        }
        return await answers[params.name](caller, arguments)

    async def _call_directly(
        self, caller: Caller, name: str, arguments: Mapping[str, Any]
    ) -> Reply:
        """Calls a tool by its own name after a search has found it, as session clients do."""
        receipt = caller.session.receipts.get(name) if caller.session else None
        try:
            return await self._calls.call(caller, name, arguments, receipt, by_bridge=False)
        except QmError as error:
            if error.slug != "tool_not_found":
                raise
            known = ", ".join(tool.name for tool in own_tools())
            message = f"Unknown tool: {name[:200]}. Use {known} or a tool that a search found."
            raise MCPError(
                types.INVALID_PARAMS, message, error.as_dict(caller.request_id)
            ) from None


def _is_call(params: types.CallToolRequestParams) -> bool:
    return params.name not in {SEARCH_TOOLS, DESCRIBE_TOOL}


def _under_present_names(params: types.CallToolRequestParams) -> dict[str, Any]:
    """Returns the arguments. Old names of search arguments are replaced by their current names,
    unless the current names are also given.
    """
    given = params.arguments or {}
    if params.name != SEARCH_TOOLS:
        return given
    return {
        name if (now := _RENAMED.get(name, name)) in given else now: value
        for name, value in given.items()
    }


def _with_parsed_arguments(arguments: dict[str, Any]) -> dict[str, Any]:
    """Parses objects that a model wrote as JSON text inside an object."""
    inner = arguments.get("arguments")
    if not isinstance(inner, str):
        return arguments
    try:
        parsed: object = json.loads(inner)
    except ValueError:
        return arguments
    return {**arguments, "arguments": cast("dict[str, Any]", parsed)}
