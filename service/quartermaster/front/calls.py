"""Calls of tools: arguments checked, relayed whole, the result told where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import mcp_types as types

from quartermaster.errors import QmError
from quartermaster.front.arguments import find_problems
from quartermaster.front.call_log import PROVENANCE_KEY, CallLog, CallRecord, outcome_of
from quartermaster.front.caller import Caller
from quartermaster.front.replies import failure_reply, fitted, invalid_arguments_reply
from quartermaster.front.sessions import is_stateless
from quartermaster.service import Service
from quartermaster.upstream.failure import UpstreamError

_PROTOCOL_META: Final = "io.modelcontextprotocol/"
_PROGRESS_TOKENS: Final = frozenset({"progressToken", "progress_token"})

Reply = types.CallToolResult | types.InputRequiredResult


class Calls:
    """Relays calls to upstreams.

    Not yet relayed to handshake clients: an upstream's question to the user (InputRequired); they
    get an error that says so. Stateless clients get it as it is, and answer through the same call.

    Args:
        service: its database and its upstreams.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._log = CallLog(service.database, service.id)

    async def call(
        self, caller: Caller, name: str, arguments: Mapping[str, Any], receipt: int | None
    ) -> Reply:
        """Calls one tool; see `CallLog.record`.

        Args:
            caller: who calls; cancelling their request cancels the upstream's.
            name: callable name.
            arguments: of the tool.
            receipt: of the search it was found by.

        Returns:
            The upstream's result whole, or an error result: QM422 arguments_invalid, those of
            Supervisor.call and Origins.spec.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable.
        """
        async with self._log.record(caller, name, arguments, receipt) as record:
            reply = await self._relay(caller, name, record, arguments)
            if isinstance(reply, types.InputRequiredResult):
                return reply
            # What the upstream says of its own server is not what this server is.
            meta = {k: v for k, v in (reply.meta or {}).items() if k != types.SERVER_INFO_META_KEY}
            meta[PROVENANCE_KEY] = record.provenance
            return reply.model_copy(update={"meta": meta})

    async def _relay(
        self, caller: Caller, name: str, record: CallRecord, arguments: Mapping[str, Any]
    ) -> Reply:
        problems = find_problems(record.input_schema, arguments)
        if problems:
            record.outcome, record.failure = "invalid_arguments", str(problems[0])
            return invalid_arguments_reply(name, record.input_schema, problems, record.request_id)
        try:
            result = await self._send(caller, record, arguments)
        except QmError as error:
            if isinstance(error, UpstreamError):
                record.outcome = outcome_of(error)
            record.failure = str(error)
            return failure_reply(error, record.request_id)
        record.result_bytes = _size(result)
        if isinstance(result, types.InputRequiredResult):
            return _question(caller, record, result)
        record.outcome = "tool_error" if result.is_error else "ok"
        return fitted(result, caller.context.protocol_version)

    async def _send(
        self, caller: Caller, record: CallRecord, arguments: Mapping[str, Any]
    ) -> Reply:
        spec = await self._service.origins.spec(record.origin_id)
        context = caller.context
        meta: Mapping[str, Any] = context.meta or {}
        wants_progress = bool(_PROGRESS_TOKENS & meta.keys())
        relayed = {
            key: value
            for key, value in meta.items()
            if key not in _PROGRESS_TOKENS and not key.startswith(_PROTOCOL_META)
        }
        params = context.params or {}
        return await self._service.upstreams.call(
            spec,
            record.tool,
            arguments,
            meta=relayed or None,
            on_progress=context.session.report_progress if wants_progress else None,
            input_responses=params.get("inputResponses"),
            request_state=params.get("requestState"),
        )


def _question(caller: Caller, record: CallRecord, result: types.InputRequiredResult) -> Reply:
    """An upstream's question to the user, to those who can be asked."""
    if is_stateless(caller.context):
        record.outcome = "ok"
        return result
    error = QmError(
        501,
        "input_not_relayed",
        f"Upstream {record.origin!r} asks the user for input before it runs {record.tool!r}, "
        "which is relayed to clients of protocol revision 2026-07-28 only.",
        "Give what it may ask for in the arguments, or use a client of that revision.",
    )
    record.outcome, record.failure = "protocol", error.message
    return failure_reply(error, record.request_id)


def _size(result: Reply) -> int:
    return len(result.model_dump_json(by_alias=True, exclude_none=True).encode("utf-8"))
