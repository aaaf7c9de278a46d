"""Commands of MCP servers that start in a moment: importing the SDK would take each a second."""

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
    script = str(_SUPPORT / name)
    return [sys.executable, "-I", "-S", str(_CLIENT), _address(), script, *arguments]


@functools.cache
def _address() -> str:
    """The socket of the process that forks; it ends with this one."""
    folder = Path(tempfile.mkdtemp(prefix="qm-forks-"))
    address = str(folder / "socket")
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind(address)
        listener.listen()
        process = subprocess.Popen(
            [sys.executable, _SERVER, str(listener.fileno()), _SUPPORT / "leaf_server.py"],
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
