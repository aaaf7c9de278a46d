"""PgBouncer in transaction mode in front of a server of the tests."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import unquote, urlsplit, urlunsplit

from quartermaster.substrate import os_user
from tests.support.waiting import wait_until

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', '')}:/usr/sbin")

_SETTINGS = """
[databases]
* = host=127.0.0.1 port={server_port}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
auth_type = scram-sha-256
auth_file = {folder}/users
pool_mode = transaction
default_pool_size = 4
unix_socket_dir =
logfile = {folder}/log
"""


@contextmanager
def pooled(dsn: str, more: str = "") -> Generator[str]:
    """Provides the same database and login through a pooler with four connections for all.

    Args:
        dsn: with user and password.
        more: further settings of PgBouncer, one in a line.
    """
    assert PROGRAM is not None
    parts = urlsplit(dsn)
    folder = Path(tempfile.mkdtemp(prefix="qm-bouncer-"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
    password = unquote(parts.password or "")
    (folder / "users").write_text(f'"{parts.username}" "{password}"\n')
    settings = _SETTINGS.format(server_port=parts.port, port=port, folder=folder)
    (folder / "settings").write_text(settings + more)
    # It refuses to be root, as PostgreSQL does.
    user = os_user.server_user(folder / "none")
    if user is not None:
        for path in (folder, *folder.iterdir()):
            os.chown(path, user.uid, user.gid)
    process = subprocess.Popen(
        [PROGRAM, folder / "settings"],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        **(user.popen_options() if user else {}),
    )
    try:
        assert wait_until(lambda: _listens(port)), (folder / "log").read_text()
        place = f"{parts.username}:{parts.password}@127.0.0.1:{port}"
        yield urlunsplit(parts._replace(netloc=place))
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(folder)


def _listens(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
