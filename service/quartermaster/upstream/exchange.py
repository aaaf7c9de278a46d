"""Requests in progress at one upstream, and their clients.

While a request runs, its upstream may ask (elicitation, sampling) and tell (log messages). Over
streamable HTTP what it says comes with the answer to the POST that carried the request, and the
SDK handles it in that POST's context. On stdio nothing on the wire says what a message belongs
to; there it is known only while all requests under way are of one client.
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

LEVELS: Final[tuple[types.LoggingLevel, ...]] = (
    *("debug", "info", "notice", "warning"),
    *("error", "critical", "alert", "emergency"),
)
"""Of log messages, most talkative first."""

ANSWER_WITHIN_S: Final = 600.0
"""How long a client may take to answer a question; other time limits pause meanwhile."""


class Requester:
    """The client on whose behalf a request is made; as it is here, nobody's.

    So it is for probes, and for work of the service's own.
    """

    @property
    def key(self) -> object:
        """Equal for all requests of one client, and different for other clients."""
        return None

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The questions that it can answer."""
        return types.ClientCapabilities()

    @property
    def client(self) -> types.Implementation | None:
        """Its description of itself."""
        return None

    @property
    def log_level(self) -> types.LoggingLevel | None:
        """The lowest level of log messages that it wants; None if it did not say."""
        return None

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Its answer to a question of the upstream."""
        return types.ErrorData(
            code=types.INVALID_REQUEST, message=f"There is nobody to answer {question.method}."
        )

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Sends it a log message, which is dropped if the client does not want it."""


NOBODY: Final = Requester()


@dataclass(eq=False)
class Exchange:
    """One request under way.

    Attributes:
        requester: whose it is.
        limit_s: how long it may take, questions to the client not counted.
        scope: ends it when it takes longer.
    """

    requester: Requester
    limit_s: float
    scope: anyio.CancelScope = field(default_factory=anyio.CancelScope)
    _questions: int = 0

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """The client's answer; the time it takes is not the upstream's."""
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


_CURRENT: ContextVar[Exchange | None] = ContextVar("quartermaster_exchange", default=None)


class Exchanges:
    """The exchanges of one connection.

    Args:
        by_context: whether messages of the upstream are handled in the context of their request.
    """

    def __init__(self, *, by_context: bool) -> None:
        self._by_context = by_context
        self._open: set[Exchange] = set()

    @contextmanager
    def open(self, requester: Requester, limit_s: float) -> Generator[Exchange]:
        """One request, to be sent inside.

        Raises:
            TimeoutError: it took longer than ``limit_s``.
        """
        exchange = Exchange(requester, limit_s)
        exchange.scope.deadline = anyio.current_time() + limit_s
        self._open.add(exchange)
        token = _CURRENT.set(exchange)
        try:
            with exchange.scope:
                yield exchange
        finally:
            _CURRENT.reset(token)
            self._open.discard(exchange)
        if exchange.scope.cancelled_caught:
            raise TimeoutError

    def find(self) -> Exchange | None:
        """The exchange to which the current message belongs; None if that is unknown."""
        current = _CURRENT.get() if self._by_context else None
        if current in self._open:
            return current
        clients = {exchange.requester.key for exchange in self._open}
        return next(iter(self._open)) if len(clients) == 1 else None
