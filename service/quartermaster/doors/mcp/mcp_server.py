"""The MCP server for every door and both protocol eras."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types
from mcp import MCPError

from quartermaster import __version__
from quartermaster.calls.argument_repair import REPAIRED_KEY, repaired_arguments
from quartermaster.calls.arguments import find_problems
from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.pages import READ_RESULT, READ_RESULT_SCHEMA
from quartermaster.calls.relay.reads import Reads
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.relay.watches import Watches
from quartermaster.calls.replies import (
    Reply,
    agreeing,
    failure_reply,
    invalid_arguments_reply,
    noted,
)
from quartermaster.calls.sessions import Context, HandshakeSession, Sessions
from quartermaster.calls.tool_calls import ToolCallRelay
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.announcer import Announcer
from quartermaster.doors.mcp.bridge_tools import (
    CALL_TOOL,
    DESCRIBE_TOOL,
    SEARCH_TOOLS,
    bridge_schema,
    kind_tools,
    own_tools,
)
from quartermaster.doors.mcp.discovery import Discovery
from quartermaster.doors.mcp.handlers import RelayHandlers, protocol_error
from quartermaster.doors.mcp.instructions import Introduction
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service

# Names that clients of release 0.1 and of smartmcp send.
_RENAMED_ARGUMENTS: Final = {"query": "goal", "top_k": "limit"}
# What clients send for an argument of our own tools that they leave out.
_EMPTY_VALUES: Final[tuple[object, ...]] = (None, "", 0, [], {})


class McpFront:
    """One MCP server over one service, which any number of transports can use.

    Args:
        service: service to expose.
        toolset: toolset that is served on stdio; None serves everything that the principal may see.
        lists_all: whether the client on stdio gets a list of all tools.

    Attributes:
        server: SDK server, which can run on any transport.
        sessions: sessions of handshake clients.
        announcer: object that tells clients of changes; its `catalog_changed` must be called after
            each change.
    """

    def __init__(
        self, service: Service, toolset: str | None = None, *, lists_all: bool = False
    ) -> None:
        self._service = service
        self._discovery = Discovery(service)
        self._relay = Relay(service.upstreams)
        self._calls = ToolCallRelay(service.calls, self._relay, service.guard, service.built_in)
        self.sessions = Sessions(service.database)
        callers = Callers(service.database, self.sessions, toolset, service.local, lists_all)
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
        self.server.middleware.append(Introduction(callers, service.database))

    async def _list_tools(self, caller: Caller, _params: object) -> types.ListToolsResult:
        return await self._discovery.list_tools(caller)

    async def _call_tool(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        reply = await self._dispatch(caller, params)
        return self._report(reply, params.name, caller.session)

    def _call_refusal(self, failed: QmError, context: Context, request_id: str) -> Reply:
        name = str((context.params or {}).get("name"))
        return self._report(failure_reply(failed, request_id), name, self.sessions.of(context))

    def _report(self, reply: Reply, name: str, session: HandshakeSession | None) -> Reply:
        """Returns the reply for the client. If the client knows the tool's output schema, the reply
        is changed so that it satisfies the schema, or becomes an error.
        """
        if of_kind := kind_tools().get(name):
            schema = of_kind.definition.output_schema
        else:
            schema = session.output_schemas.get(name) if session else None
        return self._service.outage.marked(agreeing(reply, schema))

    async def _dispatch(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        arguments = _under_present_names(params)
        schema = READ_RESULT_SCHEMA if params.name == READ_RESULT else bridge_schema(params.name)
        if schema is None:
            return await self._call_directly(caller, params.name, arguments)
        repairs: list[dict[str, Any]] = []
        problems = find_problems(schema, arguments, known_as=params.name)
        if problems:
            arguments, repairs = repaired_arguments(
                schema, arguments, known_as=params.name, empty=_EMPTY_VALUES
            )
            problems = find_problems(schema, arguments, known_as=params.name)
        if params.name == CALL_TOOL and arguments.get("name") == READ_RESULT:
            asked = {"name": READ_RESULT, "arguments": arguments.get("arguments")}
            return await self._dispatch(caller, types.CallToolRequestParams.model_validate(asked))
        if problems:
            return invalid_arguments_reply(params.name, schema, problems, caller.request_id)
        reply = await self._answer(caller, params.name, arguments)
        if params.name == CALL_TOOL:
            # Those of the tool that was called stand below its arguments.
            inner: list[dict[str, Any]] = (reply.meta or {}).get(REPAIRED_KEY, [])
            repairs += [one | {"pointer": f"/arguments{one['pointer']}"} for one in inner]
        return noted(reply, REPAIRED_KEY, repairs)

    async def _answer(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Answers a call of one of our own tools. The arguments must match its schema."""
        if of_kind := kind_tools().get(name):
            return await of_kind.answer(self._service, caller, arguments)
        if name == CALL_TOOL:
            given: dict[str, Any] = arguments.get("arguments") or {}
            receipt = arguments.get("receipt")
            return await self._calls.call(caller, arguments["name"], given, receipt, by_bridge=True)
        answers = {
            SEARCH_TOOLS: self._discovery.search,
            DESCRIBE_TOOL: self._discovery.describe,
            READ_RESULT: self._calls.pages.read,
        }
        return await answers[name](caller, arguments)

    async def _call_directly(
        self, caller: Caller, name: str, arguments: Mapping[str, Any]
    ) -> Reply:
        """Calls a tool by its own name, without call_tool. Session clients do this after a search
        has found the tool.
        """
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
    """Returns the arguments with current names. An old name of a search argument is replaced,
    unless the argument is also given under its current name.
    """
    given = params.arguments or {}
    if params.name != SEARCH_TOOLS:
        return given
    return {
        name if (now := _RENAMED_ARGUMENTS.get(name, name)) in given else now: value
        for name, value in given.items()
    }
