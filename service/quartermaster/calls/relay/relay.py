"""Relays client requests to upstreams, even if client and upstream use different protocol eras."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final

import anyio
import mcp_types as types
from mcp import MCPError
from mcp.shared.dispatcher import ProgressFnT
from pydantic import TypeAdapter

from quartermaster.calls.caller import Caller
from quartermaster.calls.relay.client_of import ClientOf
from quartermaster.calls.relay.parking import Action, JsonObject, Parking
from quartermaster.calls.sessions import is_stateless
from quartermaster.upstream.confinement import SandboxProfile
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.request import PROGRESS_TOKENS
from quartermaster.upstream.supervisor import Upstreams
from quartermaster.upstream.upstream_requests import request

NOT_RELAYED: Final = (
    "tasks",
    "roots of clients, if the upstream uses the handshake era",
    "experimental capabilities and extensions",
    "clients' reports of progress and of changed roots",
    "updates that an upstream sends while it is disconnected",
)
"""The parts of MCP that Quartermaster does not relay. docs/relay.md gives the reasons."""

_MOST_ROUNDS: Final = 10
_WAIT_S: Final = 0.25
_Send = Callable[[ClientOf, Mapping[str, Any]], Awaitable[JsonObject]]
_QUESTION: Final[TypeAdapter[types.InputRequest]] = TypeAdapter(types.InputRequest)


class Relay:
    """Sends the requests of clients to upstreams. The server's lifespan must be a `Parking`.

    Args:
        upstreams: the upstreams to which requests are sent.
    """

    def __init__(self, upstreams: Upstreams) -> None:
        self._upstreams = upstreams

    async def send(
        self,
        caller: Caller,
        origin_id: int,
        method: str,
        params: Mapping[str, Any],
        *,
        timeout_s: float | None = None,
    ) -> JsonObject:
        """Sends a request, and returns the upstream's result in wire form.

        If the upstream asks a question, a handshake client gets it while it waits for the result. A
        stateless client gets the question as an input-required result.

        Args:
            caller: sender of the request. If the request is cancelled, the request to the upstream
                is cancelled, too.
            origin_id: id of the upstream's origin.
            method: MCP method.
            params: parameters in wire form, with the upstream's own names and the client's
                ``_meta``.
            timeout_s: timeout that replaces the origin's timeout; it is paused while the client
                answers a question.

        Raises:
            UpstreamError: the request failed at the upstream.
            QmError: the errors of Origins.spec.
            MCPError: the client's answer cannot be used.
        """
        spec = await self._upstreams.origins.spec(origin_id, caller.principal)
        stateless = is_stateless(caller.context)
        connection = await self._upstreams.supervisor.reach(spec, handshake=not stateless)
        link = await connection.connected()
        client = ClientOf(caller)
        wants_progress = bool(PROGRESS_TOKENS & (caller.context.meta or {}).keys())

        async def send(requester: ClientOf, given: Mapping[str, Any] = params) -> JsonObject:
            on_progress: ProgressFnT | None = requester.report if wants_progress else None
            return await request(
                connection,
                method,
                given,
                requester=requester,
                on_progress=on_progress,
                timeout_s=timeout_s,
            )

        if stateless == link.is_stateless:
            return await send(client)
        if stateless:
            return await self._park(caller, (origin_id, method), params, send)
        return await _in_rounds(client, spec.name, params, send)

    async def profile(self, caller: Caller, origin_id: int) -> SandboxProfile | None:
        """Returns the home and the sandbox of a local server; None for a server on another machine.

        Raises:
            QmError: the errors of Origins.spec.
        """
        return (await self._upstreams.origins.spec(origin_id, caller.principal)).profile

    async def _park(
        self,
        caller: Caller,
        what: tuple[int, str],
        params: Mapping[str, Any],
        send: Action,
    ) -> JsonObject:
        retained = {
            key: value
            for key, value in params.items()
            if key not in {"_meta", "inputResponses", "requestState"}
        }
        binding = (caller.principal, *what, json.dumps(retained, sort_keys=True, default=str))
        parking: Parking = caller.context.lifespan_context
        state = params.get("requestState")
        if state is None:
            return await parking.begin(caller, binding, send)
        return await parking.resume(
            caller, binding, str(state), dict(params.get("inputResponses") or {})
        )


async def _in_rounds(
    client: ClientOf, name: str, params: Mapping[str, Any], send: _Send
) -> JsonObject:
    """Sends a request of a handshake client, and repeats the request with the client's answers
    until the upstream asks for no more input.

    Raises:
        UpstreamError: the request failed, or the upstream asked too often.
    """
    result = await send(client, params)
    for _ in range(_MOST_ROUNDS):
        if result.get("resultType") != "input_required":
            return result
        answered = {**params, **await _answered(client, result)}
        try:
            result = await send(client, answered)
        except UpstreamError as error:
            # An earlier request of this call has already been sent.
            error.sent = True
            raise
    what = f"asked for input more than {_MOST_ROUNDS} times."
    raise UpstreamError("protocol", name, what, sent=True)


async def _answered(client: ClientOf, result: Mapping[str, Any]) -> JsonObject:
    """Asks the client the questions in an input-required result, and returns the members that the
    repeated request needs.

    Raises:
        MCPError: the client cannot or will not answer.
    """
    questions: Mapping[str, Any] = result.get("inputRequests") or {}
    answers: JsonObject = {}
    for key, question in questions.items():
        answer = await client.ask(_QUESTION.validate_python(question, by_name=False))
        if isinstance(answer, types.ErrorData):
            raise MCPError.from_error_data(answer)
        answers[key] = answer.model_dump(by_alias=True, mode="json", exclude_none=True)
    if not questions:
        await anyio.sleep(_WAIT_S)
    given = {"inputResponses": answers or None, "requestState": result.get("requestState")}
    return {key: value for key, value in given.items() if value is not None}
