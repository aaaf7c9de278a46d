"""Git or the service opens a FIFO of a project at another place: nobody waits for it."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import anyio
import pytest

from tests.attack.conftest import Village
from tests.support.member import CODE, Member

# As many calls as there are threads, by default, for what waits.
CALLS: Final = 44
# Within which others are served; less than the 20 s that git is given.
OTHERS_S: Final = 18.0
NOTHING: Final[dict[str, Any]] = {}


def at_the_configuration(mallory: Member) -> None:
    replace(mallory.root / ".git" / "config")


def at_a_branch(mallory: Member) -> None:
    replace(mallory.root / ".git" / "refs" / "heads" / "main")


def at_the_list_of_references(mallory: Member) -> None:
    replace(mallory.root / ".git" / "packed-refs")
    (mallory.root / ".git" / "refs" / "heads" / "main").unlink()


def at_the_index_of_a_pack(mallory: Member) -> None:
    mallory.git("repack", "-adq")
    for index in (mallory.root / ".git" / "objects" / "pack").glob("*.idx"):
        replace(index)


def at_the_rules_of_an_inner_folder(mallory: Member) -> None:
    (mallory.root / "inner").mkdir()
    mallory.write("inner/other.go", "package inner\n")
    replace(mallory.root / "inner" / ".gitignore")


def at_the_pointer_of_a_worktree(mallory: Member) -> None:
    """The service itself reads it, to see whether the history belongs to the folder."""
    outside = mallory.root.with_name("outside")
    if not outside.exists():
        (mallory.root / ".git").rename(outside)
        (outside / "worktrees" / "one").mkdir(parents=True)
        replace(outside / "worktrees" / "one" / "gitdir")
    (mallory.root / ".git").write_text(f"gitdir: {outside}\n")


def replace(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


@pytest.mark.parametrize(
    "prepare",
    [
        at_the_configuration,
        at_a_branch,
        at_the_list_of_references,
        at_the_index_of_a_pack,
        at_the_rules_of_an_inner_folder,
        at_the_pointer_of_a_worktree,
    ],
)
def test_many_calls_wait(
    village: Village, mallory: Member, prepare: Callable[[Member], None]
) -> None:
    mallory.commit()
    prepare(mallory)

    async def attempt() -> None:
        async with anyio.create_task_group() as tasks:
            for _ in range(CALLS):
                tasks.start_soon(mallory.ask_later, "checklist", NOTHING)
            with anyio.fail_after(OTHERS_S):
                # The second one comes when the flood has arrived.
                for _ in range(2):
                    await village.alice.ask_later("checklist", NOTHING)
                await village.alice.ask_later("impact_analysis", {"file_path": CODE})

    anyio.run(attempt)
