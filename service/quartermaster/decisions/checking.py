"""Checks files against decisions, and tells which decisions the code has left behind."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.decisions.checks import Check, Place, applies_to, evaluate_facts, problem_of
from quartermaster.decisions.codebase import module_names
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.ingest import commit_of
from quartermaster.decisions.languages import language_of
from quartermaster.decisions.mining import line_hash
from quartermaster.decisions.ruff_rules import broken_rules
from quartermaster.projects.git import Repository
from quartermaster.projects.guard import Guard

CONTESTED: Final = 0.6
_LEAST_CASES: Final = 3
Decision = Mapping[str, Any]


@dataclass(frozen=True)
class Violation:
    """A place that does not follow a decision."""

    path: str
    line: int
    what: str
    decision: Decision

    def as_json(self) -> dict[str, Any]:
        """The violation with what the decision says."""
        return {
            "path": self.path,
            "line": self.line,
            "what": self.what,
            "decision": self.decision["id"],
            "pattern": self.decision["pattern"],
            "instead": self.decision["instead"],
            "rationale": self.decision["rationale"],
        }


def check_files(
    repository: Repository, guard: Guard, decisions: Sequence[Decision], paths: Sequence[str]
) -> list[Violation]:
    """The violations in files as they are in the folder now.

    Args:
        repository: the repository of the project.
        guard: reads its files.
        decisions: decisions with checks; others are passed over.
        paths: files or folders below the root; empty for all files.

    Raises:
        QmError: 404 file_not_found if there is nothing at one of the paths.
    """
    known = repository.working_files()
    wanted = below(known, [within(repository.root, path) for path in paths])
    modules = module_names(path for path in known if language_of(path))
    found: list[Violation] = []
    for path in wanted:
        language = language_of(path)
        if language is not None:
            content = guard.read(path).data
            found += violations(language.read(path, modules[path], content), decisions)
            found += _of_ruff(path, content, decisions)
    return found


def _of_ruff(path: str, content: bytes, decisions: Sequence[Decision]) -> list[Violation]:
    """What ruff finds; it is asked once for all rules of a file."""
    rules: dict[str, list[Decision]] = defaultdict(list)
    for decision in decisions:
        check: Check = decision["check"] or {"form": ""}
        if check["form"] == "ruff" and not problem_of(check) and applies_to(check, path):
            rules[check["rule"]].append(decision)
    if not rules:
        return []
    return [
        Violation(path, line, f"ruff finds {rule}", decision)
        for rule, line in broken_rules(path, content, rules)
        for decision in rules[rule]
    ]


def within(root: Path, path: str) -> str:
    """A path relative to the root."""
    return Path(path).relative_to(root).as_posix() if Path(path).is_relative_to(root) else path


def below(known: Sequence[str], paths: Sequence[str]) -> list[str]:
    """The files at some of the paths; all files if there are no paths.

    Raises:
        QmError: 404 file_not_found if there is nothing at one of the paths.
    """
    for wanted in paths:
        if not any(_is_at(path, wanted) for path in known):
            raise QmError(
                404,
                "file_not_found",
                f"The project has no file or folder {wanted}.",
                "Name files or folders below the root of the project.",
            )
    return [path for path in known if not paths or any(_is_at(path, one) for one in paths)]


def _is_at(path: str, wanted: str) -> bool:
    folder = wanted.removeprefix("./").strip("/")
    return folder in {"", ".", path} or path.startswith(f"{folder}/")


def violations(facts: FileFacts, decisions: Sequence[Decision]) -> list[Violation]:
    """The violations in one file."""
    return [
        Violation(facts.path, place.line, place.what, decision)
        for decision in decisions
        for place in _places(decision, facts)
        if not place.followed
    ]


def _places(decision: Decision, facts: FileFacts) -> tuple[Place, ...]:
    check = decision["check"]
    if not check or problem_of(check):
        return ()
    return evaluate_facts(check, facts).places


def changed_since(repository: Repository, guard: Guard, base: str) -> list[str]:
    """Files of the folder that differ from a commit; the commit is named by the user.

    Raises:
        QmError: 404 commit_not_found.
    """
    before = {entry.path: entry.blob for entry in repository.tree(commit_of(repository, base))}
    changed: list[str] = []
    contents = {path: before.get(path, "") for path in repository.working_files()}
    old = dict(repository.blobs(dict.fromkeys(blob for blob in contents.values() if blob)))
    for path, blob in contents.items():
        if language_of(path) is None:
            continue
        if not blob or guard.read(path).data != old.get(blob):
            changed.append(path)
    return changed


def health_of(
    repository: Repository, decisions: Sequence[Decision], commit: str
) -> list[dict[str, Any]]:
    """Reports for api.report_decision_health: what a new commit says about decisions.

    Evidence that is gone makes a decision suspect; if fewer than 60 % of the cases in files that
    changed since it was last verified follow it, it is contested; if what it says to use instead
    of something else is no longer anywhere, it is obsolete.
    """
    entries = {
        entry.path: entry
        for entry in repository.tree(commit)
        if not entry.is_link and entry.size < 1_000_000
    }
    sources = [path for path in entries if language_of(path)]
    modules = module_names(sources)
    contents = dict(repository.blobs(dict.fromkeys(entries[path].blob for path in sources)))
    files: dict[str, FileFacts] = {}
    for path in sources:
        language = language_of(path)
        if language is not None and entries[path].blob in contents:
            files[path] = language.read(path, modules[path], contents[entries[path].blob])
    lines = {
        path: {line_hash(line) for line in _lines(contents.get(entries[path].blob, b""))}
        for path in sources
    }
    blobs = {entry.blob: path for path, entry in entries.items()}
    changed: dict[str, set[str]] = {}
    reports: list[dict[str, Any]] = []
    for decision in decisions:
        since = str(decision["last_verified"] or decision["valid_from"] or "")
        if since not in changed:
            changed[since] = _changed(repository, since, {p: e.blob for p, e in entries.items()})
        evidence = [_evidence(one, lines, blobs) for one in decision["evidence"]]
        reports.append(_report(decision, files, changed[since], evidence))
    return reports


def _lines(content: bytes) -> list[str]:
    return content.decode("utf-8", "replace").splitlines()


def _changed(repository: Repository, since: str, now: Mapping[str, str]) -> set[str]:
    commit = repository.commit(since) if since else None
    if commit is None:
        return set()
    before = {entry.path: entry.blob for entry in repository.tree(commit)}
    return {path for path, blob in now.items() if before.get(path) != blob}


def _evidence(
    one: Mapping[str, Any], lines: Mapping[str, set[str]], blobs: Mapping[str, str]
) -> dict[str, Any]:
    """Whether a piece of evidence is still there; a renamed file is recognised by its content."""
    path, wanted = one.get("path"), one.get("line_hash")
    if one["kind"] == "commit" or not path or not wanted:
        return {"id": one["id"], "gone": False}
    if wanted in lines.get(path, ()):
        return {"id": one["id"], "gone": False}
    if moved := blobs.get(str(one.get("blob"))):
        return {"id": one["id"], "gone": False, "path": moved}
    return {"id": one["id"], "gone": True}


def _report(
    decision: Decision,
    files: Mapping[str, FileFacts],
    changed: set[str],
    evidence: list[dict[str, Any]],
) -> dict[str, Any]:
    health, reason = "fresh", ""
    check = decision["check"]
    if evidence and all(one["gone"] for one in evidence):
        health, reason = "suspect", "none of its evidence is there any more"
    if check and not problem_of(check):
        places = [
            place
            for path in changed
            if path in files
            for place in evaluate_facts(check, files[path]).places
        ]
        followed = sum(place.followed for place in places)
        if len(places) >= _LEAST_CASES and followed / len(places) < CONTESTED:
            health = "contested"
            reason = f"{followed} of {len(places)} cases in changed files follow it"
        if "new" in check and not _is_used(check["new"], files):
            health, reason = "obsolete", f"nothing uses {check['new'][0]} any more"
    return {"decision": decision["id"], "health": health, "reason": reason, "evidence": evidence}


def _is_used(names: Sequence[str], files: Mapping[str, FileFacts]) -> bool:
    wanted = set(names)
    return any(
        wanted.intersection(call.name for call in facts.calls)
        or wanted & {name for each in facts.imports for name in (each.target, each.module)}
        for facts in files.values()
    )


def guard_of(root: Path) -> Guard:
    """The guard of a project's files.

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
    return Guard(root.resolve())
