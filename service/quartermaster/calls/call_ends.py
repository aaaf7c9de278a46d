"""Completes the rows of the call log. Most rows are completed after the reply, but no end of a call
is lost.
"""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, Self

import anyio
import stamina

from quartermaster import api
from quartermaster.calls.call_record import CallRecord
from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database, Principal
from quartermaster.outage.spool import FOLDER, NOTES, Record, SpoolFile, new_file, now

_log = get_logger(part="call_log")
_WITHIN_S: Final = 5.0
_LINGER_S: Final = 0.05
_MOST_WAITING: Final = 200
# Failures and trial calls are written before the reply, so that the next call finds the breaker in
# the right state.
_MAY_WAIT: Final = frozenset({"ok", "tool_error"})


@dataclass
class Page:
    """A file with notes about ended calls, and its content."""

    file: SpoolFile
    records: list[Record] = field(default_factory=list[Record])


class EndNotes:
    """Notes about ended calls. If this process is killed, a later process writes them to the
    database (`outage.spool`).

    There are two pages (files): while one page is being sent, new notes are written to the other.

    Args:
        data_dir: the data directory.
    """

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / FOLDER
        self._page: Page | None = None
        self._spare: list[Page] = []

    def add(self, record: Record) -> bool:
        """Writes a note of how a call ended; returns False if the note cannot be written."""
        record = end_record(record)
        try:
            if self._page is None:
                new = self._spare.pop() if self._spare else Page(new_file(self._folder, NOTES))
                self._page = new
            # The file is not synced to the disk: a note must survive the end of this process, but
            # not a crash of the machine.
            self._page.file.append(record, is_synced=False)
        except OSError as error:
            _log.warning("end_not_noted", error=str(error))
            return False
        self._page.records.append(record)
        return True

    def take(self) -> Page | None:
        """Returns the page of new notes and begins another one; None if there are no notes."""
        page, self._page = self._page, None
        return page

    def settle(self, page: Page) -> None:
        """Deletes a page whose notes the database has stored."""
        page.file.clear()
        page.records.clear()
        self._spare.append(page)

    def close(self) -> None:
        """Closes the files. Call this after the last note. Pages that were not sent stay on the
        disk.
        """
        while self._spare:
            self._spare.pop().file.remove()


def end_record(record: Record) -> Record:
    """Returns how a call has just ended, in the format that the database expects."""
    return {"event": "end", "at": now(), **record}


@dataclass(frozen=True, slots=True)
class _End:
    """The end of a call: its principal, its record, and its data for the database."""

    principal: Principal
    record: CallRecord
    report: dict[str, Any]

    @property
    def noted(self) -> dict[str, Any]:
        """The end of the call, as service.end_calls and service.replay_calls expect it."""
        record = self.record
        whose = {"call_id": record.id, "principal_id": self.principal.id}
        return {**whose, "started_at": record.started_at.isoformat(), **self.report, **record.begun}


class CallEnds:
    """Completes rows in the call log.

    The client does not wait for this. The end of a successful call is first noted in a file that
    outlives this process. If necessary, a later process sends the note to the database. One SQL
    statement completes several rows.

    Args:
        database: the database with the call log.
        notes: notes for the ends of calls.
    """

    def __init__(self, database: Database, notes: EndNotes) -> None:
        self._database = database
        self._notes = notes
        self._waiting: list[_End] = []
        self._noted = anyio.Event()
        self._closing = anyio.Event()

    @classmethod
    @asynccontextmanager
    async def open(cls, database: Database, data_dir: Path) -> AsyncGenerator[Self]:
        """Accepts ends of calls inside the block, and writes the remaining notes when the block
        ends.

        Args:
            database: the database with the call log.
            data_dir: the data directory.
        """
        notes = EndNotes(data_dir)
        ends = cls(database, notes)
        tasks = anyio.create_task_group()
        await tasks.__aenter__()
        tasks.start_soon(ends._write_noted)
        try:
            yield ends
        finally:
            ends._closing.set()
            ends._noted.set()
            # The task group waits for its tasks. It does not wrap an exception that the block
            # raised.
            await tasks.__aexit__(None, None, None)
            notes.close()

    async def write(self, principal: Principal, record: CallRecord, duration_ms: float) -> None:
        """Writes how a call ended, either immediately or later from a note.

        Args:
            principal: the principal that made the call.
            record: record of the call.
            duration_ms: duration of the call in milliseconds.
        """
        report: dict[str, Any] = {
            "outcome": record.outcome,
            "duration_ms": duration_ms,
            "result_bytes": record.result_bytes,
            "failure": record.failure,
            "attempts": record.attempts,
            "findings": record.findings,
        }
        end = _End(principal, record, report)
        if self._may_wait(record) and self._notes.add(end.noted):
            self._waiting.append(end)
            self._noted.set()
        else:
            await self._write(end)

    def _may_wait(self, record: CallRecord) -> bool:
        return (
            record.outcome in _MAY_WAIT
            and isinstance(record.id, int)
            and not record.keeps
            and not record.is_trial
            and len(self._waiting) < _MOST_WAITING
            and not self._closing.is_set()
        )

    async def _write_noted(self) -> None:
        # The write is shielded from cancellation, so that the remaining notes are also written when
        # the service stops.
        with anyio.CancelScope(shield=True):
            while self._waiting or not self._closing.is_set():
                await self._noted.wait()
                with anyio.move_on_after(_LINGER_S):
                    await self._closing.wait()
                self._noted = anyio.Event()
                ends, self._waiting = self._waiting, []
                page = self._notes.take()
                if page is None:
                    continue
                try:
                    await self._write_page(page, ends)
                except Exception:  # noqa: BLE001 - one call's defect must not end the others'
                    get_logger().exception("calls_not_ended", calls=[e.record.id for e in ends])
                self._notes.settle(page)

    async def _write_page(self, page: Page, ends: list[_End]) -> None:
        try:
            await self._database.call(api.end_calls(ends=page.records), None)
        except QmError:
            # Either one of the records is invalid, or the database is unavailable. Therefore, each
            # record is now written separately.
            async with anyio.create_task_group() as tasks:
                for end in ends:
                    tasks.start_soon(self._write, end)
        else:
            for end in ends:
                _log_end(end)

    async def _write(self, end: _End) -> None:
        record = end.record
        if record.begun and not record.keeps:
            ends = api.end_calls(ends=[end_record(end.noted)])
            ask = partial(self._database.call, ends, None)
        else:
            report = {"call_id": record.id, "started_at": record.started_at, **end.report}
            one = api.call_end(**report, **record.to_keep)
            ask = partial(self._database.call, one, end.principal)
        try:
            # The write is shielded from cancellation, because cancelling a call does not undo its
            # effect on the upstream.
            with anyio.CancelScope(shield=True):
                # A database usually restarts within seconds, so the write is retried for a few
                # seconds.
                async for attempt in stamina.retry_context(
                    on=_is_unavailable, attempts=None, timeout=_WITHIN_S, wait_max=1.0
                ):
                    with attempt:
                        await ask()
        except QmError as error:
            # The upstream has done its work, so its result is still returned. The row stays
            # pending, and is marked as lost when this process ends.
            get_logger().warning(
                "call_not_ended",
                call=str(record.id),
                request_id=record.request_id,
                error=str(error),
            )
        else:
            _log_end(end)


def _log_end(end: _End) -> None:
    record = end.record
    get_logger().info(
        "call_ended",
        call=record.provenance["id"],
        request_id=record.request_id,
        outcome=record.outcome,
        origin=record.origin,
        duration_ms=round(end.report["duration_ms"], 1),
        failure=record.failure,
        findings=record.findings,
    )


def _is_unavailable(error: Exception) -> bool:
    return isinstance(error, QmError) and error.status == 503
