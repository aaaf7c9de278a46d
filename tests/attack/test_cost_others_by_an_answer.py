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
CALLER_S = 45
OTHERS_S = 15
# Between two questions of the others, so that these are not most of the work.
PAUSE_S = 0.1


class Hall:
    """A running service with the server, and another principal.

    Attributes:
        instance: the service.
        url: its address.
        alice: key of somebody who has nothing to do with the server.
    """

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.url = instance.run_file.url
        self.alice = self._key("alice")

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

    async def others_go_on_until(self, is_over: anyio.Event, client: Client) -> None:
        """Again and again, at least once."""
        await self.others_go_on(client)
        while not is_over.is_set():
            with anyio.move_on_after(PAUSE_S):
                await is_over.wait()
            await self.others_go_on(client)

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


@pytest.mark.parametrize("what", ANSWERS)
async def test_an_answer(hall: Hall, what: str) -> None:
    hall.forget_failures()
    said, is_said = "", anyio.Event()

    def call(named: str) -> str:
        # In a process of its own: to read a large answer would keep the others waiting.
        arguments = json.dumps({"what": named})
        done = hall.instance.qm("call", "unruly__say", arguments, "--json")
        return done.stdout + done.stderr

    async with client_of(hall.url, hall.alice) as good:

        async def ask() -> None:
            nonlocal said
            began = anyio.current_time()
            said = await anyio.to_thread.run_sync(call, what)
            is_said.set()
            assert anyio.current_time() - began < CALLER_S

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(ask)
            await hall.others_go_on_until(is_said, good)
    assert "QM500" not in said
    assert "Traceback" not in said
    hall.forget_failures()
    assert '"text": "x"' in await anyio.to_thread.run_sync(call, "")
    hall.nothing_broke()


@pytest.mark.parametrize("what", LISTINGS)
async def test_a_listing(hall: Hall, what: str) -> None:
    name = f"odd-{[*LISTINGS].index(what)}"
    command = shlex.join([sys.executable, str(SUPPORT / "unruly_server.py"), what])

    def add() -> str:
        done = hall.instance.qm("origin", "add", name, "--command", command, "--yes")
        return done.stdout + done.stderr

    is_added = anyio.Event()
    async with client_of(hall.url, hall.alice) as good:

        async def add_it() -> None:
            began = anyio.current_time()
            said = await anyio.to_thread.run_sync(add)
            is_added.set()
            assert anyio.current_time() - began < CALLER_S
            assert "QM500" not in said
            assert "Traceback" not in said

        async with anyio.create_task_group() as tasks:
            tasks.start_soon(add_it)
            await hall.others_go_on_until(is_added, good)
    listed = hall.instance.qm("origin", "list", "--json")
    assert listed.returncode == 0, listed.stderr
    assert json.loads(listed.stdout)
    hall.nothing_broke()
