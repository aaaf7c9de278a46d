"""Tells clients that their lists have changed. A client whose own view of a list has not changed
gets no message.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.server.subscriptions import (
    InMemorySubscriptionBus,
    PromptsListChanged,
    ResourcesListChanged,
    ServerEvent,
    ToolsListChanged,
)

from quartermaster import api
from quartermaster.calls.sessions import HandshakeSession, Sessions
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal

Digests = dict[str, str]

_MOST_STREAMS: Final = 1_024
_EVENTS: Final[dict[str, ServerEvent]] = {
    "tools": ToolsListChanged(),
    "resources": ResourcesListChanged(),
    "prompts": PromptsListChanged(),
}
# A client requests resources and their templates together.
_LISTS: Final = {
    "tool": "tools",
    "resource": "resources",
    "resource_template": "resources",
    "prompt": "prompts",
}
_NOTIFICATIONS: Final[dict[str, type[Any]]] = {
    "tools": types.ToolListChangedNotification,
    "resources": types.ResourceListChangedNotification,
    "prompts": types.PromptListChangedNotification,
}


class Announcer:
    """Announces catalog changes to session clients, and to stateless clients that listen.

    Args:
        database: database that decides what each principal may see.
        origin: origin whose door the clients use; None for the door to the whole catalog.
        sessions: sessions of the clients to notify.
        tools_changed: function that returns whether a session's list of tools has changed since its
            client last got it; None if the list contains everything that the client may see.
    """

    def __init__(
        self,
        database: Database,
        origin: str | None,
        sessions: Sessions,
        tools_changed: Callable[[HandshakeSession], Awaitable[bool]] | None = None,
    ) -> None:
        self._database = database
        self._origin = origin
        self._sessions = sessions
        self._tools_changed = tools_changed
        self._changed = anyio.Event()
        # Principals and toolsets see different lists, so their views are stored separately.
        self._streams: dict[Principal, set[InMemorySubscriptionBus]] = {}
        self._views: dict[Principal, Digests] = {}

    def catalog_changed(self) -> None:
        """Announces a change; never blocks. Changes in quick succession are announced only once."""
        self._changed.set()

    async def viewed(self, session: HandshakeSession | None, kind: str) -> None:
        """Records the client's view of a list. Must be called before a session client gets the
        list. No record is needed for stateless clients, because they listen for changes.

        Args:
            session: session of the client.
            kind: kind of the list: tools, resources or prompts.
        """
        if session is not None:
            session.views[kind] = (await self._digests(session.principal))[kind]

    async def run(self) -> None:
        """Announces changes until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            for principal in list(self._streams):
                await self._guarded(self._publish, principal)
            for session in self._sessions.live():
                await self._guarded(self._tell, session)

    @asynccontextmanager
    async def stream(self, principal: Principal) -> AsyncGenerator[InMemorySubscriptionBus]:
        """Provides a bus on which changes are published for one ``subscriptions/listen`` stream.

        Raises:
            MCPError: INTERNAL_ERROR if the principal has too many streams.
        """
        if principal not in self._streams:
            self._views[principal] = await self._digests(principal)
        streams = self._streams.setdefault(principal, set())
        if len(streams) >= _MOST_STREAMS:
            raise MCPError(
                types.INTERNAL_ERROR, f"This principal already has {_MOST_STREAMS} open streams."
            )
        bus = InMemorySubscriptionBus()
        streams.add(bus)
        try:
            yield bus
        finally:
            streams.discard(bus)
            if not streams:
                self._streams.pop(principal, None)

    async def _publish(self, principal: Principal) -> None:
        before, now = self._views[principal], await self._digests(principal)
        self._views[principal] = now
        for kind, event in _EVENTS.items():
            if before[kind] == now[kind]:
                continue
            for bus in list(self._streams.get(principal, ())):
                await bus.publish(event)

    async def _tell(self, session: HandshakeSession) -> None:
        changed: list[str] = []
        if self._tools_changed is not None and await self._tools_changed(session):
            changed.append("tools")
        if session.views:
            now = await self._digests(session.principal)
            notifications = {
                kind: now[kind] for kind, seen in session.views.items() if now[kind] != seen
            }
            session.views |= notifications
            changed += notifications
        for kind in changed:
            await session.peer.send_notification(_NOTIFICATIONS[kind]())

    async def _digests(self, principal: Principal) -> Digests:
        asked = partial(self._database.call, api.view_digests(of_origin=self._origin), principal)
        digests = dict.fromkeys(_EVENTS, "")
        # Without the database, nothing is known, so its first answer announces every list.
        for row in await self._database.if_available(asked) or []:
            if row["kind"] in _LISTS:
                digests[_LISTS[row["kind"]]] += row["digest"] or ""
        return digests

    async def _guarded(self, tell: Callable[[Any], Awaitable[None]], whom: object) -> None:
        try:
            await tell(whom)
        except Exception:  # noqa: BLE001 - one's trouble must not silence the others
            get_logger().exception("change_not_announced")
