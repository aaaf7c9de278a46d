"""Specs and processes of the upstreams that tests talk to."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from quartermaster.starter.catalog import load_starters
from quartermaster.upstream.spec import OriginSpec
from tests.support import forks
from tests.support.origins import LOOPBACK

SUPPORT = Path(__file__).parent
REPOSITORY = SUPPORT.parents[1]
_INSTALL = """
import sys
from pathlib import Path

from quartermaster.starter.install import Installer

data_dir, environments, *names = sys.argv[1:]
Installer(Path(data_dir), Path(environments)).install(only=names)
"""


def rude_spec(*modes: str, name: str = "rude", **changes: Any) -> OriginSpec:
    """Returns the misbehaving stdio server of `rude_server.py`."""
    command = (sys.executable, str(SUPPORT / "rude_server.py"), *modes)
    return OriginSpec(id=1, name=name, transport="stdio", command=command, **changes)


def leaf_stdio_spec(*modes: str, name: str = "leaf", **changes: Any) -> OriginSpec:
    """Returns the well-behaved server of `leaf_server.py` over stdio."""
    command = tuple(forks.forked_server("leaf_server.py", "stdio", *modes))
    return OriginSpec(id=2, name=name, transport="stdio", command=command, **changes)


@dataclass(frozen=True)
class LeafServer:
    """A running HTTP or SSE leaf server."""

    transport: Literal["http", "sse"]
    port: int
    process: forks.Fork

    def spec(self, name: str = "leaf", **changes: Any) -> OriginSpec:
        """Returns how to reach it."""
        path = "mcp" if self.transport == "http" else "sse"
        url = f"http://127.0.0.1:{self.port}/{path}"
        changes.setdefault("networks", (LOOPBACK,))
        return OriginSpec(id=3, name=name, transport=self.transport, url=url, **changes)

    def kill(self) -> None:
        """SIGKILL, and wait until it is gone."""
        self.process.kill()
        self.process.wait()


@contextmanager
def leaf_server(
    transport: Literal["http", "sse"], *modes: str, script: str = "leaf_server.py"
) -> Generator[LeafServer]:
    """Runs a leaf server, or another, at a free loopback port, or the one among the modes."""
    said, report = os.pipe()
    try:
        process = forks.server(script, [transport, *modes], report)
    finally:
        os.close(report)
    try:
        with os.fdopen(said) as lines:
            yield LeafServer(transport, int(lines.readline()), process)
    finally:
        process.kill()
        process.wait()


def is_running(pid: int) -> bool:
    """Returns whether a process exists and is not just waiting to be collected."""
    try:
        stat = Path(f"/proc/{pid}/stat").read_text(errors="replace")
    except OSError:
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"


def starter_cache() -> Path:
    """Returns where starter environments of our Python are kept between test runs."""
    return Path(os.environ.get("QM_TEST_CACHE", REPOSITORY / "build")) / "starters"


def link_starters(data_dir: Path, python: Path) -> None:
    """Puts all starters but one into a data directory; `time` is left to the installation, to show
    how it makes one.

    Args:
        data_dir: of an instance that does not run yet.
        python: of the environment in which Quartermaster is installed.
    """
    cache = starter_cache().absolute()
    caches = {"npm": cache, "pypi": cache}
    if python.resolve() != Path(sys.executable).resolve():
        # An environment works only with the Python that has made it.
        caches["pypi"] = cache.with_name("starters-of-another-python")
    (data_dir / "upstreams").mkdir(parents=True, exist_ok=True)
    for registry, folder in caches.items():
        named = [one.name for one in load_starters() if one.registry == registry]
        names = [name for name in named if name != "time"]
        command = [str(python), "-c", _INSTALL, str(data_dir), str(folder), *names]
        subprocess.run(command, cwd="/", check=True)
        for name in names:
            (data_dir / "upstreams" / name).symlink_to(folder / name)
