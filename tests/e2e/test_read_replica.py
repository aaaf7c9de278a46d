"""Searches are made at a streaming replica, and taken where it is as far as the primary."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit, urlunsplit

import anyio
import psycopg
import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.paths import RunFile
from quartermaster.doors.mcp.own_client import connect
from quartermaster.install import apply
from quartermaster.install.doctor import diagnose
from quartermaster.install.service_access import register_token, service_dsn
from quartermaster.substrate import os_user
from tests.support.database import SERVICE_PASSWORD
from tests.support.instance import new_instance
from tests.support.stoppable import StoppableServer, stoppable
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]


@pytest.fixture(scope="module")
def primary() -> Generator[StoppableServer]:
    """A server of its own, for all of it is copied."""
    with stoppable() as server:
        yield server


def test_a_search_at_the_replica_is_taken_only_of_the_present_state(primary: StoppableServer):
    with (
        primary.server.empty() as database,
        _standby(primary, database.service_dsn) as (read_dsn, its_dsn),
        new_instance(
            "--dsn", database.dsn, environment={"QM_DATABASE__READ_DSN": read_dsn}
        ) as instance,
    ):
        instance.data_dir.mkdir()
        credentials = instance.data_dir / "credentials.json"
        credentials.write_text(json.dumps({"qm_service": SERVICE_PASSWORD}))
        instance.start()
        instance.add_upstream("leaf", "leaf_server.py", "stdio")

        cached = "select stages -> 'cached' from selection.receipt order by id desc limit 1"

        def searched_there() -> bool:
            assert anyio.run(_search, instance.run_file, f"echo a text {next(number)}")
            return instance.rows(cached) == [(True,)]

        number = count()
        assert wait_until(searched_there), instance.stderr[-3000:]

        # One that lags: what it finds is of yesterday, and not taken.
        _scalar(its_dsn, "select pg_wal_replay_pause()::text")
        instance.add_upstream("another", "leaf_server.py", "stdio")

        def found_here() -> bool:
            found = anyio.run(_search, instance.run_file, f"the echo tool {next(number)}")
            assert instance.rows(cached) == [(False,)]
            return {tool["origin"] for tool in found} == {"leaf", "another"}

        # The new tools may still be embedded.
        assert wait_until(found_here), instance.stderr[-3000:]


def test_a_service_does_not_start_at_a_standby_until_it_is_promoted(primary: StoppableServer):
    with primary.server.empty() as database:
        apply.install(database.dsn, service_password=SERVICE_PASSWORD)
        with _standby(primary, database.dsn) as (standby, its_dsn):
            copied = "select count(*) from core.installed_object"
            assert wait_until(lambda: _scalar(standby, copied))
            [report] = diagnose(standby).problems
            assert "primary" in report
            assert not service_dsn(standby, SERVICE_PASSWORD).startswith(database.dsn)
            for write in (
                lambda: apply.install(standby),
                lambda: register_token(standby, "local", "a token", "x"),
            ):
                with pytest.raises(QmError) as refused:
                    write()
                assert refused.value.slug == "database_read_only"
                assert refused.value.hint
            _scalar(its_dsn, "select pg_promote()")
            assert diagnose(standby).problems == []
            apply.install(standby)
            register_token(standby, "local", "a token", "x")


async def _search(run: RunFile, query: str) -> list[dict[str, Any]]:
    async with connect(run) as client:
        found = await client.call_tool("search_tools", {"query": query})
    return found.structured_content["tools"]


@contextmanager
def _standby(primary: StoppableServer, service_dsn: str) -> Generator[tuple[str, str]]:
    """Provides a streaming replica by pg_basebackup; the service's and the superuser's way to
    it.
    """
    programs = primary.server.programs or _programs()
    place = Path(tempfile.mkdtemp(prefix="qm-standby-"))
    place.chmod(0o755)
    data = place / "data"
    user = os_user.server_user(primary.data)
    if user is not None:
        os.chown(place, user.uid, user.gid)
    options: dict[str, Any] = user.popen_options() if user else {}
    options["env"] = {**os.environ, "LD_LIBRARY_PATH": str(programs.parent / "lib")}
    copy = [programs / "pg_basebackup", "--dbname", primary.server.admin_dsn, "--pgdata", data]
    subprocess.run([*copy, "--write-recovery-conf", "--checkpoint=fast"], check=True, **options)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    sockets = f"unix_socket_directories={place}"
    run = [programs / "postgres", "-D", data, "-c", f"port={port}", "-c", sockets]
    # PostgreSQL wants at least as many places as on the primary, which has them at its start.
    run += ["-c", "max_locks_per_transaction=256"]
    log = place / "log"
    with (
        log.open("wb") as report,
        subprocess.Popen(run, stderr=report, cwd="/", **options) as process,
    ):
        try:
            read_dsn = _at(service_dsn, port)
            its_dsn = _at(primary.server.admin_dsn, port, urlsplit(service_dsn).path)
            assert wait_until(lambda: _answers(its_dsn)), log.read_text()
            yield read_dsn, its_dsn
        finally:
            process.terminate()
    shutil.rmtree(place)


def _programs() -> Path:
    from tests.support.database import runtime_dir

    return next(runtime_dir().glob("postgresql-*/bin"))


def _at(dsn: str, port: int, path: str | None = None) -> str:
    parts = urlsplit(dsn)
    place = f"{parts.netloc.rpartition(':')[0]}:{port}"
    return urlunsplit(parts._replace(netloc=place, path=path or parts.path))


def _answers(dsn: str) -> bool:
    try:
        return _scalar(dsn, "select 1") == 1
    except psycopg.OperationalError:
        return False


def _scalar(dsn: str, query: str) -> object:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None
