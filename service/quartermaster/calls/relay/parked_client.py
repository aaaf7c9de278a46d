"""The client of a parked request: there while it waits, and a question to it while not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import anyio
import mcp_types as types

from quartermaster.calls.relay.client_of import ClientOf, unanswerable
from quartermaster.calls.relay.mailbox import Mailbox

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """What an upstream asks the client."""

    request: types.InputRequest


class ParkedClient:
    """The requester of a parked request: the client while it is there, a question while not.

    Args:
        client: who sent the request.
        binding: what the request has to be again to be resumed: whose, and for what.
    """

    def __init__(self, client: ClientOf, binding: object) -> None:
        self.binding = binding
        self.scope = anyio.CancelScope()
        self.said: Mailbox[JsonObject | Question | Exception] = Mailbox()
        self._client: ClientOf | None = client
        self._last_client = client
        self._asking = anyio.Lock()
        self._answer: types.InputResponse | types.ErrorData | None = None
        self._answered = anyio.Event()

    @property
    def key(self) -> object:
        """The client's."""
        return self._last_client.key

    @property
    def capabilities(self) -> types.ClientCapabilities:
        """The client's."""
        return self._last_client.capabilities

    @property
    def client(self) -> types.Implementation | None:
        """The client's."""
        return self._last_client.client

    @property
    def log_level(self) -> types.LoggingLevel | None:
        """The client's."""
        return self._last_client.log_level

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Waits until the client has come back with an answer."""
        if problem := unanswerable(question, self.capabilities):
            return problem
        async with self._asking:
            self._answered = anyio.Event()
            self.said.put(Question(question))
            await self._answered.wait()
            assert self._answer is not None
            return self._answer

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Reaches the client while it waits."""
        if self._client is not None:
            await self._client.tell(message)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Reaches the client while it waits."""
        if self._client is not None:
            await self._client.report(progress, total, message)

    async def next(self) -> JsonObject | Question:
        """What the client has to hear: a question, or the result.

        Raises:
            Exception: what became of the request.
        """
        try:
            said = await self.said.take()
        except anyio.get_cancelled_exc_class():
            self.scope.cancel()
            raise
        self._client = None
        if isinstance(said, Exception):
            raise said
        return said

    def resume(self, client: ClientOf, answer: types.InputResponse) -> None:
        """The client is back."""
        self._client = self._last_client = client
        self._answer = answer
        self._answered.set()
