"""Other gateways, each in an environment of its own, and processes that listen."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import venv
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.support.upstreams import starter_cache
from tests.support.waiting import wait_until

MCP_PROXY: Final = "mcp-proxy==0.13.0"
CONTEXTFORGE: Final = "mcp-contextforge-gateway==1.0.7.post20260921"
_START_S = 90


def environment_of(requirement: str) -> Path:
    """Returns the virtual environment of a package, made when it is first wanted.

    Args:
        requirement: ``name==version``; they need an older MCP SDK than ours.

    Raises:
        CalledProcessError: it could not be installed.
    """
    folder = starter_cache().with_name("rivals") / requirement.replace("==", "-")
    done = folder / "installed"
    if not done.exists():
        venv.create(folder, with_pip=True, clear=True)
        pip = [folder / "bin" / "python", "-m", "pip", "install", "--quiet", requirement]
        subprocess.run(pip, check=True, stdout=sys.stderr)
        done.touch()
    return folder


@contextmanager
def listening(
    command: list[str], port: int, environment: Mapping[str, str] | None = None, cwd: str = "/"
) -> Generator[int]:
    """Runs a program until the end of the block; yields its process id once it listens."""
    process = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        cwd=cwd,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        ready = wait_until(lambda: _accepts(port) or process.poll() is not None, _START_S)
        assert ready, f"{command[0]} does not listen"
        assert process.poll() is None, f"{command[0]} ended with {process.returncode}"
        yield process.pid
    finally:
        process.terminate()
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def _accepts(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
