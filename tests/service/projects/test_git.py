"""Reading hostile repositories: each would drop a marker file if something of it ran."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository


def git(folder: Path, *arguments: str) -> str:
    """Plain git, as its author would run it."""
    env = os.environ | {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1"}
    names = [
        "-c",
        "user.name=A",
        "-c",
        "user.email=a@example.org",
        "-c",
        "protocol.file.allow=always",
    ]
    done = subprocess.run(
        ["git", *names, *arguments],
        cwd=folder,
        env=env,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=20,
    )
    return done.stdout.strip()


def make_repository(folder: Path) -> Path:
    folder.mkdir(parents=True)
    git(folder, "init", "-q", "-b", "main")
    for number in range(3):
        (folder / "app.py").write_text(f"x = {number}\n", encoding="utf-8")
        (folder / "data.bin").write_bytes(b"\x00" + bytes([number]))
        git(folder, "add", "-A")
        git(folder, "commit", "-q", "-m", f"Change {number}\n\nBecause of {number}.")
    return folder


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    return make_repository(tmp_path / "victim")


@pytest.fixture
def marker(tmp_path: Path) -> Path:
    return tmp_path / "MARKER"


@pytest.fixture
def program(tmp_path: Path, marker: Path) -> Path:
    path = tmp_path / "evil.sh"
    path.write_text(f"#!/bin/sh\ntouch {marker}\nexit 1\n", encoding="utf-8")
    path.chmod(0o755)
    return path


def read_everything(root: Path) -> None:
    """Uses every function that reads."""
    with open_repository(root) as found:
        assert found.head is not None
        found.commit("HEAD~1")
        found.commit("main")
        entries = list(found.tree(found.head))
        assert dict(found.blobs(entry.blob for entry in entries))
        found.read("log", "-p", "--numstat", "-z", "--format=%H%n%B", found.head)
        found.read("diff-tree", "-p", "-r", found.head)
        found.read("rev-list", "--count", found.head)
        found.working_files()


def config(*lines: tuple[str, str]) -> Callable[[Path, Path], None]:
    def prepare(root: Path, program: Path) -> None:
        for key, value in lines:
            git(root, "config", key, value.replace("EVIL", str(program)))

    return prepare


def attributes(text: str, *lines: tuple[str, str]) -> Callable[[Path, Path], None]:
    def prepare(root: Path, program: Path) -> None:
        config(*lines)(root, program)
        (root / ".gitattributes").write_text(text, encoding="utf-8")
        info = root / ".git" / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(text, encoding="utf-8")
        (root / "app.py").write_text("x = 'changed'\n", encoding="utf-8")

    return prepare


def hooks(root: Path, program: Path) -> None:
    folder = root / ".git" / "hooks"
    folder.mkdir(exist_ok=True)
    for name in ("post-index-change", "post-checkout", "reference-transaction", "pre-auto-gc"):
        (folder / name).symlink_to(program)
    git(root, "config", "core.hooksPath", str(folder))


def included(root: Path, program: Path) -> None:
    (root / "more.ini").write_text(f"[core]\nfsmonitor = {program}\npager = {program}\n")
    git(root, "config", "include.path", "../more.ini")


def pth_file(root: Path, program: Path) -> None:
    for name in ("evil.pth", "sitecustomize.py", "conftest.py", "usercustomize.py"):
        (root / name).write_text(f"import os; os.system('{program}')\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Plugins")


def plugin_of_tools(root: Path, program: Path) -> None:
    (root / "plugin.py").write_text(f"import os; os.system('{program}')\n", encoding="utf-8")
    (root / "mypy.ini").write_text("[mypy]\nplugins = plugin.py\n", encoding="utf-8")
    (root / "setup.py").write_text(f"import os; os.system('{program}')\n", encoding="utf-8")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Plugins")


def lazily_fetched(root: Path, program: Path) -> None:
    """A partial clone, whose missing blob would be fetched with a program."""
    blob = git(root, "rev-parse", "HEAD~1:app.py")
    (root / ".git" / "objects" / blob[:2] / blob[2:]).unlink()
    config(
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", "ext::EVIL"),
        ("protocol.ext.allow", "always"),
    )(root, program)


HOSTILE: dict[str, Callable[[Path, Path], None]] = {
    "file-system monitor": config(("core.fsmonitor", "EVIL")),
    "textconv": attributes("* diff=evil\n", ("diff.evil.textconv", "EVIL")),
    "external diff": attributes(
        "* diff=evil\n", ("diff.evil.command", "EVIL"), ("diff.external", "EVIL")
    ),
    "hooks": hooks,
    "filters": attributes(
        "* filter=evil\n",
        ("filter.evil.clean", "EVIL"),
        ("filter.evil.smudge", "EVIL"),
        ("filter.evil.process", "EVIL"),
    ),
    "pager": config(
        ("core.pager", "EVIL"),
        ("pager.log", "EVIL"),
        ("pager.rev-parse", "EVIL"),
        ("pager.ls-tree", "EVIL"),
        ("color.ui", "always"),
    ),
    "aliases": config(
        ("alias.log", "!EVIL"), ("alias.ls-tree", "!EVIL"), ("alias.rev-parse", "!EVIL")
    ),
    "included configuration": included,
    "ssh command": config(
        ("core.sshCommand", "EVIL"),
        ("core.gitProxy", "EVIL"),
        ("core.askPass", "EVIL"),
        ("credential.helper", "EVIL"),
    ),
    "signatures": config(("log.showSignature", "true"), ("gpg.program", "EVIL")),
    "lazy fetch": lazily_fetched,
    "start-up files of Python": pth_file,
    "plugins of tools": plugin_of_tools,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_of_a_hostile_repository_runs(
    name: str, repository: Path, program: Path, marker: Path
):
    HOSTILE[name](repository, program)
    marker.unlink(missing_ok=True)
    if name == "lazy fetch":
        with open_repository(repository) as found, pytest.raises(QmError, match="git_failed"):
            found.read("log", "-p", str(found.head))
    else:
        read_everything(repository)
    assert not marker.exists()


@pytest.mark.parametrize("name", ["file-system monitor", "textconv", "filters", "lazy fetch"])
def test_plain_git_would_have_run_it(name: str, repository: Path, program: Path, marker: Path):
    HOSTILE[name](repository, program)
    marker.unlink(missing_ok=True)
    for command in (["status"], ["diff", "HEAD"], ["log", "-p"]):
        git(repository, *command)
    assert marker.exists()


def test_a_git_folder_of_another_repository_is_refused(tmp_path: Path):
    other = make_repository(tmp_path / "other")
    for name in ("link", "file"):
        project = tmp_path / name
        project.mkdir()
        if name == "link":
            (project / ".git").symlink_to(other / ".git")
        else:
            (project / ".git").write_text(f"gitdir: {other / '.git'}\n", encoding="utf-8")
        with pytest.raises(QmError, match="git_folder_outside"), open_repository(project):
            pass


def test_a_worktree_is_read(repository: Path, tmp_path: Path):
    git(repository, "worktree", "add", "-q", str(tmp_path / "tree"), "-b", "other")
    with open_repository(tmp_path / "tree") as found:
        assert found.head == git(repository, "rev-parse", "HEAD")


def test_a_folder_inside_a_repository_is_not_its_top(repository: Path):
    (repository / "part").mkdir()
    with pytest.raises(QmError, match="repository_not_found"), open_repository(repository / "part"):
        pass


def test_a_repository_without_commits_has_no_head(tmp_path: Path):
    git(tmp_path, "init", "-q")
    with open_repository(tmp_path) as found:
        assert found.head is None


def test_a_shallow_clone_says_so_and_is_read(repository: Path, tmp_path: Path):
    git(tmp_path, "clone", "-q", "--depth", "1", f"file://{repository}", "shallow")
    with open_repository(tmp_path / "shallow") as found:
        assert found.is_shallow
        assert found.read("rev-list", "--count", str(found.head)).strip() == b"1"


@pytest.mark.root_only
@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="needs root to give files away")
def test_a_repository_of_another_user_says_how_to_allow_it(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    for path in (repository, repository / ".git"):
        os.chown(path, 12345, 12345)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(QmError, match=r"safe\.directory") as caught, open_repository(repository):
        pass
    assert caught.value.slug == "repository_of_another_user"
    (tmp_path / ".gitconfig").write_text(f"[safe]\ndirectory = {repository}\n", encoding="utf-8")
    with open_repository(repository) as found:
        assert found.head is not None


def test_files_of_the_folder_leave_out_links_and_what_is_ignored(repository: Path):
    (repository / ".gitignore").write_text("*.log\n", encoding="utf-8")
    (repository / "new é.py").write_text("", encoding="utf-8")
    (repository / "a.log").write_text("", encoding="utf-8")
    (repository / "link.py").symlink_to("/etc/passwd")
    (repository / "folder.py").symlink_to("/etc")
    with open_repository(repository) as found:
        assert found.working_files() == [".gitignore", "app.py", "data.bin", "new é.py"]


def test_contents_come_in_order_and_missing_ones_are_left_out(repository: Path):
    with open_repository(repository) as found:
        blobs = {entry.path: entry.blob for entry in found.tree(str(found.head))}
        wanted = [blobs["data.bin"], "0" * 40, blobs["app.py"]]
        assert list(found.blobs(wanted)) == [
            (blobs["data.bin"], b"\x00\x02"),
            (blobs["app.py"], b"x = 2\n"),
        ]


def test_a_part_of_a_damaged_content_is_not_taken_for_the_whole(repository: Path):
    (repository / "app.py").write_bytes(os.urandom(900_000))
    git(repository, "add", "-A")
    git(repository, "commit", "-q", "-m", "Large")
    blob = git(repository, "rev-parse", "HEAD:app.py")
    loose = repository / ".git" / "objects" / blob[:2] / blob[2:]
    stored = loose.read_bytes()
    loose.chmod(0o644)
    loose.write_bytes(stored[:500_000] + b"\xff" * 2_000 + stored[502_000:])
    with open_repository(repository) as found, pytest.raises(QmError, match="git") as caught:
        next(found.blobs([blob]))
    assert caught.value.slug == "git_failed"


def test_a_revision_cannot_be_an_option(repository: Path):
    with open_repository(repository) as found:
        assert found.commit("--exec-path") is None
        assert found.commit("main") == found.head


def test_only_reading_commands_are_known(repository: Path):
    with open_repository(repository) as found, pytest.raises(ValueError, match="only read"):
        found.read("gc")


def test_a_configuration_that_never_ends_is_given_up(
    repository: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    os.mkfifo(tmp_path / "endless")
    git(repository, "config", "include.path", str(tmp_path / "endless"))
    monkeypatch.setattr("quartermaster.projects.git.ASKED_S", 0.2)
    with pytest.raises(QmError, match="git_timeout"), open_repository(repository):
        pass
