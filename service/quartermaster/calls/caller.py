"""The sender of a request, and the means to reach the sender while the request is running."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, cast
from uuid import uuid4

from mcp import MCPError
from mcp_types import CallToolRequestParams
from starlette.requests import Request

from quartermaster.calls.sessions import Context, HandshakeSession, Sessions
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.db import LOCAL_PRINCIPAL, Database, Principal
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
    session: HandshakeSession | None


@dataclass(eq=False)
class Callers:
    """Finds the senders of requests to one server.

    On stdio, requests contain no token. All of them come from the same principal.

    Attributes:
        database: the database with the principals.
        sessions: sessions of handshake clients; None if the server keeps no sessions.
        toolset: toolset that is served on stdio; None serves everything that the principal may see.
        name: name of the principal on stdio.
    """

    database: Database
    sessions: Sessions | None
    toolset: str | None = None
    name: str = LOCAL_PRINCIPAL
    _local: Principal | None = field(default=None, init=False)

    async def identify(self, context: Context, request_id: str, *, is_call: bool = False) -> Caller:
        """Finds the caller of a request; the principal on stdio is read again, in case it was
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
            if self._local is None or not is_call or self.name != LOCAL_PRINCIPAL:
                found = await self.database.find_principal(self.name)
                self._local = replace(found, toolset=self.toolset)
            principal = self._local
        session = self.sessions.find(context, principal) if self.sessions is not None else None
        return Caller(principal, request_id, context, session)

    def handler(
        self,
        answer: Callable[[Caller, Any], Awaitable[Any]],
        refuse: Callable[[QmError, Context, str], Any],
        trouble: str,
        is_call: Callable[[Any], bool] = lambda _params: False,
    ) -> Callable[[Context, Any], Awaitable[Any]]:
        """Makes a handler for the SDK, which finds the caller and converts errors.

        Args:
            answer: function that handles a request, given its caller and parameters.
            refuse: function that makes the reply to a failed request, or the error to raise, from
                the failure, the request's context and its id.
            trouble: event to log for an internal error. The SDK would hand its text to the client.
            is_call: see `identify`; a function of the request's parameters.
        """

        async def handle(context: Context, params: Any) -> Any:
            request_id = request_id_of(context)
            with request_scope(request_id):
                try:
                    caller = await self.identify(context, request_id, is_call=is_call(params))
                    return await answer(caller, params)
                except MCPError:
                    raise
                except QmError as error:
                    return _with_cause(refuse(error, context, request_id), error)
                except Exception as error:  # noqa: BLE001 - it is told without its text
                    tool = params.name[:100] if isinstance(params, CallToolRequestParams) else None
                    get_logger().exception(trouble, method=context.method, tool=tool)
                    return _with_cause(refuse(QmError.internal(), context, request_id), error)

        return handle


def _with_cause(refusal: Any, cause: Exception) -> Any:
    """Returns the reply to a failed request, or raises it if it is an error."""
    if not isinstance(refusal, MCPError):
        return refusal
    try:
        raise refusal from cause
    finally:
        # An error keeps the frame that raised it. Without `del`, the frame would keep the error and
        # its cause in turn, and with them the arguments of the call, until garbage is collected.
        del refusal, cause


def request_id_of(context: Context) -> str:
    """Returns the id of a request over HTTP; a new one for any other request."""
    request = cast("Request | None", context.request)
    return uuid4().hex if request is None else request.state.request_id
