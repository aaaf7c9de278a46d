"""A server answers with what costs its reader much: others go on, and its caller does not hang.

The ways in are others than those of the review of 28 November, last line.
"""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Generator
from contextlib import closing
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import httpx2
import psycopg
import pytest
from mcp import Client

from tests.support.callers import client_of, slug_of
from tests.support.instance import Instance, new_instance
from tests.support.unruly_server import ANSWERS, LISTINGS
from tests.support.upstreams import SUPPORT

pytestmark = pytest.mark.anyio

# Guards against a hang, not measures.
CALLER_S = 30
OTHERS_S = 15


class Hall:
    """A running service with the server, and keys of two principals.

    Attributes:
        instance: the service.
        url: its address.
        alice, mallory: their keys.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.url = instance.run_file.url
        self.alice, self.mallory = self._key("alice"), self._key("mallory")

    def _key(self, name: str) -> str:
        for command in (("principal", "create", name), ("key", "create", name)):
            done = self.instance.qm(*command)
            assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.split()[0]

    async def others_go_on(self, client: Client) -> None:
        """A search of somebody else, and the health of the service."""
        with anyio.fail_after(OTHERS_S):
            query = {"query": f"say something {uuid4().hex}"}
            assert await slug_of(client, "search_tools", query) is None
            async with httpx2.AsyncClient(trust_env=False) as http:
                assert (await http.get(f"{self.url}/healthz")).status_code == 200

    def nothing_broke(self) -> None:
        """Neither a traceback in the log, nor an internal error."""
        assert "Traceback" not in self.instance.stderr
        assert "QM500" not in self.instance.stderr

    def forget_failures(self) -> None:
        """What an earlier test did to a breaker is not what the next one is about."""
        with closing(psycopg.connect(self.instance.admin_dsn, autocommit=True)) as connection:
            connection.execute("select reset_breaker(o.name) from catalog.origin as o")


@pytest.fixture(scope="module")
def hall(stopped_data_dir: Path) -> Generator[Hall]:
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        instance.add_upstream("unruly", "unruly_server.py")
        yield Hall(instance)
        assert instance.stop() == 0


async def call(client: Client, what: str) -> str:
    """What the caller gets, as text."""
    reply: Any = None
    try:
        reply = await client.call_tool("unruly__say", {"what": what})
    except Exception as error:  # noqa: BLE001 - a client may not be able to read it
        return f"{type(error).__name__}: {error}"
    return str(reply.model_dump(exclude_none=True, mode="python"))


@pytest.mark.parametrize("what", ANSWERS)
async def test_an_answer(hall: Hall, what: str) -> None:
    hall.forget_failures()
    is_answered = False
    async with client_of(hall.url, hall.mallory) as bad, client_of(hall.url, hall.alice) as good:

        async def ask() -> None:
            nonlocal is_answered
            with anyio.fail_after(CALLER_S):
                text = await call(bad, what)
            is_answered = True
            assert "QM500" not in text[:10_000]

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await hall.others_go_on(good)
            while not is_answered:
                await hall.others_go_on(good)
        with anyio.fail_after(CALLER_S):
            assert "'text': 'x'" in await call(good, "")
    hall.nothing_broke()


@pytest.mark.parametrize("what", LISTINGS)
async def test_a_listing(hall: Hall, what: str) -> None:
    name = f"odd-{[*LISTINGS].index(what)}"
    command = shlex.join([sys.executable, str(SUPPORT / "unruly_server.py"), what])

    def add() -> str:
        done = hall.instance.qm("origin", "add", name, "--command", command, "--yes")
        return done.stdout + done.stderr

    is_added = False
    async with client_of(hall.url, hall.alice) as good:

        async def add_it() -> None:
            nonlocal is_added
            with anyio.fail_after(2 * CALLER_S):
                said = await anyio.to_thread.run_sync(add)
            is_added = True
            assert "QM500" not in said
            assert "Traceback" not in said

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(add_it)
            await hall.others_go_on(good)
            while not is_added:
                await hall.others_go_on(good)
    listed = hall.instance.qm("origin", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert json.loads(listed.stdout)
    hall.nothing_broke()
