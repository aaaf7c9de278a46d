"""Calls of tools: arguments checked, relayed whole, the result told where it comes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import mcp_types as types
from mcp import MCPError

from quartermaster.errors import QmError
from quartermaster.front.arguments import find_problems
from quartermaster.front.call_log import PROVENANCE_KEY, CallLog, CallRecord, outcome_of
from quartermaster.front.caller import Caller
from quartermaster.front.replies import failure_reply, fitted, invalid_arguments_reply
from quartermaster.relay.relay import Relay
from quartermaster.service import Service
from quartermaster.upstream.breakers import require_available
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.operations import parsed_call

Reply = types.CallToolResult | types.InputRequiredResult


class Calls:
    """Relays calls to upstreams.

    Args:
        service: its database and its upstreams.
        relay: the way to them.
    """

    def __init__(self, service: Service, relay: Relay) -> None:
        self._relay = relay
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
            Relay.send.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable.
            MCPError: the client could not answer what the upstream asked.
        """
        async with self._log.record(caller, name, arguments, receipt) as record:
            problems = find_problems(record.input_schema, arguments)
            if problems:
                record.outcome, record.failure = "invalid_arguments", str(problems[0])
                return invalid_arguments_reply(
                    name, record.input_schema, problems, record.request_id
                )
            try:
                reply = await self._send(caller, record, arguments)
            except QmError as error:
                return failure_reply(error, record.request_id)
            if isinstance(reply, types.InputRequiredResult):
                return reply
            # What the upstream says of its own server is not what this server is.
            meta = {k: v for k, v in (reply.meta or {}).items() if k != types.SERVER_INFO_META_KEY}
            meta[PROVENANCE_KEY] = record.provenance
            return reply.model_copy(update={"meta": meta})

    async def call_as_is(self, caller: Caller, name: str, arguments: Mapping[str, Any]) -> Reply:
        """The same, nothing added and nothing checked: the upstream's own answer, errors too.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable, those of Relay.send.
            MCPError: as the upstream answered.
        """
        async with self._log.record(caller, name, arguments, None) as record:
            try:
                return await self._send(caller, record, arguments)
            except UpstreamError as error:
                if error.reply is not None:
                    raise MCPError.from_error_data(error.reply) from error
                raise

    async def _send(
        self, caller: Caller, record: CallRecord, arguments: Mapping[str, Any]
    ) -> Reply:
        given = caller.context.params or {}
        params: dict[str, Any] = {"name": record.tool, "arguments": arguments}
        params |= {key: given[key] for key in _CARRIED if given.get(key) is not None}
        try:
            require_available(record.origin, record.unavailable_until, record.unavailable_because)
            result = await self._relay.send(caller, record.origin_id, "tools/call", params)
            reply = parsed_call(record.origin, result)
        except (QmError, MCPError) as error:
            record.outcome = outcome_of(error) if isinstance(error, UpstreamError) else "protocol"
            record.failure = str(error)
            raise
        record.result_bytes = _size(reply)
        is_error = isinstance(reply, types.CallToolResult) and reply.is_error
        record.outcome = "tool_error" if is_error else "ok"
        if isinstance(reply, types.InputRequiredResult):
            return reply
        return fitted(reply, caller.context.protocol_version)


# Of a tools/call, beside its name and arguments, which may be those of call_tool.
_CARRIED = ("_meta", "inputResponses", "requestState")


def _size(result: Reply) -> int:
    return len(result.model_dump_json(by_alias=True, exclude_none=True).encode("utf-8"))
