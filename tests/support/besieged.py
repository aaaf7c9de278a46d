"""A running Quartermaster with one login that attacks, and others who go on with their work."""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any, cast
from urllib.parse import urlsplit
from uuid import uuid4

import anyio
import httpx2
import psycopg
from mcp import MCPError

from tests.support.callers import client_of, slug_of
from tests.support.database import Database
from tests.support.instance import Instance, new_instance
from tests.support.psql_login import psql_login
from tests.support.waiting import wait_until

Connection = psycopg.Connection[tuple[Any, ...]]
# As a backup does; it needs a lock for each.
_RELATIONS = """
do $$
declare
    r regclass;
begin
    for r in select c.oid from pg_class as c where c.relkind = 'r' order by c.oid limit 150 loop
        execute format('select from %s limit 0', r);
    end loop;
end $$
"""


class Besieged:
    """A service, the login of an attacker, and the key of somebody else.

    Attributes:
        instance: the service.
        dsn: the connection string of mallory's login, who is an ordinary user.
        login: its name.
        trouble: why others could not go on, the last time that they could not.
    """

    def __init__(self, instance: Instance, dsn: str) -> None:
        self.instance = instance
        self.dsn = dsn
        self.login = str(urlsplit(dsn).username)
        self.trouble = ""
        self._key = self.key("alice")

    def key(self, name: str) -> str:
        """Returns a key of a new principal with the role user."""
        for command in (("principal", "create", name), ("key", "create", name)):
            done = self.instance.qm(*command)
            assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout.split()[0]

    def others_go_on(self) -> bool:
        """Returns whether a search of another principal answers now, the service is ready, and
        somebody may lock as many relations as a backup needs.
        """
        asked = {"query": f"tell the time {uuid4().hex}"}

        async def search() -> object:
            with anyio.move_on_after(15):
                async with client_of(self.instance.run_file.url, self._key) as client:
                    return await slug_of(client, "search_tools", asked)
            return "no answer"

        try:
            if slug := anyio.run(search):
                self.trouble = f"a search: {slug}"
                return False
            with self.instance.http() as http:
                http.get("/readyz").raise_for_status()
            self.as_admin(f"set lock_timeout = '10s'; {_RELATIONS}")
        except (OSError, httpx2.HTTPError, psycopg.Error, MCPError, ExceptionGroup) as error:
            self.trouble = repr(error)
            return False
        return True

    def as_admin(self, script: str) -> None:
        """Runs statements in one transaction of an administrator."""
        with closing(psycopg.connect(self.instance.admin_dsn, autocommit=True)) as connection:
            connection.execute(cast(Any, script))

    def pids(self) -> list[int]:
        """Returns the backends of the attacker."""
        found = "select pid from pg_stat_activity where usename = %s"
        return [pid for (pid,) in self.instance.rows(found, self.login)]

    def memory_mb(self) -> float:
        """Returns what the backends of the attacker hold for themselves."""
        total = 0
        for pid in self.pids():
            with suppress(OSError):
                for line in Path(f"/proc/{pid}/status").read_text().splitlines():
                    if line.startswith("RssAnon:"):
                        total += int(line.split()[1])
        return total / 1024

    @contextmanager
    def attack(
        self, work: Callable[[Connection], None], sessions: int = 1
    ) -> Generator[Sequence[Future[None]]]:
        """Works in so many sessions at once, which end with the block."""
        with ThreadPoolExecutor(sessions) as pool, ExitStack() as stack:
            connections = [
                stack.enter_context(closing(psycopg.connect(self.dsn, autocommit=True)))
                for _ in range(sessions)
            ]
            pids = [connection.info.backend_pid for connection in connections]
            attempts = [pool.submit(_attempt, work, connection) for connection in connections]
            try:
                yield attempts
            finally:
                # PostgreSQL itself may not let anybody in who could end them.
                for pid in pids:
                    with suppress(ProcessLookupError):
                        os.kill(pid, signal.SIGTERM)
                # A connection that a thread still uses must not be closed.
                wait(attempts)
                assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))
                self.as_admin(f"alter role {self.login} reset all")

    def set_limit(self, name: str, value: str | float) -> None:
        """A setting of the service."""
        change = "update core.setting set value = %s where name = %s returning 1"
        assert self.instance.rows(change, json.dumps(value), name)


def _attempt(work: Callable[[Connection], None], connection: Connection) -> None:
    # It is refused, or its session is ended: as it should be.
    with suppress(psycopg.Error):
        work(connection)


def repeat(statement: str, times: int) -> Callable[[Connection], None]:
    """Returns a statement again and again, with a number in it, until one fails."""

    def work(connection: Connection) -> None:
        for number in range(times):
            connection.execute(cast(Any, statement.replace("NUMBER", str(number))))

    return work


def hold(statement: str, times: int) -> Callable[[Connection], None]:
    """Returns the same in one transaction, which stays open and keeps what it has got."""

    def work(connection: Connection) -> None:
        connection.execute("set idle_in_transaction_session_timeout = 0; begin; savepoint s")
        for number in range(times):
            try:
                connection.execute(cast(Any, statement.replace("NUMBER", str(number))))
            except psycopg.Error:
                connection.execute("rollback to savepoint s")
                return
            connection.execute("savepoint s")

    return work


@contextmanager
def besieged(data_dir: Path, *, on_disk: bool = False) -> Generator[Besieged]:
    """Provides a running service, from a copy of a data directory.

    Args:
        data_dir: of a stopped instance.
        on_disk: whether its data are on a disk, not in memory.
    """
    with new_instance(copy_of=data_dir, on_disk=on_disk) as instance:
        instance.start()
        name = urlsplit(instance.admin_dsn).path.removeprefix("/")
        database = Database(name, instance.admin_dsn, "")
        instance.rows("select policy.put_principal('mallory', 'person', 'user')")
        with psql_login(database, "qm_user", "mallory") as dsn:
            yield Besieged(instance, dsn)
        assert "Traceback" not in instance.stderr
        assert "QM500" not in instance.stderr
        assert instance.stop() == 0
