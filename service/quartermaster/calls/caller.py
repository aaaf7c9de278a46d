"""The sender of a request, and how to answer them while it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast
from uuid import uuid4

from starlette.requests import Request

from quartermaster.calls.sessions import Context, Session, Sessions
from quartermaster.db import LOCAL, Database, Principal
from quartermaster.identity.authenticated import sender_of


@dataclass(frozen=True)
class Sender:
    """The principal of a call, and its request.

    Attributes:
        principal: on whose behalf everything happens.
        request_id: as in the logs and the call log.
    """

    principal: Principal
    request_id: str


@dataclass(frozen=True)
class Caller(Sender):
    """The sender of one request.

    Attributes:
        context: the SDK's, for progress and notifications.
        session: of a handshake client; None for a stateless one.
    """

    context: Context
    session: Session | None


class Callers:
    """Finds the sender of each request to one server.

    On stdio no token says who the client is: they are the principal ``local``.

    Args:
        database: where principals are.
        sessions: of handshake clients; None: the server keeps none.
        toolset: that of the local door; None: everything the principal may see.
    """

    def __init__(
        self, database: Database, sessions: Sessions | None, toolset: str | None = None
    ) -> None:
        self._database = database
        self._sessions = sessions
        self._toolset = toolset
        self._local: Principal | None = None

    async def identify(self, context: Context, *, is_call: bool = False) -> Caller:
        """Finds the caller of a request; reads ``local`` from the database, so that disabling it
        takes effect.

        Args:
            context: of the request.
            is_call: whether a tool is called. Then ``local`` is not asked for: api.call_begin looks
                whether the principal is enabled, and nothing else of it ever changes.

        Raises:
            QmError: QM403 principal_unknown.
        """
        request = cast("Request | None", context.request)
        if request is not None:
            principal, request_id = sender_of(request), request.state.request_id
        else:
            if self._local is None or not is_call:
                found = await self._database.find_principal(LOCAL)
                self._local = replace(found, toolset=self._toolset)
            principal, request_id = self._local, uuid4().hex
        session = self._sessions.find(context, principal) if self._sessions is not None else None
        return Caller(principal, request_id, context, session)
