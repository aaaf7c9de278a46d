"""Receives notifications from an upstream about changed lists and updated resources."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

import anyio
import mcp_types as types
from mcp import Client, MCPError
from mcp.client.session import IncomingMessage
from mcp.client.subscriptions import Subscription, SubscriptionLost
from mcp.shared.subscriptions import ResourceUpdated

from quartermaster.core.logs import get_logger
from quartermaster.upstream.request import send_raw

_FIRST_DELAY_S: Final = 1.0
_LAST_DELAY_S: Final = 60.0
_LISTS: Final = (
    types.ToolListChangedNotification,
    types.ResourceListChangedNotification,
    types.PromptListChangedNotification,
)


@dataclass(eq=False)
class UpstreamNotifications:
    """Receives one upstream's notifications.

    Attributes:
        list_changed: function that is called when the upstream's offer has changed.
        resource_updated: function that is called with the URI of a watched resource that was
            updated.
        watched: URIs of watched resources.
        others_watched: event that must be set after `watched` was changed.
    """

    list_changed: Callable[[], None]
    resource_updated: Callable[[str], None]
    watched: set[str]
    others_watched: anyio.Event = field(default_factory=anyio.Event)

    async def hear(self, message: IncomingMessage) -> None:
        """Handles a message from an upstream that uses a revision with handshake."""
        if isinstance(message, _LISTS):
            self.list_changed()
        elif isinstance(message, types.ResourceUpdatedNotification):
            self.resource_updated(str(message.params.uri))


async def watch_again(client: Client, origin: str, notifications: UpstreamNotifications) -> None:
    """Subscribes again to the watched resources of a handshake upstream, because a new connection
    has no subscriptions.
    """
    for uri in sorted(notifications.watched):
        try:
            await send_raw(client.session, "resources/subscribe", {"uri": uri})
        except MCPError as error:
            get_logger().warning("upstream_watch_lost", origin=origin, error=str(error))


async def listen_for_changes(
    client: Client, origin: str, notifications: UpstreamNotifications
) -> None:
    """Listens to a stateless upstream until cancelled. Returns earlier only if the upstream sends
    no notifications.

    An interrupted stream is opened again. The interruption is treated as a change, because a
    notification may have been missed.
    """
    changing = any(_changing(client).values())
    resources = client.server_capabilities.resources
    if not changing and not (resources and resources.subscribe):
        return
    delay_s = _FIRST_DELAY_S
    is_first = True
    while True:
        notifications.others_watched = anyio.Event()
        try:
            if changing or notifications.watched:
                await _listen(client, notifications, is_first=is_first)
                is_first, delay_s = True, _FIRST_DELAY_S
            else:
                await notifications.others_watched.wait()
            continue
        except (MCPError, SubscriptionLost) as error:
            if isinstance(error, MCPError) and error.code == types.METHOD_NOT_FOUND:
                return
            get_logger().info("upstream_listen_ended", origin=origin, error=str(error))
        is_first = False
        await anyio.sleep(delay_s)
        delay_s = min(2 * delay_s, _LAST_DELAY_S)


def _changing(client: Client) -> dict[str, bool]:
    """Returns the filters for a stream: for each list of the upstream, whether the upstream
    announces changes to it.
    """
    its = client.server_capabilities
    offers = {"tools": its.tools, "resources": its.resources, "prompts": its.prompts}
    return {f"{kind}_list_changed": bool(of and of.list_changed) for kind, of in offers.items()}


async def _listen(client: Client, notifications: UpstreamNotifications, *, is_first: bool) -> None:
    """Listens on one stream until the set of watched resources changes.

    Raises:
        SubscriptionLost: the stream ended.
        MCPError: the stream could not be opened.
    """
    filters = _changing(client)
    async with client.listen(
        resource_subscriptions=sorted(notifications.watched), **filters
    ) as stream:
        if not is_first:
            notifications.list_changed()
        broken: SubscriptionLost | None = None
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(_cancel_after, notifications.others_watched, tasks.cancel_scope)
            broken = await _receive_all(stream, notifications)
            tasks.cancel_scope.cancel()
    if broken is not None:
        raise broken


async def _receive_all(
    stream: Subscription, notifications: UpstreamNotifications
) -> SubscriptionLost:
    try:
        async for event in stream:
            if isinstance(event, ResourceUpdated):
                notifications.resource_updated(event.uri)
            else:
                notifications.list_changed()
    except SubscriptionLost as error:
        return error
    return SubscriptionLost("the upstream ended the stream")


async def _cancel_after(event: anyio.Event, scope: anyio.CancelScope) -> None:
    await event.wait()
    scope.cancel()
