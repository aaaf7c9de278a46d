"""Tells clients that tools changed: those whose view did, and nobody else."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import anyio
import mcp_types as types
from mcp.server.subscriptions import InMemorySubscriptionBus, ListenHandler, ToolsListChanged

from quartermaster.db import Principal
from quartermaster.front.sessions import Context, Session, Sessions
from quartermaster.logs import get_logger


class Announcer:
    """Carries changes of the catalog to session clients and to stateless ones that listen.

    Args:
        sessions: whom to tell.
        list_changed: whether a session's list differs from what its client was told.
    """

    def __init__(
        self, sessions: Sessions, list_changed: Callable[[Session], Awaitable[bool]]
    ) -> None:
        self._sessions = sessions
        self._list_changed = list_changed
        self._changed = anyio.Event()
        # One bus a principal and toolset: what one may see is no news to another.
        self._buses: dict[Principal, InMemorySubscriptionBus] = {}
        self._handlers: dict[Principal, ListenHandler] = {}

    def catalog_changed(self) -> None:
        """Never blocks; changes that come close together are told once."""
        self._changed.set()

    async def run(self) -> None:
        """Tells of changes until cancelled."""
        while True:
            await self._changed.wait()
            self._changed = anyio.Event()
            for bus in list(self._buses.values()):
                await bus.publish(ToolsListChanged())
            for session in self._sessions.live():
                await self._tell(session)

    async def listen(
        self,
        principal: Principal,
        context: Context,
        params: types.SubscriptionsListenRequestParams,
    ) -> types.SubscriptionsListenResult:
        """Serves one ``subscriptions/listen`` stream of a principal until it ends."""
        if principal not in self._buses:
            bus = self._buses[principal] = InMemorySubscriptionBus()
            self._handlers[principal] = ListenHandler(bus)
        return await self._handlers[principal](context, params)

    async def _tell(self, session: Session) -> None:
        try:
            if await self._list_changed(session):
                await session.peer.send_notification(types.ToolListChangedNotification())
        except Exception:  # noqa: BLE001 - one session's trouble must not silence the others
            get_logger().exception("change_not_announced", session=session.id)
