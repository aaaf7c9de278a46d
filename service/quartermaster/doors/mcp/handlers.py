"""Handles all relayed protocol methods of our MCP servers except the methods for tools."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, cast

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server import Server
from mcp.server.subscriptions import ListenHandler, ResourceUpdated
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster.calls.caller import Caller, Callers
from quartermaster.calls.relay.parking import Parking
from quartermaster.calls.relay.reads import JsonObject, Reads
from quartermaster.calls.relay.watches import ResourceSubscription, Watches
from quartermaster.calls.sessions import Context
from quartermaster.core.errors import QmError
from quartermaster.doors.mcp.announcer import Announcer
from quartermaster.outage.outage import OUTAGE_KEY, Outage

# Handshake revisions have a separate error code for a missing resource.
_RESOURCE_NOT_FOUND: Final = -32002


@dataclass(frozen=True)
class RelayHandlers:
    """Handles resources, prompts, completion, logging and subscriptions.

    Attributes:
        callers: object that finds the sender of a request.
        reads: object that relays reads to upstreams.
        announcer: object that announces changes to clients.
        watches: object that sends resource updates to the clients that watch them.
        outage: state of a database outage, which replies mention.
    """

    callers: Callers
    reads: Reads
    announcer: Announcer
    watches: Watches
    outage: Outage

    @asynccontextmanager
    async def lifespan(self, _server: Server[Parking]) -> AsyncGenerator[Parking]:
        """Announces changes to clients and keeps parked requests for as long as the server runs."""
        async with Parking.open() as parking, anyio.create_task_group() as tasks:
            tasks.start_soon(self.announcer.run)
            tasks.start_soon(self.watches.run)
            try:
                yield parking
            finally:
                tasks.cancel_scope.cancel()

    def add_to(self, server: Server[Any]) -> None:
        """Registers all handlers."""
        page = types.PaginatedRequestParams
        for method, params, answer in (
            ("resources/list", page, self._list("resource", "resources")),
            ("resources/templates/list", page, self._list("resource_template", "resources")),
            ("prompts/list", page, self._list("prompt", "prompts")),
            ("resources/read", types.ReadResourceRequestParams, self._read),
            ("prompts/get", types.GetPromptRequestParams, self._get_prompt),
            ("completion/complete", types.CompleteRequestParams, self._complete),
            ("resources/subscribe", types.SubscribeRequestParams, self._subscribe),
            ("resources/unsubscribe", types.UnsubscribeRequestParams, self._unsubscribe),
            ("logging/setLevel", types.SetLevelRequestParams, self._set_level),
            ("subscriptions/listen", types.SubscriptionsListenRequestParams, self._listen),
        ):
            server.add_request_handler(method, params, self.handler(answer))

    def handler(
        self, answer: Callable[[Caller, Any], Awaitable[Any]]
    ) -> Callable[[Context, Any], Awaitable[Any]]:
        """Creates a handler for the SDK. The handler finds the caller and converts errors.

        Args:
            answer: function that handles a request, given its caller and parameters.
        """

        async def answer_whole(caller: Caller, params: Any) -> Any:
            return self._whole(await answer(caller, params))

        return self.callers.handler(answer_whole, protocol_error, "relay_failed")

    def _list(self, kind: str, view: str) -> Callable[[Caller, Any], Awaitable[JsonObject]]:
        async def answer(caller: Caller, params: types.PaginatedRequestParams) -> JsonObject:
            await self.announcer.viewed(caller.session, view)
            return await self.reads.list(caller, kind, params.cursor)

        return answer

    async def _read(self, caller: Caller, params: types.ReadResourceRequestParams) -> JsonObject:
        return await self.reads.read(caller, params.uri)

    async def _get_prompt(self, caller: Caller, params: types.GetPromptRequestParams) -> JsonObject:
        return await self.reads.get_prompt(caller, params.name)

    async def _complete(self, caller: Caller, params: types.CompleteRequestParams) -> JsonObject:
        return await self.reads.complete(
            caller, params.ref.model_dump(by_alias=True, mode="json", exclude_none=True)
        )

    async def _set_level(
        self, caller: Caller, params: types.SetLevelRequestParams
    ) -> types.EmptyResult:
        if caller.session is not None:
            caller.session.log_level = params.level
        return types.EmptyResult()

    async def _subscribe(
        self, caller: Caller, params: types.SubscribeRequestParams
    ) -> types.EmptyResult:
        session = caller.session
        if session is not None and params.uri not in session.watches:

            async def tell(uri: str) -> None:
                update = types.ResourceUpdatedNotificationParams(uri=uri)
                await session.peer.send_notification(
                    types.ResourceUpdatedNotification(params=update)
                )

            watch = await self.watches.begin(caller, params.uri, tell)
            session.watches[params.uri] = lambda: self.watches.end(watch)
        return types.EmptyResult()

    async def _unsubscribe(
        self, caller: Caller, params: types.UnsubscribeRequestParams
    ) -> types.EmptyResult:
        if caller.session is not None:
            end = caller.session.watches.pop(params.uri, None)
            if end is not None:
                end()
        return types.EmptyResult()

    async def _listen(
        self, caller: Caller, params: types.SubscriptionsListenRequestParams
    ) -> types.SubscriptionsListenResult:
        async with self.announcer.stream(caller.principal) as bus, AsyncExitStack() as watching:

            async def tell(uri: str) -> None:
                await bus.publish(ResourceUpdated(uri))

            for uri in params.notifications.resource_subscriptions or ():
                watch: ResourceSubscription = await self.watches.begin(caller, str(uri), tell)
                watching.callback(self.watches.end, watch)
            return await ListenHandler(bus)(caller.context, params)

    def _whole(self, result: Any) -> Any:
        """Adds the members that the newest revision requires in each result, because older
        upstreams omit them.
        """
        if not isinstance(result, dict):
            return result
        whole: JsonObject = {"resultType": "complete", **cast("JsonObject", result)}
        if notice := self.outage.notice():
            whole["_meta"] = {**(whole.get("_meta") or {}), OUTAGE_KEY: notice}
        return whole


def protocol_error(error: QmError, context: Context, request_id: str) -> MCPError:
    """Returns the JSON-RPC error for a QmError."""
    code = types.INTERNAL_ERROR
    if error.status in {404, 409, 422}:
        code = types.INVALID_PARAMS
    is_stateless = context.protocol_version in MODERN_PROTOCOL_VERSIONS
    if context.method == "resources/read" and error.status == 404 and not is_stateless:
        code = _RESOURCE_NOT_FOUND
    return MCPError(code, str(error), error.as_dict(request_id))
