"""A process is killed at every step of a spooled call: its record is neither lost nor doubled."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from collections.abc import AsyncGenerator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import Database as AsyncDatabase
from quartermaster.outage.spool import Spool, replay
from tests.support.connected import connected
from tests.support.database import Database

pytestmark = pytest.mark.anyio

# Does what it is told, line by line, and is killed.
WRITER = """
import json, os, signal, sys
from pathlib import Path
from quartermaster.outage.spool import Spool
spool = Spool(Path(sys.argv[1]))
for step, record in json.loads(sys.argv[2]):
    getattr(spool, step)(record)
os.kill(os.getpid(), signal.SIGKILL)
"""


@dataclass
class Log:
    """The call log, and who and what is in it."""

    database: AsyncDatabase
    plain: Database
    begun: dict[str, Any]

    def begin(self, **more: Any) -> dict[str, Any]:
        return {**self.begun, "key": str(uuid4()), **more}

    def end(self, begun: dict[str, Any], outcome: str = "ok") -> dict[str, Any]:
        retained = {name: begun[name] for name in ("key", "principal_id")}
        return {
            **retained,
            "outcome": outcome,
            "duration_ms": 5.0,
            "result_bytes": 9,
            "failure": None,
        }

    def outcomes(self) -> list[str]:
        with self.plain.connect() as connection:
            rows = connection.execute("select outcome from calls.call order by id").fetchall()
        return [str(outcome) for (outcome,) in rows]


@pytest.fixture
async def log(database: Database) -> AsyncGenerator[Log]:
    with database.connect() as connection:
        connection.execute("select t.make_catalog(), t.make_principal('alice')")
        [(principal, tool)] = connection.execute(
            "select p.id, min(t.id) from policy.principal as p cross join catalog.item as t"
            " where p.name = 'alice' group by p.id"
        ).fetchall()
    begun = {
        "principal_id": principal,
        "instance_id": str(uuid4()),
        "request_id": "r",
        "receipt_id": None,
        "kind": "tool",
        "ref": tool,
        "version": 1,
        "argument_bytes": 2,
    }
    async with connected(database.service_dsn) as opened:
        yield Log(opened, database, begun)


def killed_after(folder: Path, *steps: tuple[str, dict[str, Any]]) -> list[Path]:
    """Returns another process that took these steps and was killed; returns the files it left."""
    done = subprocess.run([sys.executable, "-c", WRITER, str(folder), json.dumps(steps)])
    assert done.returncode == -9
    return sorted((folder / "spool").glob("*.jsonl"))


async def test_a_call_that_cannot_be_written_down_is_not_made(tmp_path: Path, log: Log):
    (tmp_path / "spool").write_text("no folder")
    spool = Spool(tmp_path)
    begun = log.begin()
    with pytest.raises(QmError) as refused:
        spool.begin(begun)
    assert (refused.value.status, refused.value.slug) == (503, "call_not_recorded")
    # What was made already still counts.
    spool.end(log.end(begun))
    (tmp_path / "spool").unlink()
    assert not spool.is_empty()
    [row] = await log.database.call(
        api.replay_calls(records=[{"event": "begin", "at": "2026-01-01", **begun}]), None
    )
    assert row["begun"] == 1
    assert await replay(log.database, spool) == 1
    assert log.outcomes() == ["ok"]
    assert spool.is_empty()


async def test_killed_before_the_end_nobody_knows_how_it_ended(tmp_path: Path, log: Log):
    killed_after(tmp_path, ("begin", log.begin()))
    assert await replay(log.database, Spool(tmp_path)) == 2
    assert log.outcomes() == ["lost"]
    assert Spool(tmp_path).is_empty()


async def test_killed_after_the_end_it_is_known_once_also_when_replayed_twice(
    tmp_path: Path, log: Log
):
    first, second = log.begin(), log.begin()
    steps = [("begin", first), ("begin", second), ("end", log.end(second, "timeout"))]
    [path] = killed_after(tmp_path, *steps, ("end", log.end(first)))
    # As if this process, too, was killed after its commit and before it removed the file.
    shutil.copy(path, tmp_path / "copy")
    assert await replay(log.database, Spool(tmp_path)) == 4
    shutil.copy(tmp_path / "copy", path)
    assert await replay(log.database, Spool(tmp_path)) == 4
    assert sorted(log.outcomes()) == ["ok", "timeout"]
    assert Spool(tmp_path).is_empty()


async def test_a_line_cut_short_is_one_that_nobody_has_relied_on(tmp_path: Path, log: Log):
    begun = log.begin()
    [path] = killed_after(tmp_path, ("begin", begun))
    whole = json.dumps({"event": "end", **log.end(begun)})
    for cut in (1, len(whole) // 2, len(whole)):
        with path.open("r+") as file:
            file.truncate(len(path.read_text().splitlines()[0]) + 1)
            file.seek(0, 2)
            file.write(whole[:cut])
        with closing(Spool(tmp_path).take()) as files:
            records, strange = next(files).read()
        assert ([record["event"] for record in records], strange) == (["begin"], [])
    await replay(log.database, Spool(tmp_path))
    assert log.outcomes() == ["lost"]


async def test_only_the_beginning_of_a_line_that_is_too_long_is_reported(tmp_path: Path, log: Log):
    begun = log.begin()
    [path] = killed_after(tmp_path, ("begin", begun))
    long = b"x" * 2_000_001
    path.write_bytes(long + b"\n" + path.read_bytes() + long)
    with closing(Spool(tmp_path).take()) as files:
        records, strange = next(files).read()
    # The last line has no end, so nobody has relied on it.
    assert ([record["key"] for record in records], strange) == ([begun["key"]], [b"x" * 1_000])


async def test_what_the_database_does_not_take_is_set_aside_and_the_rest_arrives(
    tmp_path: Path, log: Log
):
    good, bad = log.begin(), log.begin(ref=-1)
    [path] = killed_after(tmp_path, ("begin", bad), ("begin", good), ("end", log.end(good)))
    with path.open("a") as file:
        file.write("not a record\n")
    await replay(log.database, Spool(tmp_path))
    assert log.outcomes() == ["ok"]
    aside = (tmp_path / "spool" / "refused.txt").read_text()
    assert "not a record" in aside
    assert bad["key"] in aside
    assert Spool(tmp_path).is_empty()


async def test_a_call_under_way_is_pending_until_its_process_says_how_it_ended(
    tmp_path: Path, log: Log
):
    ours, others = Spool(tmp_path), Spool(tmp_path)
    first, theirs = log.begin(), log.begin()
    ours.begin(first)
    others.begin(theirs)
    assert await replay(log.database, ours) == 1, "what another process writes is its own"
    assert log.outcomes() == ["pending"]
    ours.end(log.end(first))
    assert await replay(log.database, ours) == 1
    assert log.outcomes() == ["ok"]
    others.end(log.end(theirs, "tool_error"))
    assert await replay(log.database, others) == 2
    assert sorted(log.outcomes()) == ["ok", "tool_error"]
    assert ours.is_empty()
