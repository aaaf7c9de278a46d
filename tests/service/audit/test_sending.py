"""Heads leave the machine: to a real syslog socket, a real HTTP server and a write-once bucket."""

from __future__ import annotations

import json
import re
import signal
import socket
import threading
from collections.abc import Generator
from contextlib import closing
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, cast

import boto3
import psycopg
import pytest
from botocore.exceptions import ClientError
from moto.server import ThreadedMotoServer

from quartermaster.audit import sending
from quartermaster.audit.faults import Head, head_faults, read_heads
from quartermaster.audit.sending import NotSentError, send
from quartermaster.secrets.signing_key import SigningKey
from tests.support.instance import Instance, new_instance
from tests.support.waiting import wait_until

pytestmark = pytest.mark.anyio
_REWRITE = "update audit.record set object = 'nobody', hash = sha256('other') where id = %s"


class HeadKeeper(ThreadingHTTPServer):
    """An HTTP server that keeps what is posted; ``refuses`` answers 503 instead."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Keeping)
        self.retained: list[str] = []
        self.refuses = False
        self.url = f"http://127.0.0.1:{self.server_port}/heads"


class _Keeping(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        keeper = cast(HeadKeeper, self.server)
        content = self.rfile.read(int(self.headers["content-length"])).decode()
        if not keeper.refuses:
            keeper.retained.append(content)
        self.send_response(503 if keeper.refuses else 204)
        self.end_headers()

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - its name there
        pass


@pytest.fixture
def keeper() -> Generator[HeadKeeper]:
    server = HeadKeeper()
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def heads(tmp_path: Path) -> list[Head]:
    key = SigningKey.open(tmp_path)
    return [Head(record, f"{record:064x}").signed(key) for record in (9, 10, 200)]


def syslog_line(listener: socket.socket) -> str:
    listener.settimeout(60)
    message = listener.recv(65_536).decode()
    found = re.fullmatch(r"<37>quartermaster: (\{.*\})", message)
    assert found, message
    return found[1]


async def test_the_syslog_of_this_machine(
    heads: list[Head], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log"
    monkeypatch.setattr(sending, "_SYSLOG", path)
    with pytest.raises(NotSentError):
        await send("syslog", heads[0].line)
    with closing(socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)) as listener:
        listener.bind(str(path))
        await send("syslog", heads[0].line)
        assert syslog_line(listener) == heads[0].line


async def test_the_syslog_of_another_machine(heads: list[Head]) -> None:
    with closing(socket.socket(socket.AF_INET, socket.SOCK_DGRAM)) as listener:
        listener.bind(("127.0.0.1", 0))
        await send(f"syslog://127.0.0.1:{listener.getsockname()[1]}", heads[0].line)
        assert syslog_line(listener) == heads[0].line


async def test_an_http_server(heads: list[Head], keeper: HeadKeeper) -> None:
    await send(keeper.url, heads[0].line)
    keeper.refuses = True
    with pytest.raises(NotSentError):
        await send(keeper.url, heads[1].line)
    assert keeper.retained == [heads[0].line]


async def test_a_bucket_that_can_be_written_once(
    heads: list[Head], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    environment = {
        "AWS_ACCESS_KEY_ID": "key",
        "AWS_SECRET_ACCESS_KEY": "secret",
        "AWS_REGION": "us-east-1",
        "AWS_ENDPOINT_URL": f"http://{host}:{port}",
        "AWS_ALLOW_HTTP": "true",
    }
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    try:
        s3: Any = cast(Any, boto3).client("s3", region_name="us-east-1")
        s3.create_bucket(Bucket="heads", ObjectLockEnabledForBucket=True)
        retention = {"DefaultRetention": {"Mode": "COMPLIANCE", "Days": 365}}
        s3.put_object_lock_configuration(
            Bucket="heads",
            ObjectLockConfiguration={"ObjectLockEnabled": "Enabled", "Rule": retention},
        )
        for head in [*heads, heads[0]]:  # the last one again, as after a lost answer
            await send("s3://heads/qm", head.line)
        versions = s3.list_object_versions(Bucket="heads")["Versions"]
        assert len(versions) == len(heads)
        assert all(entry["Key"].startswith("qm/0000000") for entry in versions)
        # In the order of their names, the objects are a file for `qm audit verify --against`.
        bodies = [
            s3.get_object(Bucket="heads", Key=entry["Key"])["Body"].read().decode()
            for entry in sorted(versions, key=lambda entry: entry["Key"])
        ]
        fetched = tmp_path / "fetched"
        fetched.write_text("".join(bodies))
        assert list(read_heads(fetched)) == heads
        assert not list(head_faults(heads, {head.record: head.hash for head in heads}, 1))
        # Whoever has the credentials of the service cannot take a head back.
        with pytest.raises(ClientError, match="AccessDenied"):
            s3.delete_object(
                Bucket="heads", Key=versions[0]["Key"], VersionId=versions[0]["VersionId"]
            )
        with pytest.raises(NotSentError):
            await send("s3://no-such-bucket/qm", heads[0].line)
    finally:
        server.stop()


@pytest.fixture
def watched(stopped_data_dir: Path, keeper: HeadKeeper, tmp_path: Path) -> Generator[Instance]:
    """A service that sends its heads to an HTTP server and to a file."""
    targets = f"{keeper.url},{tmp_path / 'kept'}"
    settings = {"QM_AUDIT__HEADS_TO": targets, "QM_AUDIT__SIGN_EVERY_S": "1"}
    with new_instance(copy_of=stopped_data_dir, environment=settings) as running:
        yield running.start()


_WAITING = "select from pg_stat_activity where wait_event_type = 'Lock' and query ~ 'verify_audit'"
_VERIFYING = (
    "select from pg_stat_activity"
    " where state = 'active' and query ~ 'verify_audit' and pid <> pg_backend_pid()"
)


def test_a_head_that_is_signed_while_the_chain_is_verified_is_no_fault(watched: Instance) -> None:
    heads = watched.data_dir / "audit_heads.jsonl"
    assert wait_until(heads.exists)
    with psycopg.connect(watched.admin_dsn) as locking:
        locking.execute("lock table audit.cut in access exclusive mode")
        verifying = watched.launch_qm("audit", "verify")
        with psycopg.connect(watched.admin_dsn, autocommit=True) as watching:
            assert wait_until(lambda: watching.execute(_WAITING).fetchone() is not None)
            # It stands still when the database has answered, and before it reads the answer.
            verifying.send_signal(signal.SIGSTOP)
            locking.rollback()
            assert wait_until(lambda: watching.execute(_VERIFYING).fetchone() is None)
    before = heads.read_text()
    watched.qm("principal", "create", "frieda")
    assert wait_until(lambda: heads.read_text() != before)
    verifying.send_signal(signal.SIGCONT)
    stdout, stderr = verifying.communicate(timeout=60)
    assert verifying.returncode == 0, stdout + stderr


def test_a_chain_is_compared_with_heads_that_were_kept_elsewhere(
    watched: Instance, keeper: HeadKeeper, tmp_path: Path
) -> None:
    watched.qm("principal", "create", "erik")
    assert wait_until(lambda: watched.qm_json("audit", "verify")["signed_to"])
    assert wait_until(lambda: keeper.retained)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.write_text("".join(f"{line}\n" for line in keeper.retained))
    assert (tmp_path / "kept").read_text().startswith(elsewhere.read_text())
    verdict = watched.qm("audit", "verify", "--against", elsewhere)
    assert verdict.returncode == 0, verdict.stdout + verdict.stderr

    # A superuser rewrites a record that was signed, and the file of heads on this machine is gone.
    [head] = list(read_heads(elsewhere))[-1:]
    (watched.data_dir / "audit_heads.jsonl").unlink()
    with psycopg.connect(watched.admin_dsn, autocommit=True) as connection:
        connection.execute("set session_replication_role = replica")
        connection.execute(_REWRITE, [head.record])
    done = watched.qm("audit", "verify", "--against", elsewhere, "--json")
    assert done.returncode == 1
    why = {(fault["record"], fault["why"]) for fault in json.loads(done.stdout)["faults"]}
    assert (head.record, "the hash is not the one that was signed") in why
    # A file that is no list of heads is refused.
    elsewhere.write_text("not a head\n")
    refused = watched.qm("audit", "verify", "--against", elsewhere)
    assert refused.returncode != 0
    assert "is not a signature of an audit record" in " ".join(refused.stderr.split())
