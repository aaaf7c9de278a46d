"""Which names can be a part of a path, on Windows too, on which none of this was run."""

from __future__ import annotations

import os
import re
import socket
import stat
from pathlib import Path

import pytest

import quartermaster
from quartermaster.projects.guard import real_folder
from quartermaster.projects.opening import NotPlainError, name_problem, opened_folder
from tests.support.each import for_each
from tests.support.sql_files import files


@for_each(
    ["con", "NUL.txt", "aux.py", "COM1", "lpt9.log", "a.py:stream", "C:", "a.py.", "a.py ", "..."],
    repr,
)
def test_names_that_windows_reads_otherwise_are_refused_there(name: str):
    assert name_problem(name, on_windows=True)
    assert name_problem(name, on_windows=False) is None


@for_each(["..", "a\\b", "a\0b", "a\x7f", "\udc80", ".git", ".Git", ".git.", ".gi\u200dt"], repr)
def test_names_that_are_refused_everywhere(name: str):
    assert name_problem(name, on_windows=False)


@for_each([".gitignore", "console.py", "com10", "git", ".github", "a.git", "nul_", "ünï"], repr)
def test_other_names_are_allowed(name: str):
    assert name_problem(name, on_windows=True) is None


def test_a_walk_is_the_same_where_folders_cannot_be_opened(tmp_path: Path):
    root = real_folder(tmp_path)
    for path in ("a.py", "src/b.py", "src/deep/c.py", "left/d.py"):
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    (root / "src" / "link.py").symlink_to("/etc/passwd")
    (root / "out").symlink_to("/etc")
    walks: list[set[tuple[str, bool]]] = []
    for by_dir_fd in (True, False):
        found: set[tuple[str, bool]] = set()
        with opened_folder(root, [], by_dir_fd=by_dir_fd) as place:
            for step in place.walk():
                step.folders[:] = [name for name in step.folders if name != "left"]
                for name in step.files:
                    is_regular = stat.S_ISREG(step.place.look(name).st_mode)
                    assert is_regular == (name not in step.special)
                    found.add((f"{step.prefix}{name}", is_regular))
        walks.append(found)
    files = {("a.py", True), ("src/b.py", True), ("src/deep/c.py", True), ("src/link.py", False)}
    files.add(("out", False))
    assert walks == [files, files]


@pytest.mark.parametrize("by_dir_fd", [True, False])
def test_only_plain_files_and_folders_are_opened_and_the_reason_says_what_is_there(
    tmp_path: Path, by_dir_fd: bool, monkeypatch: pytest.MonkeyPatch
):
    root = real_folder(tmp_path)
    (root / "file").touch()
    (root / "folder").mkdir()
    (root / "link").symlink_to("file")
    os.mkfifo(root / "fifo")
    monkeypatch.chdir(root)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as listener:
        listener.bind("socket")
    reasons = dict[str, str]()
    with opened_folder(root, [], by_dir_fd=by_dir_fd) as place:
        os.close(place.open("file"))
        for name in ("folder", "link", "fifo", "socket"):
            with pytest.raises(NotPlainError) as refused:
                place.open(name)
            reasons[name] = str(refused.value)
    with (
        pytest.raises(NotPlainError) as refused,
        opened_folder(root, ["file"], by_dir_fd=by_dir_fd),
    ):
        pass
    assert reasons == {
        "folder": "a folder",
        "link": "a symbolic link",
        "fifo": "a FIFO",
        "socket": "a socket",
    }
    assert str(refused.value) == "a file, not a folder"


def test_windows_differs_in_one_module_only():
    packages = (Path(quartermaster.__file__).parent / "projects", *files("quartermaster_quality"))
    differs = re.compile(r"sys\.platform|os\.name\b|import fcntl|import winreg|if HAS_DIR_FD")
    found = {
        path.relative_to(package.parent).as_posix()
        for package in packages
        for path in package.rglob("*.py")
        if differs.search(path.read_text(encoding="utf-8"))
    }
    # The other one knows for which system mypy checks code.
    assert found == {"projects/opening.py", "quartermaster_quality/scanners/suppressions.py"}
