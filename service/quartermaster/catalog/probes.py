"""Calls tools without side effects with the examples in their definitions, and checks whether the
results keep the promises of the definitions.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable
from dataclasses import dataclass, replace
from typing import Any, Final, NoReturn
from uuid import UUID, uuid4

import mcp_types as types

from quartermaster import api
from quartermaster.calls.arguments import find_problems
from quartermaster.calls.call_log import outcome_of
from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.caller import Sender
from quartermaster.calls.upstream_arguments import upstream_arguments
from quartermaster.catalog.sandbox import Kind, sandboxed
from quartermaster.core.errors import QmError
from quartermaster.core.json_schema import usable
from quartermaster.core.logs import get_logger, request_scope
from quartermaster.core.wakeup import Wakeup, repeat
from quartermaster.db import Row
from quartermaster.service import Service
from quartermaster.upstream.failure import UpstreamError
from quartermaster.upstream.supervisor import Supervisor

_POLL_S: Final = 60.0
_TIMEOUT_S: Final = 15.0
_MOST_BYTES: Final = 1_000_000
# Cases in which the tool answered, but with an error or an invalid result.
_REFUSALS: Final = frozenset({"tool_error", "schema"})

log = get_logger(part="probes")
_MOST_TEXT: Final = 20_000
# Words at the beginning of a result that report a change, such as "Created 3 rows".
_REPORTS_CHANGE: Final = re.compile(
    r"^\W*(?:(?:the|your|a|an|all|\d+)\s+(?:\w+\s+){1,3}(?:was|were|has been|have been)\s+)?"
    r"(?:successfully\s+)?"
    r"(?:created|deleted|removed|updated|inserted|wrote|written|saved|overwrote|sent|posted|moved|"
    r"renamed|dropped|uploaded|committed|installed)\b"
    r"(?:\s+successfully|\s+(?:to|the|a|an|your|all|\d+)\b|\s*[.!:]|$)",
    re.IGNORECASE,
)
Result = types.CallToolResult | types.InputRequiredResult


@dataclass(frozen=True)
class _Verdict:
    is_honest: bool | None
    problem: str
    sandbox: Kind = "none"


class ProbeWorker:
    """Probes due tools one after the other, with limits on time and size.

    Args:
        service: the service.
    """

    def __init__(self, service: Service) -> None:
        self._service = service
        self._wakeup = Wakeup()
        self.wake = self._wakeup.ring

    async def run(self) -> NoReturn:
        """Probes tools whenever they are due, until cancelled. Continues after an outage of the
        database.
        """
        await repeat(self._probe_all, _POLL_S, "probes_interrupted", self._wakeup)

    async def _probe_all(self) -> None:
        service = self._service
        while rows := await service.database.call(api.claim_probes(), service.worker):
            for row in rows:
                await self._probe(row)

    async def _probe(self, row: Row) -> None:
        for number, arguments in enumerate(row["examples"]):
            with request_scope():
                try:
                    await self._try_example(row, number, arguments)
                except QmError as error:
                    # The tool was withheld, removed or denied in the meantime.
                    log.warning("probe_abandoned", tool=row["name"], error=str(error))
                    return

    async def _try_example(self, row: Row, number: int, arguments: dict[str, Any]) -> None:
        service = self._service
        sender = Sender(service.worker, f"probe-{uuid4().hex}")
        async with self._service.calls.record(sender, row["name"], arguments, None) as record:
            verdict = await self._judged(record, arguments, row)
        # A call that stands in the spool has no row yet that the result could refer to.
        if isinstance(record.id, UUID):
            return
        await service.database.call(
            api.store_probe(
                call_id=record.id,
                example=number,
                is_honest=verdict.is_honest,
                problem=verdict.problem,
                sandbox=verdict.sandbox,
            ),
            service.worker,
        )
        facts = {"is_honest": verdict.is_honest, "problem": verdict.problem}
        log.info("tool_probed", tool=row["name"], example=number, **facts)

    async def _judged(self, record: CallRecord, arguments: dict[str, Any], row: Row) -> _Verdict:
        problems = find_problems(record.input_schema, arguments)
        if problems:
            record.outcome, record.failure = "invalid_arguments", str(problems[0])
            return _Verdict(False, f"the tool's own example does not fit its schema: {problems[0]}")
        if record.unavailable_until is not None:
            record.outcome, record.failure = "unavailable", record.unavailable_because
            return _Verdict(None, f"the origin is not called: {record.unavailable_because}")
        spec = await self._service.upstreams.origins.spec(record.origin_id)
        with sandboxed(spec) as sandbox:
            # The probe runs in a separate process, so that it does not disturb the connection of
            # the service.
            async with Supervisor() as upstreams:
                call = upstreams.call(
                    sandbox.spec,
                    record.tool,
                    upstream_arguments(record.repair, arguments),
                    timeout_s=min(_TIMEOUT_S, spec.call_timeout_s),
                )
                verdict = await _judge(record, call, row["output_schema"])
        cut_off = sandbox.kind == "bwrap" and row["is_open_world"]
        if verdict.is_honest is False and cut_off and record.outcome != "ok":
            # The tool had no network, which may be why it failed.
            return _Verdict(None, f"without a network: {verdict.problem}", sandbox.kind)
        return replace(verdict, sandbox=sandbox.kind)


async def _judge(
    record: CallRecord, call: Awaitable[Result], output_schema: dict[str, Any] | None
) -> _Verdict:
    try:
        result = await call
    except UpstreamError as error:
        record.outcome, record.failure = outcome_of(error), str(error)
        # A tool that was not reached or did not answer has done nothing against its annotations.
        return _Verdict(False if error.kind in _REFUSALS else None, error.message)
    record.outcome = "tool_error" if getattr(result, "is_error", False) else "ok"
    record.result_bytes = len(result.model_dump_json(by_alias=True, exclude_none=True))
    if record.result_bytes > _MOST_BYTES:
        return _Verdict(None, f"the result is too large to check: {record.result_bytes:,} bytes")
    problem = broken_promise(result, output_schema)
    return _Verdict(not problem, problem)


def broken_promise(result: Result, output_schema: dict[str, Any] | None) -> str:
    """Returns the promises that a result breaks; empty if the result keeps all promises.

    Args:
        result: result of a call with the tool's own example.
        output_schema: JSON Schema for its structured content, if the tool has one.
    """
    if isinstance(result, types.InputRequiredResult):
        return "the tool requires more input than its own example contains"
    text = _text(result)
    if result.is_error:
        return f"the tool refuses its own example: {text[:300]}"
    if output_schema is not None:
        if result.structured_content is None:
            return "the result lacks the structured content that the schema describes"
        problems = find_problems(output_schema, result.structured_content, read=usable)
        if problems:
            return f"the result does not match the schema: {problems[0]}"
    if reported := _REPORTS_CHANGE.match(text):
        return f"the tool claims to be read-only, but reports a change: {reported[0].strip()[:200]}"
    return ""


def _text(result: types.CallToolResult) -> str:
    texts = [block.text for block in result.content if block.type == "text"]
    return "\n".join(texts)[:_MOST_TEXT]
