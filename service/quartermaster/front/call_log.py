"""Each call's row in proxy.call: committed before the network is touched, completed after."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Protocol
from uuid import UUID, uuid4

import anyio
import stamina

from quartermaster.db import Database, Principal
from quartermaster.errors import QmError
from quartermaster.logs import get_logger
from quartermaster.upstream.failure import UpstreamError

PROVENANCE_KEY: Final = "quartermaster/call"
_END_WITHIN_S: Final = 5.0
# Failure kinds of an upstream that are no outcome of their own in proxy.call.
_OUTCOMES: Final = {"schema": "protocol", "command_not_found": "network"}


class Sender(Protocol):
    """Whose call it is, and of which request."""

    @property
    def principal(self) -> Principal:
        """On whose behalf it is made."""
        ...

    @property
    def request_id(self) -> str:
        """As in the logs and the call log."""
        ...


@dataclass
class CallRecord:
    """One call under way.

    Attributes:
        id: of its row; while the database is away, the key by which its row will be found.
        origin_id, origin: where the tool is.
        tool: its own name there.
        version, content_hash: of its definition.
        input_schema: what its arguments must satisfy.
        unavailable_until, unavailable_because: set where the origin is not to be called now.
        request_id: of the request that made it.
        outcome: how it ended; what nobody changed is a defect of ours.
        failure: what went wrong.
        result_bytes: size of the result as JSON.
    """

    id: int | UUID
    origin_id: int
    origin: str
    tool: str
    version: int
    content_hash: str
    input_schema: object
    request_id: str
    outcome: str = "internal"
    failure: str | None = None
    result_bytes: int | None = None
    unavailable_until: datetime | None = None
    unavailable_because: str | None = None

    @property
    def provenance(self) -> dict[str, Any]:
        """What a result says of where it comes from, for its ``_meta``."""
        return {
            "id": self.id if isinstance(self.id, int) else str(self.id),
            "origin": self.origin,
            "tool": self.tool,
            "version": self.version,
            "contentHash": self.content_hash,
            "requestId": self.request_id,
        }


class CallLog:
    """Writes the call log.

    Args:
        database: where it is.
        instance: id of this process.
    """

    def __init__(self, database: Database, instance: UUID) -> None:
        self._database = database
        self._instance = instance

    @asynccontextmanager
    async def record(
        self, caller: Sender, name: str, arguments: Mapping[str, Any], receipt: int | None
    ) -> AsyncGenerator[CallRecord]:
        """Logs the call made inside; its outcome is what the record says when the block ends.

        Args:
            caller: who calls.
            name: callable name.
            arguments: of the tool; only their size is kept.
            receipt: of the search the tool was found by.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable or tool_withheld: no call.
        """
        started = time.perf_counter()
        record = await self._begin(caller, name, arguments, receipt)
        async with self.until_end(caller, record, started):
            yield record

    @asynccontextmanager
    async def until_end(
        self, caller: Sender, record: CallRecord, started: float
    ) -> AsyncGenerator[None]:
        """Completes a row that was begun, whatever happens inside.

        Args:
            caller: who calls.
            record: of the row.
            started: when, by time.perf_counter.
        """
        try:
            yield
        except anyio.get_cancelled_exc_class():
            record.outcome = "cancelled"
            raise
        finally:
            await self._end(caller, record, (time.perf_counter() - started) * 1000)

    async def _begin(
        self, caller: Sender, name: str, arguments: Mapping[str, Any], receipt: int | None
    ) -> CallRecord:
        begun: dict[str, Any] = {}
        # Shielded: a row that was committed must not be left without anybody to complete it.
        with anyio.CancelScope(shield=True):
            begun = await self._database.call_one(
                "call_begin",
                caller.principal,
                name=name,
                argument_bytes=len(json.dumps(arguments, separators=(",", ":"))),
                request_id=caller.request_id,
                instance=self._instance,
                receipt=receipt,
                key=uuid4(),
            )
        if begun["call_id"] is None:
            # The same words for a tool that is not there and for one that rights deny.
            raise QmError(
                404,
                "tool_not_found",
                f"there is no tool called {name[:200]!r}",
                "Search for it with search_tools.",
            )
        return CallRecord(id=begun.pop("call_id"), request_id=caller.request_id, **begun)

    async def _end(self, caller: Sender, record: CallRecord, duration_ms: float) -> None:
        log = get_logger(call=record.provenance["id"], outcome=record.outcome, origin=record.origin)
        try:
            with anyio.CancelScope(shield=True):
                await self._write_end(caller, record, duration_ms)
        except QmError as error:
            # The upstream has done its work, so its result still goes out; the row stays pending
            # and becomes lost when this process ends.
            log.warning("call_not_ended", error=str(error))
        else:
            log.info("call_ended", duration_ms=round(duration_ms, 1), failure=record.failure)

    async def _write_end(self, caller: Sender, record: CallRecord, duration_ms: float) -> None:
        # A database that restarts is back within seconds; so long the client waits for its result.
        async for attempt in stamina.retry_context(
            on=_is_unavailable, attempts=None, timeout=_END_WITHIN_S, wait_max=1.0
        ):
            with attempt:
                await self._database.call(
                    "call_end",
                    caller.principal,
                    call_id=record.id,
                    outcome=record.outcome,
                    duration_ms=duration_ms,
                    result_bytes=record.result_bytes,
                    failure=record.failure,
                )


def outcome_of(error: UpstreamError) -> str:
    """The outcome in proxy.call of a call whose upstream failed."""
    return _OUTCOMES.get(error.kind, error.kind)


def _is_unavailable(error: Exception) -> bool:
    return isinstance(error, QmError) and error.status == 503
