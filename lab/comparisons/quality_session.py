"""An agent's session with the quality tools, on a real small project: `python -m
lab.comparisons.quality_session > kinds/quality/docs/measured-session.md`.

The project is the package iniconfig as it is installed, to which the agent adds a command. The
client is the official one, over HTTP. What the agent does is written here; what the tools answer is
not.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

import anyio
from mcp import Client
from rich.console import Console

from lab.bench.quality import Shop, connected
from quartermaster.core import logs
from quartermaster_quality import api as quality_api
from tests.support.database import Database, embedded

COMMAND: Final = "src/iniconfig/__main__.py"
WRONG_CODE: Final = '''"""Shows a configuration file: python -m iniconfig FILE."""

from __future__ import annotations

import os
import sys

import iniconfig


def main() -> None:
    """Shows the sections of a file, then the file in a pager."""
    path = sys.argv[1]
    for section in iniconfig.IniConfig(path):
        print(section.name)
    os.system("less " + path)


if __name__ == "__main__":
    main()
'''
RIGHT_CODE: Final = '''"""Shows a configuration file: python -m iniconfig FILE."""

from __future__ import annotations

import sys

import iniconfig


def main() -> None:
    """Shows the sections of a file with their lengths."""
    for section in iniconfig.IniConfig(sys.argv[1]):
        print(section.name, len(dict(section.items())))


if __name__ == "__main__":
    main()
'''
TEST: Final = """import sys

from iniconfig.__main__ import main


def test_sections_are_shown(tmp_path, monkeypatch, capsys):
    path = tmp_path / "a.ini"
    path.write_text("[one]\\na = 1\\n[two]\\n")
    monkeypatch.setattr(sys, "argv", ["iniconfig", str(path)])
    main()
    assert capsys.readouterr().out == "one 1\\ntwo 0\\n"
"""
# Members that every answer has, or that repeat others.
_LEFT_OUT: Final = {"elapsed_ms", "session_id", "blob_hash", "fingerprint", "by_owasp", "weight"}
_MOST_ITEMS: Final = 4
_MOST_TEXT: Final = 220

CONSOLE: Final = Console(markup=False, highlight=False, soft_wrap=True)


def say(text: str) -> None:
    """Writes a line of the transcript."""
    CONSOLE.print(text)


def shortened(value: Any) -> Any:
    """Returns an answer without what does not matter here; cuts are marked."""
    if isinstance(value, dict):
        return {
            key: shortened(each)
            for key, each in value.items()
            if key not in _LEFT_OUT and each not in ([], {}, "")
        }
    if isinstance(value, list):
        cut = [f"... {len(value) - _MOST_ITEMS} more"] if len(value) > _MOST_ITEMS else []
        return [*map(shortened, value[:_MOST_ITEMS]), *cut]
    if isinstance(value, str) and len(value) > _MOST_TEXT:
        return f"{value[:_MOST_TEXT]}..."
    return value


class Agent:
    """An agent with its client.

    Args:
        client: of the door.
        root: of the project.
    """

    def __init__(self, client: Client, root: Path) -> None:
        self.client, self.root = client, root
        self.session: dict[str, str] = {}

    async def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """Calls a tool, and writes the call and the answer."""
        shown = json.dumps(arguments, ensure_ascii=False)
        answer = await self.client.call_tool(f"tapps_{tool}", {**arguments, **self.session})
        body: dict[str, Any] = answer.structured_content or {}
        self.session = {"session": body.get("session_id") or self.session.get("session", "")}
        members = (
            f"  {json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}"
            for name, value in shortened(body).items()
        )
        text = ",\n".join(members).replace(str(self.root), "/srv/iniconfig")
        say(f"```\n> tapps_{tool} {shown}\n{{\n{text}\n}}\n```\n")
        return body

    def write(self, path: str, text: str) -> None:
        """Writes a file, and shows it."""
        target = self.root / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
        say(f"The agent writes `{path}`:\n\n```python\n{text}```\n")

    def measure(self) -> None:
        """Runs the tests under coverage."""
        command = ["-m", "coverage", "run", "-m", "pytest", "-q", "-p", "no:cacheprovider"]
        environment = {"PATH": os.environ["PATH"], "HOME": "/nonexistent", "PYTHONPATH": "src"}
        subprocess.run(
            [sys.executable, *command],
            cwd=self.root,
            check=True,
            capture_output=True,
            env=environment,
        )
        say("The agent runs `coverage run -m pytest`.\n")


def project(root: Path) -> Shop:
    """Returns the project, committed."""
    found = find_spec("iniconfig")
    assert found is not None
    assert found.origin is not None
    ignored = shutil.ignore_patterns("__pycache__")
    shutil.copytree(Path(found.origin).parent, root / "src" / "iniconfig", ignore=ignored)
    (root / "pyproject.toml").write_text(
        '[project]\nname = "iniconfig"\nrequires-python = ">=3.10"\n'
        '[dependency-groups]\ntesting = ["pytest"]\n'
    )
    (root / ".gitignore").write_text(".coverage\n__pycache__/\n")
    who = ["-c", "user.name=A", "-c", "user.email=a@example.org"]
    for command in (["init", "-q"], ["add", "."], ["commit", "-qm", "As released"]):
        subprocess.run(["git", *who, *command], cwd=root, check=True)
    return Shop(root, "")


async def session(database: Database, shop: Shop) -> None:
    """The session."""
    async with connected(database, shop.root, "quality") as client:
        agent = Agent(client, shop.root)
        say("## Begin\n")
        await agent.call("server_info")
        await agent.call("project_profile")
        note = {"key": "task", "value": "a command that shows the sections of a file"}
        await agent.call(quality_api.session_notes(action="save", **note))
        say("## The first version\n")
        agent.write(COMMAND, WRONG_CODE)
        await agent.call("score_file", file_path=COMMAND, quick=True)
        await agent.call("score_file", file_path=COMMAND)
        verdict = await agent.call("quality_gate", file_path=COMMAND, new_code=True)
        assert not verdict["passed"]
        await agent.call(quality_api.checklist(task_type="feature"))
        say("## The second version\n")
        agent.write(COMMAND, RIGHT_CODE)
        agent.write("tests/test_command.py", TEST)
        agent.measure()
        verdict = await agent.call("quality_gate", file_path=COMMAND, new_code=True)
        assert verdict["passed"], verdict
        verdict = await agent.call("quality_gate", file_path="tests/test_command.py")
        assert verdict["passed"], verdict
        say("## The end\n")
        listed = await agent.call(quality_api.checklist(task_type="refactor"))
        assert [each["tool"] for each in listed["missing"]] == ["tapps_impact_analysis"] * 2
        for path in (COMMAND, "tests/test_command.py"):
            await agent.call("impact_analysis", file_path=path)
        listed = await agent.call(quality_api.checklist(task_type="refactor"))
        assert listed["passed"], listed
        await agent.call(quality_api.session_notes(action="list"))


def main() -> None:
    """The command."""
    logs.configure("error")
    doc = (__doc__ or "").partition("\n\n")[2]
    say(f"# A session with the quality tools\n\n{doc}")
    say(
        "This page was written by `python -m lab.comparisons.quality_session`. Long lists and\n"
        "texts are cut, and members that are in every answer are left out.\n"
    )
    with tempfile.TemporaryDirectory(prefix="qm-session-") as folder, embedded() as server:
        root = Path(folder, "iniconfig").resolve()
        root.mkdir()
        with server.clone() as database:
            anyio.run(session, database, project(root))


if __name__ == "__main__":
    main()
