"""Finds, starts and stops the main process of the server, and waits for it."""

from __future__ import annotations

import os
import signal
import subprocess
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

from quartermaster.core.errors import QmError
from quartermaster.core.locks import FileLock
from quartermaster.core.logs import get_logger
from quartermaster.core.paths import write_private
from quartermaster.substrate.os_user import OsUser, cannot_become

Progress = Callable[[str], None]
_POLL_S: Final = 0.02
_TELL_EVERY_S: Final = 2.0
# After kill -9 of the main process, the other processes exit within this time.
_LEAVE_S: Final = 30.0
_FAST_STOP_S: Final = 120.0
_LOG_BYTES: Final = 10 * 1024**2
_MAX_LOG_BYTES: Final = 1024**2
# A lower limit of this process stays.
_LIMITING_SCRIPT: Final = 'ulimit -v "$1" 2> /dev/null; shift; exec "$@"'


@dataclass(frozen=True, slots=True)
class PidFile:
    """The content of the file ``postmaster.pid``. The server may not have written all lines yet.

    Attributes:
        pid: id of the main process.
        port: TCP port; None if it is not known yet.
        ready: whether the server reports that it accepts connections.
    """

    pid: int
    port: int | None
    ready: bool


def read(data: Path) -> PidFile | None:
    """Reads the ``postmaster.pid`` of a cluster; None if the file is missing or incomplete."""
    try:
        lines = (data / "postmaster.pid").read_text(encoding="utf-8").splitlines()
        port = int(lines[3]) if len(lines) > 3 else None
        return PidFile(int(lines[0]), port, len(lines) > 7 and lines[7].strip() == "ready")
    except (OSError, ValueError, IndexError):
        return None


def is_server(pid: int, data: Path) -> bool:
    """Returns whether the process with this id is a live server of this cluster."""
    process = Path(f"/proc/{pid}")
    try:
        return (process / "cwd").samefile(data)
    except PermissionError:
        # In a container, root cannot inspect other users' processes, only their names.
        name, _, state = (process / "stat").read_text("utf-8", "replace").rpartition(")")
        return name.endswith("(postgres") and state.split()[0] != "Z"
    except OSError:
        return not Path("/proc/self").exists() and _accepts_signals(pid)


def _accepts_signals(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


class Postmaster:
    """The main process of a cluster, started by this or another process.

    Every server process inherits a locked file. The lock therefore shows reliably whether any
    server process is still running, even if process ids were reused or belong to a container.

    Args:
        data: the cluster's directory.
        lock: the file that the processes lock.
        log: the server's log.
    """

    def __init__(self, data: Path, lock: Path, log: Path) -> None:
        self._data = data
        self._lock = lock
        self._log = log

    def pid(self) -> int | None:
        """Returns the process id; None if the process is not running."""
        found = read(self._data)
        return found.pid if found and is_server(found.pid, self._data) else None

    def ready_port(self) -> int | None:
        """Returns the port on which the server accepts connections; None if it does not
        accept any.
        """
        found = read(self._data)
        return found.port if found and found.ready and self.pid() == found.pid else None

    def launch(
        self,
        command: Sequence[str | Path],
        env: Mapping[str, str],
        user: OsUser | None,
        most_kb: int,
    ) -> subprocess.Popen[bytes]:
        """Starts the server, which outlives this process.

        Args:
            command: program and arguments.
            env: the server's whole environment.
            user: user to become; None keeps the current user.
            most_kb: largest address space of each process of the server, in kB. A session that
                needs more fails with an error. Without this limit, the system could kill a process,
                and the server would then end all sessions.

        Raises:
            QmError: QM409 ``data_dir_in_use``, QM500 ``server_user_unusable``.
        """
        lock = FileLock(self._lock)
        try:
            self._claim(lock)
            self._remove_stale_pid_file()
            with self._open_log() as log:
                process = subprocess.Popen[bytes](
                    ["/bin/sh", "-c", _LIMITING_SCRIPT, "sh", str(most_kb), *command],
                    cwd="/",
                    env=dict(env),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=[lock.descriptor],
                    # Ctrl-C in a terminal must only reach this process, which then stops the server
                    # properly.
                    start_new_session=True,
                    umask=0o077,
                    **(user.popen_options() if user else {}),
                )
        except PermissionError as error:
            raise cannot_become(user, error) from error
        finally:
            lock.close()
        # A dead child keeps its process id until somebody waits for it, and PostgreSQL would treat
        # it as a running server.
        threading.Thread(target=process.wait, name="postmaster", daemon=True).start()
        return process

    def wait_ready(
        self, process: subprocess.Popen[bytes] | None, timeout_s: float, progress: Progress
    ) -> int | None:
        """Waits until the server accepts connections. After a crash, the server first replays its
        log.

        Args:
            process: the process that `launch` returned, or None if another process started the
                server.
            timeout_s: number of seconds to wait.
            progress: function that is called every two seconds with a description of the wait.

        Returns:
            The port, or None if the server exited.

        Raises:
            QmError: QM504 ``server_start_timeout``.
        """
        begun = reported_at = time.monotonic()
        while (port := self.ready_port()) is None:
            if process.poll() is not None if process else self.pid() is None:
                return None
            now = time.monotonic()
            if now - begun > timeout_s:
                raise QmError(
                    504,
                    "server_start_timeout",
                    f"PostgreSQL was not ready after {timeout_s:.0f} s.",
                    f"PostgreSQL may still be recovering: read {self._log}, then start again.",
                )
            if now - reported_at > _TELL_EVERY_S:
                progress(f"waiting for PostgreSQL to recover ({now - begun:.0f} s)")
                reported_at = now
            time.sleep(_POLL_S)
        return port

    def stop(self) -> None:
        """Stops the server in PostgreSQL's fast mode, which rolls back open transactions. Returns
        when all processes of the server have ended.
        """
        pid = self.pid()
        if pid is None:
            return
        os.kill(pid, signal.SIGINT)
        if not self._wait_gone(_FAST_STOP_S) and self.pid() == pid:
            get_logger(part="substrate").warning("postgres_stopped_hard", pid=pid)
            os.kill(pid, signal.SIGQUIT)
            self._wait_gone(_LEAVE_S)

    def log_tail(self) -> str:
        """Returns the last lines of the server's log."""
        lines = self._log.read_text(encoding="utf-8", errors="replace").splitlines()
        return "\n".join(lines[-5:])

    def trim_log(self) -> None:
        """Empties the server's log if it is too large. Copies its last lines to a second file
        first. The size needs a limit, because every login can cause log entries.
        """
        with self._log.open("r+b") as log:
            size = log.seek(0, os.SEEK_END)
            if size <= _LOG_BYTES:
                return
            log.seek(size - _MAX_LOG_BYTES)
            retained = log.read(_MAX_LOG_BYTES).decode("utf-8", "replace")
            write_private(self._log.with_suffix(".log.1"), retained)
            # The server appends, so it goes on at the new end.
            log.truncate(0)

    def _wait_gone(self, timeout_s: float) -> bool:
        deadline = time.monotonic() + timeout_s
        with closing(FileLock(self._lock)) as lock:
            while (
                not (gone := lock.try_claim() and self.pid() is None)
                and time.monotonic() < deadline
            ):
                time.sleep(_POLL_S)
            return gone

    def _claim(self, lock: FileLock) -> None:
        deadline = time.monotonic() + _LEAVE_S
        while not lock.try_claim():
            if time.monotonic() > deadline:
                raise QmError(
                    409,
                    "data_dir_in_use",
                    f"Processes of another PostgreSQL server still use {self._data}.",
                    "Stop that server (it may run in a container), or choose another --data-dir.",
                )
            time.sleep(_POLL_S)

    def _remove_stale_pid_file(self) -> None:
        # PostgreSQL itself refuses to start if another process of the same user has got the id of a
        # killed server. We hold the lock, so no server for this cluster is running.
        if self.pid() is None:
            (self._data / "postmaster.pid").unlink(missing_ok=True)

    def _open_log(self) -> BinaryIO:
        self._log.parent.mkdir(parents=True, exist_ok=True)
        if self._log.exists() and self._log.stat().st_size > _LOG_BYTES:
            self._log.replace(self._log.with_suffix(".log.1"))
        return os.fdopen(os.open(self._log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), "ab")
