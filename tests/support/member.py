"""Members of projects of a running service: one attacks by what lies in a project, others work."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import anyio
import httpx2
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from quartermaster.projects.isolated_processes import time_limit
from tests.support.instance import Instance

# Longer than any right answer takes: a test that waits for ever says nothing. What reads projects
# gives way, so on a full machine it waits much longer for a processor; that does not count.
LONGEST_S: Final = 60.0
# No checker reads this language, so that a gate costs nothing.
CODE: Final = "prices.go"
GIT: Final = ("git", "-c", "user.name=A", "-c", "user.email=a@example.org")


@dataclass(frozen=True)
class Answer:
    """What a call was answered.

    Attributes:
        body: the structured content; empty if there is none.
        text: everything that was answered.
    """

    body: dict[str, Any]
    text: str


class Member:
    """A plain user who is a member of one project, and may write in its folder.

    Attributes:
        instance: the service.
        name: of the principal and of the project.
        root: root of the project.
    """

    def __init__(self, instance: Instance, name: str, root: Path) -> None:
        self.instance = instance
        self.name = name
        self.root = root
        root.mkdir(parents=True)
        self._succeed("principal", "create", name)
        self._key = self._succeed("key", "create", name).split()[0]
        self._succeed("project", "add", str(root), "--name", name)
        self._succeed("project", "members", name, "--add", name)

    def _succeed(self, *command: str) -> str:
        done = self.instance.qm(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def clear(self) -> None:
        """Makes the project empty."""
        if self.root.is_symlink() or not self.root.is_dir():
            self.root.unlink(missing_ok=True)
        shutil.rmtree(self.root, ignore_errors=True)
        self.root.mkdir(parents=True, exist_ok=True)

    def write(self, path: str, text: str | bytes) -> Path:
        """Writes a file of the project."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(text if isinstance(text, bytes) else text.encode())
        return target

    def git(self, *arguments: str, stdin: bytes = b"") -> str:
        """Returns what git prints in the project."""
        done = subprocess.run(
            [*GIT, *arguments], cwd=self.root, check=True, capture_output=True, input=stdin
        )
        return done.stdout.decode().strip()

    def commit(self, times: int = 1, path: str = CODE) -> None:
        """A repository with a file that was changed so often."""
        self.git("init", "-q", "-b", "main")
        for number in range(times):
            self.write(path, f"package prices\n\nconst Rate = {number}\n")
            self.git("add", "-A")
            self.git("commit", "-qm", f"Rate {number}")

    def ask(self, tool: str, /, **arguments: Any) -> Answer:
        """Calls a quality tool; fails if no answer comes in a minute, or an internal error."""
        return anyio.run(self.ask_later, tool, arguments)

    async def ask_later(self, tool: str, arguments: dict[str, Any]) -> Answer:
        """As `ask`, beside others."""
        try:
            with time_limit(self.instance.run_file.pid, LONGEST_S):
                answer = await self._answered(tool, arguments)
        except TimeoutError:
            raise AssertionError(f"{tool}: no answer in {LONGEST_S:g} s") from None
        for wrong in ("QM500", "An internal error", "Traceback"):
            assert wrong not in answer.text, answer.text[-600:]
        return answer

    async def _answered(self, tool: str, arguments: dict[str, Any]) -> Answer:
        headers = {"authorization": f"Bearer {self._key}"}
        url = f"{self.instance.run_file.url}/mcp/quality"
        async with (
            httpx2.AsyncClient(headers=headers, timeout=600, trust_env=False) as http,
            Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client,
        ):
            given = {"project": f"local/{self.name}", **arguments}
            try:
                found = await client.call_tool(f"tapps_{tool}", given)
            except MCPError as error:
                return Answer({}, str(error.error))
            return Answer(found.structured_content or {}, found.model_dump_json())

    def ask_all(self, *bases: str) -> str:
        """Returns what all tools answer that read the history of a project, also about some
        commits.
        """
        answers = [
            self.ask("server_info"),
            self.ask("checklist"),
            self.ask("impact_analysis", file_path=CODE),
            self.ask("quality_gate", file_path=CODE, new_code=True),
            *(self.ask("quality_gate", file_path=CODE, new_code=True, base=base) for base in bases),
        ]
        return "\n".join(answer.text for answer in answers)
