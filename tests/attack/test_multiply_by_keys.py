"""A principal makes hundreds of keys: together they get one share, and none outlives its end."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from hashlib import sha256

import pytest

from quartermaster.core.errors import QmError
from quartermaster.db import Database as Client
from quartermaster.doors.wire.auth import Guests
from quartermaster.identity.bearers import Bearers
from quartermaster.identity.limits import RateLimit
from quartermaster.settings.sections import OidcSettings
from tests.support.connected import connected
from tests.support.database import Database, Server

pytestmark = pytest.mark.anyio
KEYS = [f"key {number} of alice" for number in range(300)]
BOBS = "the key of bob"
PUT = """
insert into policy.api_key (principal_id, label, prefix, key_hash, created_at, expires_at)
select p.id, k.label, 'qm', sha256(k.label::bytea), now(), now() + %s::interval
from policy.principal as p cross join unnest(%s::text[]) as k (label) where p.name = %s
"""


def put_keys(database: Database, who: str, *keys: str, lasts: str = "1 hour") -> None:
    with database.connect() as connection:
        connection.execute("select t.make_principal(%s)", [who])
        connection.execute(PUT, [lasts, list(keys), who])


@pytest.fixture
async def client(database: Database) -> AsyncGenerator[Client]:
    put_keys(database, "alice", *KEYS)
    put_keys(database, "bob", BOBS)
    async with connected(database.service_dsn) as opened:
        yield opened


async def enter(guests: Guests, key: str) -> str:
    async with guests.let_in(key, None) as guest:
        await guests.check(guest)
        return guest.principal.name


async def refused(guests: Guests, key: str) -> str:
    with pytest.raises(QmError) as caught:
        await enter(guests, key)
    return caught.value.slug


async def test_all_keys_of_a_principal_spend_one_share(client: Client) -> None:
    guests = Guests(
        Bearers(client, OidcSettings()), RateLimit("requests", 1, 20, clock=lambda: 0.0)
    )
    for key in KEYS[:20]:
        assert await enter(guests, key) == "alice"
    assert {await refused(guests, key) for key in KEYS[:40]} == {"rate_limited"}
    assert await enter(guests, BOBS) == "bob"


async def test_the_keys_of_one_do_not_slow_the_others(client: Client, database: Database) -> None:
    with database.connect() as connection:
        connection.execute("analyze policy.api_key")
        plan = connection.execute(
            "explain select from policy.api_key where key_hash = %s",
            [sha256(BOBS.encode()).digest()],
        ).fetchall()
    assert "Index" in str(plan)
    assert "Seq Scan" not in str(plan)
    assert (await client.authenticate(BOBS)).name == "bob"


@pytest.mark.parametrize(
    "end",
    [
        "update policy.principal set enabled = false where name = 'alice'",
        "update policy.api_key set revoked_at = now() where prefix = 'qm' and label like '%alice'",
        "update policy.api_key set expires_at = now() where label like '%alice'",
    ],
)
async def test_no_key_outlives_its_end_although_its_owner_is_remembered(
    client: Client, database: Database, end: str
) -> None:
    guests = Guests(Bearers(client, OidcSettings()))
    for key in KEYS[:5]:
        assert await enter(guests, key) == "alice"
    with database.connect() as connection:
        connection.execute(end)
    assert {await refused(guests, key) for key in KEYS[:10]} == {"key_invalid"}
    assert await enter(guests, BOBS) == "bob"


async def test_a_key_is_no_key_of_another_database(client: Client, embedded_server: Server) -> None:
    assert (await client.authenticate(KEYS[0])).name == "alice"
    with embedded_server.clone() as other:
        # The same principal has the same id there.
        put_keys(other, "alice", BOBS)
        async with connected(other.service_dsn) as there:
            guests = Guests(Bearers(there, OidcSettings()))
            assert await refused(guests, KEYS[0]) == "key_invalid"
            assert await enter(guests, BOBS) == "alice"
    assert (await client.authenticate(BOBS)).name == "bob"
