"""A superuser cuts records out of the audit, and waits until the rest is signed again."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from pathlib import Path

import httpx2
import pytest

from quartermaster import api
from quartermaster.audit import sending
from quartermaster.audit.faults import Head, head_faults, read_heads
from quartermaster.audit.signer import AuditSigner
from quartermaster.db import WORKER, Connections
from quartermaster.db import Database as Client
from quartermaster.service import _configure  # pyright: ignore[reportPrivateUsage]
from quartermaster.settings.settings import Settings
from tests.support.database import Database

pytestmark = pytest.mark.anyio
_CUT = """
set session_replication_role = replica;
delete from audit.record where id > (select max(id) - 5 from audit.record);
delete from audit.signature;
set session_replication_role = origin
"""
_CANARIES = """
select action, object from audit.record
where table_name in ('selection.mode', 'selection.canary') and id > %s order by id
"""


@pytest.fixture
async def client(database: Database) -> AsyncGenerator[Client]:
    async with Connections.open(database.service_dsn, pool_min=1, pool_max=2) as connections:
        yield Client(connections)


def change(database: Database, *names: str) -> None:
    """Writes a record for each name."""
    with database.connect() as connection:
        for name in names:
            connection.execute("select api.create_principal(%s)", [name])


def hashes(database: Database) -> dict[int, str]:
    with database.connect() as connection:
        rows = connection.execute("select id, encode(hash, 'hex') from audit.record").fetchall()
    return {int(str(record)): str(digest) for record, digest in rows}


async def test_a_chain_without_the_signed_head_is_never_signed_again(
    database: Database, client: Client, tmp_path: Path
) -> None:
    away = tmp_path / "elsewhere.jsonl"
    worker = await client.find_principal(WORKER)
    signer = AuditSigner(client, worker, tmp_path, [str(away)])
    change(database, *(f"agent {number}" for number in range(10)))
    await signer.sign()
    before = Head.read(tmp_path)
    assert before is not None
    assert before.is_signed
    with database.connect() as connection:
        connection.execute(_CUT)
    change(database, *(f"later {number}" for number in range(10)))
    assert max(hashes(database)) > before.record, "the ids are used again"
    await signer.sign()
    assert signer.is_broken
    assert Head.read(tmp_path) == before
    # A restart of the service does not help the attacker, nor does the loss of the local file.
    again = AuditSigner(client, worker, tmp_path, [])
    await again.sign()
    assert again.is_broken
    (tmp_path / "audit_heads.jsonl").unlink()
    found = list(head_faults(read_heads(away), hashes(database), 1))
    assert [(fault.fault, fault.record) for fault in found] == [("changed", before.record)]


async def test_an_emptied_chain_is_not_signed(
    database: Database, client: Client, tmp_path: Path
) -> None:
    signer = AuditSigner(client, await client.find_principal(WORKER), tmp_path, [])
    await signer.sign()
    with database.connect() as connection:
        connection.execute("set session_replication_role = replica; truncate audit.record")
    await signer.sign()
    assert signer.is_broken


async def test_heads_grow_and_leave_the_machine_again_after_a_failure(
    database: Database, client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    received: list[str] = []
    is_away = True

    def answer(request: httpx2.Request) -> httpx2.Response:
        if is_away:
            raise httpx2.ConnectError("away")
        received.append(request.content.decode())
        return httpx2.Response(204)

    def open_client(**_: object) -> httpx2.AsyncClient:
        return original(transport=httpx2.MockTransport(answer))

    original = httpx2.AsyncClient
    monkeypatch.setattr(sending.httpx2, "AsyncClient", open_client)
    signer = AuditSigner(
        client, await client.find_principal(WORKER), tmp_path, ["https://heads.example/"]
    )
    for name in ("one", "two"):
        change(database, name)
        await signer.sign()
    is_away = False
    await signer.sign()
    heads = list(read_heads(tmp_path / "audit_heads.jsonl"))
    assert [head.line for head in heads] == received
    assert [head.record for head in heads] == sorted({head.record for head in heads})
    assert len(heads) >= 2
    assert list(head_faults(heads, hashes(database), 1)) == []
    retained = [heads[0].line.replace(heads[0].hash[:8], "00000000"), heads[1].line]
    (tmp_path / "forged").write_text("\n".join(retained) + "\n")
    forged = head_faults(read_heads(tmp_path / "forged"), hashes(database), 1)
    assert {fault.fault for fault in forged} == {"signature", "changed"}


async def test_a_start_leaves_no_record_and_a_new_canary_leaves_its_own(
    database: Database, client: Client
) -> None:
    worker = await client.find_principal(WORKER)
    await _configure(client, worker, Settings())
    with database.connect() as connection:
        [(last,)] = connection.execute("select max(id) from audit.record").fetchall()
        await _configure(client, worker, Settings())
        assert connection.execute(_CANARIES, [last]).fetchall() == []
        await client.call(api.configure_canary(mode="fast", percent=5.0, settings={}), worker)
        assert connection.execute(_CANARIES, [last]).fetchall() == [("insert", "fast")]
