"""Checks files against decisions."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.projects.git import Repository
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster_decisions.checks import (
    Check,
    CheckedCase,
    applies_to,
    evaluate_facts,
    problem_of,
)
from quartermaster_decisions.codebase import module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.ingest import commit_of
from quartermaster_decisions.languages import language_of
from quartermaster_decisions.ruff_rules import broken_rules

Decision = Mapping[str, Any]


@dataclass(frozen=True)
class Violation:
    """A place in a file that does not follow a decision."""

    path: str
    line: int
    what: str
    decision: Decision

    def as_json(self) -> dict[str, Any]:
        """Returns the violation together with the texts of the decision."""
        return {
            "path": self.path,
            "line": self.line,
            "what": self.what,
            "decision": self.decision["id"],
            **{name: self.decision[name] for name in ("pattern", "instead", "rationale")},
        }


def check_files(
    repository: Repository,
    guard: ProjectFileAccess,
    decisions: Sequence[Decision],
    paths: Sequence[str],
) -> list[Violation]:
    """Returns the violations in the current files of the project's folder.

    Args:
        repository: the repository of the project.
        guard: reads the files of the project.
        decisions: the decisions. Decisions without a usable check are skipped.
        paths: files or folders below the root. Empty means all files.

    Raises:
        QmError: 404 file_not_found if there is nothing at one of the paths.
    """
    known = repository.working_files()
    wanted = below(known, [within(repository.root, path) for path in paths])
    modules = module_names(path for path in known if language_of(path))
    checked = usable(decisions)
    found: list[Violation] = []
    for path in wanted:
        language = language_of(path)
        if language is not None:
            content = guard.read(path).data
            facts = language.read(path, modules[path], content)
            found += violations(path, cases(facts, content, checked))
    return found


def within(root: Path, path: str) -> str:
    """Returns a path relative to the root. A path that is not below the root is returned
    unchanged.
    """
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path


def below(known: Sequence[str], paths: Sequence[str]) -> list[str]:
    """Returns the files at the given paths. If no path is given, returns all files.

    Raises:
        QmError: 404 file_not_found if there is nothing at one of the paths.
    """
    for wanted in paths:
        if not any(_is_at(path, wanted) for path in known):
            raise QmError(
                404,
                "file_not_found",
                f"The project has no file or folder called {wanted}.",
                "Give files or folders below the root of the project.",
            )
    return [path for path in known if not paths or any(_is_at(path, one) for one in paths)]


def _is_at(path: str, wanted: str) -> bool:
    folder = wanted.removeprefix("./").strip("/")
    return folder in {"", ".", path} or path.startswith(f"{folder}/")


def usable(decisions: Sequence[Decision]) -> list[Decision]:
    """Returns the decisions that have a valid check."""
    return [one for one in decisions if one["check"] and not problem_of(one["check"])]


def cases(
    facts: FileFacts, content: bytes, decisions: Sequence[Decision]
) -> Iterator[tuple[Decision, CheckedCase]]:
    """Yields every place in one file to which the check of a decision applies. Says of each place
    whether it follows the decision. All code that compares files with decisions uses this function.

    Args:
        facts: what was read from the file, such as its imports, calls and names.
        content: bytes of the file.
        decisions: decisions whose checks are `usable`.

    Raises:
        QmError: 422 check_invalid: ruff is missing, or does not know a rule.
    """
    rules: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        check: Check = decision["check"]
        for place in evaluate_facts(check, facts).places:
            yield decision, place
        if check["form"] == "ruff" and applies_to(check, facts.path):
            rules[check["rule"]].append(decision)
    if not rules:
        return
    broken: set[str] = set()
    for rule, line in broken_rules(facts.path, content, rules):  # asked once for all rules
        broken.add(rule)
        for decision in rules[rule]:
            yield decision, CheckedCase(line, False, f"ruff finds {rule}")
    for rule in rules.keys() - broken:
        for decision in rules[rule]:
            yield decision, CheckedCase(1, True, f"ruff does not find {rule}")


def cases_if_possible(
    facts: FileFacts, content: bytes, decisions: Sequence[Decision]
) -> tuple[list[tuple[Decision, CheckedCase]], QmError | None]:
    """Returns the same cases as `cases`, and None. If ruff cannot run, returns only the cases of
    checks that do not need ruff, and the error.

    See `cases` for the arguments.
    """
    try:
        return list(cases(facts, content, decisions)), None
    except QmError as error:
        if error.slug != "check_invalid":
            raise
        others = [one for one in decisions if one["check"]["form"] != "ruff"]
        return list(cases(facts, content, others)), error


def violations(path: str, found: Iterable[tuple[Decision, CheckedCase]]) -> list[Violation]:
    """Returns the cases of a file that do not follow their decision."""
    return [
        Violation(path, place.line, place.what, decision)
        for decision, place in found
        if not place.followed
    ]


def changed_since(repository: Repository, guard: ProjectFileAccess, base: str) -> list[str]:
    """Returns the source files in the folder that differ from a commit.

    Raises:
        QmError: 404 commit_not_found.
    """
    before = {entry.path: entry.blob for entry in repository.tree(commit_of(repository, base))}
    now = [path for path in repository.working_files() if language_of(path)]
    old = repository.contents({path: before[path] for path in now if path in before})
    return [path for path in now if path not in before or guard.read(path).data != old.get(path)]


def guard_of(root: Path) -> ProjectFileAccess:
    """Returns the object that reads the files of a project safely.

    Args:
        root: folder of the project, as the database stores it. If the folder was replaced with a
            link after that, the link is not followed.

    Raises:
        QmError: 404 folder_not_found.
    """
    if not root.is_dir():
        raise QmError(
            404,
            "folder_not_found",
            f"{root} is not a folder.",
            "Check the path, or correct the root of the project.",
        )
    return ProjectFileAccess(root)
