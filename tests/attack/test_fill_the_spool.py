"""In an outage, one principal makes calls without end: its records leave space for the others'."""

from __future__ import annotations

from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.outage.spool import Spool

MALLORY, ALICE = {"principal_id": 1, "key": "x" * 100}, {"principal_id": 2, "key": "y" * 100}


def begin_many(spool: Spool) -> None:
    for _ in range(100):
        spool.begin(MALLORY)


def test_records_of_calls(tmp_path: Path) -> None:
    spool = Spool(tmp_path, 10_000)
    with pytest.raises(QmError) as refused:
        begin_many(spool)
    assert (refused.value.status, refused.value.slug) == (429, "spool_full")
    spool.begin(ALICE)
    # What was sent is recorded, whatever space is left.
    spool.end(MALLORY)
    assert sum(file.stat().st_size for file in tmp_path.rglob("*.jsonl")) < 10_000
    for file in spool.take():
        file.remove()
    spool.begin(MALLORY)
