"""Sessions of handshake clients (protocol revisions up to 2025-11-25).

Which tools a session was given is in the database; a session here is the open connection, and
what its client last heard of its list. Stateless clients (2026-07-28) have none.

The only module that reaches for the SDK's connection object, which is private; hence the pin on
its minor version.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Final
from uuid import uuid4

import mcp_types as types
from mcp.server.connection import Connection
from mcp.server.context import ServerRequestContext
from mcp.server.session import ServerSession
from mcp_types.version import MODERN_PROTOCOL_VERSIONS

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal

Context = ServerRequestContext[Any, Any]

_STATE_KEY: Final = "quartermaster.session"


@dataclass(eq=False)
class Session:
    """One connected handshake client.

    Attributes:
        id: key of its exposed tools in the database; not the transport's session id, which is as
            good as a password.
        principal: whose it is; the transport lets nobody else use it.
        peer: how to reach the client outside a request.
        listed: name to digest of each exposed tool in the list the client last fetched.
        receipts: name of each tool found, to the receipt of the search that found it last.
        log_level: from which level on the client wants log messages; None: it did not say.
        views: digest of each kind of list that the client has fetched, as of then.
        watches: how to end the watch of each resource that the client subscribed to.
    """

    id: str
    principal: Principal
    peer: ServerSession
    listed: dict[str, str] = field(default_factory=dict[str, str])
    receipts: dict[str, int] = field(default_factory=dict[str, int])
    log_level: types.LoggingLevel | None = None
    views: dict[str, str] = field(default_factory=dict[str, str])
    watches: dict[str, Callable[[], None]] = field(default_factory=dict[str, "Callable[[], None]"])

    def remember_list(self, tools: Mapping[str, object]) -> bool:
        """Stores the tools of the client's list; returns whether they have changed.

        Args:
            tools: definition of each exposed tool, by name.
        """
        heard = {
            name: sha256(repr(definition).encode("utf-8", "backslashreplace")).hexdigest()
            for name, definition in tools.items()
        }
        is_news = heard != self.listed
        self.listed = heard
        return is_news


class Sessions:
    """All sessions of this process.

    Args:
        database: told when a session ends.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._live: dict[str, Session] = {}

    def __len__(self) -> int:
        return len(self._live)

    def live(self) -> list[Session]:
        """Every open session, oldest first."""
        return list(self._live.values())

    def find(self, context: Context, principal: Principal) -> Session | None:
        """The session a request belongs to, begun by its first request; None if stateless."""
        if is_stateless(context):
            return None
        connection = _connection(context)
        known = connection.state.get(_STATE_KEY)
        if isinstance(known, Session):
            return known
        session = Session(uuid4().hex, principal, context.session)
        connection.state[_STATE_KEY] = session
        self._live[session.id] = session
        connection.exit_stack.push_async_callback(self._end, session)
        return session

    async def _end(self, session: Session) -> None:
        del self._live[session.id]
        for end_watch in session.watches.values():
            end_watch()
        try:
            await self._database.call("end_session", session.principal, session=session.id)
        except QmError as error:
            get_logger().warning("session_not_ended", session=session.id, error=str(error))


def is_stateless(context: Context) -> bool:
    """Whether the client speaks a revision without sessions."""
    return context.protocol_version in MODERN_PROTOCOL_VERSIONS


def _connection(context: Context) -> Connection:
    return context.session._connection  # pyright: ignore[reportPrivateUsage]
