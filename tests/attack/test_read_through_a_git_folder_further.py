"""A member's .git leads git to a file of the service by other ways: it is told nowhere."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex

import pytest

from tests.support.canary import canary
from tests.support.member import CODE, Member

_MISSING = "0123456789abcdef0123456789abcdef01234567"
Way = Callable[[Member, Path], str]


def by_packed_refs(mallory: Member, target: Path) -> str:
    secret = canary()
    target.write_text(f"# pack-refs with: peeled\n{secret}\n")
    (mallory.root / ".git" / "packed-refs").symlink_to(target)
    (mallory.root / ".git" / "refs" / "heads" / "main").unlink()
    return secret


def by_a_branch(mallory: Member, target: Path) -> str:
    """Returns a key in hexadecimal digits could be the id of a commit."""
    secret = token_hex(20)
    target.write_text(f"{secret}\n")
    branch = mallory.root / ".git" / "refs" / "heads" / "main"
    branch.unlink()
    branch.symlink_to(target)
    return secret


def by_grafts(mallory: Member, target: Path) -> str:
    secret = canary()
    target.write_text(f"{secret}\n")
    (mallory.root / ".git" / "info" / "grafts").symlink_to(target)
    (mallory.root / ".git" / "refs" / "heads" / "main").write_text(f"{_MISSING}\n")
    return secret


def by_the_common_folder(mallory: Member, target: Path) -> str:
    secret = canary()
    target.write_text(f"/{secret}\n")
    (mallory.root / ".git" / "commondir").symlink_to(target)
    return secret


def by_an_included_configuration(mallory: Member, target: Path) -> str:
    """Files of keys and values have the form of git's own; git names a value that is no number."""
    secret = canary()
    target.write_text(f"[core]\n\tbare = {secret}\n\tcompression = {secret}\n")
    with (mallory.root / ".git" / "config").open("a") as config:
        config.write(f"[include]\n\tpath = {target}\n")
    return secret


def by_a_linked_configuration(mallory: Member, target: Path) -> str:
    secret = canary()
    text = f"[core]\n\trepositoryformatversion = 1\n[extensions]\n\tobjectformat = {secret}\n"
    target.write_text(text)
    config = mallory.root / ".git" / "config"
    config.unlink()
    config.symlink_to(target)
    return secret


def by_the_configuration_of_a_worktree(mallory: Member, target: Path) -> str:
    secret = canary()
    target.write_text(f"[core]\n\tbare = {secret}\n\tcompression = {secret}\n")
    mallory.git("config", "core.repositoryFormatVersion", "1")
    mallory.git("config", "extensions.worktreeConfig", "true")
    (mallory.root / ".git" / "config.worktree").symlink_to(target)
    return secret


def by_direct_alternates(mallory: Member, target: Path) -> str:
    """No folder of objects is between; the last line is what git complains of last."""
    secret = canary()
    target.write_text(f"/{secret}\n")
    (mallory.root / ".git" / "objects" / "info" / "alternates").symlink_to(target)
    (mallory.root / ".git" / "refs" / "heads" / "main").write_text(f"{_MISSING}\n")
    return secret


@pytest.mark.parametrize(
    "way",
    [
        by_packed_refs,
        by_a_branch,
        by_grafts,
        by_the_common_folder,
        by_an_included_configuration,
        by_a_linked_configuration,
        by_the_configuration_of_a_worktree,
        by_direct_alternates,
    ],
)
def test_a_file_of_the_service(mallory: Member, way: Way) -> None:
    mallory.commit(4)
    # Its name is one under which credentials may lie.
    target = mallory.instance.data_dir / "git" / "secrets.json"
    target.parent.mkdir(exist_ok=True)
    secret = way(mallory, target)
    logged = len(mallory.instance.stderr)
    said = mallory.ask_all("main", "HEAD~1", "HEAD@{1}", _MISSING)
    done = mallory.instance.qm("decisions", "ingest", str(mallory.root), "--project", mallory.name)
    logged_since = mallory.instance.stderr[logged:]
    texts = {"answers": said, "ingest": done.stdout + done.stderr, "log": logged_since}
    assert not {name: around(secret, text) for name, text in texts.items() if secret in text}
    assert not tables_with(mallory, secret)


def test_what_is_ignored_does_not_tell_the_lines_of_a_file(mallory: Member) -> None:
    """A line that is the name of a file would hide that file: one could ask until one is hidden."""
    mallory.commit()
    target = mallory.instance.data_dir / "git" / "secrets.json"
    target.parent.mkdir(exist_ok=True)
    target.write_text("guess1.go\n")
    mallory.write("guess1.go", "package one\n")
    mallory.write("inner/guess1.go", "package one\n")
    mallory.write("guess2.go", "package two\n")
    for name in (".git/info/exclude", "inner/.gitignore"):
        (mallory.root / name).unlink(missing_ok=True)
        (mallory.root / name).symlink_to(target)
    for path in ("guess1.go", "inner/guess1.go", "guess2.go"):
        mallory.ask("quality_gate", file_path=path)
        mallory.write(path, "package other\n")
    said = mallory.ask("checklist", task_type="bugfix").text
    hidden = {path for path in ("guess1.go", "inner/guess1.go", "guess2.go") if path not in said}
    # Either all are told, or none, where such a project is refused.
    assert len(hidden) in {0, 3}, hidden
    assert CODE not in hidden


def around(secret: str, text: str) -> str:
    """Returns what stands before it."""
    return text[: text.index(secret)][-200:]


def tables_with(member: Member, secret: str) -> list[str]:
    names = member.instance.rows(
        "select format('%%I.%%I', n.nspname, c.relname) from pg_class as c"
        " join pg_namespace as n on n.oid = c.relnamespace"
        " where c.relkind = 'r' and n.nspname !~ '^(pg_|information_schema$)'"
    )
    assert names
    pattern = re.escape(secret)
    return [
        name
        for (name,) in names
        if member.instance.rows(f"select from {name} as t where t::text ~ %s limit 1", pattern)
    ]
