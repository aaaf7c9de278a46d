"""PostgreSQL from a Python package: unpacked, initialised, started and stopped by Quartermaster."""

from __future__ import annotations

import errno
import os
import secrets
import socket
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final, Self

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.core.locks import FileLock, exclusive
from quartermaster.core.logs import get_logger
from quartermaster.core.paths import unusable, write_private
from quartermaster.secrets.credentials import Credentials
from quartermaster.substrate import binaries, plpython
from quartermaster.substrate.cluster import Cluster
from quartermaster.substrate.os_user import OsUser, require_traversable, server_user
from quartermaster.substrate.postmaster import Postmaster, Progress

_CONNECT_TIMEOUT_S: Final = 10
# Another program may take a port between our check and the server's start.
_PORT_ATTEMPTS: Final = 3
# Keeps memory that a statement has freed for the next statement, up to 16 MB for each connection. A
# search over 100,000 tools then causes 13 page faults instead of 267.
_ALLOCATOR: Final = {
    "MALLOC_TOP_PAD_": str(2**20),
    "MALLOC_TRIM_THRESHOLD_": str(2**24),
    "MALLOC_MMAP_THRESHOLD_": str(2**22),
}
_DATABASE: Final = "quartermaster"


@dataclass(frozen=True, slots=True)
class Plan:
    """The parameters of a launch.

    Attributes:
        cluster: files of the cluster.
        postmaster: main process of the server.
        runtime: folder into which programs and packages are unpacked.
        port: TCP port; None uses the previous port or a free one.
        shared_buffers: PostgreSQL's setting; None keeps the cluster's own value.
    """

    cluster: Cluster
    postmaster: Postmaster
    runtime: Path
    port: int | None
    shared_buffers: str | None


def launch(plan: Plan, timeout_s: float, progress: Progress) -> int:
    """Unpack, initialise and start whatever is missing; the caller must hold the start lock.

    Args:
        plan: what to launch.
        timeout_s: number of seconds to wait until the server is ready.
        progress: function that is called with a short description before each longer step.

    Returns:
        The port on which the server accepts connections.

    Raises:
        QmError: QM500 ``server_start_failed``, and the errors of the steps.
    """
    log = get_logger(part="substrate")
    user = server_user(plan.cluster.data)
    for folder in (plan.cluster.folder, plan.runtime):
        require_traversable(folder, user)
    progress("unpacking PostgreSQL")
    programs = binaries.unpack(plan.runtime, user)
    progress("preparing PL/Python")
    python = plpython.prepare(programs, plan.runtime, user)
    for reason in python.missing:
        log.warning("plpython_incomplete", reason=reason)
    # No other variables are passed on, because our environment may contain secrets.
    env = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", **_ALLOCATOR}
    env |= {**python.env, "QM_RUNTIME_DIR": str(plan.runtime)}
    if plan.cluster.data.exists():
        plan.cluster.require_version(binaries.VERSION.partition(".")[0])
        # This raises an error now if the password is missing; without the password, nobody could
        # use the server.
        plan.cluster.password()
    else:
        progress("initialising the database")
        plan.cluster.create(programs, user, env)
    progress("starting PostgreSQL")
    for _ in range(_PORT_ATTEMPTS):
        if port := _try_port(plan, programs, env, user, timeout_s, progress):
            return port
    raise QmError(
        500,
        "server_start_failed",
        f"PostgreSQL exited during startup (data directory: {plan.cluster.data}).",
        "Read the end of log/postgres.log in the data directory.",
        plan.postmaster.log_tail(),
    )


def ensure_database(admin_dsn: str, name: str) -> None:
    """Create the database unless it exists.

    Args:
        admin_dsn: a superuser's connection to another database of the same server.
        name: name of the database.

    Raises:
        QmError: QM503 ``database_unavailable`` if the server refuses the connection.
    """
    try:
        with psycopg.connect(
            admin_dsn, autocommit=True, connect_timeout=_CONNECT_TIMEOUT_S
        ) as connection:
            query = "select 1 from pg_database where datname = %s"
            if connection.execute(query, [name]).fetchone() is None:
                create = sql.SQL("create database {} template template0")
                connection.execute(create.format(sql.Identifier(name)))
    except psycopg.OperationalError as error:
        raise QmError(
            503,
            "database_unavailable",
            "PostgreSQL is running, but its superuser cannot log in.",
            "See log/postgres.log; the password of the user postgres may have been changed.",
            str(error).strip(),
        ) from error


def _try_port(
    plan: Plan,
    programs: Path,
    env: Mapping[str, str],
    user: OsUser | None,
    timeout_s: float,
    progress: Progress,
) -> int | None:
    """Start the server once; returns None if it exits immediately, for example because the port is
    taken.
    """
    log = get_logger(part="substrate")
    memory = plan.cluster.folder / "port"
    choice = choose(memory, plan.port)
    if choice.taken is not None:
        progress(f"port {choice.taken} is taken, using {choice.port}")
        log.warning("port_changed", port=choice.port, taken=choice.taken)
    options = plan.cluster.server_options(choice.port, plan.shared_buffers)
    process = plan.postmaster.launch([programs / "bin" / "postgres", *options], env, user)
    port = plan.postmaster.wait_ready(process, timeout_s, progress)
    if port is not None:
        remember(memory, port)
        log.info("postgres_started", port=port, pid=process.pid, user=user and user.name)
    return port


# The range is below the ports that systems use for outgoing connections.
_CANDIDATES: Final = range(20000, 32768)


@dataclass(frozen=True, slots=True)
class PortChoice:
    """A port that was free when it was checked.

    Attributes:
        port: the TCP port.
        taken: the previous port, if another program uses it now.
    """

    port: int
    taken: int | None = None


def choose(memory: Path, wanted: int | None) -> PortChoice:
    """Choose the requested port, otherwise the previous port, otherwise a free one.

    Args:
        memory: file written by `remember`, which need not exist.
        wanted: the requested port; if it is given, no other port is chosen.

    Raises:
        QmError: QM409 ``port_in_use`` if the requested port is taken.
    """
    if wanted is not None:
        if is_free(wanted):
            return PortChoice(wanted)
        raise QmError(
            409,
            "port_in_use",
            f"Another program uses port {wanted}.",
            "Set postgres.port to another port, or to 0 for any free port.",
        )
    remembered = _recall(memory)
    if remembered is not None and is_free(remembered):
        return PortChoice(remembered)
    while not is_free(port := secrets.choice(_CANDIDATES)):
        pass
    return PortChoice(port, taken=remembered)


def remember(memory: Path, port: int) -> None:
    """Make `choose` prefer this port from now on."""
    write_private(memory, f"{port}\n")


def is_free(port: int) -> bool:
    """Tell whether a server could listen on this loopback port now."""
    with socket.socket() as probe:
        # As in PostgreSQL, a connection that lingers after a stop does not block the port.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _recall(memory: Path) -> int | None:
    try:
        port = int(memory.read_text(encoding="ascii"))
    except (OSError, ValueError):
        return None
    return port if 0 < port < 65536 else None


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
    """

    def __init__(
        self,
        data_dir: Path,
        runtime_dir: Path,
        port: int | None = None,
        *,
        shared_buffers: str | None = None,
    ) -> None:
        # The path is absolute, because PostgreSQL runs in another current directory.
        self._data_dir = data_dir.absolute()
        self._runtime_dir = runtime_dir.absolute()
        self._folder = self._data_dir / "postgres"
        self.log_path = self._data_dir / "log" / "postgres.log"
        self._cluster = Cluster(self._folder, Credentials(self._data_dir))
        self._postmaster = Postmaster(
            self._cluster.data, self._folder / "server.lock", self.log_path
        )
        self._plan = Plan(
            self._cluster,
            self._postmaster,
            self._runtime_dir,
            port,
            shared_buffers,
        )
        self._wanted_port = port
        self._users: FileLock | None = None
        self._log = get_logger(part="substrate", data_dir=str(self._data_dir))

    @property
    def psql(self) -> Path:
        """The path of the server's command-line client, which exists after the first start."""
        return binaries.installed_at(self._runtime_dir) / "bin" / "psql"

    def start(self, progress: Progress = _say_nothing, timeout_s: float = 600) -> str:
        """Start the server, or use the one that is already running. A second call does no harm.

        Args:
            progress: function that is called with one phrase before each longer step.
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
            # Our connections use this address, so the server must have the same address after a
            # restart.
            self._plan = replace(self._plan, port=port)
        return dsn

    def stop(self) -> None:
        """Stop using the server, which ends when no other process uses it. A second call does no
        harm.
        """
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
                f"No PostgreSQL server is running for the data in {self._cluster.data}.",
                "Start the server with `qm up`.",
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
                reason = "the directory belongs to another user"
                raise PermissionError(errno.EACCES, reason, str(self._folder))
        except OSError as error:
            raise unusable(error.filename, error) from error

    def _join(self, timeout_s: float, progress: Progress) -> int | None:
        """Return the port of a running or starting server; None if there is none."""
        if self._postmaster.pid() is None:
            return None
        port = self._postmaster.wait_ready(None, timeout_s, progress)
        wanted = self._plan.port
        if port is not None and wanted not in (None, port):
            self._log.warning("running_on_other_port", port=port, wanted=wanted)
        return port
