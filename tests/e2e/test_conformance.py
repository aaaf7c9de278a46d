"""The official conformance suite through the door of one origin, in front of the SDK's fixture."""

from __future__ import annotations

import re
import socket
import subprocess
import sys
import tarfile
from collections.abc import Generator
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import pytest

from tests.support.instance import new_instance
from tests.support.node_tools import cache, install, node_program
from tests.support.ports import free_port
from tests.support.upstreams import SUPPORT
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.slow]

SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
FIXTURE = "examples/servers/everything-server"


@pytest.fixture(scope="module")
def fixture_home() -> Path:
    """The server that the suite's scenarios are written for; it comes with the SDK's source."""
    sdk = f"mcp-{version('mcp')}"
    home = cache() / "conformance-fixture"
    if not (home / sdk / FIXTURE).exists():
        options = ["--no-deps", "--no-binary", "mcp", "--dest", home]
        install([sys.executable, "-m", "pip", "download", "-q", *options, sdk.replace("-", "==")])
        with tarfile.open(home / f"{sdk}.tar.gz") as source:
            wanted = [m for m in source.getmembers() if m.name.startswith(f"{sdk}/{FIXTURE}/")]
            source.extractall(home, wanted, filter="data")
    return home / sdk / FIXTURE


@pytest.fixture(scope="module")
def url(fixture_home: Path, stopped_data_dir: Path) -> Generator[str]:
    """The transparent door of an instance, with a hop that shows the key: the suite has none."""
    fixture_port, port = free_port(), free_port()
    serve = [sys.executable, "-m", "mcp_everything_server", "--port", str(fixture_port)]
    with (
        running(serve, fixture_port, fixture_home),
        new_instance(copy_of=stopped_data_dir) as instance,
    ):
        instance.start()
        fixture = f"http://127.0.0.1:{fixture_port}/mcp"
        added = instance.qm("origin", "add", "everything", "--url", fixture, "--yes")
        assert added.returncode == 0, added.stdout + added.stderr
        run = instance.run_file
        door = f"{run.url}/mcp/transparent/everything"
        hop = [sys.executable, str(SUPPORT / "token_hop.py"), str(port), door, run.token]
        with running(hop, port, None):
            yield f"http://127.0.0.1:{port}/mcp"


@pytest.mark.parametrize(("requirements", "required"), [("2025-11-25", 30), ("2026-07-28", 37)])
def test_every_required_scenario_passes(url: str, requirements: str, required: int, tmp_path: Path):
    suite = node_program(SUITE, "conformance")
    asked = ["server", "--url", url, "--requirements", requirements, "-o", tmp_path]
    done = subprocess.run([*suite, *asked], capture_output=True, text=True, timeout=240)
    verdicts, _, unscored = done.stdout.partition("Not scored for")
    outcomes = {name: mark for mark, name in re.findall(r"^([✓✗]) ([\w-]+): ", verdicts, re.M)}
    for name in re.findall(r"^  [✓✗] ([\w-]+) \(", unscored, re.MULTILINE):
        outcomes.pop(name)
    failed = [name for name, mark in outcomes.items() if mark != "✓"]
    assert not failed, f"{failed}\n{done.stdout}"
    assert len(outcomes) == required, done.stdout + done.stderr
    # A list without entries would pass, too.
    assert len(re.findall(r"^✓ tools-list: [34] passed", verdicts, re.MULTILINE)) == 1


@contextmanager
def running(command: list[str], port: int, folder: Path | None) -> Generator[None]:
    process = subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        assert wait_until(lambda: is_listening(port))
        yield
    finally:
        process.kill()
        process.wait()


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0
