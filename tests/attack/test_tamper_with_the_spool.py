"""Somebody edits, swaps and adds files of the spool: what is no record of a call is set aside, and
the records of the others arrive once.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from quartermaster.outage.spool import FOLDER, Spool, replay
from tests.support.connected import connected
from tests.support.database import Database

pytestmark = pytest.mark.anyio

NOW = datetime.now(UTC).isoformat()
KEY = str(uuid4())
NOT_RECORDS = [
    "null",
    "[]",
    "1",
    '"begin"',
    "{}",
    '{"event": "begin"}',
    '{"event": "end"}',
    '{"event": ["begin"], "key": {}}',
    json.dumps({"event": "begin", "at": NOW, "key": [KEY], "principal_id": 1}),
    json.dumps({"event": "begin", "at": NOW, "key": KEY, "principal_id": {}}),
    json.dumps({"event": "begin", "key": KEY, "principal_id": 1}),
    json.dumps({"event": "end", "at": NOW, "key": {}, "principal_id": 1}),
    json.dumps({"event": "end", "at": NOW, "principal_id": 1, "outcome": "ok"}),
    "[" * 200_000,
    '{"event": "begin", "more": ' + "[" * 200_000,
    "9" * 10_000,
    json.dumps({"event": "begin", "at": NOW, "key": KEY, "principal_id": 1, "target": "\ud800"}),
    json.dumps({"event": "begin", "at": NOW, "key": KEY, "principal_id": 1, "target": "\0"}),
    json.dumps({"event": "begin", "at": "9" * 9, "key": KEY, "principal_id": 1}),
    json.dumps({"event": "begin", "at": NOW, "key": KEY, "principal_id": float("nan")}),
    json.dumps({"event": "begin", "at": NOW, "key": KEY, "principal_id": 10**40}),
]


def whole(begun: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the records of one call."""
    end = {name: begun[name] for name in ("key", "principal_id")}
    return [begun, {"event": "end", "at": NOW, **end, "outcome": "ok", "duration_ms": 1.0}]


def begin(database: Database, name: str = "alice") -> dict[str, Any]:
    with database.connect() as connection:
        connection.execute("select t.make_principal(%s)", [name])
        [(principal, tool)] = connection.execute(
            "select p.id, min(t.id) from policy.principal as p cross join catalog.item as t"
            " where p.name = %s group by p.id",
            [name],
        ).fetchall()
    call = {"key": str(uuid4()), "principal_id": principal, "instance_id": str(uuid4())}
    report = {"request_id": "r", "kind": "tool", "ref": tool, "version": 1, "argument_bytes": 2}
    return {"event": "begin", "at": NOW, **call, **report}


def write(folder: Path, name: str, lines: list[str]) -> Path:
    place = folder / FOLDER
    place.mkdir(exist_ok=True)
    path = place / name
    path.write_text("".join(f"{line}\n" for line in lines))
    return path


def outcomes(database: Database) -> list[str]:
    with database.connect() as connection:
        rows = connection.execute("select outcome from calls.call order by id").fetchall()
    return [str(outcome) for (outcome,) in rows]


@pytest.fixture
def catalog(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute("select t.make_catalog()")
    return database


@pytest.mark.parametrize("suffix", [".jsonl", ".ends"])
async def test_lines_that_are_no_records(catalog: Database, tmp_path: Path, suffix: str) -> None:
    begun, later = begin(catalog), begin(catalog, "bob")
    records = [json.dumps(record) for record in whole(begun)]
    write(tmp_path, f"1{suffix}", [records[0], *NOT_RECORDS, records[1]])
    write(tmp_path, f"2{suffix}", [json.dumps(record) for record in whole(later)])
    async with connected(catalog.service_dsn) as client:
        spool = Spool(tmp_path)
        await replay(client, spool)
        assert outcomes(catalog) == ["ok", "ok"]
        assert await replay(client, spool) == 0
    aside = (tmp_path / FOLDER / "refused.txt").read_text()
    assert aside.count("\n") < 2 * len(NOT_RECORDS)
    assert begun["key"] not in aside


async def test_a_line_without_end(catalog: Database, tmp_path: Path) -> None:
    first, second = (json.dumps(record) for record in whole(begin(catalog)))
    path = write(tmp_path, "1.jsonl", [first, "x" * 3_000_000, second])
    with path.open("a") as file:
        file.truncate(path.stat().st_size + 10_000_000)
    async with connected(catalog.service_dsn) as client:
        await replay(client, Spool(tmp_path))
    assert outcomes(catalog) == ["ok"]
    assert (tmp_path / FOLDER / "refused.txt").read_text() == "x" * 1_000 + "\n"


def as_link(path: Path) -> None:
    target = path.parents[1] / "elsewhere"
    target.write_text("a secret of somebody else\n")
    path.symlink_to(target)


@pytest.mark.parametrize("made", [as_link, os.mkfifo, Path.mkdir])
@pytest.mark.parametrize("suffix", [".jsonl", ".ends"])
async def test_something_that_is_no_file_does_not_keep_the_records_of_others(
    catalog: Database, tmp_path: Path, made: Callable[[Path], None], suffix: str
) -> None:
    records = [json.dumps(record) for record in whole(begin(catalog))]
    made(write(tmp_path, "2.jsonl", records).with_name(f"1{suffix}"))
    async with connected(catalog.service_dsn) as client:
        spool = Spool(tmp_path)
        await replay(client, spool)
        assert await replay(client, spool) == 0
    assert outcomes(catalog) == ["ok"]
    assert not (tmp_path / FOLDER / "refused.txt").exists()
