"""Reads gold sets, that is, goals with right answers, from JSON Lines, YAML tasks or CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from hashlib import sha1, sha256
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.eval.evaluation_files import (
    YAML_SUFFIXES,
    FileEntry,
    bad_file,
    read_objects,
    read_yaml,
)
from quartermaster.eval.items import ItemSet

BEST_GRADE: Final = 3.0


@dataclass(frozen=True)
class Need:
    """One thing that a goal needs.

    Attributes:
        group: group of the item that meets the need.
        accepted: groups of all items that meet the need, including `group`.
    """

    group: str
    accepted: frozenset[str]


@dataclass(frozen=True)
class Task:
    """A goal with its right answers.

    Attributes:
        key: id of the goal, unique in a file.
        goal: the goal as written.
        needs: the needs, all of which have to be met; empty if no item serves the goal.
        grades: grades of items, from 0 (useless) to 3 (exactly right), by group; empty if nobody
            graded them.
        mode: mode for the search; None uses the mode of the run.
        split: split of the goal, if the file states one.
        scope: the lookup table that is queried, or the set of tools.
        tier, source: difficulty, and whether the goal is real or derived.
        language, properties: additional conditions in the query; None if there are none.
    """

    key: str
    goal: str
    needs: tuple[Need, ...]
    grades: Mapping[str, float] = field(default_factory=dict[str, float])
    mode: str | None = None
    split: str | None = None
    scope: str = ""
    tier: str = ""
    source: str = ""
    language: str | None = None
    properties: dict[str, Any] | None = None

    @property
    def accepted(self) -> frozenset[str]:
        """The groups of all items that meet any need of the goal."""
        return frozenset[str]().union(*(need.accepted for need in self.needs))

    def fold(self, folds: int) -> int:
        """Returns the fold of a cross-validation to which the goal belongs. All goals with the same
        answer are in the same fold.
        """
        entity = min(self.accepted, default=self.goal)
        digest = sha256(f"{self.scope}:{entity}".encode()).digest()
        return int.from_bytes(digest[:8]) % folds


@dataclass(frozen=True)
class GoldSet:
    """Items, and goals with their right answers.

    Attributes:
        name: name of the set.
        items: the items.
        tasks: the goals.
        files: the files with the goals.
    """

    name: str
    items: ItemSet
    tasks: list[Task]
    files: tuple[Path, ...] = ()


def needs_of(
    gold: Iterable[str],
    alternatives: Mapping[str, Collection[str]],
    groups: Mapping[str, str],
) -> tuple[Need, ...]:
    """Builds the needs of a goal. Two needed items in the same group are a single need.

    Args:
        gold: ids of the needed items.
        alternatives: maps the id of a needed item to the ids that are accepted instead of it.
        groups: maps the id of an item to its group of near-duplicates; any other item is its own
            group.
    """
    accepted: dict[str, set[str]] = {}
    for item in gold:
        group = groups.get(item, item)
        others = {groups.get(other, other) for other in alternatives.get(item, ())}
        accepted.setdefault(group, {group}).update(others)
    return tuple(Need(group, frozenset(others)) for group, others in accepted.items())


def sample(tasks: Sequence[Task], limit: int | None) -> list[Task]:
    """Returns a sample of the tasks, which is always the same: those whose ids have the smallest
    hashes. If the limit is None, returns all tasks.
    """
    if limit is None or limit >= len(tasks):
        return list(tasks)
    return sorted(tasks, key=lambda task: sha1(task.key.encode(), usedforsecurity=False).digest())[
        :limit
    ]


def read_tasks(
    path: Path, items: ItemSet, *, split: str | None, modes: Collection[str]
) -> list[Task]:
    """Reads the goals to score.

    JSON Lines: ``{id, query, gold, split, alt, grades, partly}``. YAML (.yaml, .yml): a list of
    ``{goal, gold_tools, mode, split, notes}``. Goals without a split are always scored, and all
    goals are scored if no split is requested. Goals name items by id, by ``origin/name``, or by a
    unique name. If ``gold`` is empty, no item serves the goal. If ``partly`` also names items that
    serve a part of the goal, the goal is left out. For such a goal, both "fits" and "does not fit"
    would be right.

    Args:
        path: path of the file.
        items: items to which the answers refer.
        split: the requested split; None for all goals.
        modes: names of the existing modes.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid with file and line.
    """
    found: list[Task] = []
    splits: set[str] = set()
    for task in _tasks(path, items, modes):
        splits.add(str(task.split))
        if split is None or task.split in (None, split):
            found.append(task)
    if not splits:
        raise bad_file(path, None, "the file has no goals")
    if not found:
        hint = f"Choose one of: {', '.join(sorted(splits))}."
        raise bad_file(path, None, f"no goal belongs to the split {split!r}", hint)
    return numbered(found)


def read_unserved(
    path: Path, items: ItemSet, *, split: str | None, modes: Collection[str]
) -> list[Task]:
    """Reads the goals of a file that no item serves. The other goals in the file are left out.

    Args:
        path, items, split, modes: see `read_tasks`; a file without such goals is not an error.

    Raises:
        QmError: QM404 file_not_found, QM422 evaluation_file_invalid with file and line.
    """
    return [
        task
        for task in _tasks(path, items, modes)
        if not task.needs and (split is None or task.split in (None, split))
    ]


def numbered(tasks: Iterable[Task]) -> list[Task]:
    """Makes the ids of goals unique: a second goal with the same id gets the id ``ID (2)``. Both
    goals count.
    """
    keys: Counter[str] = Counter()
    found: list[Task] = []
    for task in tasks:
        keys[task.key] += 1
        suffix = f" ({keys[task.key]})" if keys[task.key] > 1 else ""
        found.append(replace(task, key=task.key + suffix))
    return found


def _tasks(path: Path, items: ItemSet, modes: Collection[str]) -> Iterator[Task]:
    is_yaml = path.suffix.lower() in YAML_SUFFIXES
    names = ("goal", "gold_tools") if is_yaml else ("query", "gold")
    for entry in read_yaml(path) if is_yaml else read_objects(path):
        task = _task(entry, items, modes, names)
        if task.needs or not entry.texts(entry.members.get("partly") or [], "partly"):
            yield task


def _task(entry: FileEntry, items: ItemSet, modes: Collection[str], names: tuple[str, str]) -> Task:
    goal_name, gold_name = names
    goal = entry.text(goal_name)
    gold = entry.texts(entry.members.get(gold_name), gold_name)
    alternatives = entry.mapping("alt", "{needed id: [other ids]}")
    others = {key: entry.texts(value, "alt") for key, value in alternatives.items()}
    mode = entry.members.get("mode")
    if mode is not None and mode not in modes:
        raise entry.bad(f"unknown mode {mode!r}", _use_one_of(modes))

    def known(name: str) -> str:
        if name not in items.known:
            raise entry.bad(
                f"the tool {name!r} is not in {items.path}",
                "Name tools by their id in the tools file, by origin/name, or by a unique name.",
            )
        return items.known[name]

    needed = {name: known(name) for name in gold}
    accepted = {needed.get(key, key): [*map(known, others[key])] for key in others}
    needs = needs_of(needed.values(), accepted, items.groups)
    own_split = entry.members.get("split")
    return Task(
        key=str(entry.members.get("id") or f"line {entry.line}"),
        goal=goal,
        needs=needs,
        grades=_grades(entry, items, needs),
        mode=mode,
        split=None if own_split is None else str(own_split),
    )


def _grades(entry: FileEntry, items: ItemSet, needs: Iterable[Need]) -> dict[str, float]:
    """Returns the best grade in each group. Grades of tools that are not in the items file are left
    out.
    """
    form = "{id: 0 to 3}"
    if not (given := entry.mapping("grades", form)):
        return {}
    found = {need.group: BEST_GRADE for need in needs}
    for name, grade in given.items():
        is_number = isinstance(grade, int | float) and not isinstance(grade, bool)
        if not is_number or not 0 <= grade <= BEST_GRADE:
            raise entry.bad(f"expected 'grades' to be an object {form}")
        if name in items.known:
            key = items.known[name]
            group = items.groups.get(key, key)
            found[group] = max(found.get(group, 0.0), float(grade))
    return found


def require_mode(mode: str, modes: Collection[str]) -> None:
    """Refuses an unknown mode.

    Raises:
        QmError: QM422 mode_unknown.
    """
    if mode not in modes:
        raise QmError(422, "mode_unknown", f"unknown mode {mode!r}", _use_one_of(modes))


def _use_one_of(modes: Collection[str]) -> str:
    return f"Use one of: {', '.join(modes)}."
