"""Finds the decisions that the code no longer follows at a commit."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, cast

from quartermaster.projects.git import Repository, TreeEntry, split
from quartermaster_decisions.checking import Decision, cases_if_possible, usable
from quartermaster_decisions.codebase import module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.file_cache import facts_cache
from quartermaster_decisions.globs import globs_of
from quartermaster_decisions.history import read_substitutions
from quartermaster_decisions.ingest import MAX_SOURCE_BYTES, read_facts
from quartermaster_decisions.languages import language_of, languages
from quartermaster_decisions.mining import line_hash

CONTESTED_SHARE: Final = 0.6
_LEAST_CASES: Final = 3
_MOST_COMMITS: Final = 500
# The members of a check that name what code shall use; others say where, or what it shall not use.
_NAMING_MEMBERS: Final = ("new", "bases", "decorators")
_NO_NAMES: Final = frozenset({"form", "paths", "except", "allowed", "tests", "rule"})


def health_of(
    repository: Repository, decisions: Sequence[Decision], commit: str, cache: Path | None = None
) -> list[dict[str, Any]]:
    """Returns reports for api.report_decision_health: whether the code still follows each decision
    at a commit.

    A decision has the first of these states that applies:

    - obsolete: the code no longer uses the names in its check.
    - contested: fewer than 60 % of its cases in changed files follow it. A file counts as changed
      if it changed since the decision was last verified.
    - suspect: all its evidence is gone, or its scope no longer has files. Evidence in a renamed
      file is found in the new file.

    Args:
        repository: the repository.
        decisions: decisions from api.find_decisions, with excerpts.
        commit: the commit.
        cache: file that caches the data from the repository. See `read_signals`.
    """
    code = _Code.read(repository, commit, cache)
    by_start: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        by_start[str(decision["last_verified"] or decision["valid_from"] or "")].append(decision)
    reports: dict[int, dict[str, Any]] = {}
    for start, group in by_start.items():
        # A commit that is no longer there tells of no changes.
        changes = _Changes(repository, repository.commit(start) if start else None, commit)
        counts = _counts(repository, usable(group), code, changes)
        lines = _Lines(repository, group, code, changes)
        for decision in group:
            evidence = [lines.found(one) for one in decision["evidence"]]
            health, reason = (
                _of_names(decision, code, changes)
                or _of_cases(counts[decision["id"]])
                or _of_places(decision, evidence, code, changes)
                or ("fresh", "")
            )
            reports[decision["id"]] = {
                "decision": decision["id"],
                "health": health,
                "reason": reason,
                "evidence": evidence,
            }
    return [reports[one["id"]] for one in decisions]


@dataclass(frozen=True)
class _Code:
    """The files of the current commit, and their facts."""

    commit: str
    entries: Mapping[str, TreeEntry]
    facts: Mapping[str, FileFacts]

    @classmethod
    def read(cls, repository: Repository, commit: str, cache: Path | None) -> _Code:
        entries = {
            entry.path: entry
            for entry in repository.tree(commit)
            if not entry.is_link and entry.size <= MAX_SOURCE_BYTES and entry.path.isprintable()
        }
        sources = [entry for path, entry in entries.items() if language_of(path)]
        with closing(facts_cache(cache)) as retained:
            facts = {each.path: each for each in read_facts(repository, sources, retained)}
        return cls(commit, entries, facts)

    def contents(self, repository: Repository, paths: Iterable[str]) -> dict[str, bytes]:
        """Returns the contents of the given files. Files that do not exist are left out."""
        blobs = {path: self.entries[path].blob for path in paths if path in self.entries}
        return repository.contents(blobs)

    @cached_property
    def modules(self) -> frozenset[str]:
        """The names with which the files are imported."""
        return frozenset(each.module for each in self.facts.values())

    @cached_property
    def used(self) -> frozenset[str]:
        """All names that the code imports, calls, raises, uses as a decorator or derives a class
        from.
        """
        found: set[str] = set()
        for facts in self.facts.values():
            found |= {call.name for call in facts.calls} | {one.name for one in facts.raises}
            for each in facts.imports:
                found |= {each.target, each.module}
            found |= {one.name for one, _ in facts.decorated()}
            found |= {base for each in facts.classes for base in each.bases}
        return frozenset(found)


class _Changes:
    """The changes from an earlier commit to the current commit.

    Attributes:
        paths: files whose content changed.
        moved: the new path of each renamed file.
    """

    def __init__(self, repository: Repository, start: str | None, end: str) -> None:
        self.paths: set[str] = set()
        self.moved: dict[str, str] = {}
        self._repository, self._start, self._end = repository, start, end
        if start is None or start == end:
            return
        flags = ["-r", "-z", "-M", "--name-status", "--no-commit-id"]
        summary = (
            each.decode("utf-8", "surrogateescape")
            for each in split(repository.stream("diff-tree", *flags, start, end), b"\0")
        )
        for status in summary:
            path = next(summary)
            if status.startswith("R"):
                old, path = path, next(summary)
                if path.isprintable():  # what is not UTF-8 or is unseen is in no row
                    self.moved[old] = path
            if status not in {"D", "R100"}:
                self.paths.add(path)

    @cached_property
    def modules(self) -> dict[str, str]:
        """Maps the old name of each module whose file was renamed to its new name."""
        if self._start is None or not self.moved:
            return {}
        before = module_names(
            entry.path for entry in self._repository.tree(self._start) if language_of(entry.path)
        )
        after = module_names(
            entry.path for entry in self._repository.tree(self._end) if language_of(entry.path)
        )
        return {
            before[old]: after[new]
            for old, new in self.moved.items()
            if old in before and new in after and before[old] != after[new]
        }

    @cached_property
    def names(self) -> dict[str, str]:
        """Maps each replaced name to the name that most changed lines now use instead."""
        if self._start is None:
            return {}
        listed = ("rev-list", "--no-merges", f"--max-count={_MOST_COMMITS}")
        ids = self._repository.read(*listed, self._end, f"^{self._start}").decode().split()
        counts: dict[str, Counter[str]] = defaultdict(Counter)
        for each in read_substitutions(self._repository, ids, list(languages())) if ids else ():
            counts[each.old][each.new] += 1
        return {old: new.most_common(1)[0][0] for old, new in counts.items()}

    def new_module(self, name: str) -> str | None:
        """Returns the new form of a dotted name whose module was renamed. Returns None if the
        module was not renamed.
        """
        parts = name.split(".")
        for end in range(len(parts), 0, -1):
            if new := self.modules.get(".".join(parts[:end])):
                return ".".join([new, *parts[end:]])
        return None


Found = tuple[str, str] | None
"""The health of a decision and the reason for it. None if no problem was found."""


def _of_names(decision: Decision, code: _Code, changes: _Changes) -> Found:
    """Returns the health `obsolete` and the reason if the code no longer uses the names in the
    decision's check.
    """
    if not usable([decision]):
        return None
    for name in _names_in(decision["check"]):
        new = changes.new_module(name)
        if new is not None and name not in code.used and name not in code.modules:
            return "obsolete", f"{name} is called {new} now"
    asked = [
        name
        for key in _NAMING_MEMBERS
        for name in decision["check"].get(key, ())
        if not name.startswith("*")
    ]
    if not asked or code.used.intersection(asked):
        return None
    became = changes.names.get(asked[0])
    instead = f"; most lines that named it say {became} now" if became else ""
    return "obsolete", f"nothing uses {asked[0]} any more{instead}"


def _names_in(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        members = cast("dict[str, Any]", value)
        for key, each in members.items():
            if key not in _NO_NAMES:
                yield from _names_in(each)
    elif isinstance(value, list):
        for each in cast("list[Any]", value):
            yield from _names_in(each)


def _counts(
    repository: Repository, decisions: Sequence[Decision], code: _Code, changes: _Changes
) -> dict[int, list[bool]]:
    """Returns, for each decision, whether each case in the changed files follows it."""
    found: dict[int, list[bool]] = defaultdict(list)
    paths = [path for path in sorted(changes.paths) if path in code.facts]
    asks_ruff = any(one["check"]["form"] == "ruff" for one in decisions)
    contents = code.contents(repository, paths) if asks_ruff else {}
    for path in paths:
        summary, _ = cases_if_possible(code.facts[path], contents.get(path, b""), decisions)
        for decision, place in summary:
            found[decision["id"]].append(place.followed)
    return found


def _of_cases(followed: Sequence[bool]) -> Found:
    if len(followed) < _LEAST_CASES or sum(followed) / len(followed) >= CONTESTED_SHARE:
        return None
    return "contested", f"{sum(followed)} of {len(followed)} cases in changed files follow it"


def _of_places(
    decision: Decision, evidence: Sequence[Mapping[str, Any]], code: _Code, changes: _Changes
) -> Found:
    """Returns the health `suspect` and the reason if all evidence of the decision is gone, or if
    its scope no longer contains files.
    """
    if evidence and all(one["gone"] for one in evidence):
        return "suspect", "none of its evidence exists any more"
    scope = decision["scope"]
    if scope["kind"] != "path" or not changes.moved:
        return None
    place = globs_of(scope["value"])
    gone_to = [new for old, new in sorted(changes.moved.items()) if place.match(old)]
    if not gone_to or any(place.match(path) for path in code.entries):
        return None
    # Agents read the reason. A name with spaces could be a sentence that speaks to them.
    moved = (
        "what was there has other names" if " " in gone_to[0] else f"{gone_to[0]} was there before"
    )
    return "suspect", f"no file is in {scope['value']} any more; {moved}"


class _Lines:
    """Finds the lines that evidence quotes, even if the file was renamed or the line has moved."""

    def __init__(
        self, repository: Repository, decisions: Sequence[Decision], code: _Code, changes: _Changes
    ) -> None:
        self._moved = changes.moved
        self._blobs = {entry.blob: path for path, entry in code.entries.items()}
        wanted = {
            self._now(str(one["path"]))
            for decision in decisions
            for one in decision["evidence"]
            if one["kind"] != "commit" and one.get("path")
        }
        contents = code.contents(repository, wanted)
        self._lines: dict[str, dict[str, list[int]]] = {}
        for path, content in contents.items():
            found = self._lines[path] = defaultdict[str, list[int]](list)
            text = content.decode("utf-8", "replace")
            for number, line in enumerate(text.splitlines(), start=1):
                found[line_hash(line)].append(number)

    def _now(self, path: str) -> str:
        return self._moved.get(path, path)

    def found(self, one: Mapping[str, Any]) -> dict[str, Any]:
        """Returns whether a piece of evidence still exists. If it has moved, also returns the new
        place.
        """
        path, wanted = one.get("path"), one.get("line_hash")
        if one["kind"] == "commit" or not path or not wanted:
            return {"id": one["id"], "gone": False}
        now, line = self._now(path), one.get("line") or 1
        numbers = self._lines.get(now, {}).get(wanted, [])
        report: dict[str, Any] = {"id": one["id"], "gone": False}
        if numbers:
            nearest = min(numbers, key=lambda number: abs(number - line))
            if now != path:
                report["path"] = now
            if nearest != line:
                report["line"] = nearest
                if one.get("end_line"):
                    report["end_line"] = nearest + one["end_line"] - line
            return report
        if same := self._blobs.get(str(one.get("blob"))):
            return report | {"path": same}
        return report | {"gone": True}
