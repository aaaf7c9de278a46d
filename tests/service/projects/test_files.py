"""Which files of a folder belong to the project."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.files import walked
from quartermaster.projects.guard import Guard, real_folder


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
    assert walked(Guard(root)) == [
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
        walked(Guard(root), limit=2)
    assert caught.value.slug == "project_too_large"
