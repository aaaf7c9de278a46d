"""What an error says if a server got a path that its sandbox hides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mcp_types as types
import pytest

from quartermaster.calls.hidden_paths import explained
from quartermaster.upstream import confinement
from quartermaster.upstream.confinement import Confinement, Folder, SandboxProfile

SAID = types.TextContent(type="text", text="no such file")


@pytest.fixture(autouse=True)
def sandbox(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(confinement, "confinement", lambda: Confinement("bwrap"))


def texts(arguments: dict[str, Any], profile: SandboxProfile | None) -> list[str]:
    reply = types.CallToolResult(content=[SAID], is_error=True)
    report = explained(reply, "files", profile, arguments)
    return [part.text for part in report.content if isinstance(part, types.TextContent)]


@pytest.fixture
def profile(tmp_path: Path) -> SandboxProfile:
    return SandboxProfile(tmp_path, tmp_path / "homes" / "files", 1, (Folder("/var/lib/granted"),))


def test_a_hidden_path_is_named_with_what_to_do(profile: SandboxProfile) -> None:
    said = texts({"options": [{"path": "/var/lib/the secret"}]}, profile)
    assert said[0] == SAID.text
    assert "hides '/var/lib/the secret'. An administrator" in said[1]
    assert "qm origin sandbox files --folder FOLDER" in said[1]


def test_a_way_up_out_of_a_granted_folder_is_hidden(profile: SandboxProfile) -> None:
    assert len(texts({"path": "/var/lib/granted/../other"}, profile)) == 2


@pytest.mark.parametrize(
    "path",
    [
        "/var/lib/granted/a.txt",
        "/usr/share/dict/words",
        "/tmp/new",
        "/users/42/repos",
        "/var",
        "notes/a.txt",
        "/var/lib/a\nb",
        "/var/lib/" + 500 * "x",
    ],
    ids=["granted", "system", "temporary", "url", "top", "relative", "control", "long"],
)
def test_other_texts_are_not_named(profile: SandboxProfile, path: str) -> None:
    assert texts({"path": path}, profile) == [SAID.text]


def test_a_server_elsewhere_has_no_sandbox() -> None:
    assert texts({"path": "/var/lib/x"}, None) == [SAID.text]


def test_what_exists_makes_no_difference(profile: SandboxProfile) -> None:
    there, absent = (texts({"path": f"/etc/{name}"}, profile)[1] for name in ("passwd", "passwe"))
    assert there == absent.replace("passwe", "passwd")
