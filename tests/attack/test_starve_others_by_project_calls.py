"""One member of a project calls for it without end: searches, starts of servers and the signing of
the audit of others do not wait for him.

The ways in are others than those of the review of 28 November, finding 5.
"""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

import anyio
import httpx2
import pytest
from mcp import Client, MCPError
from mcp.client.streamable_http import streamable_http_client

from tests.support.callers import client_of, slug_of
from tests.support.instance import Instance, descendants, new_instance
from tests.support.upstreams import SUPPORT
from tests.support.waiting import until

pytestmark = pytest.mark.anyio

AT_ONCE = 60
# Guards against a hang, not measures.
OTHERS_S = 60
_MODULE = "import json\n\n\n" + "\n\n".join(
    f"def f{n}(a: int, b: str) -> int:\n    return a + len(b) + {n}\n" for n in range(600)
)


class Hall:
    """A running service with projects of an administrator, and two users.

    Attributes:
        instance: the service.
        root: folder of the projects.
        alice: key of somebody who has nothing to do with them.
        mallory: key of a member.
    """

    def __init__(self, instance: Instance, root: Path) -> None:
        self.instance, self.root = instance, root
        self.alice, self.mallory = self._key("alice"), self._key("mallory")

    def add_project(self, root: Path) -> str:
        """Adds a project of which mallory is a member; returns its name."""
        self._succeed("project", "add", root, "--name", root.name)
        self._succeed("project", "members", root.name, "--add", "mallory")
        return root.name

    def _succeed(self, *command: str | Path) -> str:
        done = self.instance.qm(*command)
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    def _key(self, name: str) -> str:
        self._succeed("principal", "create", name)
        return self._succeed("key", "create", name).split()[0]

    def start_a_server(self) -> None:
        """Its tools are there when the command has ended."""
        name = f"rude-{uuid4().hex[:8]}"
        command = shlex.join([sys.executable, str(SUPPORT / "rude_server.py")])
        self._succeed("origin", "add", name, "--command", command, "--yes")

    def signed(self) -> int:
        """Returns how many heads of the audit were signed."""
        heads = self.instance.data_dir / "audit_heads.jsonl"
        return len(heads.read_text().splitlines()) if heads.exists() else 0


@pytest.fixture(scope="module")
def hall(stopped_data_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> Generator[Hall]:
    root = tmp_path_factory.mktemp("projects")
    often = {"QM_AUDIT__SIGN_EVERY_S": "1"}
    with new_instance(copy_of=stopped_data_dir, environment=often) as instance:
        instance.start()
        yield Hall(instance, root)
        assert instance.stop() == 0


def git(root: Path, *arguments: str) -> None:
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    subprocess.run(["git", *who, *arguments], cwd=root, check=True, capture_output=True)


def pipes_for_configuration(root: Path) -> None:
    """What checkers and git read beside the file itself waits for a writer for ever."""
    (root / "page.py").write_text(_MODULE)
    for name in ("pyproject.toml", "mypy.ini", "ruff.toml", ".coverage", ".gitattributes"):
        os.mkfifo(root / name)


def pipes_for_sources(root: Path) -> None:
    for name in ("page.py", "go.mod", "package.json", "Dockerfile", "requirements.txt"):
        os.mkfifo(root / name)


def pipes_in_the_repository(root: Path) -> None:
    (root / "page.py").write_text(_MODULE)
    git(root, "init", "-q")
    git(root, "add", ".")
    git(root, "commit", "-qm", "Page")
    for name in ("index", "info/exclude", "packed-refs", "shallow"):
        (root / ".git" / name).unlink(missing_ok=True)
        os.mkfifo(root / ".git" / name)


def a_large_file(root: Path) -> None:
    (root / "page.py").write_text(_MODULE * 6)


def very_many_files(root: Path) -> None:
    (root / "page.py").write_text(_MODULE)
    for number in range(4000):
        folder = root / f"part_{number % 40}"
        folder.mkdir(exist_ok=True)
        text = f"from page import f{number % 600}\n\nX = f{number % 600}(1, 'x')\n"
        (folder / f"module_{number}.py").write_text(text)


_PAGE = {"file_path": "page.py"}
FLOODS: dict[str, tuple[Any, list[tuple[str, dict[str, Any]]]]] = {
    "pipes for configuration": (
        pipes_for_configuration,
        [("tapps_score_file", _PAGE), ("tapps_quality_gate", _PAGE), ("tapps_project_profile", {})],
    ),
    "pipes for sources": (
        pipes_for_sources,
        [
            ("tapps_security_scan", _PAGE),
            ("tapps_impact_analysis", _PAGE),
            ("tapps_validate_config", {"file_path": "Dockerfile"}),
            ("tapps_project_profile", {}),
        ],
    ),
    "pipes in the repository": (
        pipes_in_the_repository,
        [
            ("tapps_quality_gate", {**_PAGE, "new_code": True, "base": "HEAD"}),
            ("tapps_impact_analysis", _PAGE),
        ],
    ),
    "a large file": (a_large_file, [("tapps_quality_gate", _PAGE), ("tapps_score_file", _PAGE)]),
    "very many files": (
        very_many_files,
        [("tapps_impact_analysis", _PAGE), ("tapps_project_profile", {}), ("tapps_report", {})],
    ),
}


@asynccontextmanager
async def at_the_door(hall: Hall, key: str) -> AsyncGenerator[Client]:
    headers = {"Authorization": f"Bearer {key}"}
    limits = httpx2.Limits(max_connections=None)
    url = f"{hall.instance.run_file.url}/mcp/quality"
    async with (
        httpx2.AsyncClient(headers=headers, timeout=600, limits=limits, trust_env=False) as http,
        Client(streamable_http_client(url, http_client=http), mode="2026-07-28") as client,
    ):
        yield client


async def answer_of(client: Client, tool: str, arguments: dict[str, Any]) -> str:
    """Returns the beginning of what a call is answered, or refused with."""
    try:
        reply = await client.call_tool(tool, arguments)
    except MCPError as error:
        return error.error.message[:1000]
    return str(reply.structured_content)[:1000]


@pytest.mark.parametrize("what", FLOODS)
async def test_others_do_not_wait(hall: Hall, what: str) -> None:
    prepare, calls = FLOODS[what]
    root = hall.root / what.replace(" ", "-")
    root.mkdir()
    prepare(root)
    pid, before = hall.instance.run_file.pid, len(descendants(hall.instance.run_file.pid))
    begun, most = 0, 0
    broken = set[str]()
    project = hall.add_project(root)
    async with (
        at_the_door(hall, hall.mallory) as bad,
        client_of(hall.instance.run_file.url, hall.alice) as good,
    ):

        async def flood(number: int) -> None:
            nonlocal begun
            while True:
                tool, arguments = calls[number % len(calls)]
                begun += 1
                reply = await answer_of(bad, tool, {"project": project, **arguments})
                broken.update(["QM500"] if "QM500" in reply else [])
                # An error says when to come back; this one does not care for long.
                with anyio.move_on_after(0.2):
                    await anyio.Event().wait()

        async with anyio.create_task_group() as tasks:
            for number in range(AT_ONCE):
                tasks.start_soon(flood, number)
            await until(lambda: begun >= AT_ONCE)
            with anyio.fail_after(OTHERS_S):
                for number in range(5):
                    query = {"query": f"{project} {number} {uuid4().hex}"}
                    assert await slug_of(good, "search_tools", query) is None
                    most = max(most, len(descendants(pid)))
            signed = hall.signed()
            with anyio.fail_after(OTHERS_S):
                await anyio.to_thread.run_sync(hall.start_a_server)
                await until(lambda: hall.signed() > signed, OTHERS_S)
            most = max(most, len(descendants(pid)))
            tasks.cancel_scope.cancel()
    assert most - before < 64
    assert broken == set()
    assert "Traceback" not in hall.instance.stderr
    assert "QM500" not in hall.instance.stderr
