"""Whoever writes a file of a project holds up the service with it, or breaks its answer.

Each file is small. The tool that reads it answers without an internal error, and meanwhile the
service answers others.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

import pytest

from tests.attack.conftest import Crowd
from tests.support.callers import at_the_door

pytestmark = pytest.mark.anyio

# What held the interpreter took 7 to 240 seconds. A busy machine may take one.
LONGEST_WAIT_S: Final = 5.0
SERVICE: Final = "services:\n  s:\n    image: a:1\n    "
LINES: Final = [f"x{line} = {line}\n" for line in range(2_000)]
# The files, the tool that reads them, and its arguments.
Case = tuple[dict[str, str], str, dict[str, Any]]
COMPOSE: Final = {"file_path": "compose.yaml"}
HOLDS: Final[dict[str, Case]] = {
    "empty lines of a go.mod": ({"go.mod": "\n" * 16_000}, "project_profile", {}),
    "dots of a go.mod": ({"go.mod": "a." * 40_000}, "project_profile", {}),
    "a Dockerfile": (
        {"Dockerfile": f"FROM a\nRUN {'curl ' * 12_000}\n"},
        "validate_config",
        {"file_path": "Dockerfile"},
    ),
    "a Dockerfile that a Compose file names": (
        {
            "Dockerfile": f"FROM a\nRUN {'curl ' * 60_000}\n",
            "compose.yaml": "services: {s: {build: .}}\n",
        },
        "validate_config",
        COMPOSE,
    ),
    "a number of a Compose file": (
        {"compose.yaml": f"{SERVICE}x: {'1:' * 60_000}1\n"},
        "validate_config",
        COMPOSE,
    ),
    "lines in the reverse order": (
        {"a.py": "".join(reversed(LINES))},
        "quality_gate",
        {"file_path": "a.py", "new_code": True},
    ),
}
BREAKS: Final = {
    "an alias in itself": "a: &a\n  <<: *a\nservices: {s: {image: b}}\n",
    "aliases that contain each other": "a: &a {b: &b {<<: *a, c: *b}}\nservices: {s: {<<: *a}}\n",
    "a date that does not exist": f"{SERVICE}x: 2001-02-30\n",
    "a time that does not exist": f"{SERVICE}x: 2001-02-03T25:61:61Z\n",
    "a date": f"{SERVICE}x: 2001-02-03\n",
    "a number of 5,000 digits": f"{SERVICE}x: {'9' * 5_000}\n",
    "a number that is none": f"{SERVICE}x: [.inf, .nan, 1e999]\n",
    "bytes": f"{SERVICE}x: !!binary aGVsbG8=\n",
    "a set": f"{SERVICE}x: !!set {{a, b}}\n",
    "half of a surrogate pair": f'{SERVICE}"\\ud800": "\\udfff"\n',
    "a key that is a list": f"{SERVICE}? [a, b]\n    : c\n",
    "a key that contains itself": "a: &a {? *a : b}\nservices: {s: {image: b}}\n",
    "a null character": f"{SERVICE}x: 'a\0b'\n",
    "a mark of byte order": f"\ufeff{SERVICE}x: \ufeffa\n",
    "keys that are written twice": "services: {s: {image: a}}\nservices: {s: {image: 1}}\n",
    "deep lists": f"services: {'[' * 2_000}\n",
    "a context that is a list": "services: {s: {build: {context: [a], dockerfile: {b: c}}}}\n",
}


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(scope="module")
def root(crowd: Crowd, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project with one commit."""
    root = tmp_path_factory.mktemp("held")
    (root / "a.py").write_text("".join(LINES))
    git = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]
    for arguments in (["init", "-q"], ["add", "."], ["commit", "-qm", "First"]):
        subprocess.run([*git, *arguments], cwd=root, check=True)
    crowd.succeed("project", "add", str(root), "--name", "held")
    return root


@contextmanager
def others_are_answered(crowd: Crowd) -> Generator[None]:
    """Asks meanwhile whether the service is well, as others do."""
    ended = Event()
    waits: list[float] = []

    def ask() -> None:
        with crowd.instance.http() as client:
            while not waits or not ended.wait(0.05):
                begun = time.monotonic()
                assert client.get("/healthz", timeout=300).status_code == 200
                waits.append(time.monotonic() - begun)

    asking = Thread(target=ask)
    asking.start()
    try:
        yield
    finally:
        ended.set()
        asking.join()
    assert max(waits) < LONGEST_WAIT_S


async def answered(crowd: Crowd, tool: str, **arguments: Any) -> dict[str, Any]:
    """Returns the answer of a quality tool about the project."""
    async with at_the_door(crowd.instance, "quality") as client:
        answer = await client.call_tool(f"tapps_{tool}", {"project": "held", **arguments})
    found = answer.structured_content
    assert found is not None, answer
    assert "QM500" not in str(answer)
    return found


@pytest.mark.parametrize("name", HOLDS)
async def test_by_a_file_that_takes_long(crowd: Crowd, root: Path, name: str) -> None:
    files, tool, arguments = HOLDS[name]
    before = {path: (root / path).read_bytes() for path in files if (root / path).exists()}
    for path, text in files.items():
        (root / path).write_text(text)
    with others_are_answered(crowd):
        found = await answered(crowd, tool, **arguments)
    assert "error_code" not in found
    for path in files:
        (root / path).unlink()
    for path, data in before.items():
        (root / path).write_bytes(data)


@pytest.mark.parametrize("name", BREAKS)
async def test_by_a_compose_file_that_breaks_the_answer(
    crowd: Crowd, root: Path, name: str
) -> None:
    (root / "compose.yaml").write_text(BREAKS[name])
    found = await answered(crowd, "validate_config", file_path="compose.yaml")
    assert "valid" in found, found


@pytest.mark.parametrize("name", ["pyproject.toml", "Cargo.toml", "package.json"])
@pytest.mark.parametrize("value", ["9" * 5_000, "[" * 50_000, "2001-02-30", '"\\ud800"', "\0"])
async def test_by_a_manifest_that_breaks_the_answer(
    crowd: Crowd, root: Path, name: str, value: str
) -> None:
    is_json = name.endswith(".json")
    (root / name).write_text(f'{{"name": {value}}}' if is_json else f"[project]\nname = {value}\n")
    found = await answered(crowd, "project_profile")
    assert "languages" in found, found
    (root / name).unlink()


async def test_by_a_root_that_becomes_a_link(crowd: Crowd, root: Path) -> None:
    become_a_link(root)
    tools: list[tuple[str, dict[str, Any]]] = [
        ("impact_analysis", {"file_path": "a.py"}),
        ("project_profile", {}),
        ("checklist", {}),
        ("quality_gate", {"file_path": "a.py", "new_code": True}),
    ]
    for tool, arguments in tools:
        found = await answered(crowd, tool, **arguments)
        assert found.get("error_code") != "internal_error", found
    become_a_folder(root)


def become_a_link(root: Path) -> None:
    root.symlink_to(root.rename(root.with_name("moved")))


def become_a_folder(root: Path) -> None:
    root.unlink()
    root.with_name("moved").rename(root)
