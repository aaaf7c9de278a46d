"""A PostgreSQL that tests stop and start again."""

from __future__ import annotations

import os
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from quartermaster.substrate import postmaster
from quartermaster.substrate.embedded import EmbeddedServer
from tests.support.database import Server, hash_once, runtime_dir
from tests.support.instance import descendants
from tests.support.place import new_place
from tests.support.upstreams import is_running
from tests.support.waiting import wait_until


@dataclass
class StoppableServer:
    """PostgreSQL 18 out of the wheel.

    Attributes:
        server: for databases on it.
        embedded: the running one.
        data: its cluster.
    """

    server: Server
    embedded: EmbeddedServer
    data: Path

    def kill(self) -> None:
        """SIGKILL to every process of it, and wait until they are gone."""
        found = postmaster.read(self.data)
        assert found is not None
        pids = {found.pid, *descendants(found.pid)}
        for pid in pids:
            # One may end by itself once its parent is gone.
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        assert wait_until(lambda: not any(map(is_running, pids)))

    def start(self) -> None:
        """Starts it again, at the same address."""
        self.embedded.start()


@contextmanager
def stoppable() -> Generator[StoppableServer]:
    """Provides a server of one's own for the length of the block."""
    with (
        new_place("qm-tests-") as place,
        EmbeddedServer(place / "data", runtime_dir()) as embedded,
    ):
        hash_once(embedded.dsn)
        data = place / "data" / "postgres" / "data"
        yield StoppableServer(Server("postgresql-18", embedded.dsn, None, None), embedded, data)
