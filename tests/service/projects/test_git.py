"""Reading hostile repositories: each would drop a marker file if something of it ran."""

from __future__ import annotations

import os
import subprocess
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from quartermaster.core import confined_reader
from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository


def git(folder: Path, *arguments: str) -> str:
    """Returns plain git, as its author would run it."""
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
        assert "git fetch --unshallow" in found.missing_commits
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
        for revision in ("--exec-path", ":/Change", "HEAD^{/Change}", "HEAD:app.py", "\ud800", ""):
            assert found.commit(revision) is None
        assert found.commit("main") == found.head


def test_only_reading_commands_are_known(repository: Path):
    with open_repository(repository) as found, pytest.raises(ValueError, match="only read"):
        found.read("gc")


def test_a_configuration_is_not_read(repository: Path, tmp_path: Path):
    os.mkfifo(tmp_path / "endless")
    git(repository, "config", "include.path", str(tmp_path / "endless"))
    with open_repository(repository) as found:
        assert found.commit("HEAD") == found.head


def test_a_content_that_never_ends_is_given_up(repository: Path, monkeypatch: pytest.MonkeyPatch):
    blob = git(repository, "rev-parse", "HEAD:app.py")
    loose = repository / ".git" / "objects" / blob[:2] / blob[2:]
    loose.unlink()
    os.mkfifo(loose)
    monkeypatch.setattr("quartermaster.projects.git.STALLED_S", 0.3)
    with open_repository(repository) as found, pytest.raises(QmError, match="waited") as caught:
        list(found.blobs([blob]))
    assert caught.value.slug == "git_timeout"


def test_a_content_that_claims_to_be_huge_is_not_waited_for(repository: Path):
    blob = "ab" + "1" * 38
    folder = repository / ".git" / "objects" / "ab"
    folder.mkdir(exist_ok=True)
    (folder / blob[2:]).write_bytes(zlib.compress(b"blob 99999999999\0" + bytes(1000)))
    with open_repository(repository) as found, pytest.raises(QmError) as caught:
        list(found.blobs([blob]))
    assert caught.value.slug in {"git_failed", "git_output_too_large"}


def test_names_of_commits_lead_where_git_takes_them(repository: Path):
    git(repository, "tag", "-a", "-m", "Second", "v2", "HEAD~1")
    git(repository, "branch", "feature/one", "HEAD~2")
    names = ["HEAD", "main", "v2", "v2^{commit}", "feature/one", "HEAD~1", "main^", "refs/tags/v2"]
    names += [git(repository, "rev-parse", "--short", "HEAD")]
    for _ in range(2):
        with open_repository(repository) as found:
            report = {name: found.commit(name) for name in names}
        assert report == {
            name: git(repository, "rev-parse", f"{name}^{{commit}}") for name in names
        }
        git(repository, "pack-refs", "--all")
        git(repository, "update-ref", "refs/heads/feature/one", "HEAD")


def test_a_reference_to_a_reference_is_followed(repository: Path, tmp_path: Path):
    git(tmp_path, "clone", "-q", str(repository), "copy")
    with open_repository(tmp_path / "copy") as found:
        assert found.commit("origin/HEAD") == found.head


def test_a_reference_to_itself_is_damage(repository: Path):
    (repository / ".git" / "refs" / "heads" / "main").write_text("ref: refs/heads/main\n")
    with pytest.raises(QmError, match="git_failed"), open_repository(repository):
        pass


def test_branches_in_tables_are_refused_with_the_command_that_changes_them(repository: Path):
    (repository / ".git" / "HEAD").write_text("ref: refs/heads/.invalid\n")
    with pytest.raises(QmError, match="git refs migrate"), open_repository(repository):
        pass


def test_longer_ids_are_read(tmp_path: Path):
    git(tmp_path, "init", "-q", "-b", "main", "--object-format=sha256")
    (tmp_path / "a.py").write_text("x = 1\n")
    git(tmp_path, "add", "-A")
    git(tmp_path, "commit", "-q", "-m", "First")
    with open_repository(tmp_path) as found:
        assert found.commit("main") == found.head
        [entry] = found.tree(str(found.head))
        assert len(entry.blob) == 64
        assert dict(found.blobs([entry.blob])) == {entry.blob: b"x = 1\n"}


@pytest.fixture
def submodule(repository: Path, tmp_path: Path) -> Path:
    """A submodule `part` of another repository."""
    whole = make_repository(tmp_path / "whole")
    git(whole, "submodule", "add", "-q", str(repository), "part")
    return whole / "part"


def test_a_submodule_is_a_project_of_its_own(submodule: Path):
    assert (submodule / ".git").is_file()
    with open_repository(submodule) as found:
        assert found.head == git(submodule, "rev-parse", "HEAD")
        assert [entry.path for entry in found.tree(str(found.head))] == ["app.py", "data.bin"]


def test_a_submodule_that_names_another_folder_is_not_read(submodule: Path, tmp_path: Path):
    copy = tmp_path / "copy"
    copy.mkdir()
    own = submodule.parent / ".git" / "modules" / "part"
    (copy / ".git").write_text(f"gitdir: {own}\n")
    with pytest.raises(QmError, match="git_folder_outside"), open_repository(copy):
        pass


def test_files_of_repositories_inside_and_what_is_excluded_are_left_out(submodule: Path):
    whole = submodule.parent
    (whole / "notes").write_text("")
    (whole / ".git" / "info").mkdir(exist_ok=True)
    (whole / ".git" / "info" / "exclude").write_text("# Mine.\nnotes\n")
    with open_repository(whole) as found:
        assert found.working_files() == [".gitmodules", "app.py", "data.bin"]


def test_contents_that_are_kept_elsewhere_are_told(repository: Path, tmp_path: Path):
    git(tmp_path, "clone", "-q", "--shared", str(repository), "copy")
    with open_repository(tmp_path / "copy") as found:
        with pytest.raises(QmError, match="git repack -a -d"):
            list(found.tree(str(found.head)))
        assert found.commit("main") is None
    git(tmp_path / "copy", "repack", "-q", "-a", "-d")
    (tmp_path / "copy" / ".git" / "objects" / "info" / "alternates").unlink()
    with open_repository(tmp_path / "copy") as found:
        assert list(found.tree(str(found.head)))


def test_too_large_a_repository_is_not_copied(repository: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(confined_reader, "way", lambda: None)
    monkeypatch.setattr("quartermaster.projects.git_folder._MOST_COPIED", 100)
    with open_repository(repository) as found, pytest.raises(QmError, match="cannot be confined"):
        found.read("rev-list", str(found.head))
