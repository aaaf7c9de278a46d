"""What `qm up` says when it ends; tests/e2e shows how it runs."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from quartermaster.cli import up
from quartermaster.doors.http import app as http_app


async def _served(*_: object, **__: object) -> None:
    return None


def _nothing(*_: object, **__: object) -> None:
    return None


def test_the_command_that_starts_again_has_the_options_that_were_given(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(http_app, "up", _served)
    for name in ("leave_root", "open_store", "warn_of_lock", "stop_as_by_ctrl_c", "_start_log"):
        monkeypatch.setattr(up, name, _nothing)
    (tmp_path / "my settings.yaml").write_text("")
    monkeypatch.chdir(tmp_path)
    options = ["--data-dir", "data", "--settings", "my settings.yaml", "--port", "0"]
    said = CliRunner().invoke(up.noun, [*options, "--no-starter", "--log"])
    assert said.exit_code == 0, said.output
    printed = said.stdout.splitlines()[-1]
    assert shlex.split(printed) == [
        f"QM_DATA_DIR={tmp_path / 'data'}",
        "qm",
        "up",
        "--port=0",
        f"--settings={tmp_path / 'my settings.yaml'}",
        "--no-starter",
        "--log",
    ]
