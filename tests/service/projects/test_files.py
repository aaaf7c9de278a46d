"""Which files of a folder without git belong to the project."""

from __future__ import annotations

import os
from pathlib import Path
from subprocess import run

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.files import project_files, walked
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


def test_with_git_the_files_are_what_git_would_add(tmp_path: Path):
    root = real_folder(tmp_path)
    put(root, "a.py", "src/b.py", "c.log", "untracked.py")
    (root / ".gitignore").write_text("*.log\n")
    (root / "link.py").symlink_to("/etc/passwd")
    assert project_files(Guard(root)) == walked(Guard(root))
    run(["git", "init", "-q", str(root)], check=True)
    run(["git", "-C", str(root), "add", "a.py", "src"], check=True)
    assert project_files(Guard(root)) == [".gitignore", "a.py", "src/b.py", "untracked.py"]
