"""The client of a parked request: messages reach it while it waits, or later as a question."""

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
    """A question from the upstream to the client."""

    request: types.InputRequest


class ParkedClient(ClientOf):
    """The sender of a parked request: messages go to the client while it waits, else into a
    question.

    Args:
        caller: sender of the request.
        binding: identifies the sender and purpose; a request must match it to resume this one.
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
        """Wait until the client has returned with an answer."""
        if problem := unanswerable(question, self.capabilities):
            return problem
        async with self._asking:
            self._answered = anyio.Event()
            self.said.put_nowait(Question(question))
            await self._answered.wait()
            assert self._answer is not None
            return self._answer

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Send a message to the client while it waits."""
        if self._is_there:
            await super().tell(message)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Send a message to the client while it waits."""
        if self._is_there:
            await super().report(progress, total, message)

    async def next(self) -> JsonObject | Question:
        """Return the next message for the client: a question or the result.

        Raises:
            Exception: the error with which the request ended.
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
        """Continue with the client's new request."""
        self.caller, self._is_there = caller, True
        self._answer = answer
        self._answered.set()
