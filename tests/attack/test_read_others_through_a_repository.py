"""Whoever writes a repository makes the service read the files and the history of others by it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from itertools import islice
from pathlib import Path
from time import monotonic

import pytest

from quartermaster.core import confined_reader
from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster_quality.baseline import changed_files, committed
from quartermaster_quality.impact import impact
from quartermaster_quality.imports import ImportIndex
from tests.service.projects.test_git import git, make_repository

SECRET = "a-line-of-the-administrators-token"
MISSING = "0123456789" * 4
COPIES = "copies"
"""Where nothing confines git."""
_SEEN = 8
# Git waited 120 s for each file.
_LONGEST_S = 60

_SWAP = """
import os, random, sys
place, other = sys.argv[1:]
print("ready", flush=True)
def stay():
    for _ in range(random.randrange(5_000)):
        pass
while True:
    stay()
    os.rename(place, place + ".kept")
    os.symlink(other, place)
    stay()
    os.unlink(place)
    os.rename(place + ".kept", place)
"""


@pytest.fixture(params=[*confined_reader.CONFINEMENTS, COPIES])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Each way to confine git, and none."""
    found = None if request.param == COPIES else confined_reader.try_way(request.param)
    assert found is not None or request.param == COPIES
    monkeypatch.setattr(confined_reader, "way", lambda: found)
    return request.param


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "mallory")


@pytest.fixture
def other(tmp_path: Path) -> Path:
    """The repository of another user, which the service can read."""
    folder = make_repository(tmp_path / "other")
    (folder / "hidden.py").write_text(f"x = '{SECRET}'\n", encoding="utf-8")
    git(folder, "add", "-A")
    git(folder, "commit", "-q", "-m", SECRET)
    return folder


@pytest.fixture
def secret(tmp_path: Path) -> Path:
    path = tmp_path / "admin.json"
    # Of long words, their beginning was passed on.
    path.write_text(f"{SECRET}\n" * 60, encoding="utf-8")
    return path


def report(root: Path) -> str:
    """Returns all that a caller learns from a repository, errors included."""
    words: list[str] = []
    with suppress(FileNotFoundError):
        words.append(repr(changed_files(ProjectFileAccess(root))))
    for ask in (
        lambda: committed(root, "app.py", "main"),
        lambda: changed_files(ProjectFileAccess(root), "HEAD"),
        lambda: impact(ProjectFileAccess(root), ImportIndex(ProjectFileAccess(root)), "app.py"),
        lambda: _history(root),
    ):
        try:
            words.append(repr(ask()))
        except QmError as error:
            words.append(f"{error!r} {error} {error.__cause__!r}")
    return "\n".join(words)


def _history(root: Path) -> list[object]:
    with open_repository(root) as found:
        entries = list(found.tree(str(found.head)))
        blobs = list(found.blobs(entry.blob for entry in entries))
        return [entries, blobs, found.read("log", "-p", "--format=%B", str(found.head))]


def alternates(root: Path, secret: Path) -> None:
    """What git quotes of a list of folders that is none."""
    folder = root / "lent"
    (folder / "info").mkdir(parents=True)
    (folder / "info" / "alternates").symlink_to(secret)
    (root / ".git" / "objects" / "info" / "alternates").write_text(f"{folder}\n")
    (root / ".git" / "refs" / "heads" / "main").write_text(f"{MISSING}\n")


def link(name: str) -> Callable[[Path, Path], None]:
    def prepare(root: Path, secret: Path) -> None:
        path = root / ".git" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.symlink_to(secret)

    return prepare


QUOTED: dict[str, Callable[[Path, Path], None]] = {
    "alternates of alternates": alternates,
    **{
        f"a link {name}": link(name)
        for name in (
            *("shallow", "packed-refs", "HEAD", "refs/heads/main", "commondir", "config"),
            *("info/exclude", "info/grafts", "objects/info/alternates", "objects/info/packs"),
            *("objects/info/commit-graph", "objects/pack/multi-pack-index", "index"),
        )
    },
}


@pytest.mark.parametrize("name", QUOTED)
def test_no_line_of_a_file_of_the_service_is_quoted(
    name: str, root: Path, secret: Path, way: str
) -> None:
    QUOTED[name](root, secret)
    assert SECRET not in report(root)


def linked_objects(root: Path, other: Path) -> None:
    (root / ".git" / "objects").rename(root / "kept")
    (root / ".git" / "objects").symlink_to(other / ".git" / "objects")


def linked_packs(root: Path, other: Path) -> None:
    git(other, "gc", "-q")
    for path in (root / ".git" / "objects" / "pack").iterdir():
        path.unlink()
    (root / ".git" / "objects" / "pack").rmdir()
    (root / ".git" / "objects" / "pack").symlink_to(other / ".git" / "objects" / "pack")


def linked_files(root: Path, other: Path) -> None:
    for path in (other / ".git" / "objects").glob("??/*"):
        here = root / ".git" / "objects" / path.parent.name
        here.mkdir(exist_ok=True)
        with suppress(FileExistsError):
            (here / path.name).symlink_to(path)


def lent_objects(root: Path, other: Path) -> None:
    lent = f"{other / '.git' / 'objects'}\n"
    (root / ".git" / "objects" / "info" / "alternates").write_text(lent)


def common_folder(root: Path, other: Path) -> None:
    (root / ".git" / "commondir").write_text(f"{other / '.git'}\n")


def git_file(root: Path, other: Path) -> None:
    (root / ".git").rename(root / "kept")
    (root / ".git").write_text(f"gitdir: {other / '.git'}\n")


def false_worktree(root: Path, other: Path) -> None:
    """A folder that looks like one of the other's working trees, beside the project."""
    own = root.parent / "false" / "worktrees" / "w"
    own.mkdir(parents=True)
    (own / "commondir").write_text(f"{other / '.git'}\n")
    (own / "gitdir").write_text(f"{root / '.git'}\n")
    (own / "HEAD").write_text("ref: refs/heads/main\n")
    (root / ".git").rename(root / "kept")
    (root / ".git").write_text(f"gitdir: {own}\n")


def linked_git_folder(root: Path, other: Path) -> None:
    (root / ".git").rename(root / "kept")
    (root / ".git").symlink_to(other / ".git")


def linked_root(root: Path, other: Path) -> None:
    root.rename(root.with_name("kept"))
    root.symlink_to(other)


FOREIGN = {
    each.__name__: each
    for each in (
        *(linked_objects, linked_packs, linked_files, lent_objects, common_folder, git_file),
        *(false_worktree, linked_git_folder, linked_root),
    )
}


@pytest.mark.parametrize("name", FOREIGN)
def test_the_history_of_others_is_not_shown(name: str, root: Path, other: Path, way: str) -> None:
    head = git(other, "rev-parse", "HEAD")
    (root / ".git" / "refs" / "heads" / "main").write_text(f"{head}\n")
    FOREIGN[name](root, other)
    said = report(root)
    assert SECRET not in said
    assert "hidden.py" not in said


@contextmanager
def swapping(place: Path, other: Path) -> Generator[None]:
    """Provides a process that puts a link to something else in a place, and takes it away, for
    ever.
    """
    words = [sys.executable, "-c", _SWAP, str(place), str(other)]
    with subprocess.Popen(words, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield
        finally:
            process.kill()


@pytest.mark.parametrize("part", [".git/objects", ".git", ""])
def test_what_is_swapped_for_a_link_meanwhile_shows_nothing(
    part: str, root: Path, other: Path, way: str
) -> None:
    head = git(other, "rev-parse", "HEAD")
    read = refused = 0
    with swapping(root / part if part else root, other / part if part else other):
        while min(read, refused) < _SEEN:
            try:
                with open_repository(root) as found:
                    assert found.head != head
                    found.read("log", "-p", str(found.head))
                    read += 1
                    assert SECRET.encode() not in found.read("log", "-p", head)
            except QmError:
                refused += 1


@pytest.mark.parametrize(
    "name",
    [
        *(".gitignore", "part/.gitignore", ".gitattributes", ".git/HEAD", ".git/index"),
        *(".git/config", ".git/packed-refs", ".git/shallow", ".git/info/exclude"),
        *(".git/refs/heads/main", ".git/commondir", ".git/objects/info/alternates"),
    ],
)
def test_a_fifo_holds_nobody_up(
    name: str, root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quartermaster.projects.git.STALLED_S", 0.4)
    path = root / name
    path.parent.mkdir(exist_ok=True)
    path.unlink(missing_ok=True)
    os.mkfifo(path)
    begun = monotonic()
    report(root)
    assert monotonic() - begun < _LONGEST_S


def test_nothing_is_sent_by_hooks_that_are_links(root: Path, way: str) -> None:
    """What git never opens may be a link: many people share their hooks."""
    hooks = root / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "pre-commit").symlink_to("/bin/sh")
    with open_repository(root) as found:
        assert found.read("rev-list", "--count", str(found.head)).strip() == b"3"


def test_a_tree_of_endless_files_is_refused(
    root: Path, way: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("quartermaster.projects.git.MOST_FILES", 2000)
    blob = git(root, "rev-parse", "HEAD:app.py")
    tree, made = f"100644 blob {blob}\tf", ""
    for _ in range(10):
        made = subprocess.run(
            ["git", "mktree"],
            cwd=root,
            input="".join(f"{tree}{number}\n" for number in range(10)),
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        tree = f"040000 tree {made}\td"
    bomb = git(root, "commit-tree", made, "-m", "bomb")
    with open_repository(root) as found:
        files = found.tree(bomb)
        assert sum(1 for _ in islice(files, 2000)) == 2000
        with pytest.raises(QmError, match="git_output_too_large"):
            next(files)
