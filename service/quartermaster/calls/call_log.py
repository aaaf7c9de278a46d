"""Writes a row in calls.call for each call, and commits it before anything is sent over the
network.
"""

from __future__ import annotations

import json
import time
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final
from uuid import UUID, uuid4

import anyio

from quartermaster import api
from quartermaster.calls.call_ends import CallEnds
from quartermaster.calls.call_record import CallRecord, CallTerms
from quartermaster.calls.caller import Sender
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.core.kinds import TOOL
from quartermaster.core.meters import Meters
from quartermaster.db import Database, Principal
from quartermaster.upstream.failure import UpstreamError

# These upstream failures have no outcome of their own in calls.call. An answer that is not valid
# says nothing about the server's other tools, so it counts as an error of the tool.
_OUTCOMES: Final = {"schema": "tool_error", "command_not_found": "network"}


class CallLog:
    """Writes the call log.

    Args:
        database: the database with the call log.
        instance: id of this process.
        meters: counters of calls.
        ends: object that completes the rows.

    Attributes:
        database, instance: see the arguments.
    """

    def __init__(self, database: Database, instance: UUID, meters: Meters, ends: CallEnds) -> None:
        self.database = database
        self.instance = instance
        self._ends = ends
        self._meters = meters

    def _begin_again(self, call: CallRecord, key: UUID, receipt: int | None) -> dict[str, Any]:
        """Returns the data of the call's row, with which the row can be written again if it is
        lost.
        """
        return {
            "key": str(key),
            "instance_id": str(self.instance),
            "request_id": call.request_id,
            "receipt_id": receipt,
            "kind": TOOL,
            "ref": call.ref,
            "version": call.version,
            "argument_bytes": call.arguments_bytes,
        }

    @asynccontextmanager
    async def record(
        self,
        caller: Sender,
        name: str,
        arguments: Mapping[str, Any],
        receipt: int | None,
        **more: Any,
    ) -> AsyncGenerator[CallRecord]:
        """Logs the call made inside the block; the row gets the record's outcome at the block's
        end.

        Args:
            caller: sender of the call.
            name: callable name of the tool.
            arguments: arguments for the tool; only their size is stored, and their hash if the
                answer is stored.
            receipt: receipt of the search that found the tool.
            more: further arguments for service.call_begin: idempotency_key, continues, as_is.

        Raises:
            QmError: QM404 tool_not_found, QM409 origin_not_callable or tool_withheld, or the errors
                of service.call_begin about idempotency keys; no call is made.
        """
        started = time.perf_counter()
        encoded = json.dumps(arguments, separators=(",", ":"), sort_keys=True).encode()
        # The key and the start time identify a call in the database and in the spool.
        started_at = datetime.now(UTC)
        key, digest = uuid4(), sha256(encoded).digest()
        begun = await self.begin(
            api.call_begin(
                name=name,
                argument_bytes=len(encoded),
                request_id=caller.request_id,
                instance=self.instance,
                receipt=receipt,
                key=key,
                started_at=started_at,
                arguments_hash=digest,
                kind=TOOL,
                **more,
            ),
            caller.principal,
        )
        if begun["call_id"] is None:
            raise _tool_not_found(name)
        idempotency_key = more.get("idempotency_key")
        terms = CallTerms.read(begun.pop("terms"))
        call = CallRecord(
            id=begun.pop("call_id"),
            request_id=caller.request_id,
            started_at=started_at,
            terms=terms,
            arguments_bytes=len(encoded),
            arguments_hash=digest,
            idempotency_key=idempotency_key if isinstance(idempotency_key, str) else None,
            **begun,
        )
        if terms.may_repeat and not call.keeps:
            call.begun = self._begin_again(call, key, receipt)
        async with self.until_end(caller, call, started):
            yield call

    async def begin(self, asked: ApiCall[Any], principal: Principal) -> dict[str, Any]:
        """Begins a row of the log. This cannot be cancelled, because a committed row must be
        completed.
        """
        begun: dict[str, Any] = {}
        with anyio.CancelScope(shield=True):
            begun |= await self.database.call_one(asked, principal)
        return begun

    @asynccontextmanager
    async def until_end(
        self, caller: Sender, record: CallRecord, started: float
    ) -> AsyncGenerator[None]:
        """Completes a row at the end of the block, even if the block raises an error.

        Args:
            caller: sender of the call.
            record: record of the call.
            started: start time, as returned by time.perf_counter.
        """
        try:
            yield
        except anyio.get_cancelled_exc_class():
            record.outcome = "cancelled"
            raise
        finally:
            # If a stored answer exists, the call is already complete.
            if record.answer is None:
                duration_s = time.perf_counter() - started
                self._meters.call(record.origin, record.outcome, duration_s)
                await self._ends.write(caller.principal, record, duration_s * 1000)


def outcome_of(error: UpstreamError) -> str:
    """Returns the outcome in calls.call for an upstream failure."""
    return _OUTCOMES.get(error.kind, error.kind)


def _tool_not_found(name: str) -> QmError:
    """Returns the error for a tool that does not exist, or that the caller may not use. The error
    does not say which of the two is true.
    """
    return QmError(
        404,
        "tool_not_found",
        f"there is no tool called {name[:200]!r}",
        "Find tools with search_tools.",
    )
