"""Commands that start in a moment, in forks: to import their modules would take each a second."""

from __future__ import annotations

import atexit
import functools
import shutil
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

_SUPPORT = Path(__file__).parent
_SERVER, _CLIENT = _SUPPORT / "fork_server.py", _SUPPORT / "fork_client.py"


def forked(name: str, *arguments: str) -> list[str]:
    """The command of a server over stdio, run by a fork of a process of these tests.

    Args:
        name: ``leaf_server.py``, or another in its folder that imports what that does.
        arguments: of the server.
    """
    return [*_program("leaf_server.py", _SUPPORT / name), *arguments]


def forked_qm() -> list[str]:
    """The command line of Quartermaster for commands that come to an end, run by such a fork."""
    return _program("imported_commands.py", Path(sys.executable).with_name("qm"))


def _program(imports: str, script: Path) -> list[str]:
    return [sys.executable, "-I", "-S", str(_CLIENT), _address(imports), str(script)]


@functools.cache
def _address(imports: str) -> str:
    """The socket of the process that forks; it ends with this one.

    Args:
        imports: the script whose imports the forks have.
    """
    folder = Path(tempfile.mkdtemp(prefix="qm-forks-"))
    address = str(folder / "socket")
    with socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET) as listener:
        listener.bind(address)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, _SERVER, str(listener.fileno()), _SUPPORT / imports],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            pass_fds=[listener.fileno()],
        )

    def end() -> None:
        with process:
            pass  # Its stdin is closed, which ends it.
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return address
