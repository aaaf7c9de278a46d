"""A file of a project makes what the service itself does with it slow, or fail."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Final

import pytest
from pydantic import ValidationError

from quartermaster.core.errors import QmError
from quartermaster.projects import project_files
from quartermaster.projects.git_folder import opened_git_folder
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.project_files import walk
from quartermaster.projects.worker_calls import ERROR, wire_of
from quartermaster_quality.scanners.interface import SourceFile, UnreadableError
from quartermaster_quality.scanners.suppressions import without_suppressions

# Generous: each takes a part of it.
SLOWEST_S: Final = 2.0


def seconds(work: Callable[[], object]) -> float:
    begun = perf_counter()
    work()
    return perf_counter() - begun


@pytest.mark.parametrize("codec", ["punycode", "idna", "undefined", "hex", "unicode_escape"])
def test_an_encoding_of_no_code(codec: str) -> None:
    data = f"# coding: {codec}\n{'x-' * 15_000}\n".encode()

    def read() -> None:
        with pytest.raises(UnreadableError):
            SourceFile("a.py", data).text()

    assert seconds(read) < SLOWEST_S


@pytest.mark.parametrize("codec", ["latin-1", "cp1252", "koi8-r", "euc-jp", "gbk", "shift_jis"])
def test_an_encoding_in_which_code_is_written_is_read(codec: str) -> None:
    text = f"# coding: {codec}\nx = 1\n"
    assert SourceFile("a.py", text.encode(codec)).text() == text


@pytest.mark.parametrize(
    "data",
    [
        f"# é\nx = {'a' * 60_000}\n".encode(),
        f"# é\nx = {'é' * 60_000}\n".encode(),
        f"# coding: punycode\nx = {'a-' * 30_000}\n".encode(),
    ],
)
def test_a_copy_for_type_checkers(data: bytes) -> None:
    assert seconds(lambda: without_suppressions(data)) < SLOWEST_S


def test_a_word_in_an_encoding_that_is_not_read() -> None:
    """What mypy would decode says nothing to it."""
    copied = without_suppressions(b"# coding: unicode_escape\n@\\x6eo_type_check\n")
    assert b"coding:" not in copied


@pytest.mark.parametrize(
    "config",
    [
        f"[core]\nworktree{' ' * 60_000}x\n",
        f"[core]\nworktree={' ' * 30_000}x{' ' * 30_000}\x01\n",
        f"[{' ' * 60_000}\n",
        " " * 60_000,
    ],
)
def test_a_configuration_of_spaces(tmp_path: Path, config: str) -> None:
    root = tmp_path / "project"
    own = tmp_path / "modules" / "m"
    for folder in (root, own / "objects"):
        folder.mkdir(parents=True)
    (root / ".git").write_text(f"gitdir: {own}\n")
    (own / "config").write_text(config)

    def opened() -> None:
        with pytest.raises(QmError), opened_git_folder(root):
            pass

    assert seconds(opened) < SLOWEST_S


def test_references_to_a_long_list(tmp_path: Path) -> None:
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    listed = "".join(f"{n:040x} refs/tags/t{n}\n" for n in range(50_000))
    (tmp_path / ".git" / "packed-refs").write_text(listed)
    for number in range(1_000):
        (tmp_path / ".git" / "refs" / "heads" / f"b{number}").write_text("ref: refs/tags/t49999\n")
    with opened_git_folder(tmp_path) as folder:
        assert seconds(folder.references) < SLOWEST_S
        assert folder.references()[b"refs/heads/b7"] == f"{49_999:040x}".encode()


@pytest.mark.parametrize("rule", ["!", "\\", "[z-a]", "[[:foo:]]", "!\\", "a\\", "**/a" * 1_000])
def test_a_rule_that_means_nothing(tmp_path: Path, rule: str) -> None:
    """Those around it count."""
    (tmp_path / ".gitignore").write_text(f"a.txt\n{rule}\nb.txt\n")
    for name in ("a.txt", "b.txt", "c.txt"):
        (tmp_path / name).touch()
    assert [*walk(ProjectFileAccess(tmp_path)).files] == [".gitignore", "c.txt"]


@pytest.mark.parametrize("number", [2_000, 20_000])
def test_many_rules_count(tmp_path: Path, number: int) -> None:
    (tmp_path / ".gitignore").write_text("".join(f"/a{n}/*.o{n}\n" for n in range(number)))
    (tmp_path / "a7").mkdir()
    for name in ("a7/x.o7", "a7/x.o8"):
        (tmp_path / name).touch()
    assert [*walk(ProjectFileAccess(tmp_path)).files] == [".gitignore", "a7/x.o8"]


def test_more_rules_than_are_read(tmp_path: Path) -> None:
    (tmp_path / ".gitignore").write_text("".join(f"a{n}\n" for n in range(40_000)))

    def listed() -> None:
        with pytest.raises(QmError, match="rules") as refused:
            walk(ProjectFileAccess(tmp_path))
        assert refused.value.slug == "project_too_large"

    assert seconds(listed) < SLOWEST_S


def test_rules_that_are_compared_for_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(project_files, "_LISTED_S", 0.0)
    (tmp_path / ".gitignore").write_text("a\n")
    with pytest.raises(QmError, match="could not be listed"):
        walk(ProjectFileAccess(tmp_path))


def answered() -> str:
    """Returns a function of a worker."""
    return ""


@pytest.mark.parametrize(
    "answer", [b"[1]", b"1", b"{}", b"[" * 100_000, b'[1, "a", "b", "c", null]', b"\xff", b""]
)
def test_an_error_that_is_none(answer: bytes) -> None:
    with pytest.raises(ValidationError):
        wire_of(answered).value(ERROR + answer)
