"""The real starter upstreams: installed once, listed and called."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest

from quartermaster.starter import install as starters
from quartermaster.starter.catalog import Starter, load_starters
from quartermaster.starter.install import StarterResult, install_starters
from quartermaster.upstream.confinement import (
    Confinement,
    Folder,
    House,
    Tried,
    confinement,
    home_of,
    user_of,
)
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.upstreams import starter_cache

CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "time": ("get_current_time", {"timezone": "Asia/Tokyo"}, "Asia/Tokyo"),
    "git": ("git_status", {"repo_path": "REPOSITORY"}, "nothing to commit"),
    "everything": ("echo", {"message": "over and out"}, "over and out"),
    "filesystem": ("read_text_file", {"path": "HOME/files/welcome.txt"}, "Welcome"),
    "memory": ("read_graph", {}, "entities"),
    "sequential-thinking": (
        "sequentialthinking",
        {"thought": "one", "nextThoughtNeeded": False, "thoughtNumber": 1, "totalThoughts": 1},
        "thoughtHistoryLength",
    ),
}


def install(data_dir: Path, only: Sequence[str] | None = None) -> list[StarterResult]:
    return install_starters(data_dir, environments=starter_cache(), only=only)


def spec_of(result: StarterResult, data_dir: Path) -> OriginSpec:
    granted = (*result.folders, str(data_dir / "repo"))
    house = House(
        data_dir / "data",
        home_of(data_dir / "data", result.name),
        user_of(1),
        tuple(map(Folder, granted)),
    )
    return OriginSpec(
        id=1,
        name=result.name,
        transport=result.transport,
        command=result.command,
        env=result.env,
        house=house,
    )


def make_repository(folder: Path) -> None:
    author = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "init", "-q", folder], check=True)
    commit = ["git", "-C", folder, *author, "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, check=True)
    if os.geteuid() == 0:
        # The server, which is a user of its own then, trusts only a repository of that user.
        subprocess.run(["chown", "-R", str(user_of(1)), folder], check=True)


def filled(value: Any, data_dir: Path) -> Any:
    if not isinstance(value, str):
        return value
    home = str(home_of(data_dir / "data", "filesystem"))
    return value.replace("HOME", home).replace("REPOSITORY", str(data_dir / "repo"))


@pytest.mark.anyio
@pytest.mark.parametrize("name", [starter.name for starter in load_starters()])
async def test_starter_lists_its_tools_and_answers_a_call(
    supervisor: Supervisor, tmp_path: Path, name: str
) -> None:
    (result,) = install(tmp_path / "data", only=[name])
    if result.status == "skipped":
        assert shutil.which("node") is None, result.reason
        pytest.skip(f"{name}: {result.reason}")
    make_repository(tmp_path / "repo")
    tool, arguments, expected = CALLS[name]
    spec = spec_of(result, tmp_path)
    listing = await supervisor.list_tools(spec)
    assert tool in [definition["name"] for definition in listing.tools]
    assert not listing.rejected
    given = {key: filled(value, tmp_path) for key, value in arguments.items()}
    answer = await supervisor.call(spec, tool, given)
    assert isinstance(answer, types.CallToolResult)
    assert not answer.is_error
    assert expected in answer.model_dump_json(by_alias=True)


@pytest.mark.parametrize("starter", load_starters(), ids=lambda starter: starter.name)
def test_every_package_of_a_starter_is_locked_with_a_hash(starter: Starter) -> None:
    texts = {path.name: path.read_text(encoding="utf-8") for path in starter.locks}
    if starter.registry == "pypi":
        pins = re.split(r"\n(?=[a-z])", texts.pop("requirements.txt"))
        assert any(pin.startswith(f"{starter.package}=={starter.version} ") for pin in pins)
        assert all("--hash=sha256:" in pin for pin in pins if not pin.startswith("#"))
    else:
        assert json.loads(texts.pop("package.json"))["dependencies"] == {
            starter.package: starter.version
        }
        packages = json.loads(texts.pop("package-lock.json"))["packages"]
        assert packages[f"node_modules/{starter.package}"]["version"] == starter.version
        assert all("integrity" in package for path, package in packages.items() if path)
    assert not texts


def test_second_install_is_instant(tmp_path: Path) -> None:
    install(tmp_path)
    began = time.monotonic()
    again = install(tmp_path)
    assert time.monotonic() - began < 5
    assert "installed" not in {result.status for result in again}


def test_what_cannot_be_had_is_left_out_with_its_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    told: list[tuple[str, str]] = []
    (result,) = install_starters(
        tmp_path, lambda name, text: told.append((name, text)), only=["memory"]
    )
    assert result.status == "skipped"
    assert result.reason == "npm is not installed on this machine"
    assert result.command == ()
    assert told[-1] == ("memory", "left out: npm is not installed on this machine")


def test_broken_off_or_outdated_installation_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "upstreams" / "memory"
    folder.mkdir(parents=True)
    (folder / "left-over").touch()
    (folder / "installed.json").write_text(json.dumps({"version": "1"}))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    install_starters(tmp_path, only=["memory"])
    assert not (folder / "left-over").exists()
    assert not (folder / "installed.json").exists()


def test_welcome_file_is_written_once(tmp_path: Path) -> None:
    install(tmp_path, only=["filesystem"])
    welcome = home_of(tmp_path, "filesystem") / "files" / "welcome.txt"
    assert "Welcome" in welcome.read_text()
    welcome.write_text("mine")
    install(tmp_path, only=["filesystem"])
    assert welcome.read_text() == "mine"


@pytest.mark.parametrize(
    ("network", "slirp", "reason"),
    [
        ("none", None, None),
        ("internet", "/usr/bin/slirp4netns", None),
        ("internet", None, "it needs the internet, but would share this machine's network"),
    ],
)
def test_a_starter_reaches_the_internet_only_through_a_network_of_its_own(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    network: Literal["none", "internet"],
    slirp: str | None,
    reason: str | None,
) -> None:
    (starter,) = [replace(one, network=network) for one in load_starters() if one.name == "time"]
    monkeypatch.setattr(starters, "load_starters", lambda: [starter])
    found = replace(confinement(), slirp=slirp)
    monkeypatch.setattr(starters, "confinement", lambda: found)
    (result,) = install(tmp_path, only=["time"])
    assert (result.reason or "").partition(";")[0] == (reason or "")
    assert result.status == "skipped" or result.network == network


def test_a_starter_whose_interpreter_servers_cannot_reach_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Tried("landlock", True, "closed. What to do.", Confinement("landlock"))
    found = Confinement("landlock", python=None, tried=(tried,))
    monkeypatch.setattr(starters, "confinement", lambda: found)
    (result,) = install(tmp_path, only=["time"])
    assert (result.status, result.reason) == ("skipped", "closed. What to do.")
