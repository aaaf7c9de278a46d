"""Commands that start in a moment, in forks: to import their modules would take each a second."""

from __future__ import annotations

import atexit
import functools
import marshal
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

_SUPPORT = Path(__file__).parent
_QM = Path(sys.executable).with_name("qm")
_SERVER, _CLIENT = _SUPPORT / "fork_server.py", _SUPPORT / "fork_client.py"


def forked_server(name: str, *arguments: str) -> list[str]:
    """Returns the command of a server over stdio, run by a fork of a process of these tests.

    Args:
        name: ``leaf_server.py``, or another in its folder that imports what that does.
        arguments: of the server.
    """
    return [*_program("leaf_server.py", _SUPPORT / name), *arguments]


def forked_qm() -> list[str]:
    """Returns the command line of Quartermaster for commands that come to an end, run by such a
    fork.
    """
    return _program("imported_commands.py", _QM)


class Fork:
    """A program in such a fork: what a `subprocess.Popen` offers of it; it ends with this process.

    Args:
        imports: the script whose imports it has.
        command: the program and its arguments.
        environment: of the process.
        stdout, stderr: descriptors.

    Attributes:
        pid: of the process itself.
    """

    def __init__(
        self,
        imports: str,
        command: Sequence[str | Path],
        environment: Mapping[str, str],
        stdout: int,
        stderr: int,
    ) -> None:
        asked = marshal.dumps(([*map(str, command)], dict(environment), "/"))
        self._server = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._server.connect(_address(imports))
        with Path(os.devnull).open("rb") as stdin:
            socket.send_fds(self._server, [asked], [stdin.fileno(), stdout, stderr])
        self.pid = int.from_bytes(self._server.recv(4))
        self._status: int | None = None

    def wait(self, timeout: float | None = None) -> int:
        """Returns the exit status, as soon as it has ended; TimeoutError after so many seconds."""
        if self._status is None:
            self._server.settimeout(timeout)
            self._status = self._server.recv(1)[0]
            self._server.close()
        return self._status

    def poll(self) -> int | None:
        """Returns the exit status if it has ended."""
        try:
            return self.wait(0)
        except BlockingIOError:
            return None

    def send_signal(self, number: int) -> None:
        """Unless it has ended."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """SIGTERM."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """SIGKILL."""
        self.send_signal(signal.SIGKILL)


def qm_up(
    arguments: Sequence[str], environment: Mapping[str, str], stdout: int, stderr: int
) -> Fork:
    """``qm up`` in a fork, with further arguments."""
    return Fork("imported_commands.py", [_QM, "up", *arguments], environment, stdout, stderr)


def server(name: str, arguments: Sequence[str], stdout: int) -> Fork:
    """Returns a server of this folder in a fork, as `forked_server` names it."""
    return Fork("leaf_server.py", [_SUPPORT / name, *arguments], os.environ, stdout, 2)


def _program(imports: str, script: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(_CLIENT), _address(imports), str(script)]


@functools.cache
def _address(imports: str) -> str:
    """Returns the socket of the process that forks; it ends with this one.

    Args:
        imports: the script whose imports the forks have.
    """
    folder = Path(tempfile.mkdtemp(prefix="qm-forks-"))
    address = str(folder / "socket")
    # Upstreams run as users of their own.
    folder.chmod(0o711)
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        Path(address).chmod(0o666)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, _SERVER, str(listener.fileno()), _SUPPORT / imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            pass_fds=[listener.fileno()],
        )

    # An upstream that imported meanwhile would not connect in time on a busy machine.
    assert process.stdout
    process.stdout.read()

    def end() -> None:
        with process:
            pass  # Its stdin is closed, which ends it.
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return address
