"""Sends the spool to the database; each record is stored once, even after an interruption."""

from __future__ import annotations

import json
from contextlib import closing
from typing import Final

from anyio import to_thread

from quartermaster.core.errors import QmError
from quartermaster.core.logs import get_logger
from quartermaster.db import Database
from quartermaster.outage.spool import Record, Spool, SpoolFile, now

_BATCH: Final = 500
_log = get_logger(part="spool")


async def replay(database: Database, spool: Spool) -> int:
    """Send all records; a file is deleted when all its records are committed.

    Returns:
        The number of records that were sent.

    Raises:
        QmError: QM503 database_unavailable: the next replay sends the remaining records.
        OSError: a file cannot be read or removed.
    """
    handed_in = 0
    with closing(spool.take()) as files:
        for file in files:
            handed_in += await _hand_in(database, spool, file)
    while spool.refused_ends:
        await _send(database, [spool.refused_ends[0]])
        spool.refused_ends.pop(0)
        handed_in += 1
    if handed_in:
        _log.info("spool_replayed", records=handed_in)
    return handed_in


async def _hand_in(database: Database, spool: Spool, file: SpoolFile) -> int:
    records, strange = await to_thread.run_sync(file.read)
    if file.is_leftover:
        records += _lost(records)
    refused = await _send(database, records)
    aside = [*strange, *(json.dumps(record).encode() for record in refused)]
    if aside:
        path = await to_thread.run_sync(spool.set_aside, aside)
        _log.error("records_refused", lines=len(aside), kept_in=str(path))
    await to_thread.run_sync(file.remove)
    return len(records) - len(refused)


async def _send(database: Database, records: list[Record]) -> list[Record]:
    """Send records, and return those that the database rejects."""
    refused: list[Record] = []
    for first in range(0, len(records), _BATCH):
        batch = records[first : first + _BATCH]
        try:
            await database.call("replay_calls", None, records=batch)
        except QmError as error:
            if error.status not in {409, 422}:
                raise
            if len(batch) == 1:
                _log.error("record_refused", error=str(error))
                refused += batch
            else:
                for record in batch:
                    refused += await _send(database, [record])
    return refused


def _lost(records: list[Record]) -> list[Record]:
    """Return end records for calls whose process died before it recorded how they ended."""
    ended = {record["key"] for record in records if record["event"] == "end" and "key" in record}
    return [
        {
            "event": "end",
            "key": record["key"],
            "started_at": record["at"],
            "at": now(),
            "principal_id": record["principal_id"],
            "outcome": "lost",
            "failure": "the process that made the call died",
        }
        for record in records
        if record["event"] == "begin" and record["key"] not in ended
    ]
