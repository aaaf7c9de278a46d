"""Manages a PostgreSQL cluster on disk: creates it with initdb, and provides its password and
settings.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path
from tempfile import mkdtemp
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.substrate.os_user import OsUser, run_as

# These settings are written to postgresql.conf once, so that an operator can change them with ALTER
# SYSTEM.
_SETTINGS: Final = {
    "max_connections": "100",
    # Nobody but the service may take the last connections.
    "reserved_connections": "20",
    "shared_buffers": "128MB",
    # An HNSW index is built several times faster if its graph fits into this memory.
    "maintenance_work_mem": "256MB",
    "work_mem": "16MB",
    # In queries that need only milliseconds, just-in-time compilation takes more time than it
    # saves.
    "jit": "off",
    "random_page_cost": "1.1",
    "shared_preload_libraries": "pg_stat_statements",
    # Utility statements are not tracked, because they may contain passwords of roles.
    "pg_stat_statements.track_utility": "off",
    "log_line_prefix": "%m [%p] %q%u@%d ",
}
# These settings are given at each start, so clusters of earlier releases have them, too. An
# operator can change them with ALTER SYSTEM.
_LIMITS: Final = {
    # A psql login may hold 2000 locks (login.locks), and the service looks every second.
    "max_locks_per_transaction": "256",
    # 2 GB of notifications that a listener has not read; the default is 8 GB.
    "max_notify_queue_pages": "262144",
    "max_slot_wal_keep_size": "10GB",
}
_SMALL_SHM_BYTES: Final = 512 * 1024**2
_SUPERUSER: Final = "postgres"


class Cluster:
    """The files of a cluster.

    Args:
        folder: ``DATA_DIR/postgres``, whose subfolder ``data`` contains the cluster itself.
        credentials: the credentials in ``DATA_DIR``, which contain the superuser's password.
    """

    def __init__(self, folder: Path, credentials: ServiceCredentials) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.sockets = folder / "run"
        self._credentials = credentials

    def create(self, binaries: Path, user: OsUser | None, env: Mapping[str, str]) -> None:
        """Runs initdb (UTF-8, checksums, SCRAM passwords). Creates the whole cluster or nothing.

        Raises:
            QmError: QM500 ``initdb_failed``.
        """
        for left in self.folder.glob("data.new.*"):
            shutil.rmtree(left, ignore_errors=True)
        # The initdb of a start that was killed may still run, so each start has a new folder.
        unfinished = Path(mkdtemp(prefix="data.new.", dir=self.folder))
        self.sockets.mkdir(mode=0o700, exist_ok=True)
        for private in (unfinished, self.sockets):
            _give(private, user)
        # A start that was killed may have left this file, so its name is always the same.
        password_file = self.folder / ".initdb"
        password_file.unlink(missing_ok=True)
        try:
            password_file.touch(0o600, exist_ok=False)
            password_file.write_text(self._credentials.get(_SUPERUSER), encoding="ascii")
            _give(password_file, user)
            options = [
                "--pgdata",
                str(unfinished),
                f"--username={_SUPERUSER}",
                "--auth=scram-sha-256",
            ]
            options += [f"--pwfile={password_file}", "--encoding=UTF8", "--data-checksums"]
            # The built-in locale sorts in the same way on every machine, regardless of the C
            # library.
            options += ["--locale=C.UTF-8", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
            options += [f"--set={key}={value}" for key, value in _SETTINGS.items()]
            done = run_as(user, [binaries / "bin" / "initdb", *options], env)
        finally:
            password_file.unlink()
        if done.returncode != 0:
            shutil.rmtree(unfinished, ignore_errors=True)
            raise QmError(
                500,
                "initdb_failed",
                f"PostgreSQL could not be initialised in {self.data}.",
                "Check the free disk space and the permissions of the data directory.",
                done.stderr.strip()[-500:],
            )
        unfinished.rename(self.data)

    def require_version(self, major: str) -> None:
        """Refuses a cluster of another major version of PostgreSQL.

        Raises:
            QmError: QM409 ``cluster_version_differs``.
        """
        found = (self.data / "PG_VERSION").read_text(encoding="ascii").strip()
        if found != major:
            raise QmError(
                409,
                "cluster_version_differs",
                f"The database in {self.data} was created by PostgreSQL {found}, but this release"
                f" has PostgreSQL {major}.",
                "Dump the database with the Quartermaster release that created it, and restore the"
                " dump here.",
            )

    def password(self) -> str:
        """Returns the superuser's password.

        Raises:
            QmError: QM500 ``credentials_missing``.
        """
        found = self._credentials.find(_SUPERUSER)
        if found is None:
            raise QmError(
                500,
                "credentials_missing",
                f"{self._credentials.path} has no password for the cluster in {self.data}.",
                "Restore that file from a backup, or move the cluster away to start with an "
                "empty cluster.",
            )
        return found

    def server_options(self, port: int, shared_buffers: str | None) -> list[str]:
        """Returns the settings that are chosen at each start, as arguments for `postgres`. They
        contain no secrets.
        """
        sockets = str(self.sockets)
        # A socket's path can be at most 107 bytes long, and a comma would split the setting, which
        # is a list.
        has_place = len(os.fsencode(sockets)) <= 90 and not {",", '"'} & set(sockets)
        settings = {
            **{key: value for key, value in _LIMITS.items() if key not in self._altered()},
            "listen_addresses": "127.0.0.1",
            "port": str(port),
            "unix_socket_directories": sockets if has_place else "",
        }
        if shared_buffers is not None:
            settings["shared_buffers"] = shared_buffers
        if _shared_memory_bytes() < _SMALL_SHM_BYTES:
            # Containers have 64 MB by default, which is too little for a parallel index build.
            settings["dynamic_shared_memory_type"] = "mmap"
        arguments = ["-D", str(self.data)]
        for key, value in settings.items():
            arguments += ["-c", f"{key}={value}"]
        return arguments

    def _altered(self) -> set[str]:
        """Returns the names of the settings that an operator has changed with ALTER SYSTEM."""
        lines = (self.data / "postgresql.auto.conf").read_text(encoding="utf-8").splitlines()
        return {line.partition("=")[0].strip() for line in lines}


def _give(path: Path, user: OsUser | None) -> None:
    if user:
        os.chown(path, user.uid, user.gid)


def _shared_memory_bytes() -> int:
    try:
        found = os.statvfs("/dev/shm")  # noqa: S108 (asked for its size only)
    except OSError:
        return _SMALL_SHM_BYTES
    return found.f_blocks * found.f_frsize
