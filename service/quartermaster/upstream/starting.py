"""Limits the time for the start of an upstream, and describes the progress of the start.

A program that `npx`, `uvx` or a container engine runs is downloaded at its first start, which takes
minutes. A caller should not have to wait that long for a program that hangs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePath
from typing import Any, Final, Literal

import anyio

from quartermaster.core.logs import mask
from quartermaster.core.processes import processor_seconds
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.stderr_tail import StderrTail

Doing = Literal["starting", "downloading", "waiting for input"]

_INSTALL: Final = {
    "bunx": "Install Bun.",
    "deno": "Install Deno.",
    "docker": "Install Docker, or another engine with a command of this name (Debian: apt-get"
    " install docker.io).",
    "go": "Install Go (Debian: apt-get install golang).",
    "node": "Install Node.js (Debian: apt-get install nodejs).",
    "npm": "Install Node.js with npm (Debian: apt-get install npm).",
    "npx": "Install Node.js with npm, which brings npx (Debian: apt-get install npm).",
    "pipx": "Install pipx (Debian: apt-get install pipx).",
    "pnpm": "Install pnpm (for instance: npm install --global pnpm).",
    "podman": "Install Podman (Debian: apt-get install podman).",
    "uv": "Install uv (for instance: pipx install uv).",
    "uvx": "Install uv, which brings uvx (for instance: pipx install uv).",
    "yarn": "Install Yarn (for instance: npm install --global yarn).",
}
_FOR_THE_SERVICE: Final = (
    " Then the service must find it: give its whole path as the command, or add its folder to PATH"
    " and start the service again."
)
_RUNNERS: Final = frozenset(_INSTALL) - {"node"} | {"bun", "cargo", "dotnet", "nerdctl", "nix"}
_SHELLS: Final = frozenset(
    {
        "sh",
        "bash",
        "dash",
        "zsh",
        "fish",
        "env",
        "sudo",
        "nice",
        "timeout",
        "cmd",
        "node",
        "pwsh",
    }
)
_ENDS: Final = ("-cli.js", ".cmd", ".exe")
_WORD: Final = re.compile(r"[^\s;|&()'\"=]+")
_DOWNLOADS: Final = re.compile(
    r"download|install|fetch|pull(?:ing|ed)|resolv|extract|unpack|build|compil|updat",
    re.IGNORECASE,
)
_ASKS_PATTERN: Final = re.compile(
    r"[:?]\s*\Z|press (?:enter|any key)|password|passphrase|\(y/n\)|\[y/n\]", re.IGNORECASE
)


class UpstreamStart:
    """The start of an upstream.

    Args:
        spec: definition of the upstream.
        stderr: standard error output of a stdio upstream.
        is_first: whether this process has never been connected to the upstream.

    Attributes:
        limit_s: number of seconds that the start may take, according to its progress so far.
    """

    def __init__(self, spec: OriginSpec, stderr: StderrTail, *, is_first: bool) -> None:
        self._spec = spec
        self._stderr = stderr
        self._is_first = is_first
        self.began = self._moved = anyio.current_time()
        self._processor_s = 0.0
        self.limit_s = 0.0

    @property
    def doing(self) -> Doing:
        """The probable current action of the program."""
        said = self._stderr.said()
        if is_asking(said):
            return "waiting for input"
        if is_runner(self._spec.command) or _DOWNLOADS.search(said):
            return "downloading"
        return "starting"

    def look(self, pid: int | None) -> None:
        """Checks whether the program has made progress since the last check.

        Args:
            pid: process id of the program, or of the process that started it.
        """
        if pid is not None and (used_s := processor_seconds(pid)) > self._processor_s:
            self._processor_s = used_s
            self._moved = anyio.current_time()

    def deadline(self) -> float:
        """Returns the time until which the program must have answered, if nothing changes."""
        deadline = self._deadline()
        self.limit_s = deadline - self.began
        return deadline

    def _deadline(self) -> float:
        spec = self._spec
        if spec.start_limit_s is not None:
            return self.began + spec.start_limit_s
        if spec.transport != "stdio":
            return self.began + spec.connect_timeout_s
        moved = max(self._moved, self._stderr.heard_at)
        last = self.began + max(spec.longest_start_s, spec.connect_timeout_s)
        doing = self.doing
        # At its first start, a program that says anything may prepare what later starts have.
        is_busy = self._is_first and bool(self._stderr.said().strip())
        if doing == "downloading" or (doing == "starting" and is_busy):
            return last
        return min(moved + spec.connect_timeout_s, last)

    def seconds(self) -> float:
        """Returns how long the start has taken so far."""
        return anyio.current_time() - self.began

    def as_dict(self) -> dict[str, Any]:
        """Returns the progress of the start for people: what the program is doing, for how many
        seconds, and its last line of output.
        """
        lines = self._stderr.last_lines() if self._spec.transport == "stdio" else None
        said = mask(lines.rpartition("\n")[2]) if lines else None
        return {"doing": self.doing, "seconds": round(self.seconds(), 1), "said": said}


def is_runner(command: Sequence[str]) -> bool:
    """Returns whether a command downloads the program that it runs, directly or through another
    command (such as a shell).
    """
    if not command:
        return False
    names = [_program(command[0])]
    if names[0] in _SHELLS:
        names += [_program(word) for part in command[1:] for word in _WORD.findall(part)]
    return not _RUNNERS.isdisjoint(names)


def _program(word: str) -> str:
    """Returns the name of a program, without the suffix that its file has in npm (npx-cli.js) or on
    Windows (npx.cmd).
    """
    name = PurePath(word).name
    return next((name.removesuffix(end) for end in _ENDS if name.endswith(end)), name)


def is_asking(said: str) -> bool:
    """Returns whether an output ends with a question to the user."""
    last = said.rpartition("\n")[2]
    return _ASKS_PATTERN.search(last) is not None and _DOWNLOADS.search(last) is None


def how_to_install(text: str) -> str | None:
    """Returns how to install the first well-known program that a text names; None if the text names
    no such program.

    Args:
        text: the program, or the error of a shell that has not found it.
    """
    names = (PurePath(word.strip(":,.`")).name for word in _WORD.findall(text))
    known = next((_INSTALL[name] for name in names if name in _INSTALL), None)
    return None if known is None else known + _FOR_THE_SERVICE
