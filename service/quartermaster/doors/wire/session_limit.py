"""Limits the number of open sessions that one principal has at all doors together."""

from __future__ import annotations

from math import inf, isfinite
from typing import Any, Final
from weakref import WeakSet

import anyio
from mcp.server import Server
from mcp.server.auth.middleware.bearer_auth import AuthorizationContext
from mcp.server.streamable_http import StreamableHTTPServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPSessionManager
from prometheus_client import Counter

from quartermaster.core.errors import WaitError
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.settings.sections import ServerSettings as Options

_IDLE_S: Final = 1800.0
_MAX_SESSIONS: Final = 10_000


class SessionLimit:
    """The limit for the sessions of one principal, counted at all doors that share the limit.

    Args:
        most: largest number of sessions of one principal; 0 means no limit. The principal `local`
            has no limit.
        refusals: counter of refused sessions; None if they are not counted.
    """

    def __init__(self, most: int, refusals: Counter | None = None) -> None:
        self.doors: WeakSet[LimitedSessions] = WeakSet()
        self._most = most
        self._refusals = refusals

    def require_room(self, who: str) -> None:
        """Checks that a principal may open another session.

        Raises:
            WaitError: QM429 too_many_sessions.
        """
        if not self._most or who == LOCAL_PRINCIPAL:
            return
        held = [transport for door in self.doors for transport in door.of_principal(who)]
        if len(held) < self._most:
            return
        if self._refusals is not None:
            self._refusals.inc()
        scopes = (transport.idle_scope for transport in held)
        ends_at = min((scope.deadline if scope else inf for scope in scopes), default=inf)
        wait_s = ends_at - anyio.current_time() if isfinite(ends_at) else _IDLE_S
        raise WaitError(
            "too_many_sessions",
            f"{len(held)} sessions of this principal are open; the limit is {self._most}.",
            "Use an open session, or end one with DELETE. An unused session ends after"
            f" {_IDLE_S / 60:.0f} minutes, the first one in {max(wait_s, 0):.0f} s.",
            wait_s,
        )


class LimitedSessions(StreamableHTTPSessionManager):
    """The sessions at one door.

    Args:
        server: server of the door.
        options: settings of the HTTP server.
        limit: limit for the sessions of one principal.
    """

    def __init__(self, server: Server[Any], options: Options, limit: SessionLimit) -> None:
        super().__init__(
            server,
            # The middleware refuses larger requests earlier, with a message of its own.
            max_request_body_size=options.max_body_bytes,
            session_idle_timeout=_IDLE_S,
            max_sessions=_MAX_SESSIONS,
        )
        self._limit = limit
        limit.doors.add(self)

    def of_principal(self, who: str) -> list[StreamableHTTPServerTransport]:
        """Returns the transports of the sessions of a principal."""
        return [
            self._server_instances[session]
            for session, owner in self._session_owners.items()
            if owner["client_id"] == who and session in self._server_instances
        ]

    def _admit_session(
        self, requestor: AuthorizationContext | None
    ) -> StreamableHTTPServerTransport | None:
        if requestor is not None:
            self._limit.require_room(requestor["client_id"])
        return super()._admit_session(requestor)
