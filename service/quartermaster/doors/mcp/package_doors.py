"""The doors of packages, and one of our own: MCP servers whose tools run in this process."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Final

import mcp_types as types
from mcp import MCPError

from quartermaster import __version__, api
from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.relay.parking import Parking
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.replies import Reply, agreeing, failure_reply
from quartermaster.calls.sessions import Context
from quartermaster.calls.tool_calls import ToolCallRelay
from quartermaster.catalog.tool_definition import stored_form
from quartermaster.core.errors import QmError
from quartermaster.core.kind_packages import KindDoor, KindResource, doors
from quartermaster.core.kinds import TOOL
from quartermaster.core.logs import get_logger
from quartermaster.doors.mcp import phrase_tools
from quartermaster.doors.mcp.handlers import protocol_error
from quartermaster.doors.wire.gateway_server import CACHE_HINTS, GatewayServer
from quartermaster.service import Service

_MAX_DEFINITION_BYTES: Final = 200_000


def served_doors(service: Service) -> list[KindDoor]:
    """Returns the doors that the settings of the service ask for."""
    own = [phrase_tools.DOOR] if service.settings.ingest.agents_propose_phrases else []
    return [*own, *doors()]


async def place_doors(service: Service) -> None:
    """Stores the tools of all doors in the catalog, and lets calls reach the tools in this process.
    The tools of a door that the settings no longer ask for are removed.

    A door whose name is taken by another origin is left out; the log says so.
    """
    served = served_doors(service)
    closed = [] if phrase_tools.DOOR in served else [replace(phrase_tools.DOOR, tools=())]
    for door in (*served, *closed):
        tools = [
            stored_form(
                tool.definition.model_dump(by_alias=True, exclude_none=True), _MAX_DEFINITION_BYTES
            )
            for tool in door.tools
        ]
        try:
            origin_id = await service.database.call_value(
                api.put_door(name=door.name, description=door.description, tools=tools),
                service.worker,
            )
        except QmError as error:
            get_logger().warning("door_not_placed", door=door.name, error=str(error))
            continue
        if origin_id is None:
            continue
        answers = {t.definition.name: partial(t.answer, service) for t in door.tools}
        service.built_in.place(origin_id, answers)


class DoorFront:
    """The MCP server of one door. Rules decide which of its tools a caller sees and may call.

    Args:
        service: service to expose.
        door: the door.

    Attributes:
        server: SDK server, which can run on any transport.
    """

    def __init__(self, service: Service, door: KindDoor) -> None:
        self._service = service
        self._door = door
        # The callable names of its tools, by their names here: the same for everybody.
        self._public_names: dict[str, str] = {}
        callers = Callers(service.database, None, name=service.local)
        self._calls = ToolCallRelay(
            service.calls, Relay(service.upstreams), service.guard, service.built_in
        )
        schemas = {tool.definition.name: tool.definition.input_schema for tool in door.tools}
        self._output_schemas = {t.definition.name: t.definition.output_schema for t in door.tools}
        self.server = GatewayServer(
            f"quartermaster.{door.name}",
            version=__version__,
            title=door.title,
            instructions=door.instructions,
            lifespan=lambda _server: Parking.open(),
            cache_hints=CACHE_HINTS,
            get_tool_input_schema=schemas.get,
        )
        self.server.capabilities = lambda _version: types.ServerCapabilities(
            tools=types.ToolsCapability(list_changed=False),
            prompts=types.PromptsCapability(list_changed=False) if door.prompts else None,
            resources=types.ResourcesCapability(subscribe=False, list_changed=False)
            if door.resources
            else None,
        )
        page = types.PaginatedRequestParams
        for method, params, answer in (
            ("tools/list", page, self._list_tools),
            ("tools/call", types.CallToolRequestParams, self._call_tool),
            ("prompts/list", page, self._list_prompts),
            ("prompts/get", types.GetPromptRequestParams, self._get_prompt),
            ("resources/list", page, self._list_resources),
            ("resources/templates/list", page, self._list_templates),
            ("resources/read", types.ReadResourceRequestParams, self._read),
        ):
            handler = callers.handler(answer, self._refusal, "door_failed")
            self.server.add_request_handler(method, params, handler)

    async def _names(self, caller: Caller) -> dict[str, str]:
        """Returns the callable names of the tools that the caller may use, by the names of the
        tools at this door.
        """
        rows = await self._service.database.call(
            api.list_items(kind=TOOL, of_origin=self._door.name, maximum=None), caller.principal
        )
        names = {row["name"]: row["public_name"] for row in rows}
        self._public_names |= names
        return names

    async def _list_tools(
        self, caller: Caller, _params: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        allowed = await self._names(caller)
        tools = [tool.definition for tool in self._door.tools if tool.definition.name in allowed]
        return types.ListToolsResult(tools=tools)

    async def _call_tool(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        reply = await self._called(caller, params)
        return agreeing(reply, self._output_schemas.get(params.name))

    async def _called(self, caller: Caller, params: types.CallToolRequestParams) -> Reply:
        async def call(name: str) -> Reply:
            arguments = params.arguments or {}
            return await self._calls.call(caller, name, arguments, None, by_bridge=False)

        # Every call asks for the rights of its caller, so a known name is not looked up again.
        if (known := self._public_names.get(params.name)) is not None:
            try:
                return await call(known)
            except QmError as error:
                if error.slug != "tool_not_found":
                    raise
        if (name := (await self._names(caller)).get(params.name)) is None:
            raise MCPError(types.INVALID_PARAMS, f"Unknown tool: {params.name[:200]}")
        return await call(name)

    async def _list_prompts(self, _caller: Caller, _params: object) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[prompt.definition for prompt in self._door.prompts])

    async def _get_prompt(
        self, _caller: Caller, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        for prompt in self._door.prompts:
            if prompt.definition.name == params.name:
                content = types.TextContent(type="text", text=prompt.text)
                message = types.PromptMessage(role="user", content=content)
                return types.GetPromptResult(
                    description=prompt.definition.description, messages=[message]
                )
        raise MCPError(types.INVALID_PARAMS, f"Unknown prompt: {params.name[:200]}")

    async def _list_resources(self, _caller: Caller, _params: object) -> types.ListResourcesResult:
        found = [r.definition for r in self._door.resources]
        return types.ListResourcesResult(
            resources=[one for one in found if isinstance(one, types.Resource)]
        )

    async def _list_templates(
        self, _caller: Caller, _params: object
    ) -> types.ListResourceTemplatesResult:
        found = [r.definition for r in self._door.resources]
        return types.ListResourceTemplatesResult(
            resource_templates=[one for one in found if isinstance(one, types.ResourceTemplate)]
        )

    async def _read(
        self, caller: Caller, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        resource: KindResource
        for resource in self._door.resources:
            text = await resource.read(self._service, caller, params.uri)
            if text is not None:
                held = types.TextResourceContents(
                    uri=params.uri, mime_type=resource.definition.mime_type, text=text
                )
                return types.ReadResourceResult(contents=[held])
        raise QmError(
            404,
            "resource_not_found",
            f"There is no resource {params.uri[:200]!r}.",
            "List the resources.",
        )

    def _refusal(self, failed: QmError, context: Context, request_id: str) -> Reply | MCPError:
        if context.method != "tools/call":
            return protocol_error(failed, context, request_id)
        name = str((context.params or {}).get("name"))
        return agreeing(failure_reply(failed, request_id), self._output_schemas.get(name))
