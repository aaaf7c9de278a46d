"""Keeps track of the requests in progress at an upstream, and of the clients that sent them.

While a request is running, its upstream may send questions (elicitation, sampling) and log
messages. Over streamable HTTP these messages arrive in the answer to the POST that sent the
request, and the SDK handles them in that POST's context. Over stdio, a message does not say which
request it belongs to. The client of such a message is known only while all running requests come
from the same client.
"""

from __future__ import annotations

import math
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final

import anyio
import mcp_types as types

from quartermaster.db import WORKER

LEVELS: Final[tuple[types.LoggingLevel, ...]] = (
    *("debug", "info", "notice", "warning"),
    *("error", "critical", "alert", "emergency"),
)
"""Levels of log messages, most verbose first."""

ANSWER_WITHIN_S: Final = 600.0
"""The time that a client has to answer a question. Other time limits are paused meanwhile."""


class Requester:
    """The client on whose behalf a request is made.

    This base class means that there is no client. Probes and the service's own requests use it.
    """

    @property
    def principal(self) -> str:
        """Name of the principal whose share of the upstream the request uses."""
        return WORKER

    @property
    def key(self) -> object:
        """A key that is equal for all requests from one client and differs between clients."""
        return None

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The client's capabilities, which say which questions from the upstream the client can
        answer.
        """
        return types.ClientCapabilities()

    @property
    def client(self) -> types.Implementation | None:
        """The name and version that the client gave; None if it gave none."""
        return None

    @property
    def log_level(self) -> types.LoggingLevel | None:
        """The lowest level of log messages that the client wants; None if the client set no
        level.
        """
        return None

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Returns the client's answer to a question from the upstream."""
        return types.ErrorData(
            code=types.INVALID_REQUEST, message=f"There is no client to answer {question.method}."
        )

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Sends the client a log message from the upstream, if the client wants messages of this
        level.
        """


NO_REQUESTER: Final = Requester()


@dataclass(eq=False)
class PendingRequest:
    """One request in progress.

    Attributes:
        requester: client that made the request.
        limit_s: largest duration of the request, without the time for questions to the client.
        scope: scope that cancels the request when it takes longer.
    """

    requester: Requester
    limit_s: float
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _questions: int = 0

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Asks the client a question, and returns the answer. The time until the answer does not
        count towards the upstream's time limit.
        """
        self._questions += 1
        self.scope.deadline = math.inf
        try:
            with anyio.fail_after(ANSWER_WITHIN_S):
                return await self.requester.ask(question)
        except TimeoutError:
            return types.ErrorData(code=types.REQUEST_TIMEOUT, message="The user did not answer.")
        finally:
            self._questions -= 1
            if self._questions == 0:
                self.scope.deadline = anyio.current_time() + self.limit_s


_CURRENT_REQUEST: ContextVar[PendingRequest | None] = ContextVar(
    "quartermaster_exchange", default=None
)


class Exchanges:
    """The requests in progress on one connection.

    Args:
        by_context: whether the upstream's messages are handled in the context of their request.
    """

    def __init__(self, *, by_context: bool) -> None:
        self._by_context = by_context
        self._open: set[PendingRequest] = set()

    @contextmanager
    def open(self, requester: Requester, limit_s: float) -> Generator[PendingRequest]:
        """Registers a request for the duration of the block, in which the caller sends it.

        Raises:
            TimeoutError: the request took longer than ``limit_s``.
        """
        exchange = PendingRequest(requester, limit_s)
        exchange.scope.deadline = anyio.current_time() + limit_s
        self._open.add(exchange)
        token = _CURRENT_REQUEST.set(exchange)
        try:
            with exchange.scope:
                yield exchange
        finally:
            _CURRENT_REQUEST.reset(token)
            self._open.discard(exchange)
        if exchange.scope.cancelled_caught:
            raise TimeoutError

    def find(self) -> PendingRequest | None:
        """Returns the exchange to which the current message belongs; None if it is unknown."""
        current = _CURRENT_REQUEST.get() if self._by_context else None
        if current in self._open:
            return current
        clients = {exchange.requester.key for exchange in self._open}
        return next(iter(self._open)) if len(clients) == 1 else None
