"""Finds out whether served decisions were followed, from the next commit that changes the file.
Agents need not report anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.projects.git import Repository, split
from quartermaster_decisions.checking import cases, usable
from quartermaster_decisions.checks import CheckedCase
from quartermaster_decisions.codebase import module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.languages import language_of

MAX_FILE_BYTES: Final = 300_000
# Forms whose case is the whole file, as long as it follows them.
_OF_FILES: Final = frozenset({"import_contract", "ruff"})
_HUNK: Final = re.compile(rb"^@@ -\S+ \+(\d+)(?:,(\d+))? @@")


def added_lines(repository: Repository, commit: str) -> dict[str, set[int]]:
    """Returns the numbers of the lines that a commit added, by file. Files whose names git quotes
    are left out.

    Raises:
        QmError: 422 git_failed if the content of a file is missing, as in a partial clone.
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
) -> Iterator[tuple[str, FileFacts | None, bytes]]:
    """Yields the facts and the content of files at a commit. If the language of a file cannot be
    read, the facts are None. Missing files, links, large files and files without content are left
    out.
    """
    entries = {
        entry.path: entry
        for entry in repository.tree(commit)
        if not entry.is_link and entry.size <= MAX_FILE_BYTES
    }
    modules = module_names(path for path in entries if language_of(path))
    wanted = [path for path in paths if path in entries]
    contents = repository.contents({path: entries[path].blob for path in wanted if path in modules})
    for path in wanted:
        language = language_of(path)
        if language is None:
            yield path, None, b""
        elif (content := contents.get(path)) is not None:
            yield path, language.read(path, modules[path], content), content


def exercises(check: Mapping[str, Any], place: CheckedCase, lines: set[int]) -> bool:
    """Returns whether an added line contains a case. For a check of whole files, returns true only
    if the case is a violation.
    """
    return place.line in lines and not (check["form"] in _OF_FILES and place.followed)


def outcomes_of(
    repository: Repository, served: Sequence[Mapping[str, Any]]
) -> list[dict[str, Any]]:
    """Returns the outcomes of served decisions whose path a later commit changed, for
    api.store_decision_outcomes.

    Args:
        repository: the repository of the project.
        served: rows of api.served_decisions.

    Returns:
        One outcome for each row whose path a later commit changed. Only the first such commit
        counts. The outcome is `violated` if a line that this commit added violates the check, else
        `followed` if a line follows it, else `not_applicable`. Rows are left out if ruff cannot
        check them.
    """
    found: list[dict[str, Any]] = []
    later: dict[str, list[tuple[datetime, str]]] = {}
    read: dict[str, _Added] = {}
    if not served or repository.head is None:
        return found
    oldest: datetime = min(row["served_at"] for row in served)
    for row in served:
        path = str(row["path"] or "")
        if path not in later:
            later[path] = _commits(repository, path, oldest)
        served_at = row["served_at"].replace(microsecond=0)  # commits have whole seconds
        commit = next((one for at, one in later[path] if at >= served_at), None)
        if commit is None:
            continue
        if commit not in read:
            read[commit] = _Added.read(repository, commit)
        outcome = read[commit].outcome(row["decision"], row["check_definition"], path)
        if outcome is not None:
            found.append(
                {
                    "receipt": row["receipt"],
                    "decision": row["decision"],
                    "commit": commit,
                    "outcome": outcome,
                }
            )
    return found


def _commits(repository: Repository, path: str, since: datetime) -> list[tuple[datetime, str]]:
    """Returns the commits since a given time that changed a file or folder, oldest first. Merges
    are left out.
    """
    flags = ["--reverse", "--no-merges", "--timestamp", f"--since={since.isoformat()}"]
    output = repository.read("rev-list", *flags, str(repository.head), "--", path or ".")
    lines = (line.split() for line in output.decode("ascii").splitlines())
    return [(datetime.fromtimestamp(int(time), tz=UTC), commit) for time, commit in lines]


@dataclass(frozen=True)
class _Added:
    """The lines that a commit added, and the changed files after the commit."""

    lines: Mapping[str, set[int]]
    files: Mapping[str, FileFacts]
    contents: Mapping[str, bytes]

    @classmethod
    def read(cls, repository: Repository, commit: str) -> _Added:
        lines = added_lines(repository, commit)
        files: dict[str, FileFacts] = {}
        contents: dict[str, bytes] = {}
        for path, facts, content in facts_at(repository, commit, list(lines)):
            if facts is not None:
                files[path], contents[path] = facts, content
        return cls(lines, files, contents)

    def outcome(self, decision: int, check: Mapping[str, Any], path: str) -> str | None:
        """Returns the outcome of a check for the added lines of a path. Returns None if the check's
        tool cannot run.
        """
        wanted = usable([{"id": decision, "check": check}])
        names = [
            name
            for name in self.files
            if name == path or name.startswith(f"{path.rstrip('/')}/") or not path
        ]
        try:
            followed = [
                place.followed
                for name in names
                for _, place in cases(self.files[name], self.contents[name], wanted)
                if exercises(check, place, self.lines[name])
            ]
        except QmError as error:
            if error.slug != "check_invalid":
                raise
            return None
        if not followed:
            return "not_applicable"
        return "followed" if all(followed) else "violated"
