"""Ingests of broken and hostile repositories: what can be read is stored, and an error
leaves nothing behind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest

from quartermaster.cli import project
from quartermaster.core.errors import QmError
from quartermaster.projects.git import open_repository, split
from quartermaster_decisions import history, mining_cli, upkeep
from quartermaster_decisions.checking import guard_of
from tests.service.projects.test_git import HOSTILE
from tests.support.database import Database
from tests.support.views_repository import MINED, commit, git, make_views

STORED = "select count(*) from decisions.decision union all select count(*) from decisions.packet"

MANY = 3_000
LONG = (
    f"x = a{'.b()' * MANY}\n",
    f"x = a{'[0]' * MANY}()\n",
    f"@a{'.b' * MANY}\ndef f(): pass\n",
    f"import a{'.b' * MANY} as c\nfrom a{'.b' * MANY} import d\nc.e()\nd()\n",
    f"x = {'[' * MANY}{']' * MANY}\n",
    f"x = {'lambda: ' * MANY}0\n",
    f"x = {'(' * MANY}\n",
    "".join(f"class C{number}(C{number + 1}): pass\n" for number in range(MANY)),
)


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return make_views(tmp_path / "shop")


def ingest(
    root: Path, database: Database, capsys: pytest.CaptureFixture[str], data: Path
) -> list[Any]:
    """Returns what an ingest stored, for a project of this folder."""
    project.add_command(root, name="broken", dsn=database.dsn)
    capsys.readouterr()
    mining_cli.ingest_command(root, project="broken", json=True, data_dir=data, dsn=database.dsn)
    return json.loads(capsys.readouterr().out)["decisions"]


def patterns(database: Database) -> list[str]:
    with database.connect() as connection:
        rows = connection.execute(
            "select d.pattern from decisions.decision as d"
            " where exists (select from decisions.evidence as e where e.decision_id = d.id)"
        ).fetchall()
    return [str(pattern) for (pattern,) in rows]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def shallow(root: Path) -> Path:
    copy = root.parent / "copy"
    git(root.parent, "clone", "-q", "--depth", "1", root.as_uri(), str(copy))
    return copy


def submodule(root: Path) -> Path:
    git(root, "submodule", "add", "-q", root.as_uri(), "inner")
    git(root, "commit", "-qm", "A submodule")
    return root


def invalid_text(root: Path) -> Path:
    commit(root, b"src/shop/caf\xe9.py", b"# caf\xe9 \x00\nimport shop\n")
    commit(root, b"src/shop/latin.py", b"# caf\xe9\nimport shop\n")
    return root


def huge_and_binary(root: Path) -> Path:
    commit(root, b"src/shop/huge.py", b"x = 1\n" * 17_000_000)  # 100 MB
    commit(root, b"src/shop/data.bin", bytes(range(256)) * 1000)
    return root


def merging(root: Path) -> Path:
    git(root, "checkout", "-q", "-b", "other", "HEAD~1")
    commit(root, b"src/shop/auth.py", b"other = 1\n")
    git(root, "checkout", "-q", "main")
    commit(root, b"src/shop/auth.py", b"main = 1\n")
    git(root, "merge", "-q", "other", fails=True)
    assert (root / ".git" / "MERGE_HEAD").exists()
    return root


def without_a_branch(root: Path) -> Path:
    git(root, "checkout", "-q", "--detach")
    return root


def of_links(root: Path) -> Path:
    (root / "src" / "shop" / "passwords.py").symlink_to("/etc/passwd")
    (root / "src" / "shop" / "round").symlink_to(root)
    git(root, "add", "-A")
    git(root, "commit", "-qm", "Links")
    return root


def of_long_chains(root: Path) -> Path:
    for number, line in enumerate(LONG):
        commit(root, f"src/shop/long_{number}.py".encode(), line.encode())
    return root


@pytest.mark.parametrize(
    "broken",
    [
        shallow,
        submodule,
        invalid_text,
        huge_and_binary,
        merging,
        without_a_branch,
        of_links,
        of_long_chains,
    ],
)
def test_what_can_be_read_is_mined_and_nothing_is_changed(
    broken: Callable[[Path], Path],
    shop: Path,
    tmp_path: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
):
    root = broken(shop)
    before = git(root, "status", "--porcelain"), contents(root / ".git")
    ingest(root, database, capsys, tmp_path / "data")
    assert [one for one in patterns(database) if MINED in one]
    assert (git(root, "status", "--porcelain"), contents(root / ".git")) == before


def test_a_file_that_was_added_or_deleted_is_not_read_line_by_line(
    shop: Path, monkeypatch: pytest.MonkeyPatch
):
    commit(shop, b"src/shop/large.py", b"x = 1\n" * 10_000)
    git(shop, "rm", "-q", "src/shop/large.py")
    git(shop, "commit", "-qm", "It is gone")
    commit(shop, b"src/shop/changed.py", b"import ujson\n")
    commit(shop, b"src/shop/changed.py", b"import orjson\n")
    read: list[bytes] = []

    def noted(pieces: Iterable[bytes], end: bytes) -> Iterator[bytes]:
        for piece in split(pieces, end):
            read.append(piece)
            yield piece

    monkeypatch.setattr(history, "split", noted)
    with open_repository(shop) as repository:
        assert repository.head
        ids = history.commit_ids(repository, repository.head, 4)
        read.clear()
        found = list(history.read_substitutions(repository, ids, [".py"]))
    assert [(each.old, each.new) for each in found] == [("ujson", "orjson")]
    assert len(read) < 100


def test_a_message_may_look_like_the_list_of_changes(shop: Path):
    message = "a\x02\n:100644 100644 x M"
    git(shop, "commit", "-q", "--allow-empty", "-m", message)
    (shop / "src" / "shop" / "new.py").write_text("x = 1\n")
    git(shop, "add", "-A")
    git(shop, "commit", "-q", "-m", message)
    with open_repository(shop) as repository:
        assert repository.head
        ids = history.commit_ids(repository, repository.head, 2)
        empty, latest = history.read_commits(repository, ids)
    assert [change.path for change in latest.changes] == ["src/shop/new.py"]
    assert empty.changes == ()
    assert empty.subject == "a\x02"


def test_a_rewritten_history_is_read_again(
    shop: Path, tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
):
    first = ingest(shop, database, capsys, tmp_path / "data")
    assert {row["outcome"] for row in first} == {"added"}
    old = git(shop, "rev-parse", "HEAD")
    git(shop, "reset", "-q", "--soft", "HEAD~3")
    git(shop, "commit", "-qm", "All in one")
    git(shop, "reflog", "expire", "--expire=now", "--all")
    git(shop, "gc", "-q", "--prune=now")
    assert git(shop, "cat-file", "-t", old, fails=True) == ""
    mining_cli.ingest_command(shop, json=True, data_dir=tmp_path / "data", dsn=database.dsn)
    again = json.loads(capsys.readouterr().out)["decisions"]
    assert {row["outcome"] for row in again} == {"known"}
    mining_cli.refresh_command(json=True, dsn=database.dsn)
    assert json.loads(capsys.readouterr().out)["flagged"] == []


def test_evidence_follows_a_renamed_file(
    shop: Path, tmp_path: Path, database: Database, capsys: pytest.CaptureFixture[str]
):
    ingest(shop, database, capsys, tmp_path / "data")
    git(shop, "mv", "src/shop/views", "src/shop/pages")
    git(shop, "commit", "-qm", "Views are pages")
    mining_cli.refresh_command(json=True, dsn=database.dsn)
    flagged = json.loads(capsys.readouterr().out)["flagged"]
    # What is said of the folder itself has nothing left that it could be said of.
    assert {one["reason"].split(";")[0] for one in flagged} <= {
        "no file is in src/shop/views/** any more"
    }
    with database.connect() as connection:
        rows = connection.execute(
            "select e.path, e.is_gone from decisions.evidence as e where e.kind = 'file'"
        ).fetchall()
    paths = {str(path) for path, _ in rows}
    assert any(path.startswith("src/shop/pages/") for path in paths)
    assert not any(path.startswith("src/shop/views/page") for path in paths)
    assert not any(is_gone for _, is_gone in rows)


def empty(root: Path) -> Path:
    fresh = root.parent / "empty"
    fresh.mkdir()
    git(fresh, "init", "-q")
    return fresh


def below(root: Path) -> Path:
    return root / "src"


def outside(root: Path) -> Path:
    pointer = root.parent / "pointer"
    pointer.mkdir()
    (pointer / ".git").write_text(f"gitdir: {root / '.git'}\n")
    return pointer


def damaged(root: Path) -> Path:
    for path in (root / ".git" / "objects").glob("??/*"):
        path.chmod(0o600)
        path.write_bytes(b"damaged")
    return root


def dry(root: Path, capsys: pytest.CaptureFixture[str], **given: Any) -> dict[str, Any]:
    mining_cli.ingest_command(root, dry_run=True, json=True, data_dir=root.parent / "data", **given)
    return json.loads(capsys.readouterr().out)


def test_a_shallow_clone_is_told_with_the_command_that_deepens_it(
    shop: Path, capsys: pytest.CaptureFixture[str]
):
    assert dry(shop, capsys)["missing_commits"] == ""
    assert "git fetch --unshallow" in dry(shallow(shop), capsys)["missing_commits"]


def test_a_scope_is_a_folder_and_one_without_files_is_an_error(
    shop: Path, capsys: pytest.CaptureFixture[str]
):
    assert dry(shop, capsys, scope="./src/shop/")["candidates"]
    for scope in ("src/sho", "nowhere", "../shop"):
        with pytest.raises(QmError, match="no source file below") as caught:
            dry(shop, capsys, scope=scope)
        assert caught.value.slug == "folder_not_found"


def bare(root: Path) -> Path:
    git(root, "clone", "-q", "--bare", str(root), str(root.parent / "bare"))
    return root.parent / "bare"


def test_a_submodule_is_named_and_not_read(shop: Path, capsys: pytest.CaptureFixture[str]):
    part = make_views(shop.parent / "part")
    git(shop, "submodule", "add", "-q", str(part), "vendor/lib")
    git(shop, "commit", "-q", "-m", "Use the part")
    assert dry(shop, capsys)["submodules"] == ["vendor/lib"]
    mining_cli.ingest_command(shop, dry_run=True, data_dir=shop.parent / "data")
    assert "Not read: 1 submodule (vendor/lib)." in " ".join(capsys.readouterr().err.split())
    for scope in ("vendor/lib", "vendor/lib/src"):
        with pytest.raises(QmError, match="'vendor/lib' is a submodule") as caught:
            dry(shop, capsys, scope=scope)
        assert "qm project add" in caught.value.hint


def test_a_folder_of_no_project_is_refused_before_it_is_read(
    shop: Path, tmp_path: Path, database: Database
):
    data = tmp_path / "data"
    with pytest.raises(QmError) as caught:
        mining_cli.ingest_command(shop, data_dir=data, dsn=database.dsn)
    assert caught.value.slug == "project_not_found"
    assert not data.exists()


def test_a_root_that_has_become_a_link_is_not_compared(shop: Path, tmp_path: Path):
    link = tmp_path / "link"
    link.symlink_to(shop)
    assert upkeep._head(shop) == git(shop, "rev-parse", "HEAD")
    assert upkeep._head(link) is None
    assert upkeep._head(tmp_path / "gone") is None
    with pytest.raises(QmError, match="git_folder_denied"), open_repository(guard_of(link).root):
        pass


@pytest.mark.parametrize(
    ("broken", "said"),
    [
        (empty, "has no commits yet"),
        (below, "is not the top folder of a git repository"),
        (bare, "is a bare repository"),
        (outside, "which does not belong to this folder"),
        (damaged, "Git could not read the repository"),
    ],
)
def test_an_error_stores_nothing(
    broken: Callable[[Path], Path],
    said: str,
    shop: Path,
    tmp_path: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
):
    root = broken(shop)
    with pytest.raises(QmError, match=said):
        ingest(root, database, capsys, tmp_path / "data")
    with database.connect() as connection:
        assert connection.execute(STORED).fetchall() == [(0,), (0,)]


@pytest.mark.root_only
@pytest.mark.skipif(os.name == "nt" or os.getuid() != 0, reason="needs root to give files away")
def test_a_repository_of_another_user_names_the_command_that_allows_it(
    shop: Path,
    tmp_path: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
):
    for path in (shop, shop / ".git"):
        os.chown(path, 12345, 12345)
    monkeypatch.setenv("HOME", str(tmp_path))
    with pytest.raises(QmError, match=r"git config --global --add safe\.directory"):
        ingest(shop, database, capsys, tmp_path / "data")
    (tmp_path / ".gitconfig").write_text(f"[safe]\ndirectory = {shop}\n", encoding="utf-8")
    mining_cli.ingest_command(shop, json=True, data_dir=tmp_path / "data", dsn=database.dsn)
    assert [one for one in patterns(database) if MINED in one]


@pytest.mark.parametrize("name", [name for name in HOSTILE if name != "lazy fetch"])
def test_no_command_runs_anything_of_a_hostile_repository(
    name: str,
    shop: Path,
    tmp_path: Path,
    database: Database,
    capsys: pytest.CaptureFixture[str],
):
    marker, program = tmp_path / "MARKER", tmp_path / "evil.sh"
    program.write_text(f"#!/bin/sh\ntouch {marker}\nexit 1\n", encoding="utf-8")
    program.chmod(0o755)
    HOSTILE[name](shop, program)
    marker.unlink(missing_ok=True)
    ingest(shop, database, capsys, tmp_path / "data")
    assert [one for one in patterns(database) if MINED in one]
    mining_cli.check_command(json=True, dsn=database.dsn)
    mining_cli.check_command(diff="HEAD", json=True, dsn=database.dsn)
    mining_cli.refresh_command(json=True, dsn=database.dsn)
    assert not marker.exists()
