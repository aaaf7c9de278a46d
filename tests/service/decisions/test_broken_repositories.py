"""`qm decisions ingest` on broken repositories: a clear error, or what can be read."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from quartermaster.core.errors import QmError
from quartermaster.decisions import mining_cli


def git(root: Path, *arguments: str, fails: bool = False) -> str:
    who = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "protocol.file.allow=always",
    ]
    done = subprocess.run(["git", *who, *arguments], cwd=root, check=not fails, capture_output=True)
    return done.stdout.decode().strip()


def commit(root: Path, name: bytes, content: bytes) -> None:
    (root / os.fsdecode(name)).write_bytes(content)
    git(root, "add", ".")
    git(root, "commit", "-qm", "A commit")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    root = tmp_path / "shop"
    root.mkdir()
    git(root, "init", "-q", "-b", "main")
    for number in range(3):
        commit(root, f"page_{number}.py".encode(), b"import shop\n")
    return root


def ingest(root: Path, data: Path, capsys: pytest.CaptureFixture[str]) -> list[Any]:
    """The candidates of a dry run, which needs no database."""
    capsys.readouterr()
    mining_cli.ingest_command(root, dry_run=True, json=True, data_dir=data)
    return json.loads(capsys.readouterr().out)["candidates"]


def shallow(root: Path) -> Path:
    copy = root.parent / "copy"
    git(root.parent, "clone", "-q", "--depth", "1", root.as_uri(), str(copy))
    return copy


def submodule(root: Path) -> Path:
    git(root, "submodule", "add", "-q", root.as_uri(), "inner")
    git(root, "commit", "-qm", "A submodule")
    return root


def invalid_text(root: Path) -> Path:
    commit(root, b"caf\xe9.py", b"# caf\xe9 \x00\nimport shop\n")
    return root


def merging(root: Path) -> Path:
    git(root, "checkout", "-q", "-b", "other", "HEAD~1")
    commit(root, b"page_0.py", b"import other\n")
    git(root, "checkout", "-q", "main")
    commit(root, b"page_0.py", b"import main\n")
    git(root, "merge", "-q", "other", fails=True)
    assert (root / ".git" / "MERGE_HEAD").exists()
    return root


@pytest.mark.parametrize("broken", [shallow, submodule, invalid_text, merging])
def test_a_repository_that_can_be_read(
    broken: Callable[[Path], Path],
    shop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    root = broken(shop)
    before = git(root, "status", "--porcelain")
    assert ingest(root, tmp_path / "data", capsys) == []
    assert git(root, "status", "--porcelain") == before


def test_a_rewritten_history(shop: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    ingest(shop, tmp_path / "data", capsys)
    git(shop, "reset", "-q", "--hard", "HEAD~2")
    commit(shop, b"new.py", b"import new\n")
    git(shop, "reflog", "expire", "--expire=now", "--all")
    git(shop, "gc", "-q", "--prune=now")
    assert ingest(shop, tmp_path / "data", capsys) == []


def empty(root: Path) -> Path:
    fresh = root.parent / "empty"
    fresh.mkdir()
    git(fresh, "init", "-q")
    return fresh


def below(root: Path) -> Path:
    (root / "folder").mkdir()
    return root / "folder"


def outside(root: Path) -> Path:
    pointer = root.parent / "pointer"
    pointer.mkdir()
    (pointer / ".git").write_text(f"gitdir: {root / '.git'}\n")
    return pointer


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (empty, "commit"),
        (below, "is not the top folder of a git repository"),
        (outside, "which does not belong to it"),
    ],
)
def test_a_repository_that_cannot_be_read(
    broken: Callable[[Path], Path],
    said: str,
    shop: Path,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
):
    root = broken(shop)
    with pytest.raises(QmError, match=said):
        ingest(root, tmp_path / "data", capsys)
    assert not list((tmp_path / "data").rglob("*.sqlite*"))
