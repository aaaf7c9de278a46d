"""One principal takes all places of a server, all searches and all connections; others go on."""

from __future__ import annotations

from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import replace

import anyio
import psycopg
import pytest
from mcp import Client

from quartermaster import api
from quartermaster.db import Connections
from quartermaster.db import Database as Connected
from tests.attack.conftest import Crowd
from tests.support.callers import client_of, slug_of
from tests.support.database import Database
from tests.support.waiting import LONGEST_S, until

pytestmark = pytest.mark.anyio
WAIT = {"name": "slow__wait", "arguments": {"seconds": 60}}
ECHO = {"name": "slow__echo", "arguments": {}}
_BLOCKED = "select count(*) from pg_stat_activity where wait_event_type = 'Lock'"


@asynccontextmanager
async def flood(times: int, ask: Callable[[], Awaitable[object]]) -> AsyncGenerator[None]:
    """Asks so many times at once, without end."""

    async def repeat() -> None:
        while True:
            await ask()

    async with anyio.create_task_group() as tasks:
        for _ in range(times):
            tasks.start_soon(repeat)
        yield
        tasks.cancel_scope.cancel()


async def refusals(client: Client, tool: str, arguments: dict[str, object], times: int) -> object:
    return Counter([await slug_of(client, tool, arguments) for _ in range(times)])


async def test_places_of_a_server(crowd: Crowd) -> None:
    mallory, alice = crowd.key("mallory-calls"), crowd.key("alice-calls")
    async with client_of(crowd.url, mallory) as bad, client_of(crowd.url, alice) as good:

        async def call() -> None:
            # An error says when to come back; this one does not care for long.
            if await slug_of(bad, "call_tool", WAIT):
                await anyio.sleep(1)

        async with flood(200, call):
            await anyio.sleep(2)
            with anyio.fail_after(LONGEST_S):
                assert await refusals(good, "call_tool", ECHO, 20) == {None: 20}


async def test_searches(crowd: Crowd) -> None:
    mallory, alice = crowd.key("mallory-searches"), crowd.key("alice-searches")
    done = 0
    async with client_of(crowd.url, mallory) as bad, client_of(crowd.url, alice) as good:

        async def search() -> None:
            nonlocal done
            await slug_of(bad, "search_tools", {"query": f"something slow {done}"})
            done += 1

        async with flood(60, search):
            await anyio.sleep(2)
            before = done
            assert await refusals(good, "search_tools", {"query": "wait"}, 10) == {None: 10}
            # In one line with the others, each search would wait for sixty.
            assert done - before < 300


async def test_connections_of_the_database(database: Database) -> None:
    async with Connections.open(database.service_dsn, pool_max=5) as connections:
        connected = Connected(connections)
        local = await connected.find_principal("local")
        bad = replace(local, name="mallory", role="operator")
        good = replace(local, name="alice", role="operator")
        with psycopg.connect(database.dsn) as blocking, database.connect() as observer:
            blocking.execute("lock table catalog.origin in access exclusive mode")

            async def list_origins() -> None:
                await connected.call(api.list_origins(), bad)

            async with flood(20, list_origins):
                try:
                    with anyio.fail_after(LONGEST_S):
                        await until(lambda: observer.execute(_BLOCKED).fetchall() >= [(2,)])
                        assert await connected.call(api.list_queues(), good)
                finally:
                    blocking.rollback()
