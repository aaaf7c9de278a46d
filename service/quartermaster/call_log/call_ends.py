"""The ends of calls: most are written into the call log after the reply, and not lost for that."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, Self

import anyio
import stamina
from anyio.abc import TaskGroup

from quartermaster.call_log.call_record import CallRecord
from quartermaster.call_log.end_notes import EndNotes, Page
from quartermaster.db import Database, Principal
from quartermaster.errors import QmError
from quartermaster.logs import get_logger

_WITHIN_S: Final = 5.0
_MOST_UNDER_WAY: Final = 200
# What went wrong is written first, and how a trial went, so that the next call finds the breaker
# as it should be.
_MAY_WAIT: Final = frozenset({"ok", "tool_error"})


class CallEnds:
    """Completes rows of the call log.

    The client need not wait for it: that a call went well is noted in a file first, which outlives
    this process; whoever comes after hands it in.

    Args:
        database: where the call log is.
        notes: of ends to come.
        tasks: that write after the reply.
    """

    def __init__(self, database: Database, notes: EndNotes, tasks: TaskGroup) -> None:
        self._database = database
        self._notes = notes
        self._tasks = tasks
        self._under_way = 0

    @classmethod
    @asynccontextmanager
    async def open(cls, database: Database, data_dir: Path) -> AsyncGenerator[Self]:
        """For as long as calls are made; at its end what is under way is written, too.

        Args:
            database: as above.
            data_dir: where the notes are.
        """
        notes = EndNotes(data_dir)
        tasks = anyio.create_task_group()
        await tasks.__aenter__()
        try:
            yield cls(database, notes, tasks)
        finally:
            # Not told why it ends, the group waits, and adds nothing to what is raised.
            await tasks.__aexit__(None, None, None)
            notes.close()

    async def write(self, principal: Principal, record: CallRecord, duration_ms: float) -> None:
        """Writes how a call ended: at once, or with a note of it, later.

        Args:
            principal: whose call it is.
            record: of the call.
            duration_ms: milliseconds from its beginning.
        """
        told: dict[str, Any] = {
            "outcome": record.outcome,
            "duration_ms": duration_ms,
            "result_bytes": record.result_bytes,
            "failure": record.failure,
            "attempts": record.attempts,
        }
        if self._may_wait(record):
            note = {"call_id": record.id, "principal_id": principal.id, **told}
            page = self._notes.add({**note, "started_at": record.started_at.isoformat()})
            if page is not None:
                self._under_way += 1
                self._tasks.start_soon(self._write_later, principal, record, told, page)
                return
        await self._write(principal, record, told)

    def _may_wait(self, record: CallRecord) -> bool:
        return (
            record.outcome in _MAY_WAIT
            and isinstance(record.id, int)
            and not record.keeps
            and not record.is_trial
            and self._under_way < _MOST_UNDER_WAY
        )

    async def _write_later(
        self, principal: Principal, record: CallRecord, told: dict[str, Any], page: Page
    ) -> None:
        try:
            await self._write(principal, record, told)
        except Exception:  # noqa: BLE001 - one call's defect must not end everybody's tasks
            get_logger().exception("call_not_ended", call=record.id)
        finally:
            self._under_way -= 1
            self._notes.settle(page)

    async def _write(self, principal: Principal, record: CallRecord, told: dict[str, Any]) -> None:
        log = get_logger(call=record.provenance["id"], outcome=record.outcome, origin=record.origin)
        kept: dict[str, object] = {}
        if record.keeps and (record.kept is not None or record.attempts == 0):
            kept["answer"] = record.kept
            kept["arguments_hash"] = record.arguments_hash
            # What certainly never arrived may be sent under the same key.
            kept["releases_key"] = record.kept is None
        try:
            # Shielded: whoever cancels the call does not undo what the upstream has done.
            with anyio.CancelScope(shield=True):
                await self._call_end(
                    principal, call_id=record.id, started_at=record.started_at, **told, **kept
                )
        except QmError as error:
            # The upstream has done its work, so its result still goes out; the row stays pending
            # and becomes lost when this process ends.
            log.warning("call_not_ended", error=str(error))
        else:
            duration_ms = round(told["duration_ms"], 1)
            log.info("call_ended", duration_ms=duration_ms, failure=record.failure)

    async def _call_end(self, principal: Principal, **end: object) -> None:
        # A database that restarts is back within seconds; so long the end is tried again.
        async for attempt in stamina.retry_context(
            on=_is_unavailable, attempts=None, timeout=_WITHIN_S, wait_max=1.0
        ):
            with attempt:
                await self._database.call("call_end", principal, **end)


def _is_unavailable(error: Exception) -> bool:
    return isinstance(error, QmError) and error.status == 503
