"""What is kept on this machine: the database's own rights, whole, or nothing at all."""

from __future__ import annotations

import json
from collections.abc import AsyncGenerator
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path
from typing import Any

import anyio
import pytest

from quartermaster import api
from quartermaster.core.errors import QmError
from quartermaster.db import Connections, Principal, Subject
from quartermaster.db import Database as AsyncDatabase
from quartermaster.outage.copy_files import read
from quartermaster.outage.database import GuardedDatabase
from quartermaster.outage.operations import Operations
from quartermaster.outage.outage import Outage
from quartermaster.outage.outage_copy import OutageCopy
from quartermaster.outage.rights import Rights
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers
from tests.support.connected import connected
from tests.support.database import Database
from tests.support.waiting import until

pytestmark = pytest.mark.anyio

RULES: dict[str, Any] = {
    "default": "deny",
    "rules": [
        {"effect": "allow", "subject": "everyone", "origins": ["time"]},
        {"effect": "deny", "subject": "principal:bob", "tools": ["time__get_current_time"]},
        {"effect": "allow", "subject": "role:operator"},
        {"effect": "deny", "subject": "role:operator", "tools": ["*__list*"]},
        {"effect": "allow", "subject": "organisation:acme", "tools": ["tracker__create_ticket"]},
        {"effect": "deny", "subject": "toolset:clocks", "tools": ["time__convert_time"]},
    ],
}
_PEOPLE = """
select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'),
    t.make_principal('carol'), t.make_principal('olga', 'operator'),
    t.make_principal('boss', 'admin');
insert into policy.organisation (name) values ('acme');
update policy.principal set organisation_id = (select id from policy.organisation)
where name = 'carol'
"""
DOORS = (None, "clocks", "tickets")


@pytest.fixture
async def asked(database: Database) -> AsyncGenerator[AsyncDatabase]:
    """The database as the service sees it, with people, rules and toolsets."""
    with database.connect() as connection:
        connection.execute(_PEOPLE)
    async with connected(database.service_dsn) as asked:
        boss = await asked.find_principal("boss")
        for name, origin in (("clocks", "time"), ("tickets", "tracker")):
            pinned = {"origins": [origin]}
            await asked.call(api.put_toolset(name=name, pinned=pinned, description=""), boss)
        await asked.call(api.apply_rules(definition=RULES), boss)
        yield asked


def seen_by(database: Database, principal: Principal) -> set[int]:
    """Returns cards that the database shows a principal at a door."""
    with database.connect() as connection, connection.transaction():
        connection.execute("select t.read_as(%s, %s)", [principal.name, f"qm_{principal.role}"])
        toolset = principal.toolset or ""
        connection.execute("select set_config('qm.toolset', %s, true)", [toolset])
        rows = connection.execute("select id from search.card")
        return {int(str(row[0])) for row in rows}


def flip(path: Path) -> None:
    """Changes one bit in the middle of a file."""
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def outage_copy_in(folder: Path, asked: AsyncDatabase, **max_age: float) -> OutageCopy:
    """Returns the copy there, as a process that has just started sees it."""
    return OutageCopy(asked, folder, Outage(), timedelta(**(max_age or {"hours": 1})))


async def slug_of(retained: OutageCopy) -> str:
    with pytest.raises(QmError) as refused:
        await retained.open()
    assert refused.value.status == 503
    assert refused.value.hint
    return refused.value.slug


async def test_everybody_sees_what_the_database_shows_them(
    asked: AsyncDatabase, database: Database
):
    rights = Rights(await _read(asked))
    seen: dict[tuple[str, str | None], int] = {}
    for name in ("alice", "bob", "carol", "olga", "boss"):
        person = rights.find_name(name)
        assert person is not None
        for door in DOORS:
            principal = Principal(person.id, name, person.role, door)
            sees = rights.sight(principal)
            cards: list[list[int]] = rights.facts["cards"]
            shown = {card for card, state, _ in cards if sees(card, state)}
            assert shown == seen_by(database, principal), (name, door)
            assert not any(sees(card, state + 1) for card, state, _ in cards)
            seen[name, door] = len(shown)
    assert len(set(seen.values())) >= 4, "the rules make a difference"
    with pytest.raises(QmError) as unknown:
        rights.sight(Principal(-1, "nobody", "admin"))
    assert unknown.value.slug == "principal_unknown"


async def test_what_is_damaged_missing_or_too_old_is_not_served(
    asked: AsyncDatabase, tmp_path: Path
):
    assert await slug_of(outage_copy_in(tmp_path, asked)) == "standby_missing"
    writer = outage_copy_in(tmp_path, asked)
    await writer.renew()
    opened = await outage_copy_in(tmp_path, asked).open()
    assert len(opened.rights.facts["cards"]) == 4
    assert await slug_of(outage_copy_in(tmp_path, asked, microseconds=1)) == "standby_too_old"

    path = read(tmp_path).path
    assert path.stat().st_mode & 0o777 == 0o600
    rights = tmp_path / "outage" / "rights.json"
    for file in (path, rights):
        whole = file.read_bytes()
        flip(file)
        assert await slug_of(outage_copy_in(tmp_path, asked)) == "standby_damaged"
        file.write_bytes(whole)
    whole = path.read_bytes()
    flip(path)
    assert await slug_of(writer) == "standby_damaged", "nor by who wrote it"
    # A process that starts anew does not build on it.
    stranger = outage_copy_in(tmp_path, asked)
    await stranger.renew()
    assert (await stranger.open()).cards
    assert read(tmp_path).path.read_bytes() == whole


async def test_a_renewal_writes_what_has_changed(
    asked: AsyncDatabase, database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    # However fast the first one was written, the pause after it outlasts this test.
    monkeypatch.setattr("quartermaster.outage.outage_copy._REST_FACTOR", 1e6)
    retained = outage_copy_in(tmp_path, asked)
    await retained.renew()
    first = read(tmp_path)
    with database.connect() as connection:
        connection.execute("update policy.principal set enabled = false where name = 'bob'")
    assert (await retained.renew()).due_s is None
    second = read(tmp_path)
    assert second.path == first.path, "definitions are as they were"
    assert Rights(second.rights).find_name("bob") is None

    with database.connect() as connection:
        connection.execute("select t.make_tool('time', 'convert_time', 'Turn an hourglass.')")
        connection.execute(
            "update catalog.item set status = 'quarantined' where name = 'listTickets'"
        )
    assert ((await retained.renew()).due_s or 0) > 0, "not again at once"
    olga = Rights(second.rights).find_name("olga")
    assert olga is not None
    assert await found(retained, olga, "hourglass") == [], "what is not kept yet is not served"
    assert await found(retained, olga, "convert") == [], "nor as it was"

    # Another process, which has not written yet.
    other = outage_copy_in(tmp_path, asked)
    assert (await other.renew()).due_s is None
    assert await found(other, olga, "hourglass") == ["time__convert_time"]
    assert await found(other, olga, "tickets") == ["tracker__create_ticket"]
    assert len(list((tmp_path / "outage").glob("cards-*"))) == 1


async def test_the_copy_is_closed_when_the_outage_ends(asked: AsyncDatabase, tmp_path: Path):
    outage = Outage()
    retained = OutageCopy(asked, tmp_path, outage, timedelta(hours=1))
    await retained.renew()
    outage.begin(QmError(503, "database_unavailable", "It is away.", "Wait."))
    opened = await retained.open()
    assert await retained.open() is opened, "it is opened once"
    outage.end(has_written=True)
    assert await retained.open() is not opened


async def found(retained: OutageCopy, principal: Principal, goal: str) -> list[str]:
    opened = await retained.open()
    found = opened.cards.search(goal, ["tool"], opened.rights.sight(principal), 10, None)
    return [card["name"] for card, _ in found]


async def _read(database: AsyncDatabase) -> str:
    rights: Any = await database.call_value(api.read_outage_copy(), None)
    return json.dumps(rights)


async def test_whom_the_database_has_refused_last_is_not_let_in_by_what_was_kept_before(
    asked: AsyncDatabase, database: Database, tmp_path: Path
):
    boss = await asked.find_principal("boss")
    for name in ("alice", "carol"):
        digest = sha256(name.encode()).digest()
        await asked.call(api.put_key(principal=name, label="k", prefix="qm", key_hash=digest), boss)
        await asked.call(api.bind_subject(name=name, issuer="https://i", subject=name), boss)
    async with Connections.open(database.service_dsn) as connections:
        outage, spool = Outage(), Spool(tmp_path)
        retained = OutageCopy(asked, tmp_path, outage, timedelta(hours=1))
        operations = Operations(retained, spool, Breakers())
        guarded = GuardedDatabase(connections, outage, retained, operations)
        await retained.renew()
        with database.connect() as connection:
            connection.execute("update policy.api_key set revoked_at = now() where id = 1")
            connection.execute("delete from policy.identity where subject = 'alice'")
        # Between this and the next renewal the database goes away.
        for ask in (guarded.authenticate("alice"), subject_of(guarded, "alice")):
            with pytest.raises(QmError):
                await ask
        outage.begin(QmError(503, "database_unavailable", "away", "wait"))
        with pytest.raises(QmError) as key:
            await guarded.authenticate("alice")
        with pytest.raises(QmError) as token:
            await subject_of(guarded, "alice")
        assert (key.value.slug, token.value.slug) == ("key_invalid", "subject_unknown")
        assert (await guarded.authenticate("carol")).name == "carol"
        assert (await subject_of(guarded, "carol", organisation="acme")).name == "carol"
        # Rights under other claims are not known.
        for claims in ({"role": "admin"}, {"organisation": "other"}):
            with pytest.raises(QmError):
                await subject_of(guarded, "carol", **claims)


async def test_what_the_copy_lacks_is_asked_of_the_database_if_it_is_back_soon(
    asked: AsyncDatabase, database: Database, tmp_path: Path
):
    boss = await asked.find_principal("boss")
    away = QmError(503, "database_unavailable", "too busy to connect", "wait")
    async with Connections.open(database.service_dsn) as connections:
        outage = Outage()
        retained = OutageCopy(asked, tmp_path, outage, timedelta(hours=1))
        operations = Operations(retained, Spool(tmp_path), Breakers())
        guarded = GuardedDatabase(connections, outage, retained, operations)
        await retained.renew()
        tool = {"origin": "time", "name": "newest"}
        await asked.call(api.import_items(kind="tool", items=[tool]), boss)
        found: list[dict[str, Any]] = []

        async def describe() -> None:
            found.extend(await guarded.call(api.describe_tool(name="time__newest"), boss))

        outage.begin(away)
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(describe)
            await anyio.wait_all_tasks_blocked()
            await until(lambda: outage.snapshot)
            outage.end()
        assert len(found) == 1
        # In a long outage, nobody waits.
        outage.begin(away)
        outage.since = datetime.now(UTC) - timedelta(minutes=1)
        with pytest.raises(QmError) as absent, anyio.fail_after(5):
            await describe()
        assert absent.value.slug == "tool_not_found"


async def subject_of(database: AsyncDatabase, name: str, **claims: Any) -> Principal:
    subject = Subject("https://i", name, datetime.now(UTC), **claims)
    return await database.authenticate_subject(subject, creates=True)
