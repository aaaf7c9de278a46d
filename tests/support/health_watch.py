"""Memory of a service and the times of its /healthz, measured by a process of its own.

`python -m tests.support.health_watch URL PID [CA]` measures from one line of its input to the next,
and prints the figures. In the process of an attacker, the attacks would count as time of the
service.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass, field
from functools import partial
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

from quartermaster.core.paths import RunFile
from quartermaster.core.trust import trusting

_EVERY_S: Final = 0.1


@dataclass
class Watched:
    """What was measured.

    Attributes:
        before_mb, most_mb: resident memory at the beginning, and at most.
        health_s: seconds of each request to /healthz.
        failed: those that failed.
    """

    before_mb: float = 0.0
    most_mb: float = 0.0
    health_s: list[float] = field(default_factory=list[float])
    failed: list[str] = field(default_factory=list[str])

    @property
    def grown_mb(self) -> float:
        """By how much the memory grew at most."""
        return self.most_mb - self.before_mb


class Watcher:
    """A process that measures a service, again and again.

    Args:
        process: it.
    """

    def __init__(self, process: subprocess.Popen[str]) -> None:
        assert process.stdin is not None
        assert process.stdout is not None
        self._asks, self._answers = process.stdin, process.stdout

    @contextmanager
    def watching(self) -> Generator[Watched]:
        """Measures meanwhile; the figures are there after the block."""
        watched = Watched()
        assert self._ask() == "watching\n"
        try:
            yield watched
        finally:
            watched.__init__(**json.loads(self._ask()))

    def _ask(self) -> str:
        self._asks.write("\n")
        self._asks.flush()
        return self._answers.readline()


@contextmanager
def watcher(run: RunFile) -> Generator[Watcher]:
    """Provides a process that measures a service when it is asked to."""
    where = [run.url, str(run.pid), *([run.ca] if run.ca else [])]
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.health_watch", *where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        try:
            yield Watcher(process)
        finally:
            process.kill()


@contextmanager
def watching(run: RunFile) -> Generator[Watched]:
    """Measures a service meanwhile; the figures are there after the block."""
    with watcher(run) as process, process.watching() as watched:
        yield watched


def _rss_mb(pid: str) -> float:
    pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20


def _watch(url: str, pid: str, ca: str | None = None) -> Watched:
    watched = Watched()
    place = urlsplit(url)
    known = {"context": trusting(ca)} if place.scheme == "https" else {}
    make = partial(HTTPSConnection if known else HTTPConnection, timeout=30, **known)
    watched.before_mb = watched.most_mb = _rss_mb(pid)
    print("watching", flush=True)  # noqa: T201 - whoever started it waits for this
    while True:
        # A new connection each time: a probe has none yet.
        began = time.perf_counter()
        try:
            with closing(make(str(place.hostname), place.port)) as connection:
                connection.request("GET", "/healthz")
                answer = connection.getresponse()
                assert answer.status == 200, answer.status
        except (OSError, HTTPException, AssertionError) as error:
            watched.failed.append(repr(error))
        watched.health_s.append(time.perf_counter() - began)
        watched.most_mb = max(watched.most_mb, _rss_mb(pid))
        if select.select([sys.stdin], [], [], _EVERY_S)[0]:
            sys.stdin.readline()
            return watched


if __name__ == "__main__":
    while sys.stdin.readline():
        # Whoever started it reads it.
        print(json.dumps(asdict(_watch(*sys.argv[1:]))), flush=True)  # noqa: T201
