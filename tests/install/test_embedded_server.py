"""The embedded server: who starts it, who shares it, and what survives a crash."""

from __future__ import annotations

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import make_conninfo

from quartermaster.core.errors import QmError
from quartermaster.core.hardware import memory_bytes
from quartermaster.substrate import os_user, plpython
from quartermaster.substrate.embedded import EmbeddedServer
from quartermaster.substrate.os_user import OsUser
from tests.support.place import new_place
from tests.support.waiting import wait_until
from tests.support.wheel import borrowed_packages, for_everybody, python_for_everybody

pytestmark = pytest.mark.install

_IS_ROOT = os.geteuid() == 0
_SERVICE = Path(__file__).parents[2] / "service"

# Starts the server, says its connection string, and stops using it when its input ends.
_USER_PROCESS = """
import sys
from pathlib import Path
from quartermaster.core.errors import QmError
from quartermaster.core.logs import configure
from quartermaster.substrate.embedded import EmbeddedServer
configure("error")
try:
    with EmbeddedServer(Path(sys.argv[1]), Path(sys.argv[2])) as server:
        print(server.dsn, flush=True)
        sys.stdin.read()
except QmError as error:
    print(error.slug, flush=True)
"""


@pytest.fixture(scope="module")
def place() -> Generator[Path]:
    """A directory that every user of the machine may enter, unlike pytest's own."""
    folder = Path(tempfile.mkdtemp(prefix="qm-embedded-"))
    folder.chmod(0o755)
    yield folder
    shutil.rmtree(folder)


@pytest.fixture
def data_dir() -> Generator[Path]:
    with new_place("qm-embedded-") as folder:
        yield folder / "data"


@pytest.fixture
def make_server(place: Path, data_dir: Path) -> Generator[Callable[..., EmbeddedServer]]:
    """Makes servers on one data directory; those still in use at the end are stopped."""
    made: list[EmbeddedServer] = []

    def make(port: int | None = None) -> EmbeddedServer:
        made.append(EmbeddedServer(data_dir, place / "runtime", port))
        return made[-1]

    yield make
    for server in made:
        server.stop()


@pytest.fixture(scope="module")
def shared(place: Path) -> Generator[EmbeddedServer]:
    """A server for the tests that only look at it."""
    os.environ["QM_TEST_SECRET"] = "not-for-the-server"
    try:
        with EmbeddedServer(place / "shared", place / "runtime") as server:
            yield server
    finally:
        del os.environ["QM_TEST_SECRET"]


def ask(dsn: str, query: str) -> str:
    with psycopg.connect(dsn, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    assert row is not None
    return str(row[0])


def tell(dsn: str, statement: str) -> None:
    with psycopg.connect(dsn, autocommit=True) as connection:
        connection.execute(statement.encode())


def main_pid(data_dir: Path) -> int:
    return int((data_dir / "postgres/data/postmaster.pid").read_text().split()[0])


def await_end(pid: int) -> None:
    gone = wait_until(
        lambda: not (Path(f"/proc/{pid}/exe").exists() or os.path.lexists(f"/proc/{pid}/cwd")), 20
    )
    assert gone, f"process {pid} is still there"


def python_for(user: OsUser | None) -> tuple[str, dict[str, str]]:
    """Returns an interpreter of this version, with our packages, that the user can run."""
    if user is None:
        paths = [str(_SERVICE), *(entry for entry in sys.path if entry.endswith("site-packages"))]
        program = sys.executable
    else:
        paths = [str(for_everybody(_SERVICE)), str(borrowed_packages())]
        program = str(python_for_everybody())
    env = {"PATH": "/usr/bin:/bin", "PYTHONPATH": ":".join(paths), "HOME": "/nonexistent"}
    return program, env


@contextmanager
def user_processes(
    count: int, data_dir: Path, runtime: Path, user: OsUser | None = None
) -> Generator[list[subprocess.Popen[str]]]:
    """Provides processes that start and use the server until the end of the block."""
    program, env = python_for(user)
    started = [
        subprocess.Popen(
            [program, "-c", _USER_PROCESS, data_dir, runtime],
            cwd="/",
            env=env,
            text=True,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            **(user.popen_options() if user else {}),
        )
        for _ in range(count)
    ]
    try:
        yield started
    finally:
        for process in started:
            process.communicate(timeout=60)


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def test_a_new_server_keeps_what_it_is_told_on_disk(shared: EmbeddedServer) -> None:
    settings = {
        name: ask(shared.dsn, f"show {name}")
        for name in ("fsync", "full_page_writes", "synchronous_commit", "data_checksums")
    }
    assert settings == dict.fromkeys(settings, "on")


def test_a_new_server_listens_on_loopback_only_and_asks_for_a_password(
    shared: EmbeddedServer, place: Path
) -> None:
    assert ask(shared.dsn, "show listen_addresses") == "127.0.0.1"
    assert ask(shared.dsn, "show server_encoding") == "UTF8"
    password = json.loads((place / "shared/credentials.json").read_text())["postgres"]
    with pytest.raises(psycopg.OperationalError, match="authentication failed"):
        psycopg.connect(shared.dsn.replace(password, "wrong"))
    for address in ("127.0.0.1", str(place / "shared/postgres/run")):
        with pytest.raises(psycopg.OperationalError, match="no password"):
            psycopg.connect(shared.dsn.replace(f":{password}", ""), host=address)


def test_its_password_is_in_no_log_no_process_list_and_no_readable_file(
    shared: EmbeddedServer, place: Path
) -> None:
    tell(shared.dsn, "create role somebody login password 'x-secret-of-somebody'")
    password = json.loads((place / "shared/credentials.json").read_text())["postgres"]
    processes = [
        path.read_bytes() for path in Path("/proc").glob("[0-9]*/cmdline") if path.exists()
    ]
    assert any(b"/bin/postgres" in line for line in processes)
    assert not any(password.encode() in line for line in processes)
    assert password not in shared.log_path.read_text()
    assert "x-secret" not in shared.log_path.read_text()
    for private in (place / "shared/credentials.json", shared.log_path):
        assert stat.S_IMODE(private.stat().st_mode) == 0o600
    assert not list((place / "shared/postgres").glob(".initdb*"))


def test_it_knows_nothing_of_our_environment(shared: EmbeddedServer, place: Path) -> None:
    assert b"QM_TEST_SECRET" not in Path(f"/proc/{main_pid(place / 'shared')}/environ").read_bytes()


def test_psql_of_the_installation_answers(shared: EmbeddedServer) -> None:
    command = [shared.psql, "--no-psqlrc", "-Atc", "select 6 * 7", shared.dsn]
    assert subprocess.check_output(command, text=True) == "42\n"


def test_the_extensions_we_need_can_be_created(shared: EmbeddedServer) -> None:
    names = "vector", "pg_trgm", "unaccent", "pgcrypto", "pg_stat_statements"
    for name in names:
        tell(shared.dsn, f"create extension {name}")
    assert ask(shared.dsn, "select '[1,2]'::vector <-> '[1,3]'") == "1.0"


def require_plpython(server: EmbeddedServer, place: Path) -> None:
    user = os_user.server_user(place / "shared/postgres/data")
    found = plpython.prepare(server.psql.parents[1], place / "runtime", user)
    if found.missing:
        pytest.skip("; ".join(found.missing))


def test_pl_python_imports_what_embedding_needs(shared: EmbeddedServer, place: Path) -> None:
    require_plpython(shared, place)
    tell(shared.dsn, "create extension if not exists plpython3u")
    tell(
        shared.dsn,
        "create or replace function versions() returns text language plpython3u as $python$\n"
        "import numpy, onnxruntime, tokenizers, os\n"
        "assert os.environ['ORT_DISABLE_TELEMETRY'] == '1'\n"
        "return ' '.join(m.__version__ for m in (numpy, onnxruntime, tokenizers))\n"
        "$python$",
    )
    versions = ask(shared.dsn, "select versions()").split()
    assert len(versions) == 3
    assert "elemetry" not in shared.log_path.read_text()


def test_a_copy_follows_each_file_of_the_package(tmp_path: Path):
    (tmp_path / "__pycache__").mkdir()
    (tmp_path / "list.gz").write_bytes(b"one")
    before = plpython._content(tmp_path)
    (tmp_path / "__pycache__" / "made.pyc").write_bytes(b"at run time")
    assert plpython._content(tmp_path) == before
    (tmp_path / "list.gz").write_bytes(b"two")
    assert plpython._content(tmp_path) != before


def test_packages_the_server_may_not_read_are_copied_once_and_import(
    shared: EmbeddedServer, place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    require_plpython(shared, place)
    monkeypatch.setattr(plpython, "can_read_tree", lambda path, user: False)
    runtime = place / "copies"
    runtime.mkdir()
    first = plpython.prepare(shared.psql.parents[1], runtime, None)
    copies = [Path(folder) for folder in first.env["PYTHONPATH"].split(":")]
    before = {folder: folder.stat().st_mtime_ns for folder in copies}
    assert plpython.prepare(shared.psql.parents[1], runtime, None) == first
    assert before == {folder: folder.stat().st_mtime_ns for folder in copies}
    assert all(folder.parent == runtime / "plpy" for folder in copies)
    # -I and -S: nothing but the copies and the standard library.
    code = f"import sys; sys.path[:0] = {[str(folder) for folder in copies]}"
    code += "; import onnxruntime; from tokenizers import Tokenizer"
    done = subprocess.run([sys.executable, "-I", "-S", "-c", code], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert {path.name for path in (runtime / "plpy").iterdir()} == {
        ".lock",
        *(folder.name for folder in copies),
    }


def test_what_pl_python_lacks_is_said_and_the_server_runs_without_it(
    place: Path, shared: EmbeddedServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(plpython, "_PACKAGES", ("no-such-package",))
    monkeypatch.setattr(plpython, "_LIBRARY", "libpython9.99.so")
    found = plpython.prepare(shared.psql.parents[1], place / "runtime", None)
    assert any("libpython9.99.so" in reason for reason in found.missing)
    assert any("no-such-package" in reason for reason in found.missing)
    assert str(shared.psql.parents[1] / "lib") in found.env["LD_LIBRARY_PATH"]


def test_a_restart_keeps_data_and_address(make_server: Callable[..., EmbeddedServer]) -> None:
    server = make_server()
    dsn = server.start()
    tell(dsn, "create table kept as select 7 as number")
    server.stop()
    assert not server.is_running()
    with pytest.raises(QmError) as refused:
        _ = server.dsn
    assert refused.value.slug == "database_unavailable"
    assert make_server().start() == dsn
    assert ask(dsn, "select number from kept") == "7"


def test_a_cluster_of_a_release_before_gets_the_limits_and_an_operator_changes_them(
    make_server: Callable[..., EmbeddedServer],
) -> None:
    server = make_server()
    dsn = server.start()
    assert ask(dsn, "show max_locks_per_transaction") == "256"
    assert ask(dsn, "show max_notify_queue_pages") == "262144"
    # initdb has not written it, so it is given at each start.
    source = "select source from pg_settings where name = 'max_locks_per_transaction'"
    assert ask(dsn, source) == "command line"
    tell(dsn, "alter system set max_locks_per_transaction = 100")
    server.stop()
    assert ask(make_server().start(), "show max_locks_per_transaction") == "100"


def test_each_process_has_a_limit_of_memory_beside_what_all_share(shared: EmbeddedServer) -> None:
    with psycopg.connect(shared.dsn) as connection:
        limits = Path(f"/proc/{connection.info.backend_pid}/limits").read_text().splitlines()
        row = connection.execute(
            "select setting::bigint from pg_settings where name = 'shared_memory_size'"
        ).fetchone()
    assert row
    [most] = [line.split()[3] for line in limits if line.startswith("Max address space")]
    assert int(most) == max(memory_bytes() // 2 // 1024, 2 * 1024**2) * 1024 + row[0] * 1024**2


def test_nobody_but_the_superuser_connects_to_other_databases(shared: EmbeddedServer) -> None:
    tell(shared.dsn, "create role stranger login password 'x'")
    for name in ("postgres", "template1"):
        with pytest.raises(psycopg.OperationalError, match="CONNECT privilege"):
            psycopg.connect(make_conninfo(shared.dsn, dbname=name, user="stranger", password="x"))


def test_a_log_that_a_login_has_filled_is_emptied_and_its_end_is_kept(
    shared: EmbeddedServer,
) -> None:
    with psycopg.connect(shared.dsn, autocommit=True) as connection:
        for i in range(12):
            with pytest.raises(psycopg.errors.DivisionByZero):
                connection.execute(f"select 1 / 0 /* {i} {'x' * 1_000_000} */".encode())
        assert shared.log_path.stat().st_size > 12_000_000
        shared.trim_log()
        retained = shared.log_path.with_suffix(".log.1")
        assert shared.log_path.stat().st_size == 0
        assert stat.S_IMODE(retained.stat().st_mode) == 0o600
        assert retained.stat().st_size == 1024**2
        with pytest.raises(psycopg.errors.DivisionByZero):
            connection.execute("select 2 / 0")
        assert "select 2 / 0" in shared.log_path.read_text()
        assert "\0" not in shared.log_path.read_text()
        shared.trim_log()
        assert shared.log_path.stat().st_size > 0


def test_a_second_user_joins_and_the_last_one_out_stops_it(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    first, second = make_server(), make_server()
    dsn = first.start()
    pid = main_pid(data_dir)
    assert second.start() == first.start() == dsn
    assert main_pid(data_dir) == pid
    first.stop()
    first.stop()
    assert second.is_running()
    assert ask(dsn, "select 1") == "1"
    second.stop()
    assert not second.is_running()
    await_end(pid)


def test_five_processes_start_one_server(place: Path, data_dir: Path) -> None:
    # A runtime directory of their own: unpacking is part of the race.
    with user_processes(5, data_dir, data_dir / "runtime") as processes:
        addresses = {first_line(process) for process in processes}
        assert len(addresses) == 1
        dsn = addresses.pop()
        assert ask(dsn, "select 1") == "1"
        pid = main_pid(data_dir)
        for process in processes[:4]:
            process.communicate(timeout=60)
        assert ask(dsn, "select 1") == "1"
        assert main_pid(data_dir) == pid
    await_end(pid)
    assert not (data_dir / "postgres/data/postmaster.pid").exists()


def test_a_killed_server_recovers_every_committed_row(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    server = make_server()
    dsn = server.start()
    tell(dsn, "create table kept (number integer)")
    with psycopg.connect(dsn) as open_session:
        open_session.execute("insert into kept values (1)")
        open_session.commit()
        open_session.execute("insert into kept values (2)")
        os.kill(main_pid(data_dir), signal.SIGKILL)
        await_end(main_pid(data_dir))
        assert not server.is_running()
        assert server.start() == dsn
        with pytest.raises(psycopg.OperationalError):
            open_session.commit()
    assert ask(dsn, "select string_agg(number::text, ',') from kept") == "1"
    assert "automatic recovery in progress" in server.log_path.read_text()


def test_a_server_left_by_a_killed_process_is_adopted_and_then_stopped(
    make_server: Callable[..., EmbeddedServer], place: Path, data_dir: Path
) -> None:
    with user_processes(1, data_dir, place / "runtime") as (process,):
        dsn = first_line(process)
        process.kill()
    pid = main_pid(data_dir)
    server = make_server()
    assert server.is_running()
    assert server.start() == dsn
    assert main_pid(data_dir) == pid
    server.stop()
    await_end(pid)


def test_a_process_id_used_again_by_another_program_does_not_bar_the_start(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    server = make_server()
    dsn = server.start()
    pid_file = data_dir / "postgres/data/postmaster.pid"
    left_behind = pid_file.read_text().split("\n", 1)[1]
    os.kill(main_pid(data_dir), signal.SIGKILL)
    await_end(main_pid(data_dir))
    user = os_user.server_user(data_dir / "postgres/data")
    sleeper = subprocess.Popen(
        ["/bin/sleep", "600"], cwd="/", **(user.popen_options() if user else {})
    )
    try:
        pid_file.write_text(f"{sleeper.pid}\n{left_behind}")
        assert not server.is_running()
        assert server.start() == dsn
    finally:
        sleeper.kill()
        sleeper.wait()


def test_a_remembered_port_taken_by_another_program_is_replaced_and_said(
    make_server: Callable[..., EmbeddedServer],
) -> None:
    server = make_server()
    port = int(server.start().partition("@")[2].partition(":")[2].partition("/")[0])
    server.stop()
    steps: list[str] = []
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        squatter.bind(("127.0.0.1", port))
        squatter.listen()
        dsn = make_server().start(steps.append)
        assert f":{port}/" not in dsn
        assert any(str(port) in step for step in steps)
        with pytest.raises(QmError) as refused:
            EmbeddedServer(
                server.log_path.parents[2] / "other", server.psql.parents[2], port
            ).start()
        assert refused.value.slug == "port_in_use"
    assert ask(dsn, "select 1") == "1"


def test_an_initialisation_cut_short_is_begun_anew(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    half = data_dir / "postgres/data.new.half"
    half.mkdir(parents=True)
    (half / "PG_VERSION").write_text("18\n")
    password = data_dir / "postgres/.initdb"
    password.write_text("of the start that was cut short")
    assert ask(make_server().start(), "select 1") == "1"
    assert not password.exists()
    assert not half.exists()


def test_a_server_that_cannot_start_says_why_and_holds_nothing(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    server = make_server()
    dsn = server.start()
    server.stop()
    settings = data_dir / "postgres/data/postgresql.auto.conf"
    settings.write_text("max_connections = many\n")
    with pytest.raises(QmError) as failed:
        server.start()
    assert failed.value.slug == "server_start_failed"
    assert "max_connections" in (failed.value.detail or "")
    settings.write_text("")
    assert server.start() == dsn


def test_lost_credentials_and_another_major_version_are_refused(
    make_server: Callable[..., EmbeddedServer], data_dir: Path
) -> None:
    server = make_server()
    server.start()
    server.stop()
    credentials = (data_dir / "credentials.json").read_text()
    (data_dir / "credentials.json").write_text("{}")
    with pytest.raises(QmError) as lost:
        server.start()
    assert lost.value.slug == "credentials_missing"
    (data_dir / "credentials.json").write_text(credentials)
    (data_dir / "postgres/data/PG_VERSION").write_text("17\n")
    with pytest.raises(QmError) as other:
        server.start()
    assert other.value.slug == "cluster_version_differs"


def test_a_data_directory_that_cannot_be_made_is_refused(place: Path) -> None:
    (place / "a-file").write_text("")
    with pytest.raises(QmError) as refused:
        EmbeddedServer(place / "a-file" / "data", place / "runtime").start()
    assert refused.value.slug == "data_dir_not_writable"


def test_a_data_directory_may_have_an_odd_name(place: Path) -> None:
    with EmbeddedServer(place / "ä, b%e'", place / "runtime") as server:
        assert ask(server.dsn, "select 1") == "1"


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: another user runs the server")
def test_root_starts_it_as_somebody_else_who_owns_the_cluster_only(
    shared: EmbeddedServer, place: Path
) -> None:
    uid = Path(f"/proc/{main_pid(place / 'shared')}").stat().st_uid
    assert uid != 0
    others = [path for path in (place / "shared").rglob("*") if path.stat().st_uid != 0]
    outermost = {path for path in others if path.parent not in others}
    assert outermost == {place / "shared/postgres/data", place / "shared/postgres/run"}
    assert {path.lstat().st_uid for path in shared.psql.parents[1].rglob("*")} == {0}


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: another user runs the server")
def test_a_closed_directory_above_is_named(place: Path) -> None:
    closed = place / "closed"
    closed.mkdir(mode=0o700)
    with pytest.raises(QmError) as refused:
        EmbeddedServer(closed / "data", place / "runtime").start()
    assert refused.value.slug == "data_dir_not_traversable"
    assert str(closed) in refused.value.message
    assert f"chmod o+x {closed}" in refused.value.hint
    assert "--data-dir" in refused.value.hint


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: starts processes of an ordinary user")
def test_an_ordinary_user_starts_it_and_is_kept_out_of_what_root_made(
    shared: EmbeddedServer, place: Path, data_dir: Path
) -> None:
    user = os_user.server_user(place / "shared/postgres/data")
    assert user is not None
    os.chown(data_dir.parent, user.uid, user.gid)
    data_dir.parent.chmod(0o700)
    with user_processes(1, data_dir, data_dir / "runtime", user) as (process,):
        assert ask(first_line(process), "select 1") == "1"
        assert {path.lstat().st_uid for path in data_dir.rglob("*")} == {user.uid}
    with user_processes(1, place / "shared", place / "runtime", user) as (process,):
        assert first_line(process) == "data_dir_not_writable"


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: looks at files of other users")
def test_the_owner_of_a_cluster_runs_it_and_an_unknown_one_is_refused(tmp_path: Path) -> None:
    nobody = os_user.run_as(None, ["id", "-u", "nobody"]).stdout.strip()
    os.chown(tmp_path, int(nobody), -1)
    user = os_user.server_user(tmp_path)
    assert user is not None
    assert user.name == "nobody"
    assert os_user.run_as(user, ["id", "-u"]).stdout.strip() == nobody
    os.chown(tmp_path, 4_000_000_000, -1)
    with pytest.raises(QmError) as refused:
        os_user.server_user(tmp_path)
    assert refused.value.slug == "no_server_user"


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: only root needs another user")
def test_without_a_user_of_its_own_and_useradd_another_one_stands_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(os_user, "_OWN_NAME", "no-such-user")
    monkeypatch.setattr(os_user, "_STAND_INS", ("no-such-user-either", "nobody"))
    # No directory of the search path has useradd.
    monkeypatch.setattr(os_user, "_ADMIN_PATH", str(tmp_path))
    user = os_user.server_user(tmp_path / "absent")
    assert user is not None
    assert user.name == "nobody"
    monkeypatch.setattr(os_user, "_STAND_INS", ())
    with pytest.raises(QmError) as refused:
        os_user.server_user(tmp_path / "absent")
    assert refused.value.slug == "no_server_user"


@pytest.mark.root_only
@pytest.mark.skipif(not _IS_ROOT, reason="needs root: asks what another user may read")
def test_one_closed_file_makes_a_tree_unreadable(place: Path) -> None:
    user = os_user.server_user(place / "absent")
    tree = place / "tree"
    tree.mkdir()
    (tree / "open.py").write_text("")
    assert os_user.can_read_tree(tree, user)
    (tree / "closed.py").write_text("")
    (tree / "closed.py").chmod(0o600)
    assert not os_user.can_read_tree(tree, user)
    assert os_user.can_read_tree(tree, None)
    assert not os_user.can_read_tree(place / "absent", user)
