"""PostgreSQL 17 on Debian 13, as the install script makes it, for tests on any Debian as root.

The root filesystem is built once per content of the install script. The server runs in mount and
process namespaces of its own: nothing is ever mounted where the host sees it, and the kernel ends
every process when the test run ends, also when it is killed.
"""

from __future__ import annotations

import os
import secrets
import socket
import subprocess
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from tests.support.debian_root import DOCKER, build_root
from tests.support.place import new_place
from tests.support.waiting import wait_until

_START_S = 60

# Runs as process 1 of the namespaces. PostgreSQL gets a fast shutdown when our end of standard
# input closes, on purpose or by our death; whatever is left ends with this process.
_RUN = """
set -eu
root=$1 data=$2 server=$3 port=$4; shift 4
exec 4<&0
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mount --bind "$data" "$root/var/lib/postgresql"
for folder in "$@"; do
    mkdir -p "$root$folder"
    mount --bind -o ro "$folder" "$root$folder"
done
chroot --userspec=postgres:postgres "$root" sh "$server" -c listen_addresses=127.0.0.1 \\
    -c port="$port" -c unix_socket_directories= -c fsync=off 4<&- &
postgres=$!
{ read -r _ <&4 || true; kill -INT "$postgres"; } &
wait "$postgres"
"""


@dataclass(frozen=True)
class DebianServer:
    """A running server of a Debian 13 root filesystem.

    Attributes:
        dsn: superuser's connection string for the database quartermaster, where pg_cron works.
        root: the root filesystem, with nothing mounted in it.
        pgtap_sql: pgTAP as one SQL script, which loads into any server with psql or psycopg.
        log: what the server writes.
        namespace: that of its mounts, which no other process shares.
    """

    dsn: str
    root: Path
    pgtap_sql: Path
    log: Path
    namespace: Path


def pgtap_script(root: Path) -> Path:
    """Returns the newest whole pgTAP script in the root filesystem."""
    folder = root / "usr/share/postgresql/17/extension"
    # `pgtap--1.3.3.sql` installs; `pgtap--1.3.2--1.3.3.sql` upgrades.
    whole = [path for path in folder.glob("pgtap--*.sql") if path.name.count("--") == 1]
    return max(whole, key=lambda path: [int(n) for n in path.stem[7:].split(".")])


@contextmanager
def running(visible: Sequence[Path] = ()) -> Generator[DebianServer]:
    """Runs a new, empty server to the end of the block, started as its container starts it.

    Args:
        visible: folders of the host that the server sees under the same paths, read-only. A
            folder with Python modules is also on PL/Python's path.
    """
    root = build_root()
    with new_place("qm-debian-") as scratch:
        log = scratch / "server.log"
        with log.open("wb") as output:
            process, dsn = _launch(root, scratch, output.fileno(), visible)
            try:
                _await_answer(process, dsn, log)
                namespace = Path(f"/proc/{process.pid}/ns/mnt").readlink()
                yield DebianServer(dsn, root, pgtap_script(root), log, namespace)
            finally:
                process.communicate(timeout=_START_S)


def _launch(
    root: Path, scratch: Path, output: int, visible: Sequence[Path]
) -> tuple[subprocess.Popen[bytes], str]:
    data = scratch / "postgresql"
    data.mkdir()
    password = secrets.token_urlsafe(24)
    password_file = data / "password"
    password_file.write_text(password)
    password_file.chmod(0o600)
    users = (root / "etc/passwd").read_text().splitlines()
    uid, gid = next(
        map(int, line.split(":")[2:4]) for line in users if line.startswith("postgres:")
    )
    for path in (data, password_file):
        os.chown(path, uid, gid)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    packages = ["/opt/quartermaster/python", *map(str, visible)]
    folders = [DOCKER, *visible]
    script = ["/bin/sh", "-c", _RUN, "sh", root, data, DOCKER / "run-server.sh", str(port)]
    process = subprocess.Popen(
        ["unshare", "--mount", "--pid", "--fork", *script, *folders],
        env={
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            "LANG": "C.UTF-8",
            "PYTHONPATH": ":".join(packages),
            "ORT_DISABLE_TELEMETRY": "1",
            "POSTGRES_PASSWORD_FILE": "/var/lib/postgresql/password",
        },
        cwd="/",
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=output,
        start_new_session=True,
    )
    return process, f"postgresql://postgres:{password}@127.0.0.1:{port}/quartermaster"


def _await_answer(process: subprocess.Popen[bytes], dsn: str, log: Path) -> None:
    def answers() -> bool:
        try:
            psycopg.connect(dsn, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    wait_until(lambda: answers() or process.poll() is not None, _START_S)
    if not answers():
        raise RuntimeError(log.read_text(errors="replace")[-2000:])
