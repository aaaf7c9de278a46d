"""The sender of a request, and the means to reach the sender while the request is running."""

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
    """The principal that made a call, and the id of the request.

    Attributes:
        principal: the principal on whose behalf everything is done.
        request_id: id of the request in log lines and in the call log.
    """

    principal: Principal
    request_id: str


@dataclass(frozen=True)
class Caller(Sender):
    """The sender of one request.

    Attributes:
        context: the SDK's context, for progress and notifications.
        session: session of a handshake client; None for a stateless client.
    """

    context: Context
    session: Session | None


class Callers:
    """Finds the senders of requests to one server.

    On stdio, requests contain no token. All of them come from the same principal.

    Args:
        database: the database with the principals.
        sessions: sessions of handshake clients; None if the server keeps no sessions.
        toolset: toolset that is served on stdio; None serves everything that the principal may see.
        name: name of the principal on stdio.
    """

    def __init__(
        self,
        database: Database,
        sessions: Sessions | None,
        toolset: str | None = None,
        name: str = LOCAL,
    ) -> None:
        self._database = database
        self._name = name
        self._sessions = sessions
        self._toolset = toolset
        self._local: Principal | None = None

    async def identify(self, context: Context, request_id: str, *, is_call: bool = False) -> Caller:
        """Find the caller of a request; the principal on stdio is read again, in case it was
        disabled.

        Args:
            context: context of the request.
            request_id: what `request_id_of` returned for this request.
            is_call: whether a tool is called. If so, ``local`` is not read: api.call_begin checks
                that the principal is enabled, and no other property of ``local`` ever changes.

        Raises:
            QmError: QM403 principal_unknown.
        """
        request = cast("Request | None", context.request)
        if request is not None:
            principal = sender_of(request)
        else:
            if self._local is None or not is_call or self._name != LOCAL:
                found = await self._database.find_principal(self._name)
                self._local = replace(found, toolset=self._toolset)
            principal = self._local
        session = self._sessions.find(context, principal) if self._sessions is not None else None
        return Caller(principal, request_id, context, session)


def request_id_of(context: Context) -> str:
    """The id of a request over HTTP; a new one for any other request."""
    request = cast("Request | None", context.request)
    return uuid4().hex if request is None else request.state.request_id
