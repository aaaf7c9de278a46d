"""A member's project takes up another project's commits by other ways: no file of it is named."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Callable, Generator
from pathlib import Path

import pytest

from tests.attack.conftest import Village
from tests.support.member import CODE, GIT, Member

_NAME = "takeover_plans"


class Vault:
    """A repository of somebody else, in which a file is changed together with others.

    Attributes:
        root: its folder, in which the attacker may not write.
        head: its last commit.
    """

    def __init__(self, root: Path) -> None:
        self.root = root
        root.mkdir()
        self.git("init", "-q", "-b", "main")
        for number in range(5):
            for name in (CODE, f"{_NAME}.go"):
                (root / name).write_text(f"package vault\n\nconst N = {number}\n")
            self.git("add", "-A")
            self.git("commit", "-qm", f"{_NAME} {number}")
        self.head = self.git("rev-parse", "HEAD")

    def git(self, *arguments: str) -> str:
        done = subprocess.run([*GIT, *arguments], cwd=self.root, check=True, capture_output=True)
        return done.stdout.decode().strip()


@pytest.fixture
def vault(tmp_path: Path) -> Vault:
    return Vault(tmp_path / "vault")


Way = Callable[[Member, Vault], None]


def by_folders_of_loose_objects(mallory: Member, vault: Vault) -> None:
    for folder in (vault.root / ".git" / "objects").iterdir():
        own = mallory.root / ".git" / "objects" / folder.name
        if len(folder.name) == 2:
            shutil.rmtree(own, ignore_errors=True)
            own.symlink_to(folder)


def by_loose_objects(mallory: Member, vault: Vault) -> None:
    objects = vault.root / ".git" / "objects"
    for one in objects.glob("??/*"):
        own = mallory.root / ".git" / "objects" / one.relative_to(objects)
        own.parent.mkdir(exist_ok=True)
        own.unlink(missing_ok=True)
        own.symlink_to(one)


def by_the_folder_of_packs(mallory: Member, vault: Vault) -> None:
    vault.git("repack", "-adq")
    packs = mallory.root / ".git" / "objects" / "pack"
    shutil.rmtree(packs)
    packs.symlink_to(vault.root / ".git" / "objects" / "pack")


def by_packs(mallory: Member, vault: Vault) -> None:
    vault.git("repack", "-adq")
    for pack in (vault.root / ".git" / "objects" / "pack").iterdir():
        (mallory.root / ".git" / "objects" / "pack" / pack.name).symlink_to(pack)


def by_alternates_of_an_own_folder(mallory: Member, vault: Vault) -> None:
    """The place that alternates name lies in the project; what that one names does not."""
    near = mallory.root / "near"
    (near / "info").mkdir(parents=True)
    (near / "info" / "alternates").write_text(f"{vault.root}/.git/objects\n")
    alternates = mallory.root / ".git" / "objects" / "info" / "alternates"
    alternates.write_text("../../near\n")


@pytest.mark.parametrize(
    "way",
    [
        by_folders_of_loose_objects,
        by_loose_objects,
        by_the_folder_of_packs,
        by_packs,
        by_alternates_of_an_own_folder,
    ],
)
def test_objects_of_another_project(mallory: Member, vault: Vault, way: Way) -> None:
    mallory.commit()
    way(mallory, vault)
    (mallory.root / ".git" / "refs" / "heads" / "main").write_text(f"{vault.head}\n")
    assert not names_in(mallory.ask_all("main", f"{vault.head}~2"))
    done = mallory.instance.qm("decisions", "ingest", str(mallory.root), "--project", mallory.name)
    assert "5 commits" not in done.stdout
    assert not names_in(done.stdout + done.stderr)


@pytest.fixture
def guest(village: Village, tmp_path: Path) -> Generator[Member]:
    """Mallory's member of a project in a folder of hers."""
    member = Member(village.instance, "guest", tmp_path / "team" / "shop")
    member.commit(4)
    yield member
    assert village.instance.qm("project", "remove", "guest", "--yes").returncode == 0


def test_a_folder_above_the_root_becomes_a_link(guest: Member, tmp_path: Path) -> None:
    other = tmp_path / "others"
    other.mkdir()
    Vault(other / "shop")
    (tmp_path / "team").rename(tmp_path / "away")
    (tmp_path / "team").symlink_to(other)
    assert not names_in(guest.ask_all("main"))


def names_in(text: str) -> list[str]:
    """Returns what stands before each name of the other project's file."""
    return [before[-100:] for before in text.split(_NAME)[:-1]]
