"""A reply does not wait until the call log has its end, and the end is not lost for that."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncGenerator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client

from quartermaster import api
from quartermaster.calls.call_ends import CallEnds, EndNotes
from quartermaster.calls.call_record import CallRecord
from quartermaster.doors.mcp.mcp_server import McpFront
from quartermaster.outage.spool import Spool, replay
from quartermaster.service import Service
from tests.support.call_rows import CallRows
from tests.support.database import Database
from tests.support.fault_upstream import FaultUpstream
from tests.support.offers import OBJECT, leaf_tool, offer
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio

NOTER = """
import json, os, signal, sys
from pathlib import Path
from quartermaster.calls.call_ends import CallEnds
from quartermaster.calls.call_record import CallRecord
from quartermaster.calls.call_ends import EndNotes
notes = EndNotes(Path(sys.argv[1]))
notes.add(json.loads(sys.argv[2]))
os.kill(os.getpid(), signal.SIGKILL)
"""


@pytest.fixture
async def upstream(service: Service) -> AsyncGenerator[FaultUpstream]:
    """Offers ``http__write``; what it does meanwhile is the test's."""
    async with FaultUpstream.open() as upstream:
        url = f"http://127.0.0.1:{upstream.port}/mcp"
        await offer(service, "http", [leaf_tool("write", OBJECT)], transport="http", url=url)
        yield upstream


def note(number: int) -> dict[str, Any]:
    return {"call_id": number, "principal_id": 1, "outcome": "ok"}


def notes_in(folder: Path) -> str:
    return "".join(path.read_text() for path in sorted((folder / "spool").glob("*.ends")))


async def test_the_reply_goes_out_although_the_row_cannot_be_written_yet(
    front: McpFront,
    upstream: FaultUpstream,
    database: Database,
    call_rows: CallRows,
    tmp_path: Path,
):
    with database.connect() as other:

        async def block() -> None:
            other.execute("begin; lock table calls.call in exclusive mode")

        upstream.on_run = block
        async with Client(front.server) as client:
            asked = {"name": "http__write", "arguments": {"id": "a", "faults": []}}
            with anyio.fail_after(LONGEST_S):
                reply = await client.call_tool("call_tool", asked)
            assert not reply.is_error
            assert call_rows.outcomes() == ["pending"]
            assert '"outcome":"ok"' in notes_in(tmp_path)
            other.execute("commit")
            await call_rows.wait_for("ok")
            await until(lambda: not notes_in(tmp_path))


async def test_an_end_that_was_noted_by_a_process_that_was_killed_is_handed_in(
    service: Service, call_rows: CallRows, database: Database, tmp_path: Path
):
    with database.connect() as connection:
        [(call, principal)] = connection.execute(
            "insert into calls.call"
            " (principal_id, instance_id, request_id, kind, ref, version, argument_bytes)"
            " select p.id, gen_random_uuid(), 'r', t.kind, t.id, t.version, 2"
            " from policy.principal as p cross join catalog.item as t limit 1"
            " returning id, principal_id"
        ).fetchall()
    end = {"call_id": call, "principal_id": principal, "outcome": "tool_error"}
    noter = [sys.executable, "-c", NOTER, str(tmp_path), json.dumps({**end, "duration_ms": 5})]
    assert (await anyio.to_thread.run_sync(subprocess.run, noter)).returncode == -9
    assert await replay(service.database, service.spool) == 1
    await call_rows.wait_for("tool_error")
    assert await replay(service.database, service.spool) == 0


async def test_what_ends_after_the_end_of_everything_is_written_at_once(
    front: McpFront, service: Service, call_rows: CallRows, tmp_path: Path
):
    async with CallEnds.open(service.database, tmp_path / "another") as ends:
        pass
    started_at = datetime.now(UTC)
    begun = await service.database.call_one(
        api.call_begin(
            name="leaf__echo",
            argument_bytes=2,
            request_id="r",
            instance=service.id,
            started_at=started_at,
        ),
        service.worker,
    )
    assert call_rows.outcomes() == ["pending"]
    record = CallRecord(
        id=begun["call_id"],
        started_at=started_at,
        origin_id=begun["origin_id"],
        origin="leaf",
        tool="echo",
        version=1,
        content_hash="",
        input_schema=None,
        request_id="r",
        outcome="ok",
    )
    await ends.write(service.worker, record, 1.0)
    assert call_rows.outcomes() == ["ok"]
    assert not (tmp_path / "another").exists()


async def test_notes_of_a_process_that_runs_are_its_own(tmp_path: Path):
    notes = EndNotes(tmp_path)
    assert notes.take() is None
    assert notes.add(note(1))
    assert list(Spool(tmp_path).take()) == []
    assert '"call_id":1' in notes_in(tmp_path)
    page = notes.take()
    assert page is not None
    assert '"call_id":1' in notes_in(tmp_path)
    notes.settle(page)
    assert notes_in(tmp_path) == ""


async def test_two_pages_of_notes_take_turns(tmp_path: Path):
    notes = EndNotes(tmp_path)
    assert notes.add(note(0))
    for number in range(1, 10):
        page = notes.take()
        assert page is not None
        assert notes.add(note(number))
        assert [record["call_id"] for record in page.records] == [number - 1]
        notes.settle(page)
        assert len(notes_in(tmp_path).splitlines()) == 1
    assert len(list((tmp_path / "spool").iterdir())) == 2
    last = notes.take()
    assert last is not None
    notes.settle(last)
    notes.close()
    assert list((tmp_path / "spool").iterdir()) == []


async def test_without_room_on_the_disk_the_reply_waits_for_the_row(
    front: McpFront, service: Service, call_rows: CallRows, tmp_path: Path
):
    (tmp_path / "spool").write_text("no folder")
    async with Client(front.server) as client:
        asked = {"name": "leaf__echo", "arguments": {"text": "a"}}
        assert not (await client.call_tool("call_tool", asked)).is_error
        assert call_rows.outcomes() == ["ok"]


@pytest.mark.parametrize(("fault", "outcome"), [("", "ok"), ("http_500", "network")])
async def test_a_row_that_a_killed_server_has_lost_is_there_again_with_the_end(
    front: McpFront,
    service: Service,
    upstream: FaultUpstream,
    database: Database,
    call_rows: CallRows,
    fault: str,
    outcome: str,
):
    await service.database.call(
        api.set_terms(name="http__write", terms={"is_read_only": True}), service.worker
    )
    with database.connect() as superuser:

        async def lose() -> None:
            superuser.execute("delete from calls.call")

        upstream.on_run = lose
        async with Client(front.server) as client:
            given: dict[str, Any] = {"id": "a", "faults": [fault] * 9 if fault else []}
            asked: dict[str, Any] = {"name": "http__write", "arguments": given}
            reply = await client.call_tool("call_tool", asked)
        assert reply.is_error == bool(fault)
        await call_rows.wait_for(outcome)
        assert superuser.execute("select * from api.call_gaps()").fetchall() == []
