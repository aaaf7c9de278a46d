"""Parks requests of stateless clients while a handshake upstream waits for an answer.

A handshake upstream asks questions while its request is open. A stateless client receives a
question as the result of its request, and answers the question by sending the request again. In the
meantime, this process keeps the request to the upstream open. Only this process understands the
state value that identifies the open request.
"""

from __future__ import annotations

from asyncio import Queue
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from secrets import token_urlsafe
from typing import Any, Final, Self

import anyio
import mcp_types as types
from anyio.abc import TaskGroup
from mcp import MCPError
from pydantic import TypeAdapter, ValidationError

from quartermaster.calls.caller import Caller
from quartermaster.calls.relay.client_of import ClientOf, unanswerable

JsonObject = dict[str, Any]
_MOST_PARKED: Final = 1_000
_KEY: Final = "answer"


class ParkedClient(ClientOf):
    """Delivers messages of a parked request.

    While the client waits for an answer, messages are sent to the client. Otherwise, a question or
    the result is kept for the client's next request.

    Args:
        caller: sender of the request.
        binding: identifies the sender and the purpose of the request. A later request resumes this
            request only if its binding is the same.
    """

    def __init__(self, caller: Caller, binding: object) -> None:
        super().__init__(caller)
        self.binding = binding
        self.scope = anyio.CancelScope()
        self.said: Queue[JsonObject | types.InputRequest | Exception] = Queue()
        self._is_there = True
        self._asking = anyio.Lock()
        self._answer: types.InputResponse | types.ErrorData | None = None
        self._answered = anyio.Event()

    async def ask(self, question: types.InputRequest) -> types.InputResponse | types.ErrorData:
        """Asks the client a question, and waits until its next request brings the answer."""
        if problem := unanswerable(question, self.capabilities):
            return problem
        async with self._asking:
            self._answered = anyio.Event()
            self.said.put_nowait(question)
            await self._answered.wait()
            assert self._answer is not None
            return self._answer

    async def tell(self, message: types.LoggingMessageNotificationParams) -> None:
        """Sends a log message to the client if the client is waiting; otherwise, drops it."""
        if self._is_there:
            await super().tell(message)

    async def report(self, progress: float, total: float | None, message: str | None) -> None:
        """Sends the progress to the client if the client is waiting; otherwise, drops it."""
        if self._is_there:
            await super().report(progress, total, message)

    async def next(self) -> JsonObject | types.InputRequest:
        """Returns the next message for the client: a question or the result.

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
        """Continues with the client's new request, which contains the answer."""
        self.caller, self._is_there = caller, True
        self._answer = answer
        self._answered.set()


Action = Callable[[ParkedClient], Awaitable[JsonObject]]

_ANSWER: Final[TypeAdapter[types.InputResponse]] = TypeAdapter(types.InputResponse)


class Parking:
    """The parked requests in one running server.

    Args:
        tasks: task group in which the requests wait; cancelling the group cancels the requests.
    """

    def __init__(self, tasks: TaskGroup) -> None:
        self._tasks = tasks
        self._parked: dict[str, ParkedClient] = {}

    @classmethod
    @asynccontextmanager
    async def open(cls) -> AsyncGenerator[Self]:
        """Allows requests to be parked inside the block, and cancels all parked requests at its
        end.
        """
        async with anyio.create_task_group() as tasks:
            try:
                yield cls(tasks)
            finally:
                tasks.cancel_scope.cancel()

    async def begin(self, caller: Caller, binding: object, action: Action) -> JsonObject:
        """Runs an action that may ask the client questions.

        Args:
            caller: sender of the request.
            binding: identifies the sender and the purpose. A later request must have the same
                binding to resume this request.
            action: function that sends the request to the upstream.

        Returns:
            The result in wire form, or an input-required result.

        Raises:
            Exception: an error from the action.
        """
        parked = ParkedClient(caller, binding)
        self._tasks.start_soon(_carry_out, parked, action)
        return await self._wait(parked)

    async def resume(
        self, caller: Caller, binding: object, state: str, responses: JsonObject
    ) -> JsonObject:
        """Continues a parked request; see `begin`.

        Raises:
            MCPError: INVALID_PARAMS: no request has this state, or it belongs to another request.
        """
        parked = self._parked.get(state)
        if parked is None or parked.binding != binding:
            raise MCPError(
                types.INVALID_PARAMS,
                "No request is waiting for this requestState. Send the request again, without it.",
            )
        try:
            answer = _ANSWER.validate_python(responses.get(_KEY), by_name=False)
        except ValidationError as error:
            raise MCPError(types.INVALID_PARAMS, f"inputResponses has no {_KEY!r}.") from error
        del self._parked[state]
        parked.resume(caller, answer)
        return await self._wait(parked)

    async def _wait(self, parked: ParkedClient) -> JsonObject:
        said = await parked.next()
        if isinstance(said, dict):
            return said
        if len(self._parked) >= _MOST_PARKED:
            # The request that has waited longest is the least likely to be answered.
            self._parked.pop(next(iter(self._parked))).scope.cancel()
        state = token_urlsafe(24)
        self._parked[state] = parked
        question = said.model_dump(by_alias=True, mode="json", exclude_none=True)
        return {
            "resultType": "input_required",
            "inputRequests": {_KEY: question},
            "requestState": state,
        }


async def _carry_out(parked: ParkedClient, action: Action) -> None:
    with parked.scope:
        try:
            parked.said.put_nowait(await action(parked))
        except Exception as error:  # noqa: BLE001 - it is raised where the client waits
            parked.said.put_nowait(error)
