"""Who sent the request that is being handled, and how to answer them meanwhile."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import cast
from uuid import uuid4

from starlette.requests import Request

from quartermaster.calls.sessions import Context, Session, Sessions
from quartermaster.db import LOCAL, Database, Principal
from quartermaster.identity.authenticated import AuthenticatedPrincipal


@dataclass(frozen=True)
class Caller:
    """The sender of one request.

    Attributes:
        principal: on whose behalf everything happens.
        request_id: of this request, as in the logs and the call log.
        context: the SDK's, for progress and notifications.
        session: of a handshake client; None for a stateless one.
    """

    principal: Principal
    request_id: str
    context: Context
    session: Session | None


class LocalDoor:
    """Stdio, where no token says who the client is: they are the principal ``local``.

    Args:
        database: where it is.
        toolset: that of the door; None: everything the principal may see.
    """

    def __init__(self, database: Database, toolset: str | None) -> None:
        self._database = database
        self._toolset = toolset
        self._known: Principal | None = None

    async def principal(self, *, is_call: bool) -> Principal:
        """Who its client is; asked each time, so that disabling it takes effect.

        Args:
            is_call: whether they call a tool. Then nothing is asked: api.call_begin looks whether
                the principal is enabled, and nothing else of it ever changes.

        Raises:
            QmError: QM403 principal_unknown.
        """
        if self._known is None or not is_call:
            found = await self._database.find_principal(LOCAL)
            self._known = replace(found, toolset=self._toolset)
        return self._known


def identify(context: Context, sessions: Sessions | None, local: Principal | None) -> Caller:
    """The caller of a request.

    Args:
        context: of the request.
        sessions: where its session is found; None: the server keeps none.
        local: who it is where there is no HTTP request, and so no token: on stdio.
    """
    request = cast("Request | None", context.request)
    if request is None:
        assert local is not None
        principal, request_id = local, uuid4().hex
    else:
        user = request.user
        assert isinstance(user, AuthenticatedPrincipal)
        principal, request_id = user.principal, request.state.request_id
    session = sessions.find(context, principal) if sessions is not None else None
    return Caller(principal, request_id, context, session)
