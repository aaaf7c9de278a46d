"""Both doors of `api`, the database and what was kept of it, say the same to the same question."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from quartermaster.outage.cards import Cards
from quartermaster.outage.rights import Rights
from tests.support.contract import TABLE, Doors, open_doors
from tests.support.database import Database

pytestmark = pytest.mark.anyio


@pytest.fixture
async def doors(database: Database, tmp_path: Path) -> AsyncGenerator[Doors]:
    async with open_doors(database, tmp_path) as doors:
        yield doors


async def test_both_doors_say_the_same(doors: Doors):
    assert TABLE.keys() == doors.operations.by_name.keys()
    drift = await doors.drift(TABLE)
    assert not drift, "\n".join(drift)


async def test_no_drift_goes_unseen(doors: Doors, monkeypatch: pytest.MonkeyPatch):
    """The contract itself is tested: whatever is said otherwise at one door is found."""
    rights = (await doors.outage_copy.open()).rights
    facts = deepcopy(rights.facts)
    drifted: dict[str, tuple[str, Callable[[dict[str, Any]], object]]] = {
        "a limit": ("search_cards", lambda f: f.update(longest_goal=10_000)),
        "a code": ("find_toolset", lambda f: f["errors"]["toolset_not_found"].__setitem__(0, 410)),
        "a mode": ("search_cards", lambda f: f["modes"].pop()),
        "a slug": ("describe_card", lambda f: f["kinds"]["tool"].update(not_found="goal_empty")),
        "a field": ("search_tools", lambda f: f["columns"]["search_tools"].remove("extra")),
        "a budget of calls": ("call_begin", lambda f: f["terms"][""].update(arguments_depth=1)),
        "a text": ("find_toolset", lambda f: f["toolsets"].update(clocks="")),
    }
    for what, (operation, change) in drifted.items():
        rights.facts = deepcopy(facts)
        change(rights.facts)
        assert await doors.drift({operation: TABLE[operation]}, askers=2), what
    rights.facts = facts
    search = Cards.search
    for what, operation, changed, name, other in (
        ("the order of cards", "search_cards", Cards, "search", lambda *a: search(*a)[::-1]),
        ("what rights hide", "describe_tool", Rights, "sight", lambda *_: lambda *_: True),
    ):
        with monkeypatch.context() as patch:
            patch.setattr(changed, name, other)
            assert await doors.drift({operation: TABLE[operation]}, askers=2), what
