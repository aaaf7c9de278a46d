"""Where files lie, and what a running server tells about itself."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.core.paths import (
    RunFile,
    data_dir,
    find_service,
    read_admin,
    remove_admin,
    runtime_dir,
    write_admin,
)

RUNNING = RunFile(url="http://127.0.0.1:8765", token="t", pid=os.getppid())


def test_an_explicit_directory_wins_over_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv("QM_DATA_DIR", str(tmp_path / "environment"))
    assert data_dir(tmp_path / "explicit") == tmp_path / "explicit"
    assert data_dir() == tmp_path / "environment"


def test_the_default_is_the_systems_for_root_and_the_users_for_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("QM_DATA_DIR", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    assert data_dir() == Path("/var/lib/quartermaster")
    monkeypatch.setattr(os, "geteuid", lambda: 1000)
    assert data_dir() == tmp_path / "quartermaster"


def test_the_runtime_directory_can_be_shared(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("QM_RUNTIME_DIR", raising=False)
    assert runtime_dir(tmp_path) == tmp_path / "runtime"
    monkeypatch.setenv("QM_RUNTIME_DIR", str(tmp_path / "shared"))
    assert runtime_dir(tmp_path) == tmp_path / "shared"


def test_a_run_file_is_private_and_reads_back(tmp_path: Path):
    RUNNING.write(tmp_path)
    assert stat.S_IMODE((tmp_path / "run.json").stat().st_mode) == 0o600
    assert RunFile.read(tmp_path) == RUNNING
    RunFile.remove(tmp_path)
    RunFile.remove(tmp_path)
    assert RunFile.read(tmp_path) is None


@pytest.mark.parametrize("text", ["", "{", "[]", '{"url": "x"}', "null"])
def test_a_damaged_run_file_counts_as_none(tmp_path: Path, text: str):
    (tmp_path / "run.json").write_text(text)
    assert RunFile.read(tmp_path) is None


def test_only_another_running_process_is_alive():
    assert RUNNING.is_alive()
    child = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    of_child = RunFile(url="", token="", pid=child.pid)
    assert of_child.is_alive()
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert not of_child.is_alive(), "killed, though not yet reaped"
    child.communicate()
    assert not of_child.is_alive()
    assert not RunFile(url="", token="", pid=os.getpid()).is_alive()


def test_the_administrators_dsn_is_private_and_not_in_the_run_file(tmp_path: Path):
    assert read_admin(tmp_path) is None
    RUNNING.write(tmp_path)
    write_admin(tmp_path, "postgresql://postgres:secret@h/d")
    assert stat.S_IMODE((tmp_path / "admin.json").stat().st_mode) == 0o600
    assert read_admin(tmp_path) == "postgresql://postgres:secret@h/d"
    assert "secret" not in (tmp_path / "run.json").read_text()
    remove_admin(tmp_path)
    remove_admin(tmp_path)
    assert read_admin(tmp_path) is None


def test_somebody_else_is_told_to_use_address_and_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def deny(*_: object, **__: object) -> str:
        raise PermissionError

    RUNNING.write(tmp_path)
    monkeypatch.setattr(Path, "read_text", deny)
    for read in (RunFile.read, read_admin, find_service):
        with pytest.raises(QmError) as caught:
            read(tmp_path)
        assert (caught.value.status, caught.value.slug) == (403, "data_dir_not_ours")
        assert "set QM_URL to" in caught.value.hint


def test_the_environment_names_a_service_unless_a_data_directory_is_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.delenv("QM_DATA_DIR", raising=False)
    monkeypatch.setenv("QM_URL", "https://qm.example/mcp")
    monkeypatch.setenv("QM_KEY", "qm_key")
    monkeypatch.setenv("QM_CA", "/authority.pem")
    assert find_service(None) == RunFile("https://qm.example", "qm_key", 0, "/authority.pem")
    assert find_service(tmp_path) is None
    RUNNING.write(tmp_path)
    assert find_service(tmp_path) == RUNNING
    monkeypatch.setenv("QM_DATA_DIR", str(tmp_path))
    assert find_service(None) == RunFile("https://qm.example", "qm_key", 0, "/authority.pem")
    monkeypatch.delenv("QM_URL")
    assert find_service(None) == replace(RUNNING, token="qm_key")
    assert find_service(tmp_path) == RUNNING
