"""Makes hard strings for lookup tables from the names of their rows. A hard string refers to no
row, to one row, or to any of several rows.

A gold file contains strings that people typed. Hard strings test that similar but wrong strings do
not match. They are made with a fixed seed, so every run makes the same strings.
"""

from __future__ import annotations

import random
import re
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import islice
from typing import Final

from quartermaster.eval.gold import Need, Task
from quartermaster_lookup.table_file import Row

MAX_STRINGS: Final = 600
"""Largest number of hard strings in a class."""
AMBIGUOUS_CLASS: Final = "ambiguous initials"
RETIRED_CLASS: Final = "names of retired rows"
REMOVED_CLASS: Final = "names of removed rows"
MATCHABLE_CLASSES: Final = frozenset({"truncations", "unambiguous initials"})
"""Classes whose strings should match their row. The strings of all other classes should match
nothing.
"""
_SEED: Final = 20
_PLACEHOLDERS: Final = (
    *("N/A", "n/a", "NA", "none", "None", "cf.", "?", "??", "x", "xx", "xxx", "-", "--", "unknown"),
    *("Unknown", "unbekannt", "onbekend", "inconnu", "okänd", "okänt", "indet.", "NULL", "nil"),
    *("n.d.", "ej känd", "ingen", "aucun", "geen", "keine", "?.", "...", "saknas", "unidentified"),
)
_LETTERS: Final = "abcdefghijklmnopqrstuvwxyzåäö"
_NUMBER: Final = re.compile(r"\d+")
_BINOMIAL: Final = re.compile(r"[A-Z][a-z]{3,} [a-z-]{4,}")


@dataclass(frozen=True)
class HardSet:
    """Hard strings, and the rows that must be removed before some of the strings are looked up.

    Attributes:
        tasks: strings for the complete tables.
        removed: strings for the tables without the rows in `without`.
        without: ids of the rows to remove, by table.
    """

    tasks: list[Task]
    removed: list[Task]
    without: dict[str, set[str]]


def is_learnable(task: Task) -> bool:
    """Returns whether a string may be used for learning. Strings of a third of the entities are
    never used.
    """
    return task.split == "learn"


def make_hard(tables: Mapping[str, Sequence[Row]], most: int = MAX_STRINGS) -> HardSet:
    """Makes at most a given number of hard strings of each class.

    Args:
        tables: rows, by table.
        most: maximum number of strings in a class.
    """
    names = [_Names(table, rows) for table, rows in sorted(tables.items())]
    makers: dict[str, Callable[[_Names], Iterable[Task]]] = {
        AMBIGUOUS_CLASS: _ambiguous_initials,
        "unambiguous initials": _unambiguous_initials,
        "truncations": _truncations,
        "parts of a longer word": _parts,
        "placeholders": _placeholders,
        "single letters": _letters,
        "numbers that differ": _numbers,
        RETIRED_CLASS: _retired,
        "names in other languages": lambda own: _other_languages(own, names),
    }
    tasks = [
        task for maker in makers.values() for task in _some((maker(own) for own in names), most)
    ]
    # The other rows have to stay, so at most a fifth of a table is removed.
    removed = _some((_some([_removable(own)], len(own.rows) // 5) for own in names), most)
    without: dict[str, set[str]] = defaultdict(set)
    for task in removed:
        without[task.scope].add(task.key.rsplit(":", 1)[1])
    return HardSet(tasks, removed, dict(without))


def fold(name: str) -> str:
    """Returns a name in a form that is approximately the normalised form of the database."""
    text = unicodedata.normalize("NFKD", name).lower()
    text = "".join(letter for letter in text if not unicodedata.combining(letter))
    text = re.sub(r"(\d{3})([^\W\d_])", r"\1 \2", text)
    return " ".join(re.findall(r"[^\W_]+", re.sub(r"([^\W\d_])(\d{3})", r"\1 \2", text)))


class _Names:
    """The names in a table, normalised and indexed for making hard strings."""

    def __init__(self, table: str, rows: Sequence[Row]) -> None:
        self.table = table
        self.rows = rows
        self.owners: dict[str, set[str]] = defaultdict(set)
        self.words: set[str] = set()
        self.labels: dict[str, str] = {}
        for row in rows:
            for name in (row["value"], *row["aliases"]):
                label = fold(name) or name.strip().lower()
                self.labels[name] = label
                self.owners[label].add(row["id"])
                self.words.update(label.split())
        self.starts = sorted(self.owners)

    @property
    def are_species(self) -> bool:
        """Whether most values look like the scientific names of species."""
        found = sum(_BINOMIAL.match(row["value"]) is not None for row in self.rows)
        return found > len(self.rows) / 2

    def active(self) -> Iterator[Row]:
        return (row for row in self.rows if row["active"])

    def begun(self, start: str) -> list[str]:
        """Returns the names that begin with the given text, at most 50."""
        from bisect import bisect_left

        place = bisect_left(self.starts, start)
        found = islice(self.starts, place, place + 50)
        return [label for label in found if label.startswith(start)]

    def task(self, tier: str, goal: str, entity: str, expected: Iterable[str] = ()) -> Task:
        accepted = frozenset(expected)
        digest = sha256(f"{self.table}:{entity}".encode()).digest()
        return Task(
            key=f"{tier}:{self.table}:{entity}",
            goal=goal,
            needs=(Need(min(accepted), accepted),) if accepted else (),
            split="held" if digest[0] % 3 == 0 else "learn",
            scope=self.table,
            tier=tier,
            source="derived",
        )


def _some(found: Iterable[Iterable[Task]], most: int) -> list[Task]:
    """Chooses tasks at random, up to a given number. One half comes from all tables equally, so
    that small tables count. The other half comes from all remaining tasks.
    """
    tables = [list({task.goal: task for task in tasks}.values()) for tasks in found]
    chosen: list[Task] = []
    chance = random.Random(_SEED)  # noqa: S311 - a fixed seed, nothing secret
    rest: list[Task] = []
    for number, tasks in enumerate(sorted(tables, key=len)):
        share = max((most // 2 - len(chosen)) // (len(tables) - number), 0)
        chance.shuffle(tasks)
        chosen += tasks[:share]
        rest += tasks[share:]
    return chosen + chance.sample(rest, min(most - len(chosen), len(rest)))


def _initials(own: _Names) -> dict[str, dict[str, Row]]:
    """Returns the active rows whose names can be abbreviated like `P. lepidus`: by the
    abbreviation, then by the normalised name.
    """
    forms: dict[str, dict[str, Row]] = defaultdict(dict)
    for row in own.active():
        first, _, rest = row["value"].partition(" ")
        if (
            first.isalpha()
            and first.istitle()
            and len(first) > 3
            and rest[:1].islower()
            and len(fold(rest)) > 3
        ):
            forms[f"{first[0]}. {rest}"][own.labels[row["value"]]] = row
    return {form: rows for form, rows in forms.items() if fold(form) not in own.owners}


def _ambiguous_initials(own: _Names) -> Iterator[Task]:
    for form, rows in _initials(own).items():
        if len(rows) > 1:
            expected = {row["id"] for row in rows.values()}
            yield own.task(AMBIGUOUS_CLASS, form, form, expected)


def _unambiguous_initials(own: _Names) -> Iterator[Task]:
    by_short: dict[str, set[str]] = defaultdict(set)
    for label in own.owners:
        first, _, rest = label.partition(" ")
        by_short[f"{first[:1]} {rest}"].add(label)
    for form, rows in _initials(own).items():
        [(label, row), *others] = rows.items()
        longer = [one for one in by_short.get(fold(form), ()) if one != label]
        if not others and not longer and " sp" not in f" {label}":
            yield own.task("unambiguous initials", form, row["id"], own.owners[label])


def _truncations(own: _Names) -> Iterator[Task]:
    for row in own.active():
        name = row["value"]
        label, last = own.labels[name], name.rpartition(" ")[2]
        if " " not in label or len(last) < 6 or not last.isalpha():
            continue
        cut = name[: len(name) - len(last) + max(3, len(last) * 3 // 5)]
        if own.begun(fold(cut)) == [label]:
            yield own.task("truncations", cut, row["id"], own.owners[label])


def _parts(own: _Names) -> Iterator[Task]:
    """Yields the two halves of long words, except a half that is itself a word of a name."""
    for row in own.active():
        for word in own.labels[row["value"]].split():
            if len(word) < 7 or not word.isalpha():
                continue
            half = len(word) // 2
            for part in (word[:half], word[half:]):
                if part not in own.words and own.table != "dating_lab":
                    yield own.task("parts of a longer word", part, row["id"])


def _placeholders(own: _Names) -> Iterator[Task]:
    for text in _PLACEHOLDERS:
        if (fold(text) or text) not in own.owners:
            yield own.task("placeholders", text, text)


def _letters(own: _Names) -> Iterator[Task]:
    for letter in _LETTERS:
        for text in (letter, letter.upper(), f"{letter.upper()}."):
            if fold(text) not in own.owners:
                yield own.task("single letters", text, letter)


def _numbers(own: _Names) -> Iterator[Task]:
    for row in own.active():
        name = row["value"]
        found = [*_NUMBER.finditer(name)]
        if not found:
            # A number that the name does not have.
            if own.table in {"site", "location", "feature_type"} and len(name) < 40:
                yield own.task("numbers that differ", f"{name} {len(name) * 7 + 13}:1", row["id"])
            continue
        number = found[-1]
        last = int(number[0][-1])
        wrong = f"{number[0][:-1]}{(last + 1) % 10}"
        goal = name[: number.start()] + wrong + name[number.end() :]
        if fold(goal) not in own.owners:
            yield own.task("numbers that differ", goal, row["id"])


def _retired(own: _Names) -> Iterator[Task]:
    used = {
        name.strip().lower() for row in own.active() for name in (row["value"], *row["aliases"])
    }
    for row in own.rows:
        for name in (row["value"], *row["aliases"]):
            if not row["active"] and name.strip().lower() not in used:
                yield own.task(RETIRED_CLASS, name, row["id"], {row["id"]})


def _other_languages(own: _Names, tables: Iterable[_Names]) -> Iterator[Task]:
    """Yields common names from other tables that are missing in this table, even if this table has
    the row.
    """
    if len(own.rows) < 1_000 or not own.are_species:
        return
    species: dict[str, set[str]] = defaultdict(set)
    for row in own.rows:
        if named := _BINOMIAL.match(row["value"]):
            species[fold(named[0])].add(row["id"])
    for other in tables:
        if other.table == own.table:
            continue
        for row in other.active():
            known = _BINOMIAL.match(row["value"])
            label = fold(known[0]) if known else ""
            for alias in row["aliases"]:
                if label and _BINOMIAL.match(alias) is None and fold(alias) not in own.owners:
                    yield own.task("names in other languages", alias, label, species.get(label, ()))


def _removable(own: _Names) -> Iterator[Task]:
    """Yields the names of rows that can be removed. For each such row, there is another row whose
    name has the same first word.
    """
    firsts: dict[str, set[str]] = defaultdict(set)
    for label, owners in own.owners.items():
        firsts[label.partition(" ")[0]] |= owners
    for row in own.active():
        label = own.labels[row["value"]]
        near = firsts[label.partition(" ")[0]]
        if own.owners[label] == {row["id"]} and " " in label and len(near) > 1:
            yield own.task(REMOVED_CLASS, row["value"], row["id"])
