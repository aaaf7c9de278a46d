"""What became of served decisions: whether the next commit of the file followed them. Nobody has to
report anything, because the commit tells it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from quartermaster.decisions.checks import Place, evaluate_facts, problem_of
from quartermaster.decisions.codebase import module_names
from quartermaster.decisions.facts import FileFacts
from quartermaster.decisions.languages import language_of
from quartermaster.projects.git import Repository, split

LARGEST: Final = 300_000
_HUNK: Final = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def added_lines(repository: Repository, commit: str) -> dict[str, set[int]]:
    """The lines that a commit added, by file; names that git quotes are left out.

    Raises:
        QmError: 422 git_failed if a content is missing, as in a partial clone.
    """
    flags = ["--root", "-m", "--first-parent", "-r", "--no-commit-id", "-M", "--diff-filter=AMR"]
    found: dict[str, set[int]] = {}
    path = ""
    for raw in split(repository.stream("diff-tree", *flags, "-p", "-U0", commit), b"\n"):
        if raw.startswith(b"diff --git "):
            path = ""
        elif raw.startswith(b"+++ b/"):
            path = raw[6:].rstrip(b"\t").decode("utf-8", "replace")
        elif path and (match := _HUNK.match(raw)):
            first, count = int(match[1]), int(match[2] or 1)
            found.setdefault(path, set()).update(range(first, first + count))
    return {path: lines for path, lines in found.items() if lines}


def facts_at(
    repository: Repository, commit: str, paths: Sequence[str]
) -> Iterator[tuple[str, FileFacts | None]]:
    """The facts of files at a commit; None for a language that cannot be read. Files that are not
    there, are links, are too large or whose content is missing are left out.
    """
    entries = {
        entry.path: entry
        for entry in repository.tree(commit)
        if not entry.is_link and entry.size <= LARGEST
    }
    modules = module_names(path for path in entries if language_of(path))
    wanted = [path for path in paths if path in entries]
    blobs = dict.fromkeys(entries[path].blob for path in wanted if language_of(path))
    contents = dict(repository.blobs(blobs))
    for path in wanted:
        language = language_of(path)
        if language is None:
            yield path, None
        elif (content := contents.get(entries[path].blob)) is not None:
            yield path, language.read(path, modules[path], content)


def exercises(check: Mapping[str, Any], place: Place, lines: set[int]) -> bool:
    """Whether added lines are a case of a check. A file that merely imports nothing forbidden is
    none.
    """
    return place.line in lines and not (check["form"] == "import_contract" and place.followed)


def outcomes_of(
    repository: Repository, served: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Outcomes for api.store_decision_outcomes, as far as a commit has come since.

    Args:
        repository: the repository of the project.
        served: rows of api.served_decisions.

    Returns:
        For each row whose path was changed by a later commit: `violated` if lines that the first
        such commit added violate the check, else `followed` if any follow it, else
        `not_applicable`.
    """
    found: list[dict[str, Any]] = []
    read: dict[str, tuple[dict[str, set[int]], dict[str, FileFacts]]] = {}
    for row in served if repository.head else ():
        commit = _first_after(repository, str(row["path"] or ""), row["served_at"])
        if commit is None:
            continue
        if commit not in read:
            lines = added_lines(repository, commit)
            facts = facts_at(repository, commit, list(lines))
            read[commit] = lines, {path: one for path, one in facts if one is not None}
        outcome = _outcome(row["check_definition"], str(row["path"] or ""), *read[commit])
        found.append(
            {
                "receipt": row["receipt"],
                "decision": row["decision"],
                "commit": commit,
                "outcome": outcome,
            }
        )
    return found


def _first_after(repository: Repository, path: str, served_at: datetime) -> str | None:
    """The first commit since a time that changed a file or folder. A merge is not one."""
    given = ["--reverse", "--no-merges", f"--since={served_at.isoformat()}", str(repository.head)]
    commits = repository.read("rev-list", *given, "--", path or ".").decode("ascii").split()
    return commits[0] if commits else None


def _outcome(
    check: Mapping[str, Any],
    path: str,
    lines: Mapping[str, set[int]],
    files: Mapping[str, FileFacts],
) -> str:
    if problem_of(check):
        return "not_applicable"
    places = [
        place
        for name, facts in files.items()
        if name == path or name.startswith(f"{path.rstrip('/')}/") or not path
        for place in evaluate_facts(check, facts).places
        if exercises(check, place, lines[name])
    ]
    if not places:
        return "not_applicable"
    return "followed" if all(place.followed for place in places) else "violated"
