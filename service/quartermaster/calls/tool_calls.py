"""Tool calls: checks the arguments, relays the call, and adds the provenance to the result."""

from __future__ import annotations

import json
import random
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Any, Final, TypeVar
from uuid import UUID

import mcp_types as types
import stamina
from mcp import MCPError

from quartermaster import api
from quartermaster.calls.argument_repair import REPAIRED_KEY
from quartermaster.calls.built_in import BuiltIn
from quartermaster.calls.call_log import CallLog, outcome_of
from quartermaster.calls.call_record import PROVENANCE_KEY, CallRecord, idempotency_key, is_key
from quartermaster.calls.caller import Caller
from quartermaster.calls.guarding import GuardrailFilter
from quartermaster.calls.hidden_paths import explained
from quartermaster.calls.pages import Pages
from quartermaster.calls.relay.relay import Relay
from quartermaster.calls.replies import (
    Reply,
    failure_reply,
    fitted,
    invalid_arguments_reply,
    noted,
)
from quartermaster.calls.schema_memory import Fitting, SchemaMemory
from quartermaster.calls.secret_arguments import marked_in, problems_of
from quartermaster.calls.upstream_arguments import removed_arguments, upstream_arguments
from quartermaster.core.errors import QmError
from quartermaster.core.large import handled
from quartermaster.db import Database
from quartermaster.upstream.breakers import require_available
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.listing import JsonObject
from quartermaster.upstream.upstream_requests import parsed_call

# The members of a tools/call that are passed on besides the name and the arguments.
_CARRIED_MEMBERS: Final = ("_meta", "inputResponses", "requestState")
Answer = TypeVar("Answer")
# Failures that may soon pass. A timeout is not among them, because it leaves no time for a retry.
# Neither is a full queue, because the caller should learn about it.
_TRANSIENT_FAILURES: Final = frozenset({"network", "died"})
_LONGEST_WAIT_S: Final = 2.0
_JITTER_S: Final = 0.2
# What an upstream asks for (Retry-After) may take longer, but its caller waits meanwhile.
_LONGEST_ASKED_S: Final = 30.0
# This status means that the database is unavailable. A retry is safe even then, because the
# upstream recognises the idempotency key.
_DATABASE_AWAY_STATUS: Final = 503


class ToolCallRelay:
    """Relays calls to upstreams.

    Args:
        log: the call log.
        relay: object that sends requests to the upstreams.
        guard: object that marks and masks the findings of the guardrails in results.
        built_in: the tools that run in this process.
    """

    def __init__(
        self, log: CallLog, relay: Relay, guard: GuardrailFilter, built_in: BuiltIn
    ) -> None:
        self._database = log.database
        self._built_in = built_in
        self._relay = relay
        self._log = log
        self._guard = guard
        self.pages = Pages(log.database)
        self._schemas = SchemaMemory(log.database)

    async def call(
        self,
        caller: Caller,
        name: str,
        arguments: Mapping[str, Any],
        receipt: int | None,
        *,
        by_bridge: bool,
    ) -> Reply:
        """Calls one tool; see `CallLog.record`.

        Arguments that the schema refuses are repaired first, so that rules, keys, the log and the
        upstream all get the same arguments (`argument_repair`).

        Args:
            caller: sender of the call; if the request is cancelled, so is the request to the
                upstream.
            name: callable name of the tool.
            arguments: arguments for the tool.
            receipt: receipt of the search that found the tool.
            by_bridge: whether the tool is called through call_tool. A client that calls the tool
                directly has its output schema, and therefore gets all structured content, however
                large.

        Returns:
            The upstream's whole result or its first page, or an error result: QM422
            arguments_invalid, QM502 result_too_large, or an error of Relay.send.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable, and the errors about
                idempotency keys.
            MCPError: the client could not answer the upstream's question.
        """
        fitting, repairs = await self._schemas.fitted(caller, name, arguments)
        reply = await self._call(caller, name, fitting, receipt, by_bridge=by_bridge)
        return noted(reply, REPAIRED_KEY, repairs)

    async def _call(
        self, caller: Caller, name: str, fitting: Fitting, receipt: int | None, *, by_bridge: bool
    ) -> Reply:
        arguments = fitting.arguments
        given = caller.context.params or {}
        key, continues = idempotency_key(given), given.get("requestState") is not None
        more = {"idempotency_key": key, "continues": continues}
        async with self._log.record(caller, name, arguments, receipt, **more) as record:
            self._schemas.remember(name, record)
            if record.answer is None:
                fits = fitting.fits is not None and fitting.fits == record.content_hash
                problems = problems_of(record, arguments, fits=fits)
                if problems:
                    record.outcome, record.failure = "invalid_arguments", str(problems[0])
                    record.attempts = 0
                    return invalid_arguments_reply(
                        name, record.input_schema, problems, record.request_id
                    )
                await claim_answer(self._database, caller, record, arguments, continues=continues)
            if record.answer is not None:
                reply = parsed_call(record.origin, json.loads(record.answer))
            else:
                try:
                    reply = await self._send(caller, record, arguments)
                    reply = await self._with_explanation(caller, record, reply, arguments)
                except QmError as error:
                    reply = failure_reply(error, record.request_id)
                    if isinstance(error, UpstreamError) and _is_answer(error.reply):
                        record.stored_answer = _wire(reply)
                    reply, record.findings = await self._guard.result(
                        reply, record.terms.guardrails
                    )
                    return reply
            if isinstance(reply, types.InputRequiredResult):
                return reply
            reply, record.findings = await self._guard.result(reply, record.terms.guardrails)
            # This member describes the upstream's server, not Quartermaster.
            meta = {k: v for k, v in (reply.meta or {}).items() if k != types.SERVER_INFO_META_KEY}
            meta[PROVENANCE_KEY] = record.provenance
            fitted_reply = fitted(reply, caller.context.protocol_version)
            fitted_reply = fitted_reply.model_copy(update={"meta": meta})
        if by_bridge or fitted_reply.structured_content is None:
            return await self.pages.first(caller, record, fitted_reply)
        return fitted_reply

    async def call_as_is(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Reply:
        """Calls one tool without checks or additions, and returns the upstream's own answer or
        error. Only a repair is applied.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable, and the errors of Relay.send.
            MCPError: the error that the upstream returned, or the arguments contain one that a
                repair has removed.
        """
        async with self._log.record(caller, name, arguments, None, as_is=True) as record:
            if removed := removed_arguments(record.repair, arguments):
                record.outcome, record.failure = "invalid_arguments", str(removed[0])
                record.attempts = 0
                raise MCPError(types.INVALID_PARAMS, str(removed[0]))
            try:
                reply = await self._answered(caller, record, arguments, None)
            except UpstreamError as error:
                record.attempts = int(error.sent)
                if error.reply is not None:
                    message = await self._guard.text(error.reply.message, record.terms.guardrails)
                    error_data = error.reply.model_copy(update={"message": message})
                    raise MCPError.from_error_data(error_data) from error
                raise
            if isinstance(reply, types.CallToolResult):
                reply, record.findings = await self._guard.result(reply, record.terms.guardrails)
                return fitted(reply, caller.context.protocol_version)
            return reply

    async def _with_explanation(
        self, caller: Caller, record: CallRecord, reply: Reply, arguments: Mapping[str, Any]
    ) -> Reply:
        """Explains an error of a local server whose sandbox hides a path in the arguments."""
        if not isinstance(reply, types.CallToolResult) or not reply.is_error:
            return reply
        if record.origin_id in self._built_in:
            return reply
        profile = await self._relay.profile(caller, record.origin_id)
        return explained(reply, record.origin, profile, arguments)

    async def _send(
        self, caller: Caller, record: CallRecord, arguments: Mapping[str, Any]
    ) -> Reply:
        """Sends a call as its terms allow, and stores the reply if it may be needed again."""
        continues = (caller.context.params or {}).get("requestState") is not None

        async def send(timeout_s: float | None) -> Reply:
            return await self._answered(caller, record, arguments, timeout_s)

        reply = await send_repeatedly(send, record, arguments, continues=continues)
        require_size(record)
        is_cached = record.terms.cache_s is not None and record.outcome == "ok"
        if isinstance(reply, types.CallToolResult) and (record.idempotency_key or is_cached):
            record.stored_answer = _wire(reply)
        return reply

    async def _answered(
        self,
        caller: Caller,
        record: CallRecord,
        arguments: Mapping[str, Any],
        timeout_s: float | None,
    ) -> Reply:
        given = caller.context.params or {}
        passed = upstream_arguments(record.repair, arguments)
        params: dict[str, Any] = {"name": record.tool, "arguments": passed}
        params |= {key: given[key] for key in _CARRIED_MEMBERS if given.get(key) is not None}
        try:
            if record.origin_id in self._built_in:
                reply = await self._built_in.answer(caller, record, passed, timeout_s)
                size = len(_wire(reply).encode())
            else:
                require_available(
                    record.origin, record.unavailable_until, record.unavailable_because
                )
                result = await self._relay.send(
                    caller, record.origin_id, "tools/call", params, timeout_s=timeout_s
                )
                reply, size = await handled(result, _measured, record.origin, result)
        except (QmError, MCPError) as error:
            record.outcome = outcome_of(error) if isinstance(error, UpstreamError) else "protocol"
            record.failure = await self._guard.text(
                marked_in(record, arguments).hide(str(error)), record.terms.guardrails
            )
            raise
        record.failure = None
        record.result_bytes = size
        is_error = isinstance(reply, types.CallToolResult) and reply.is_error
        record.outcome = "tool_error" if is_error else "ok"
        return reply


def require_size(record: CallRecord) -> None:
    """Refuses a result that is larger than the terms allow.

    Raises:
        QmError: QM502 result_too_large.
    """
    most = record.terms.result_bytes
    if record.result_bytes is not None and record.result_bytes > most:
        record.outcome = "too_large"
        record.failure = f"the result has {record.result_bytes:,} bytes; the limit is {most:,}"
        raise QmError(
            502,
            "result_too_large",
            f"The result has {record.result_bytes:,} bytes; the limit is {most:,}.",
            "Request less data. An operator can raise the limit with: qm tool terms NAME.",
        )


def _is_answer(error: types.ErrorData | None) -> bool:
    """Tells whether the upstream sent the error; the SDK reports an incomplete answer as a parse
    error.
    """
    return error is not None and error.code != types.PARSE_ERROR


def _measured(origin: str, result: JsonObject) -> tuple[Reply, int]:
    """Returns the typed result of a call, and the size of its JSON in bytes."""
    reply = parsed_call(origin, result)
    return reply, len(_wire(reply).encode())


def _wire(reply: Reply) -> str:
    return reply.model_dump_json(by_alias=True, exclude_none=True)


async def send_repeatedly(
    send: Callable[[float | None], Awaitable[Answer]],
    record: CallRecord,
    arguments: Mapping[str, Any],
    *,
    continues: bool,
) -> Answer:
    """Sends a call, and retries it if that is safe. Before a retry, waits for a growing pause with
    jitter, or for the pause that the upstream asks for.

    A retry is safe in three cases: the upstream cannot have received the call; the terms allow a
    repetition; or the upstream recognises repeated calls by a key in the arguments. A key that only
    the client uses does not make a retry safe. All attempts share one timeout.

    Args:
        send: function that makes one attempt; its argument is the timeout in seconds, or None for
            the default.
        record: record of the call, which counts the attempts that may have arrived.
        arguments: arguments for the tool.
        continues: whether the call continues after a question from the tool; such a call is sent
            only once.

    Raises:
        QmError, MCPError: the error of the last attempt.
    """
    terms = record.terms
    may_repeat = terms.may_repeat or arguments.get(terms.key_argument or "") is not None
    ends_at = time.monotonic() + terms.timeout_s if terms.timeout_s is not None else None
    record.attempts = 0

    def left_s() -> float | None:
        return max(ends_at - time.monotonic(), 0.001) if ends_at is not None else None

    try:
        return await _counted(send(left_s()), record)
    except UpstreamError as error:
        failed = error
    tries = stamina.retry_context(
        on=partial(_pause_before_next, may_repeat, left_s),
        attempts=1 if continues else terms.attempts,
        timeout=left_s(),
        wait_max=_LONGEST_WAIT_S,
        wait_jitter=_JITTER_S,
    )
    async for attempt in tries:
        with attempt:
            # The calling function made the first attempt, so that calls without retries do not
            # enter this loop.
            if attempt.num == 1:
                raise failed
            return await _counted(send(left_s()), record)
    raise AssertionError("this point is never reached")


async def _counted(sending: Awaitable[Answer], record: CallRecord) -> Answer:
    # The attempt is counted first: if the caller cancels, it is unknown whether the request
    # arrived.
    record.attempts += 1
    try:
        return await sending
    except UpstreamError as error:
        record.attempts -= not error.sent
        raise
    except QmError:
        # These are errors of Quartermaster, not of the upstream: the origin was removed, or its
        # secrets cannot be read.
        record.attempts -= 1
        raise


def _pause_before_next(
    may_repeat: bool, left_s: Callable[[], float | None], error: Exception
) -> bool | float:
    """Returns whether to send a call again, or the number of seconds to wait first if the upstream
    asks for a pause.
    """
    if not isinstance(error, UpstreamError):
        return False
    asked_s = error.refusal.retry_after_s if error.refusal is not None else None
    if asked_s is None:
        return error.kind in _TRANSIENT_FAILURES and (may_repeat or not error.sent)
    if asked_s == 0 or not may_repeat:
        return may_repeat
    left = left_s()
    most = _LONGEST_ASKED_S if left is None else min(left, _LONGEST_ASKED_S)
    # Requests that were refused together are not to be sent again together.
    pause_s = asked_s + random.uniform(0, _JITTER_S)  # noqa: S311
    return pause_s if pause_s < most else False


async def claim_answer(
    database: Database,
    caller: Caller,
    record: CallRecord,
    arguments: Mapping[str, Any],
    *,
    continues: bool,
) -> None:
    """Sets the call's answer to the answer that is stored under the key in its arguments. If no
    answer is stored, reserves the key for this call.

    Calls without such a key are left unchanged. So are calls for which the client sent a key in
    ``_meta``, and trial calls, which show whether the origin works again. In an outage, every call
    is left unchanged.

    Args:
        database: the database with the stored answers.
        caller: sender of the call.
        record: record of the call; its answer and key are set.
        arguments: arguments for the tool, which satisfy its schema.
        continues: whether the call continues after a question from the tool.

    Raises:
        QmError: QM409 call_in_progress, QM422 idempotency_key_reused; no call is made.
    """
    key = _key_in(record, arguments)
    if key is None or record.idempotency_key is not None or record.is_trial:
        return
    if isinstance(record.id, UUID):
        return
    try:
        found = await database.call_one(
            api.claim_answer(
                call_id=record.id,
                started_at=record.started_at,
                arguments_hash=record.arguments_hash,
                idempotency_key=key,
                continues=continues,
            ),
            caller.principal,
        )
    except QmError as error:
        if error.status == _DATABASE_AWAY_STATUS:
            return
        record.outcome, record.failure, record.attempts = "invalid_arguments", error.slug, 0
        raise
    record.idempotency_key = key
    record.answer, record.answered_by = found["answer"], found["answered_by"]
    record.answered_at = found["answered_at"]


def _key_in(record: CallRecord, arguments: Mapping[str, Any]) -> str | None:
    """Returns the key in the arguments; None if it is marked as secret, because secrets are not
    stored.
    """
    name = record.terms.key_argument
    value: object = arguments.get(name) if name is not None else None
    if name is None or isinstance(value, bool) or not isinstance(value, str | int):
        return None
    if not is_key(str(value)):
        return None
    return None if marked_in(record, {name: value}).pointers else str(value)
