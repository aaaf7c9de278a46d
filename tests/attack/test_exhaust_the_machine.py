"""A local server takes processes, open files and memory until nothing is left."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.upstream.spec import OriginSpec
from tests.support.confined import needs_bubblewrap, profile_in, python, run

pytestmark = needs_bubblewrap
_FORKS = """
import os, signal
for _ in range(12):
    os.fork()
signal.pause()
"""


def spec(tmp_path: Path, code: str) -> OriginSpec:
    limits = {"max_processes": 100, "max_open_files": 64, "max_memory_mb": 300}
    return replace(python(code, profile_in(tmp_path)), **limits)


def test_processes(tmp_path: Path) -> None:
    done = run(spec(tmp_path, _FORKS))
    assert "the limit is 100" in done.stderr


def test_open_files(tmp_path: Path) -> None:
    done = run(spec(tmp_path, "files = [open('/dev/null') for _ in range(100)]"))
    assert "Too many open files" in done.stderr


def test_memory(tmp_path: Path) -> None:
    done = run(spec(tmp_path, "import signal; x = bytes([1]) * 400_000_000; signal.pause()"))
    assert "the limit is 300 MiB" in done.stderr


@pytest.mark.parametrize("place", ["/tmp", "/var/tmp", "/dev/shm"])
def test_memory_that_is_a_file(tmp_path: Path, place: str) -> None:
    code = f"with open('{place}/x', 'wb') as file:\n  for _ in range(600): file.write(bytes(2**20))"
    done = run(spec(tmp_path, code))
    assert "No space left" in done.stderr
