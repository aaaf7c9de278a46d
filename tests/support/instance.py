"""A real Quartermaster: `qm up` as a process of its own, in a data directory of its own."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from importlib.util import find_spec
from pathlib import Path
from typing import Any, cast

import httpx2
import psycopg

from quartermaster.core import paths
from quartermaster.core.trust import context_for
from quartermaster.starter.install import Installer
from quartermaster.substrate import postmaster
from tests.support import forks, rude_server
from tests.support.canary import searched_folder
from tests.support.database import runtime_dir
from tests.support.forks import forked_qm, forked_server
from tests.support.model import cached_model_dir
from tests.support.place import new_place
from tests.support.process_ends import crashes, watched
from tests.support.upstreams import SUPPORT, starter_cache
from tests.support.waiting import wait_until

QM = Path(sys.executable).with_name("qm")
# Where the machine is full, a start takes a multiple of its time, as everything does.
START_S = 300.0
STOP_S = 60.0


class Instance:
    """One data directory, and the process that serves it while it runs.

    Args:
        folder: holds ``data`` (the data directory) and what the process writes.
        options: of ``qm up``.
        environment: further variables of the process, and of every command of `qm`.
        qm: the program; None: that of the checkout, whose commands are run in forks.
        forked: whether ``qm up`` is a fork, too.
    """

    def __init__(
        self,
        folder: Path,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
        qm: Sequence[str | Path] | None = None,
        *,
        forked: bool = True,
    ) -> None:
        self.data_dir = folder / "data"
        self.options = list(options)
        self.environment = {**environment_of_commands(), **(environment or {})}
        self.environment["QM_DATA_DIR"] = str(self.data_dir)
        self._program = [QM] if qm is None else list(qm)
        self._commands_are_forked = qm is None
        self._is_forked = forked and qm is None
        self._stdout, self._stderr = folder / "stdout.txt", folder / "stderr.txt"
        self.process: subprocess.Popen[bytes] | forks.Fork | None = None
        self._commands: list[subprocess.Popen[str]] = []
        self._is_up = False
        self._ends: list[str] = []

    def launch(self) -> subprocess.Popen[bytes] | forks.Fork:
        """Starts ``qm up`` and does not wait for anything; what it writes is appended."""
        options = ["--port", "0", "--log", *self.options]
        with self._stdout.open("ab") as stdout, self._stderr.open("ab") as stderr:
            if self._is_forked:
                self.process = forks.qm_up(
                    options, self.environment, stdout.fileno(), stderr.fileno()
                )
            else:
                self.process = subprocess.Popen(
                    [*self._program, "up", *options],
                    env=self.environment,
                    cwd="/",
                    stdin=subprocess.DEVNULL,
                    stdout=stdout,
                    stderr=stderr,
                )
        return self.process

    def start(self) -> Instance:
        """Starts it and waits until it has said what it has to say, and no starter is late."""
        said = self.stdout.count(READY)
        process = self.launch()
        wait_until(lambda: self.stdout.count(READY) > said or process.poll() is not None, START_S)
        assert process.poll() is None, f"qm up ended: {self.stdout}\n{self.stderr}"
        assert self.stdout.count(READY) > said, f"qm up hangs: {self.stdout}\n{self.stderr}"
        self._is_up = True
        if "--no-starter" not in self.options:
            assert wait_until(self._starters_are_there, START_S), self.stdout
        return self

    def _starters_are_there(self) -> bool:
        with self.http() as http:
            status = http.get("/status").json()
        coming = [*status["on_their_way"].values(), status["unembedded"]]
        return not any(coming)

    def stop(self) -> int:
        """SIGTERM; returns the exit status."""
        self._expect_end()
        assert self.process is not None
        self.process.terminate()
        return self.process.wait(STOP_S)

    def ended(self) -> int:
        """Waits until it ends by itself, as a test wants it to; returns the exit status."""
        self._is_up = False
        assert self.process is not None
        return self.process.wait(STOP_S)

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self._expect_end()
        assert self.process is not None
        self.process.kill()
        self.process.wait(STOP_S)

    def ends(self) -> list[str]:
        """Returns a line for each process that ended by itself: the service, and those of
        PostgreSQL.
        """
        if self._is_up and self.process is not None and self.process.poll() is not None:
            self._ends.append(f"the service ended with status {self.process.poll()}")
            self._is_up = False
        return [*self._ends, *crashes(self.data_dir / "log" / "postgres.log")]

    def _expect_end(self) -> None:
        self.ends()
        self._is_up = False

    @property
    def run_file(self) -> paths.RunFile:
        """What ``run.json`` says."""
        found = paths.RunFile.read(self.data_dir)
        assert found is not None, f"no run.json: {self.stdout}\n{self.stderr}"
        return found

    @property
    def admin_dsn(self) -> str:
        """What ``admin.json`` says."""
        found = paths.read_admin(self.data_dir)
        assert found is not None, f"no admin.json: {self.stdout}\n{self.stderr}"
        return found

    @property
    def stdout(self) -> str:
        """Everything its starts have printed."""
        return self._stdout.read_text() if self._stdout.exists() else ""

    @property
    def stderr(self) -> str:
        """Everything its starts have logged."""
        return self._stderr.read_text() if self._stderr.exists() else ""

    def qm(
        self, *arguments: str | Path, stdin: str = "", cwd: str | Path = "/"
    ) -> subprocess.CompletedProcess[str]:
        """Runs another command of ``qm`` against it, to its end."""
        program = forked_qm() if self._commands_are_forked else self._program
        return subprocess.run(
            [*program, *arguments],
            env=self.environment,
            cwd=cwd,
            input=stdin,
            capture_output=True,
            text=True,
            timeout=START_S,
        )

    def launch_qm(self, *arguments: str | Path) -> subprocess.Popen[str]:
        """Starts another command of ``qm`` against it, its output to be read from pipes."""
        process = subprocess.Popen(
            [*self._program, *arguments],
            env=self.environment,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self._commands.append(process)
        return process

    def qm_json(self, *arguments: str | Path) -> Any:
        """Returns what a command that has to succeed prints with ``--json``."""
        done = self.qm(*arguments, "--json")
        assert done.returncode == 0, done.stdout + done.stderr
        return json.loads(done.stdout)

    def http(self, token: str | None = None) -> httpx2.Client:
        """Returns a client with its token, or another."""
        run = self.run_file
        headers = {"Authorization": f"Bearer {token or run.token}"}
        trusted = context_for(run)
        return httpx2.Client(base_url=run.url, headers=headers, timeout=30, verify=trusted)

    def rows(self, statement: str, *values: object) -> list[tuple[Any, ...]]:
        """Returns the rows of a statement, as administrator."""
        with psycopg.connect(self.admin_dsn, autocommit=True) as connection:
            return connection.execute(cast(Any, statement), values).fetchall()

    def add_upstream(self, name: str, script: str, *modes: str) -> None:
        """Adds one of the servers in this folder as an upstream, and waits for its tools.

        Args:
            name: of the origin.
            script: ``leaf_server.py`` or ``rude_server.py``.
            modes: its arguments.
        """
        plain = [sys.executable, str(SUPPORT / script), *modes]
        command = shlex.join(forked_server(script, *modes) if script == "leaf_server.py" else plain)
        done = self.qm("origin", "add", name, "--command", command, "--yes")
        assert done.returncode == 0, done.stdout + done.stderr
        # A service that makes no progress is not waited for; the tests go on with the tools.
        assert f"{name}\tdone\t" in done.stdout, done.stdout + done.stderr

    def server_pids(self) -> set[int]:
        """Returns the processes of its embedded PostgreSQL, and of no other."""
        found = postmaster.read(self.data_dir / "postgres" / "data")
        if found is None or not postmaster.is_server(
            found.pid, self.data_dir / "postgres" / "data"
        ):
            return set()
        return {found.pid, *descendants(found.pid)}

    def kill_server(self) -> None:
        """SIGKILL to every process of its embedded PostgreSQL, and wait until they are gone."""
        pids = self.server_pids()
        for pid in pids:
            # One may end by itself once its parent is gone.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        # Not reaped yet, it still counts for the lock file of its socket.
        assert wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids))

    def close(self) -> None:
        """Ends every process of it at once; its upstreams end with it."""
        for command in self._commands:
            if command.poll() is None:
                command.kill()
                command.communicate()
        if self.process is not None and self.process.poll() is None:
            self.kill()
        self.kill_server()


READY = "Ctrl-C, or send SIGTERM"
NOTES = "QM_KNOWLEDGE__NOTES"


def environment_of_commands() -> dict[str, str]:
    """Returns our environment without settings of Quartermaster, with the shared runtime
    directory.
    """
    retained = {name: value for name, value in os.environ.items() if not name.startswith("QM_")}
    # A narrow console would break the lines that tests look for.
    own = {"QM_RUNTIME_DIR": str(shared_runtime_dir()), "COLUMNS": "200"}
    # Only the tests of the experts pay for storing a thousand passages.
    # Without its kind, the setting is unknown.
    without_notes = {NOTES: "false"} if find_spec("quartermaster_knowledge") else {}
    return {**retained, **own, **without_notes}


def shared_runtime_dir() -> Path:
    """PostgreSQL and the model, made once for all test runs."""
    folder, model = runtime_dir(), cached_model_dir()
    target = folder / "models" / model.name
    if not target.exists():
        target.parent.mkdir(exist_ok=True)
        scratch = Path(tempfile.mkdtemp(dir=target.parent, prefix=".copy-"))
        shutil.copytree(model, scratch / model.name)
        # Another worker may have been quicker.
        if not target.exists():
            (scratch / model.name).rename(target)
        shutil.rmtree(scratch)
    return folder


@contextmanager
def new_instance(
    *options: str,
    with_starters: bool = False,
    environment: Mapping[str, str] | None = None,
    qm: Sequence[str | Path] | None = None,
    copy_of: Path | None = None,
    on_disk: bool = False,
    forked: bool = True,
) -> Generator[Instance]:
    """Provides an instance that is not started yet; everything of it is gone after the block.

    Args:
        options: of ``qm up``; ``--no-starter`` is added unless the starters are wanted.
        with_starters: their packages are installed once for all test runs.
        environment: further variables.
        qm: the program; None: that of the checkout, whose commands are run in forks.
        copy_of: data directory of a stopped instance to begin with.
        on_disk: whether its data are on a disk, not in memory.
        forked: whether ``qm up`` is a fork of a process that has imported it.
    """
    with new_place("qm-e2e-", on_disk=on_disk) as folder:
        instance = Instance(
            folder,
            [*options, *([] if with_starters else ["--no-starter"])],
            environment,
            qm,
            forked=forked,
        )
        if copy_of is not None:
            # The cluster keeps its owner; its port would be that of every other copy.
            subprocess.run(["cp", "-a", copy_of, instance.data_dir], check=True)
            (instance.data_dir / "postgres" / "port").unlink()
        if with_starters:
            instance.data_dir.mkdir(mode=0o755, exist_ok=True)
            Installer(instance.data_dir, starter_cache()).install()
            (instance.data_dir / "upstreams").symlink_to(starter_cache())
        try:
            with (
                searched_folder(folder, instance.data_dir, instance.close, copy_of),
                watched(str(folder), instance.ends),
            ):
                yield instance
        finally:
            instance.close()


def descendants(pid: int) -> set[int]:
    """Processes ids of the children of a process, and of theirs."""
    children: dict[int, set[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text(errors="replace").rpartition(")")[2].split()
        except OSError:
            continue
        children.setdefault(int(fields[1]), set()).add(int(stat.parent.name))
    found: set[int] = set()
    waiting = [pid]
    while waiting:
        new = children.get(waiting.pop(), set()) - found
        found |= new
        waiting.extend(new)
    return found


def strays(pid: int) -> set[int]:
    """Processes ids, on this machine, of what ``spawn_strays`` of the rude server has left below a
    process. The server knows only their ids in its sandbox.
    """
    found: set[int] = set()
    for child in descendants(pid):
        with suppress(OSError):
            if rude_server.STRAY.encode() in Path(f"/proc/{child}/cmdline").read_bytes():
                found.add(child)
    return found
