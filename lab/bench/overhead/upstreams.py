"""The one upstream behind every arm: the leaf server, over stdio and over HTTP."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

from lab.bench.overhead.doors import Transport
from tests.support.upstreams import SUPPORT, leaf_server

SCRIPT: Final = "leaf_server.py"


@dataclass(frozen=True)
class UpstreamAddress:
    """Where the upstream is.

    Attributes:
        url: of the one that listens.
    """

    url: str

    @property
    def command(self) -> list[str]:
        """What starts one over stdio."""
        return [sys.executable, str(SUPPORT / SCRIPT), "stdio"]

    def address(self, transport: Transport) -> str:
        """Returns the URL, or the command as one quoted text."""
        return self.url if transport == "http" else shlex.join(self.command)


@contextmanager
def running_upstream() -> Generator[UpstreamAddress]:
    """Provides one listening leaf server; those over stdio are started by whoever wants one."""
    with leaf_server("http") as leaf:
        yield UpstreamAddress(f"http://127.0.0.1:{leaf.port}/mcp")
