"""Migrations never change once they have landed; each landing is kept to test upgrades."""

from __future__ import annotations

import json
import lzma
from typing import NamedTuple

import pytest

from quartermaster.install import discover
from tests.support import landings
from tests.support.sql_files import ROOT

pytestmark = pytest.mark.lint

# The first ones were large: they hold what all later ones refer to. The landing that gave all
# functions a new layout takes 135 kB.
_FIRST = 3
_MOST_BYTES = 150_000
# Edited after these commits, while nothing froze them; 0026 makes up for it.
_BEFORE_THE_FREEZE = {"0.2.0", "bf5432e7"}


class Move(NamedTuple):
    """A line of migrations/moved.txt; the first two and the last are digests."""

    before: str
    after: str
    migration: str
    folder: str
    moved_to: str
    digest: str


_MOVED = [
    Move(*line.split()) for line in (ROOT / "migrations" / "moved.txt").read_text().splitlines()
]


def test_every_migration_is_frozen_and_none_was_changed():
    assert landings.frozen() == landings.digests(), "run make freeze; frozen files never change"


def test_the_landings_hold_the_migrations_as_they_are():
    steps = {
        step.name.removeprefix("migrations") + "\n": step
        for found in discover.all_migrations().values()
        for step in found
    }
    for name, script in landings.scripts().items():
        if name not in _BEFORE_THE_FREEZE:
            before = {each.migration for each in _MOVED if f"{each.moved_to}\n" not in script}
            held = [step for file, step in steps.items() if file in script]
            # What changed the role stands in older scripts only.
            assert not [
                step.name
                for step in held
                if step.name not in before
                and step.sql not in script
                and step.statement not in script
            ], name
    last = list(landings.scripts().values())[-1]
    assert not [file for file in steps if file not in last], "run make freeze"


def test_what_moved_to_a_kind_is_told_as_it_is_now():
    now = landings.digests()
    assert _MOVED
    digests: dict[str, str] = {}
    for move in _MOVED:
        assert move.moved_to.startswith(f"{move.folder}/")
        assert digests.get(move.migration, move.before) == move.before
        digests[move.migration] = move.after
        assert now[f"kinds/{move.moved_to}"] == move.digest
    assert {name: now[name] for name in digests} == digests


def test_the_landings_are_numbered_and_small():
    files = landings.files()
    assert [path.name.partition("_")[0] for path in files] == [
        f"{number:04}" for number in range(len(files))
    ]
    assert not [path.name for path in files[_FIRST:] if path.stat().st_size > _MOST_BYTES]


def test_a_landing_is_what_its_difference_makes():
    before, after = "a\nb\nc\nd\ne\n", "x\nb\nc\nd\ny\na\nb\nc\nlast"
    parts = landings.difference(before, after)
    assert parts == ["x\n", [1, 3], "y\n", [0, 3], "last"]
    assert landings.applied(before, parts) == after


def test_a_landing_refers_to_the_one_before_it():
    script = ""
    for path in landings.files():
        parts = json.loads(lzma.decompress(path.read_bytes()))
        script = landings.applied(script, parts)
        assert script.endswith("commit;\n"), path.name
