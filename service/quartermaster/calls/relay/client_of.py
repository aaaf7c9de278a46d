"""Represents the sender of a request. The upstream can send messages to the sender while the
request is running.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import mcp_types as types
from mcp import MCPError
from mcp.shared.message import ServerMessageMetadata

from quartermaster.calls.caller import Caller
from quartermaster.calls.sessions import is_stateless
from quartermaster.upstream.exchange import LEVELS, Requester


class ClientOf(Requester):
    """The client that sent a request, as the interface `upstream.exchange.Requester` describes it.

    Args:
        caller: sender of the request.
    """

    def __init__(self, caller: Caller) -> None:
        self.caller = caller

    @property
    def principal(self) -> str:
        """The name of the sender's principal."""
        return self.caller.principal.name

    @property
    def key(self) -> object:
        """A value that identifies the client: its session id, or the principal of a stateless
        client.
        """
        session = self.caller.session
        return session.id if session else self.caller.principal

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The capabilities that the client declared."""
        return self.caller.context.session.client_capabilities or types.ClientCapabilities()

    @property
    def client(self) -> types.Implementation | None:
        """The name and version that the client declared."""
        params = self.caller.context.session.client_params
        return params.client_info if params else None

    @property
    def log_level(self) -> types.LoggingLevel | None:
        """The lowest level of log messages that the client wants, in this session or for this
        request.
        """
        if self.caller.session is not None:
            return self.caller.session.log_level
        meta: Mapping[str, Any] = self.caller.context.meta or {}
        return meta.get(types.LOG_LEVEL_META_KEY)

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Sends a question to a handshake client on the stream of the request that is being
        answered.
        """
        if problem := unanswerable(question, self.capabilities):
            return problem
        context = self.caller.context
        metadata = ServerMessageMetadata(related_request_id=context.request_id)
        try:
            return await context.session.send_request(
                question, _answer_type(question), metadata=metadata
            )
        except MCPError as error:
            return error.error

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Sends a log message to the client on the stream of its request, if the client wants
        messages of this level.
        """
        level = self.log_level
        if level is None and is_stateless(self.caller.context):
            return
        if level is not None and LEVELS.index(message.level) < LEVELS.index(level):
            return
        notification = types.LoggingMessageNotification(params=message)
        context = self.caller.context
        await context.session.send_notification(notification, related_request_id=context.request_id)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Reports the progress of the client's request."""
        await self.caller.context.session.report_progress(progress, total, message)


def unanswerable(
    question: types.InputRequest, capabilities: types.ClientCapabilities
) -> types.ErrorData | None:
    """Returns the reason why this question cannot be sent to a client; None if it can be sent."""
    can = {
        "elicitation/create": capabilities.elicitation,
        "sampling/createMessage": capabilities.sampling,
        "roots/list": capabilities.roots,
    }
    if can[question.method] is not None:
        return None
    return types.ErrorData(
        code=types.INVALID_REQUEST, message=f"The client cannot answer {question.method}."
    )


def _answer_type(question: types.InputRequest) -> type[Any]:
    if isinstance(question, types.ElicitRequest):
        return types.ElicitResult
    if isinstance(question, types.ListRootsRequest):
        return types.ListRootsResult
    return cast(
        "type[Any]",
        types.CreateMessageResultWithTools if question.params.tools else types.CreateMessageResult,
    )
