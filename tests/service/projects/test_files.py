"""Which files of a folder belong to the project."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import ProjectFileAccess, real_folder
from quartermaster.projects.project_files import walk


def put(root: Path, *paths: str) -> None:
    for path in paths:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text("")


def test_ignored_files_links_and_what_tools_make_are_left_out(tmp_path: Path):
    root = real_folder(tmp_path)
    put(root, "a.py", "src/b.py", "src/c.log", "src/keep.log", "build/out.py", "build/x/y.py")
    put(root, ".git/config", "node_modules/m/i.js", "src/__pycache__/b.pyc", ".env")
    (root / ".gitignore").write_text("*.log\n/build/\n")
    (root / "src" / ".gitignore").write_text("!keep.log\n/b.txt\n")
    put(root, "b.txt", "src/b.txt")
    (root / "link.py").symlink_to("/etc/passwd")
    (root / "out").symlink_to("/etc")
    os.mkfifo(root / "pipe")
    assert list(walk(ProjectFileAccess(root)).files) == [
        ".env",
        ".gitignore",
        "a.py",
        "b.txt",
        "src/.gitignore",
        "src/b.py",
        "src/keep.log",
    ]


def test_too_many_files_are_refused(tmp_path: Path):
    root = real_folder(tmp_path)
    put(root, "a", "b", "c")
    with pytest.raises(QmError) as caught:
        walk(ProjectFileAccess(root), limit=2)
    assert caught.value.slug == "project_too_large"


def test_folders_that_are_not_read_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    root = real_folder(tmp_path)
    deep = "/".join(["d"] * 65)
    put(root, "a.py", "shut/b.py", "build/c.py", f"{deep}/e.py")
    (root / ".gitignore").write_text("build\n")
    opened = os.open

    # To root, no folder is shut.
    def refuse(path: str, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path in {"shut", "build"}:
            raise PermissionError(errno.EACCES, "Permission denied")
        return opened(path, flags, mode, dir_fd=dir_fd)

    monkeypatch.setattr(os, "open", refuse)
    found = walk(ProjectFileAccess(root))
    assert list(found.files) == [".gitignore", "a.py"]
    assert found.refused == {
        "shut/": "it may not be read",
        f"{deep}/": "it is in more than 64 folders",
    }


def test_files_with_names_that_are_not_read_are_told(tmp_path: Path):
    root = real_folder(tmp_path)
    (root / ".gitignore").write_text("*.log\n")
    put(root, "a.py", "b\n.py", "in\\side/c.py", "in\\side/\x1b.log", ".git/d.py", "sub/.git")
    put(root, os.fsdecode(b"\xff.py"))
    found = walk(ProjectFileAccess(root))
    assert list(found.files) == [".gitignore", "a.py"]
    assert found.refused == {
        "b\n.py": "it contains a control character",
        "in\\side/c.py": "it contains a backslash; separate folders by '/'",
        "\udcff.py": "it is not valid Unicode",
    }
