"""The real starter upstreams: installed once, listed and called."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import mcp_types as types
import pytest

from quartermaster import api
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.service import Service
from quartermaster.starter import install as starters
from quartermaster.starter.catalog import Starter, load_starters
from quartermaster.starter.install import (
    Installer,
    StarterResult,
    former_starters,
    register_starter,
    unregistered_starters,
)
from quartermaster.upstream.confinement import (
    Confinement,
    Folder,
    SandboxProfile,
    Tried,
    confinement,
    home_of,
    user_of,
)
from quartermaster.upstream.spec import OriginSpec
from quartermaster.upstream.supervisor import Supervisor
from tests.support.upstreams import starter_cache
from tests.support.waiting import wait_until

CALLS: dict[str, tuple[str, dict[str, Any], str]] = {
    "time": ("get_current_time", {"timezone": "Asia/Tokyo"}, "Asia/Tokyo"),
    "calculator": ("calculate", {"expression": "17 / 100 * 2349"}, "399.33"),
    "git": ("git_status", {"repo_path": "REPOSITORY"}, "nothing to commit"),
    "filesystem": ("read_text_file", {"path": "HOME/files/welcome.txt"}, "Welcome"),
    "memory": ("read_graph", {}, "entities"),
}


def install(data_dir: Path, only: Sequence[str] | None = None) -> list[StarterResult]:
    return Installer(data_dir, starter_cache()).install(only=only)


@pytest.mark.parametrize("link", ["files", "files/welcome.txt"])
def test_the_files_of_a_starter_are_not_written_through_its_links(
    tmp_path: Path, link: str
) -> None:
    """The starter may change its home, and the service may write where the starter may not."""
    home, outside = home_of(tmp_path / "data", "filesystem"), tmp_path / "outside"
    outside.mkdir()
    (home / link).parent.mkdir(parents=True)
    (home / link).symlink_to(outside if link == "files" else outside / "welcome.txt")
    install(tmp_path / "data", only=["filesystem"])
    assert list(outside.iterdir()) == []


def spec_of(result: StarterResult, data_dir: Path) -> OriginSpec:
    granted = (*result.folders, str(data_dir / "repo"))
    profile = SandboxProfile(
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
        profile=profile,
    )


def make_repository(folder: Path) -> None:
    author = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", "init", "-q", folder], check=True)
    commit = ["git", "-C", folder, *author, "commit", "-q", "--allow-empty", "-m", "x"]
    subprocess.run(commit, check=True)
    if os.geteuid() == 0:
        # The server, which is a user of its own then, trusts only a repository of that user.
        subprocess.run(["chown", "-R", str(user_of(1)), folder], check=True)


def _cut_off(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No registry can be reached, and nothing is kept from before."""
    closed = "http://127.0.0.1:9/"
    for name in ("PIP_INDEX_URL", "npm_config_registry"):
        monkeypatch.setenv(name, closed)
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    monkeypatch.setenv("PIP_NO_CACHE_DIR", "1")
    monkeypatch.setenv("npm_config_cache", str(tmp_path / "npm"))


def filled(value: Any, data_dir: Path) -> Any:
    if not isinstance(value, str):
        return value
    home = str(home_of(data_dir / "data", "filesystem"))
    return value.replace("HOME", home).replace("REPOSITORY", str(data_dir / "repo"))


@pytest.mark.anyio
async def test_fetch_reaches_no_address_of_this_machine(
    supervisor: Supervisor, tmp_path: Path
) -> None:
    (result,) = install(tmp_path / "data", only=["fetch"])
    if not confinement().has_own_network:
        assert result.reason == "it would share this machine's network"
        return
    assert result.status != "skipped", result.reason
    assert result.network == "internet"
    spec = spec_of(result, tmp_path)
    listing = await supervisor.list_tools(spec)
    assert [definition["name"] for definition in listing.tools] == ["fetch"]
    with socket.create_server(("127.0.0.1", 0)) as ours:
        url = f"http://127.0.0.1:{ours.getsockname()[1]}/"
        answer = await supervisor.call(spec, "fetch", {"url": url})
    assert isinstance(answer, types.CallToolResult)
    assert answer.is_error


@pytest.mark.anyio
@pytest.mark.parametrize(
    "name", [starter.name for starter in load_starters() if starter.network == "none"]
)
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
    report: list[StarterResult] = []
    (result,) = Installer(tmp_path).install(report.append, only=["memory"])
    assert result.status == "skipped"
    assert result.reason == "npm (Node.js) is not installed"
    assert result.remedy == "qm up", "no program that installs it is known here"
    assert result.command == ()
    assert report == [result]


def test_the_remedy_for_a_missing_program_is_the_command_of_this_machine(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manager = tmp_path / "bin" / "apt-get"
    manager.parent.mkdir()
    manager.touch(0o755)
    monkeypatch.setenv("PATH", str(manager.parent))
    (result,) = Installer(tmp_path).install(only=["memory"])
    assert str(result.remedy).endswith("apt-get install npm")


def test_a_registry_without_a_network_is_asked_once_and_delays_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[socket.socket] = []
    _cut_off(tmp_path, monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{silent.getsockname()[1]}/")
        report: list[StarterResult] = []
        installer = Installer(tmp_path)
        thread = threading.Thread(target=installer.install, args=[report.append])
        thread.start()
        # The registry of the others answers nothing, and does not end the connection, either.
        asked.append(silent.accept()[0])
        of_pypi = [each.name for each in load_starters() if each.registry == "pypi"]
        assert wait_until(lambda: len(report) == len(of_pypi))
    assert [each.name for each in report] == of_pypi
    assert {each.reason for each in report[:3]} == {"no network: PyPI cannot be reached"}
    for connection in asked:
        connection.close()
    installer.stop()
    thread.join()
    assert {each.status for each in report} == {"skipped"}
    assert len(report) == len(load_starters())


def test_the_end_of_the_service_ends_an_installation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _cut_off(tmp_path, monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/")
        monkeypatch.setenv("PIP_DEFAULT_TIMEOUT", "300")
        installer = Installer(tmp_path)
        with ThreadPoolExecutor() as pool:
            installing = pool.submit(installer.install, only=["time", "git"])
            connection, _ = silent.accept()
            with connection:
                installer.stop()
                results = installing.result(timeout=30)
    assert {each.status for each in results} == {"skipped"}
    assert results[1].reason == "the service stops"


def test_a_server_that_is_no_starter_any_more_is_named_once(tmp_path: Path) -> None:
    registered = tmp_path / "starters.json"
    assert former_starters(tmp_path) == []
    registered.write_text(json.dumps({"time": ["t"], "everything": ["node", "e.js"]}))
    assert former_starters(tmp_path) == ["everything"]
    assert former_starters(tmp_path) == []
    assert json.loads(registered.read_text()) == {"time": ["t"]}


def test_a_data_directory_may_be_a_symbolic_link(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    (result,) = Installer(tmp_path / "link").install(only=["memory"])
    assert result.status == "installed", result.reason


def test_broken_off_or_outdated_installation_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "upstreams" / "memory"
    folder.mkdir(parents=True)
    (folder / "left-over").touch()
    (folder / "installed.json").write_text(json.dumps({"version": "1"}))
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    Installer(tmp_path).install(only=["memory"])
    assert not (folder / "left-over").exists()
    assert not (folder / "installed.json").exists()


def test_welcome_file_is_written_once(tmp_path: Path) -> None:
    install(tmp_path, only=["filesystem"])
    welcome = home_of(tmp_path, "filesystem") / "files" / "welcome.txt"
    assert "Welcome" in welcome.read_text()
    welcome.write_text("mine")
    install(tmp_path, only=["filesystem"])
    assert welcome.read_text() == "mine"


@pytest.mark.anyio
async def test_what_the_user_has_removed_or_has_already_does_not_come_back_with_a_new_version(
    service: Service,
) -> None:
    async def registered(version: int) -> list[str]:
        installed = [
            StarterResult(name, "", "installed", command=(f"/{version}/bin/mcp-server-{name}",))
            for name in ("git", "fetch", "memory", "time")
        ]
        return [one.name for one in installed if await register_starter(service, one)]

    local = await service.database.find_principal(LOCAL_PRINCIPAL)
    # The user's own server `time` is in the catalog.
    assert await registered(1) == ["git", "fetch", "memory"]
    await service.database.call(api.remove_origin(name="git"), local)
    own = {"name": "mine", "transport": "stdio", "command": ["uvx", "mcp-server-fetch"]}
    await service.database.call(api.add_origin(**own), local)

    assert await registered(2) == ["memory"]

    listed = await service.database.call(api.list_origins(), local)
    assert {row["name"] for row in listed} & {"git", "fetch", "mine"} == {"mine"}
    assert unregistered_starters(service.data_dir) == [
        starter.name
        for starter in load_starters()
        if starter.name not in {"git", "fetch", "memory", "time"}
    ]


@pytest.mark.parametrize(
    ("network", "slirp", "reason"),
    [
        ("none", None, None),
        ("internet", "/usr/bin/slirp4netns", None),
        ("internet", None, "it would share this machine's network"),
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


@pytest.mark.parametrize(
    ("kind", "installed", "remedy"),
    [
        ("bwrap", None, "apt-get install slirp4netns"),
        ("bwrap", "/usr/bin/slirp4netns", "qm doctor"),
        ("landlock", None, "qm doctor"),
    ],
)
def test_slirp4netns_is_only_advised_where_it_would_help(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    kind: Literal["bwrap", "landlock"],
    installed: str | None,
    remedy: str,
) -> None:
    programs = {"slirp4netns": installed, "apt-get": "/usr/bin/apt-get"}
    monkeypatch.setattr(starters.shutil, "which", programs.get)
    found = replace(confinement(), kind=kind, slirp=None)
    monkeypatch.setattr(starters, "confinement", lambda: found)
    (result,) = install(tmp_path, only=["fetch"])
    assert (result.remedy or "").removeprefix("sudo ") == remedy


def test_a_starter_whose_interpreter_servers_cannot_reach_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = Tried("landlock", True, "closed. What to do.", Confinement("landlock"))
    found = Confinement("landlock", python=None, tried=(tried,))
    monkeypatch.setattr(starters, "confinement", lambda: found)
    (result,) = install(tmp_path, only=["time"])
    assert (result.status, result.reason) == ("skipped", "closed. What to do.")
