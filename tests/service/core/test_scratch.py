"""Temporary folders of a killed process are removed; those of running ones stay."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from quartermaster.core.scratch import Scratch, remove_left

_OWNER = """
import sys
from pathlib import Path
from quartermaster.core.scratch import Scratch
scratch = Scratch("scan")
Path(scratch.name, "source.py").write_text("secret = 1")
print(scratch.name, flush=True)
sys.stdin.read()
"""


@pytest.fixture(autouse=True)
def top(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", None)
    return tmp_path


def test_it_is_removed_at_its_end() -> None:
    with Scratch("git") as name:
        assert Path(name).name.startswith("qm-git-")
        Path(name, "file").touch()
    assert not Path(name).exists()


def test_that_of_a_killed_process_is_removed_and_that_of_a_running_one_stays(top: Path) -> None:
    owner = subprocess.Popen(
        [sys.executable, "-c", _OWNER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    assert owner.stdout is not None
    folder = Path(owner.stdout.readline().strip())
    assert remove_left() == []
    assert folder.is_dir()
    owner.kill()
    owner.communicate()
    assert folder.is_dir()
    assert remove_left() == [str(folder)]
    assert list(top.iterdir()) == []


def test_nothing_else_is_removed(top: Path) -> None:
    retained = top / "kept"
    retained.mkdir()
    (top / "qm-scan-file").touch()
    (top / "qm-scan-link").symlink_to(retained)
    (top / "qm-other-folder").mkdir()
    (top / "scan-folder").mkdir()
    before = set(top.rglob("*"))
    assert remove_left() == []
    assert set(top.rglob("*")) == before
