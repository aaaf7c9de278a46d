"""Which packages are installed for a project: files are read, and nothing runs."""

from __future__ import annotations

import os
from pathlib import Path
from time import process_time

import pytest

from quartermaster.projects.guard import real_folder
from quartermaster.projects.packages import (
    imported_names,
    installed_state,
    module_files,
    packages_folder,
)


def put(path: Path, text: str = "") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


@pytest.fixture
def root(tmp_path: Path) -> Path:
    (tmp_path / "p").mkdir()
    return real_folder(tmp_path / "p")


def test_the_named_environment_comes_before_the_one_below_the_root(root: Path):
    assert packages_folder(root) is None
    put(root / ".venv" / "lib" / "python3.9" / "site-packages" / "a.py")
    put(root / ".venv" / "lib" / "python3.12" / "site-packages" / "a.py")
    own = root / ".venv" / "lib" / "python3.12" / "site-packages"
    assert packages_folder(root) == own
    named = root.parent / "env" / "lib" / "python3.11" / "site-packages"
    put(named / "x-1.dist-info" / "METADATA")
    assert packages_folder(root, named) == named
    assert packages_folder(root, root.parent / "env") == named
    assert packages_folder(root, root.parent / "nothing") == own


def test_an_environment_that_is_reached_through_a_link_is_none(root: Path):
    put(root.parent / "others" / "lib" / "python3.12" / "site-packages" / "a.py")
    (root / ".venv").symlink_to(root.parent / "others")
    assert packages_folder(root) is None
    assert packages_folder(root, root / ".venv") is None


def test_files_of_packages_and_stubs_are_read_and_links_are_not(root: Path):
    folder = root / "site-packages"
    put(folder / "flask" / "__init__.py")
    put(folder / "flask" / "py.typed")
    put(folder / "flask" / "data.json")
    put(folder / "flask-stubs" / "sub" / "app.pyi")
    put(folder / "six.py")
    put(folder / "other.py")
    put(root.parent / "secret.py", "TOKEN = 1")
    (folder / "flask" / "link.py").symlink_to(root.parent / "secret.py")
    (folder / "linked").symlink_to(root.parent)
    os.link(put(root.parent / "cache.py"), folder / "flask" / "hard.py")
    found = [content.path for content in module_files(folder, ["flask", "six", "linked"], 100)]
    assert sorted(found) == [
        *("flask-stubs/sub/app.pyi", "flask/__init__.py", "flask/hard.py", "flask/py.typed"),
        "six.py",
    ]
    assert len(list(module_files(folder, ["flask", "six"], 2))) == 2


def test_what_is_installed_has_a_state(root: Path):
    before = installed_state(root)
    info = put(root / "flask-3.dist-info" / "RECORD").parent
    after = installed_state(root)
    assert before != after == installed_state(root)
    os.utime(info, ns=(1, 1))
    assert installed_state(root) != after


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("import flask, jinja2.ext as j\n", {"flask", "jinja2"}),
        ("if x:\n    from flask.views import View\n", {"flask"}),
        ("from . import own\nimport os\n", set[str]()),
        ("important = 1\n", set[str]()),
    ],
)
def test_imports_are_seen_without_parsing(text: str, names: set[str]):
    assert imported_names(text.encode()) == names


@pytest.mark.parametrize("data", [b"\n" * 300_000, b"import a\n" + b" \n" * 300_000])
def test_very_many_empty_lines_are_read_at_once(data: bytes):
    started = process_time()
    assert imported_names(data) <= {"a"}
    assert process_time() - started < 2


def test_dots_are_no_names_of_packages():
    assert imported_names(b"import a, ., ..\nimport b, c.d as e\n\timport f\n") == {
        "a",
        "b",
        "c",
        "f",
    }
