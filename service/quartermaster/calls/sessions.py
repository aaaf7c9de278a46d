"""Sessions of handshake clients (protocol revisions up to 2025-11-25).

The database stores which tools a session was given. A session here is the open connection and the
tool list that its client fetched last. Stateless clients (2026-07-28) have no session.

This is the only module that uses the SDK's connection object, which is private. Therefore the SDK's
minor version is pinned.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import mcp_types as types
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal

Context = ServerRequestContext[Any, Any]

_STATE_KEY: Final = "quartermaster.session"


@dataclass(eq=False)
class HandshakeSession:
    """One connected handshake client.

    Attributes:
        id: key of the session's exposed tools in the database; not the transport's session id,
            which works like a password.
        principal: owner of the session; the transport refuses all other principals.
        peer: connection for messages to the client outside a request.
        listed: digests, by name, of the exposed tools in the list that the client fetched last.
        output_schemas: the output schemas in that list, by name of the tool.
        receipts: the receipt of the last search that found a tool, by the name of the tool.
        log_level: lowest level of log messages that the client wants; None if the client set no
            level.
        views: for each kind of list, the digest of the list that the client fetched last.
        watches: functions that end the subscriptions to resources, by URI.
        lists_all: whether the list that the client fetched last was one of all tools.
    """

    id: str
    principal: Principal
    peer: ServerSession
    listed: dict[str, str] = field(default_factory=dict[str, str])
    output_schemas: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    receipts: dict[str, int] = field(default_factory=dict[str, int])
    log_level: types.LoggingLevel | None = None
    views: dict[str, str] = field(default_factory=dict[str, str])
    watches: dict[str, Callable[[], None]] = field(default_factory=dict[str, "Callable[[], None]"])
    lists_all: bool = False

    def remember_list(self, tools: Mapping[str, Mapping[str, Any]]) -> bool:
        """Stores the tools in the client's list; returns whether they have changed.

        Args:
            tools: definition of each exposed tool, by name.
        """
        heard = {
            name: sha256(repr(definition).encode("utf-8", "backslashreplace")).hexdigest()
            for name, definition in tools.items()
        }
        is_new = heard != self.listed
        self.listed = heard
        self.output_schemas = {
            name: tool["outputSchema"] for name, tool in tools.items() if "outputSchema" in tool
        }
        return is_new


class Sessions:
    """All sessions in this process.

    Args:
        database: the database, in which the end of each session is recorded.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._live: dict[str, HandshakeSession] = {}

    def __len__(self) -> int:
        return len(self._live)

    def live(self) -> list[HandshakeSession]:
        """Returns every open session, oldest first."""
        return list(self._live.values())

    def find(self, context: Context, principal: Principal) -> HandshakeSession | None:
        """Finds the session of a request, or begins a session with the client's first request.
        Returns None if the client is stateless.
        """
        if is_stateless(context):
            return None
        connection = context.session._connection  # pyright: ignore[reportPrivateUsage]
        known = connection.state.get(_STATE_KEY)
        if isinstance(known, HandshakeSession):
            return known
        session = HandshakeSession(uuid4().hex, principal, context.session)
        connection.state[_STATE_KEY] = session
        self._live[session.id] = session
        connection.exit_stack.push_async_callback(self._end, session)
        return session

    def of(self, context: Context) -> HandshakeSession | None:
        """Returns the session of a request; None if it has not begun."""
        known = context.session._connection.state.get(_STATE_KEY)  # pyright: ignore[reportPrivateUsage]
        return known if isinstance(known, HandshakeSession) else None

    async def _end(self, session: HandshakeSession) -> None:
        del self._live[session.id]
        for end_watch in session.watches.values():
            end_watch()
        try:
            await self._database.if_available(
                partial(self._database.call, api.end_session(session=session.id), session.principal)
            )
        except QmError as error:
            get_logger().warning("session_not_ended", session=session.id, error=str(error))


def is_stateless(context: Context) -> bool:
    """Tells whether the client uses a protocol revision without sessions."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS
