"""The client of a parked request: reached directly while it waits, by a question otherwise."""

from __future__ import annotations

from asyncio import Queue
from dataclasses import dataclass
from typing import Any

import anyio
import mcp_types as types

from quartermaster.calls.caller import Caller
from quartermaster.calls.relay.client_of import ClientOf, unanswerable

JsonObject = dict[str, Any]


@dataclass(frozen=True)
class Question:
    """A question of the upstream to the client."""

    request: types.InputRequest


class ParkedClient(ClientOf):
    """The requester of a parked request: the client while it is there, a question while not.

    Args:
        caller: who sent the request.
        binding: what the request has to be again to be resumed: whose, and for what.
    """

    def __init__(self, caller: Caller, binding: object) -> None:
        super().__init__(caller)
        self.binding = binding
        self.scope = anyio.CancelScope()
        self.said: Queue[JsonObject | Question | Exception] = Queue()
        self._is_there = True
        self._asking = anyio.Lock()
        self._answer: types.InputResponse | types.ErrorData | None = None
        self._answered = anyio.Event()

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Waits until the client has come back with an answer."""
        if problem := unanswerable(question, self.capabilities):
            return problem
        async with self._asking:
            self._answered = anyio.Event()
            self.said.put_nowait(Question(question))
            await self._answered.wait()
            assert self._answer is not None
            return self._answer

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Reaches the client while it waits."""
        if self._is_there:
            await super().tell(message)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Reaches the client while it waits."""
        if self._is_there:
            await super().report(progress, total, message)

    async def next(self) -> JsonObject | Question:
        """The next message for the client: a question, or the result.

        Raises:
            Exception: what became of the request.
        """
        try:
            said = await self.said.get()
        except anyio.get_cancelled_exc_class():
            self.scope.cancel()
            raise
        self._is_there = False
        if isinstance(said, Exception):
            raise said
        return said

    def resume(self, caller: Caller, answer: types.InputResponse) -> None:
        """The client is back, with another request."""
        self.caller, self._is_there = caller, True
        self._answer = answer
        self._answered.set()
