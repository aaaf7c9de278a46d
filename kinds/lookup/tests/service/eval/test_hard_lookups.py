"""Hard strings: what is made from the rows of lookup tables, and what it is right to answer."""

from __future__ import annotations

import re
from collections import defaultdict

import pytest

from quartermaster_lookup.eval.hard_lookups import (
    AMBIGUOUS_CLASS,
    MATCHABLE_CLASSES,
    REMOVED_CLASS,
    RETIRED_CLASS,
    fold,
    is_learnable,
    make_hard,
)
from quartermaster_lookup.table_file import Row

GENERA = ("Betula", "Salix", "Quercus", "Carex", "Bidens", "Psallus")
EPITHETS = ("pendula", "repens", "lepidus", "obscurus", "montanus")
PLACES = ("Strängnäs Raä 443", "Umeå Stadsliden 6:6", "Forsa", "Åbo", "Kalix Åkroken 12")


def row(key: str, value: str, *aliases: str, active: bool = True) -> Row:
    return {"id": key, "value": value, "aliases": list(aliases), "active": active}


def tables() -> dict[str, list[Row]]:
    """Thirty species, with a retired one and two that share a name, and five places."""
    taxa = [
        row(f"{first}{second}", f"{GENERA[first]} {EPITHETS[second]}")
        for first in range(len(GENERA))
        for second in range(len(EPITHETS))
    ]
    taxa += [
        row("r1", "Alnus glutinosa", active=False),
        row("r2", "betula pendula ", active=False),
        row("same1", "Vicia sativa"),
        row("same2", "Vicia sativa"),
    ]
    places = [row(str(number), name) for number, name in enumerate(PLACES)]
    return {"taxon": taxa, "site": places}


HARD = make_hard(tables())
BY_CLASS: dict[str, dict[tuple[str, str], frozenset[str]]] = defaultdict(dict)
for task in (*HARD.tasks, *HARD.removed):
    BY_CLASS[task.tier][task.scope, task.goal] = task.accepted


def test_every_run_makes_the_same_strings():
    again = make_hard(tables())
    assert again == HARD
    assert {task.tier for task in HARD.tasks} >= {
        AMBIGUOUS_CLASS,
        RETIRED_CLASS,
        *MATCHABLE_CLASSES,
    }


def test_an_initial_is_ambiguous_only_if_several_names_begin_with_it():
    ambiguous, clear = BY_CLASS[AMBIGUOUS_CLASS], BY_CLASS["unambiguous initials"]
    assert ambiguous["taxon", "B. pendula"] == {"00", "40"}
    assert clear["taxon", "S. pendula"] == {"10"}
    assert ("taxon", "B. pendula") not in clear
    assert clear["taxon", "V. sativa"] == {"same1", "same2"}, "rows of one name are one answer"


def test_a_truncation_begins_only_one_name():
    for (table, goal), expected in BY_CLASS["truncations"].items():
        begun = [one for one in tables()[table] if fold(one["value"]).startswith(fold(goal))]
        assert expected == {one["id"] for one in begun}
        assert len({fold(one["value"]) for one in begun}) == 1


@pytest.mark.parametrize("tier", ["parts of a longer word", "placeholders", "single letters"])
def test_what_no_row_fits_is_the_name_of_none(tier: str):
    found = BY_CLASS[tier]
    names = {fold(one["value"]) for rows in tables().values() for one in rows}
    assert found
    assert not any(found.values())
    assert not {fold(goal) for _, goal in found} & (names - {""})


def test_a_number_is_off_by_one_digit_or_too_many():
    found = BY_CLASS["numbers that differ"]
    assert found["site", "Strängnäs Raä 444"] == frozenset()
    assert found["site", "Umeå Stadsliden 6:7"] == frozenset()
    assert any(re.fullmatch(r"Forsa \d+:1", goal) for _, goal in found)
    assert not any(table == "taxon" for table, _ in found)


def test_only_names_that_no_row_in_use_has_are_retired():
    assert BY_CLASS[RETIRED_CLASS] == {("taxon", "Alnus glutinosa"): {"r1"}}


def test_a_removed_row_leaves_a_neighbour_and_most_of_the_table():
    removed = BY_CLASS[REMOVED_CLASS]
    for table, rows in tables().items():
        gone = HARD.without.get(table, set())
        assert len(gone) <= len(rows) / 5
        retained = {fold(one["value"]) for one in rows if one["id"] not in gone}
        for goal in (goal for scope, goal in removed if scope == table):
            assert fold(goal) not in retained, "no row has the name any more"
            assert any(name.split()[0] == fold(goal).split()[0] for name in retained)
    assert removed
    assert not any(removed.values())


def test_a_third_of_the_entities_is_never_learned_from():
    sides: dict[tuple[str, str], set[bool]] = defaultdict(set)
    for task in (*HARD.tasks, *HARD.removed):
        sides[task.scope, task.key.rsplit(":", 1)[1]].add(is_learnable(task))
    assert all(len(side) == 1 for side in sides.values()), "an entity is on one side only"
    learned = sum(True in side for side in sides.values())
    assert 0.5 < learned / len(sides) < 0.85


def test_a_class_has_at_most_so_many_strings_and_small_tables_count():
    few = make_hard(tables(), most=6)
    for tier in ("parts of a longer word", "single letters"):
        own = [task.scope for task in few.tasks if task.tier == tier]
        assert len(own) == 6
        assert "site" in own


def test_names_in_other_languages_come_from_tables_of_the_same_species():
    rows = [row(str(number), f"Genus epitheton{number}") for number in range(1_000)]
    rows += [row("b", "Betula pendula Roth", "vårtbjörk")]
    other = [
        row("x", "Betula pendula", "silver birch", "vårtbjörk"),
        row("y", "Acer rubrum", "lönn"),
    ]
    found = {
        task.goal: task.accepted
        for task in make_hard({"taxon": rows, "alien": other}).tasks
        if task.tier == "names in other languages"
    }
    assert found == {"silver birch": {"b"}, "lönn": frozenset()}
