"""The npm packages of real clients, with the versions that these tests were written for."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from tests.support.node_tools import NODE, cache, install

# The program of each client, and its package.
PACKAGES: Final = {
    "claude": "@anthropic-ai/claude-code@2.1.332",
    "codex": "@openai/codex@0.171.0",
    "gemini": "@google/gemini-cli@0.61.0",
    "opencode": "opencode-ai@1.18.33",
    "copilot": "@github/copilot@1.0.102",
    "amp": "@sourcegraph/amp@0.0.1790142911-g7618fb",
}


def path_of_node() -> str:
    """Returns a search path on which programs of npm packages find Node."""
    return f"{NODE / 'bin'}{os.pathsep}{os.environ['PATH']}"


def installed(program: str) -> Path:
    """Returns the path of a client's program; the test is skipped where the package cannot be had.

    Args:
        program: a key of `PACKAGES`.
    """
    package = PACKAGES[program]
    home = cache() / "clients" / package.replace("/", "-")
    found = home / "node_modules" / ".bin" / program
    if not found.exists():
        npm = NODE / "lib" / "node_modules" / "npm" / "bin" / "npm-cli.js"
        command = [NODE / "bin" / "node", npm, "install", "--prefix", home]
        quiet = ["--no-audit", "--no-fund", "--silent"]
        install(["env", f"PATH={path_of_node()}", *command, *quiet, package])
    return found
