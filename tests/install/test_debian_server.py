"""The server on Debian 13: the install script's packages, extensions, scheduled jobs, clean-up."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack
from pathlib import Path

import psycopg
import pytest

from quartermaster.install import apply
from tests.support import debian_root, debian_server

pytestmark = [pytest.mark.install, pytest.mark.root_only, pytest.mark.slow]


@pytest.fixture(scope="module")
def server() -> Generator[debian_server.DebianServer]:
    if reason := debian_root.skip_reason():
        pytest.skip(reason)
    with debian_server.running([debian_root.REPOSITORY / "extensions/plpy"]) as running:
        yield running


@pytest.fixture
def connection(
    server: debian_server.DebianServer,
) -> Generator[psycopg.Connection[tuple[object, ...]]]:
    with psycopg.connect(server.dsn, autocommit=True) as connection:
        yield connection


def test_it_is_postgresql_17_with_every_extension_we_use(
    connection: psycopg.Connection[tuple[object, ...]],
) -> None:
    required = {"vector", "pg_trgm", "unaccent", "pgcrypto", "plpython3u"}
    optional = {"pg_cron", "pg_stat_statements", "pgtap", "plpgsql_check"}
    assert connection.info.server_version // 10000 == 17
    rows = connection.execute("select name from pg_available_extensions").fetchall()
    assert required | optional <= {str(name) for (name,) in rows}


def test_pl_python_imports_what_embedding_needs(
    connection: psycopg.Connection[tuple[object, ...]],
) -> None:
    connection.execute("create extension if not exists plpython3u")
    connection.execute(
        "create function pg_temp.versions() returns text language plpython3u as $python$\n"
        "import numpy, onnxruntime, tokenizers\n"
        "return ' '.join(m.__version__ for m in (numpy, onnxruntime, tokenizers))\n"
        "$python$"
    )
    pinned = (debian_root.REPOSITORY / "docker/plpy-requirements.txt").read_text()
    found = connection.execute("select pg_temp.versions()").fetchone()
    assert found is not None
    for name, version in zip(
        ("numpy", "onnxruntime", "tokenizers"), str(found[0]).split(), strict=True
    ):
        assert f"{name}=={version} " in pinned


def test_a_scheduled_job_runs(connection: psycopg.Connection[tuple[object, ...]]) -> None:
    connection.execute("create extension if not exists pg_cron")
    connection.execute("create table ticks (at timestamptz)")
    # The job's own NOTIFY is the event to wait for.
    connection.execute("listen ticked")
    job = "insert into ticks values (now()); notify ticked"
    connection.execute("select cron.schedule('tick', '1 second', %s)", [job])
    try:
        assert next(connection.notifies(timeout=30), None) is not None
    finally:
        connection.execute("select cron.unschedule('tick')")
    assert connection.execute("select count(*) > 0 from ticks").fetchone() == (True,)
    connection.execute("drop table ticks")


def test_jobs_run_by_pg_cron_where_no_service_is(
    server: debian_server.DebianServer, connection: psycopg.Connection[tuple[object, ...]]
) -> None:
    for _ in range(2):
        apply.install(server.dsn)
    scheduled = "select jobid, username from cron.job where jobname = 'quartermaster'"
    [(job, login)] = connection.execute(scheduled).fetchall()
    assert login == "qm_service", "the function belongs to qm_owner"
    [(installed,)] = connection.execute(
        "select installed from core.capability where name = 'pg_cron'"
    ).fetchall()
    assert installed
    # The run's own row is the event to wait for.
    connection.execute(
        "create function tell() returns trigger language plpgsql as"
        " 'begin perform pg_notify(''ran'', new.job); return null; end'"
    )
    connection.execute(
        "create trigger tell after insert on jobs.run for each row execute function tell()"
    )
    connection.execute("listen ran")
    connection.execute("update jobs.job set next_at = now() where name = 'learn'")
    connection.execute("select cron.alter_job(%s, schedule => '1 second')", [job])
    try:
        heard = next(connection.notifies(timeout=30), None)
    finally:
        connection.execute("select cron.unschedule(%s::bigint)", [job])
    assert heard is not None
    assert heard.payload == "learn"


def test_the_script_of_pgtap_is_whole(server: debian_server.DebianServer) -> None:
    text = server.pgtap_sql.read_text()
    assert "FUNCTION plan( integer )" in text
    assert "FUNCTION finish" in text


def test_the_host_sees_no_mount_and_nothing_is_left_after_the_block() -> None:
    if reason := debian_root.skip_reason():
        pytest.skip(reason)
    with ExitStack() as held:
        with debian_server.running() as server:
            assert str(server.root) not in Path("/proc/mounts").read_text()
            with psycopg.connect(server.dsn) as connection:
                assert connection.execute("select 1").fetchone() == (1,)
            processes = _processes_of(server)
            assert processes
            # While it is open, no namespace of another test gets its number.
            held.enter_context(Path(f"/proc/{processes.pop()}/ns/mnt").open("rb"))
        assert not server.log.parent.exists()
        assert not _processes_of(server)


def test_a_failure_inside_the_block_stops_it_too() -> None:
    if reason := debian_root.skip_reason():
        pytest.skip(reason)
    with pytest.raises(ZeroDivisionError), debian_server.running() as server:
        raise ZeroDivisionError
    assert not server.log.parent.exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(server.dsn, connect_timeout=5)


def test_a_tree_with_something_mounted_in_it_is_not_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "tree/proc").mkdir(parents=True)
    read_text = Path.read_text
    mounts = f"proc {tmp_path.resolve()}/tree/proc proc rw 0 0\n"
    monkeypatch.setattr(
        Path,
        "read_text",
        lambda path, *args: mounts if path == Path("/proc/mounts") else read_text(path, *args),
    )
    with pytest.raises(RuntimeError, match="mounted"):
        debian_root.remove_tree(tmp_path / "tree")
    assert (tmp_path / "tree/proc").is_dir()


def _processes_of(server: debian_server.DebianServer) -> set[str]:
    """Returns servers of other tests live in the same root, but not among the same mounts."""
    found: set[str] = set()
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if (process / "ns/mnt").readlink() == server.namespace:
                found.add(process.name)
        except OSError:
            continue
    return found
