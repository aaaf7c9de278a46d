"""kill -9 of a command, of the backend that works for it, of PostgreSQL or of the service, in the
middle of a change: all or nothing of it is there, and the same command can be run again.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest

from quartermaster.core.locks import exclusive
from tests.support.instance import START_S, Instance, new_instance
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@dataclass(frozen=True)
class Change:
    """A change that can be stopped in its middle.

    Attributes:
        command: the command of ``qm`` that makes it.
        lock: what makes it wait when it has written a part.
        state: what it changes; the same rows before and after mean that nothing was changed.
        before, after: these rows without it and with it.
    """

    command: tuple[str, ...]
    lock: str
    state: str
    before: list[tuple[Any, ...]]
    after: list[tuple[Any, ...]]


LOAD = Change(
    ("lookup", "load", "plants", "{folder}/plants.csv", "--keep"),
    "lock table lookup.lookup_name in share row exclusive mode",
    "select r.value from lookup.lookup_row as r order by r.value",
    [("Acer",)],
    [("Acer",), ("Betula",), ("Carex",)],
)
SNAPSHOT = Change(
    ("snapshot", "create", "first"),
    "lock table snapshots.member in share row exclusive mode",
    "select s.name, s.signature is not null from snapshots.snapshot as s where s.name = 'first'",
    [],
    [("first", True)],
)
# The model that was active is not active any more when this one is waited for.
MODEL = Change(
    ("model", "use", "other", "--force"),
    "select from search.model where name = 'other' for update",
    "select m.name = 'other' from search.model as m where m.active",
    [(False,)],
    [(True,)],
)
CHANGES = {"lookup load": LOAD, "snapshot": SNAPSHOT, "model": MODEL}


@pytest.fixture(scope="module")
def instance(stopped_data_dir: Path) -> Generator[Instance]:
    """One that is broken again and again, and is whole after each time."""
    with new_instance(copy_of=stopped_data_dir) as instance:
        instance.start()
        yield instance


@pytest.fixture
def folder(instance: Instance, tmp_path: Path) -> Path:
    """A table with one row, a file with three, a second model, and no snapshot."""
    (tmp_path / "plants.csv").write_text("id,value\n1,Acer\n2,Betula\n3,Carex\n")
    (tmp_path / "one.csv").write_text("id,value\n1,Acer\n")
    instance.qm("lookup", "create", "plants")
    instance.qm_json("lookup", "load", "plants", tmp_path / "one.csv", "--yes")
    instance.rows("select search.put_model('other', 384, false, 'minilm-tools-4')")
    instance.rows("update search.model set active = false where name = 'other' returning name")
    instance.rows("update search.model set active = true where name <> 'other' returning name")
    instance.qm("snapshot", "drop", "first", "--yes")
    return tmp_path


@contextmanager
def held(instance: Instance, lock: str) -> Generator[Callable[[], list[int]]]:
    """Holds a lock; gives the backends that wait for it."""
    with psycopg.connect(instance.admin_dsn) as connection:
        connection.execute(lock)
        [(own,)] = connection.execute("select pg_backend_pid()").fetchall()
        yield lambda: [
            pid
            for (pid,) in instance.rows(
                "select a.pid from pg_stat_activity as a where %s = any(pg_blocking_pids(a.pid))",
                own,
            )
        ]
        with suppress(psycopg.Error):
            connection.rollback()


def is_ready(instance: Instance) -> bool:
    with suppress(httpx2.HTTPError, psycopg.Error), instance.http() as http:
        return http.get("/readyz").status_code == 200 and bool(instance.rows("select 1"))
    return False


def kill(instance: Instance, what: str, command: int, backend: int) -> None:
    if what == "command":
        os.kill(command, signal.SIGKILL)
    elif what == "backend":
        os.kill(backend, signal.SIGKILL)
    elif what == "server":
        instance.kill_server()
    else:
        instance.kill()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        *((name, what) for name in CHANGES for what in ("command", "backend")),
        ("lookup load", "server"),
        ("lookup load", "service"),
        ("model", "service"),
    ],
)
def test_all_or_nothing(instance: Instance, folder: Path, name: str, what: str) -> None:
    change = CHANGES[name]
    command = [part.format(folder=folder) for part in change.command]
    assert instance.rows(change.state) == change.before
    with held(instance, change.lock) as waiting:
        running = instance.launch_qm(*command, "--json")
        assert wait_until(waiting, START_S), running.communicate(timeout=1)
        kill(instance, what, running.pid, waiting()[0])
    out, report = running.communicate(timeout=START_S)
    assert "Traceback" not in out + report
    if what == "service":
        instance.start()
    assert wait_until(lambda: is_ready(instance), START_S)
    active = "select from pg_stat_activity where usename = 'qm_service' and state = 'active'"
    assert wait_until(lambda: not instance.rows(active))
    found = instance.rows(change.state)
    assert found in (change.before, change.after) or found == [("first", False)]
    again = instance.qm(*command, "--json")
    assert again.returncode == 0, again.stderr
    assert instance.rows(change.state) == change.after
    assert wait_until(
        lambda: (
            not [
                *instance.data_dir.rglob(".*.partial"),
                *instance.data_dir.rglob("*.making"),
            ]
        )
    )


def test_a_snapshot_that_was_not_signed_is_taken_again(instance: Instance, folder: Path) -> None:
    artifact = instance.data_dir / "snapshots" / "first.sqlite"
    with exclusive(instance.data_dir / "signing_key.lock"):
        running = instance.launch_qm("snapshot", "create", "first", "--json")
        assert wait_until(artifact.exists, START_S)
        running.kill()
        running.communicate(timeout=START_S)
    assert instance.rows(SNAPSHOT.state) == [("first", False)]
    assert instance.qm("snapshot", "verify", "first").returncode == 1
    instance.qm_json("snapshot", "create", "first")
    assert instance.rows(SNAPSHOT.state) == SNAPSHOT.after
    assert instance.qm("snapshot", "verify", "first").returncode == 0
    assert instance.qm("snapshot", "create", "first").returncode == 1


@pytest.mark.parametrize("what", ["backend", "service"])
def test_a_refresh_that_was_cut_short_is_done_again(
    instance: Instance, folder: Path, what: str
) -> None:
    if not instance.rows("select from catalog.origin where name = 'leaf'"):
        instance.add_upstream("leaf", "leaf_server.py", "stdio")
    tools = (
        "select i.name, i.version from catalog.item as i inner join catalog.origin as o"
        " on o.id = i.origin_id where o.name = 'leaf' and i.deprecated_at is null order by i.name"
    )
    before = instance.rows(tools)
    open_ = "select from catalog.refresh where status in ('requested', 'running')"
    assert before
    assert wait_until(lambda: not instance.rows(open_), START_S)
    with held(instance, "lock table catalog.item in share row exclusive mode") as waiting:
        running = instance.launch_qm("origin", "refresh", "leaf", "--json")
        assert wait_until(waiting, START_S)
        kill(instance, what, running.pid, waiting()[0])
    if what == "service":
        # The command waits until its refresh is done, whoever does it.
        instance.start()
    _, report = running.communicate(timeout=START_S)
    assert "Traceback" not in report
    assert wait_until(lambda: is_ready(instance), START_S)
    assert wait_until(lambda: not instance.rows(open_), START_S)
    assert instance.rows(tools) == before
    assert instance.qm("origin", "refresh", "leaf").returncode == 0
    assert instance.rows(tools) == before
