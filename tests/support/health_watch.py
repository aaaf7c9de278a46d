"""Memory of a service and the times of its /healthz, measured by a process of its own.

`python -m tests.support.health_watch URL PID [CA]` measures until its input ends, and prints the
figures. In the process of an attacker, the attacks would count as time of the service.
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


@contextmanager
def watching(run: RunFile) -> Generator[Watched]:
    """Measures a service meanwhile; the figures are there after the block."""
    where = [run.url, str(run.pid), *([run.ca] if run.ca else [])]
    watched = Watched()
    with subprocess.Popen(
        [sys.executable, "-m", "tests.support.health_watch", *where],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        try:
            assert process.stdout.readline() == "watching\n"
            yield watched
            report, _ = process.communicate(timeout=60)
            watched.__init__(**json.loads(report))
        finally:
            process.kill()


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
            return watched


if __name__ == "__main__":
    print(json.dumps(asdict(_watch(*sys.argv[1:]))))  # noqa: T201 - whoever started it reads it
