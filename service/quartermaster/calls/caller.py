"""The sender of a request, and the means to reach the sender while the request is running."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from typing import Any, Final, cast
from uuid import uuid4

from mcp import MCPError
from mcp_types import CallToolRequestParams
from starlette.requests import Request

from quartermaster.calls.sessions import Context, HandshakeSession, Sessions
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.db import LOCAL_PRINCIPAL, Database, Principal
from quartermaster.identity.authenticated import sender_of

LIST_PARAMETER: Final = "list"
"""Parameter of an address that says which tools a client lists."""

LIST_ALL: Final = "all"
"""Its only value. Without it, a list contains the bridge tools and what searches have found."""


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
        lists_all: whether the client searches by itself in a list of all tools.
    """

    context: Context
    session: HandshakeSession | None
    lists_all: bool = False


@dataclass(eq=False)
class Callers:
    """Finds the senders of requests to one server.

    On stdio, requests contain no token. All of them come from the same principal.

    Attributes:
        database: the database with the principals.
        sessions: sessions of handshake clients; None if the server keeps no sessions.
        toolset: toolset that is served on stdio; None serves everything that the principal may see.
        name: name of the principal on stdio.
        lists_all: whether the client on stdio gets a list of all tools.
    """

    database: Database
    sessions: Sessions | None
    toolset: str | None = None
    name: str = LOCAL_PRINCIPAL
    lists_all: bool = False
    _local: Principal | None = field(default=None, init=False)

    async def identify(self, context: Context, request_id: str, *, is_call: bool = False) -> Caller:
        """Finds the caller of a request, whose session begins if it has none.

        Args:
            context: context of the request.
            request_id: the result of `request_id_of` for this request.
            is_call: see `principal_of`.

        Raises:
            QmError: QM403 principal_unknown.
        """
        principal = await self.principal_of(context, is_call=is_call)
        session = self.sessions.find(context, principal) if self.sessions is not None else None
        return Caller(principal, request_id, context, session, self.wants_all(context))

    def wants_all(self, context: Context) -> bool:
        """Returns whether the client asked for a list of all tools, over HTTP with its address."""
        request = cast("Request | None", context.request)
        if request is None:
            return self.lists_all
        return request.query_params.get(LIST_PARAMETER) == LIST_ALL

    async def principal_of(self, context: Context, *, is_call: bool = False) -> Principal:
        """Finds the principal behind a request; the one on stdio is read again, in case it was
        disabled.

        Args:
            context: context of the request.
            is_call: whether a tool is called. If so, the principal ``local`` is not read here:
                service.call_begin checks that it is enabled, and its other properties never change.

        Raises:
            QmError: QM403 principal_unknown.
        """
        request = cast("Request | None", context.request)
        if request is not None:
            return sender_of(request)
        if self._local is None or not is_call or self.name != LOCAL_PRINCIPAL:
            found = await self.database.find_principal(self.name)
            self._local = replace(found, toolset=self.toolset)
        return self._local

    def handler(
        self,
        answer: Callable[[Caller, Any], Awaitable[Any]],
        refuse: Callable[[QmError, Context, str], Any],
        trouble: str,
        is_call: Callable[[Any], bool] = lambda _params: False,
    ) -> Callable[[Context, Any], Awaitable[Any]]:
        """Creates a handler for the SDK. The handler finds the caller and converts errors.

        Args:
            answer: function that handles a request, given its caller and parameters.
            refuse: function that makes the reply to a failed request, or the error to raise, from
                the failure, the request's context and its id.
            trouble: event to log for an internal error, whose text the client does not get.
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
    """Returns the reply to a failed request. If the reply is an exception, raises it with its
    cause.
    """
    if not isinstance(refusal, MCPError):
        return refusal
    try:
        raise refusal from cause
    finally:
        # An error keeps the frame that raised it. Without `del`, the frame would keep the error and
        # its cause in turn, and with them the arguments of the call, until garbage is collected.
        del refusal, cause


def request_id_of(context: Context) -> str:
    """Returns the id of an HTTP request; a new id for any other request."""
    request = cast("Request | None", context.request)
    return uuid4().hex if request is None else request.state.request_id
