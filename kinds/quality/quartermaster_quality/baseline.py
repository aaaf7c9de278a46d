"""Compares a project with one of its commits: which code is new, and which files have changed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.projects.git import Repository, open_repository
from quartermaster.projects.guard import MAX_BYTES, Content, ProjectFileAccess, printable
from quartermaster.projects.opening import name_problem
from quartermaster.projects.project_files import walk
from quartermaster.projects.threads import run_sync
from quartermaster.projects.worker_calls import WorkerError
from quartermaster.projects.workers import readers
from quartermaster_quality import api
from quartermaster_quality.bench import Project, ProjectScanner
from quartermaster_quality.difference import NewLines, new_lines
from quartermaster_quality.imported import imported_modules
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES
from quartermaster_quality.scanners.suppressions import NAME as SUPPRESSIONS

_CODE_SUFFIXES = (
    *PYTHON_SUFFIXES,
    *(".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".cpp", ".rb"),
)
# Bytes of files that a worker reads at once.
_MOST_AT_ONCE: Final = 4 << 20
# What measures numbers that may have been worse before.
_METRIC_SCANNERS: Final = frozenset({"radon", "lizard"})


async def scan_new_code(
    bench: ProjectScanner,
    principal: Principal,
    project: Project,
    content: Content,
    names: Sequence[str],
    base: str | None = None,
) -> str:
    """Scans a file and its version in a commit, and stores that version as the baseline of the
    file.

    Only some scanners scan the version in the commit: those whose findings count in the present
    version, and those that measure it. Without a commit, all code is new.

    Args:
        bench, principal, project: as for `ProjectScanner.scan`.
        content: the file as it is now.
        names: names of scanners.
        base: name of the commit; None: the last commit.

    Returns:
        The reason why unchanged lines may count as new; empty if none do.

    Raises:
        QmError: QM404 commit_not_found, and the errors of `ProjectScanner.scan`.
    """
    commit, before = await run_sync(committed, project.guard.root, content.path, base)
    since = await run_sync(_blobs, project.guard.root, commit) if commit else None
    lines = await _new_lines(before.data if before else b"", content.data)
    await bench.scan_content(principal, project, content, names, lines.numbers, since)
    if before is not None:
        where = {"path": content.path, "project": project.name}
        found = await bench.database.call(api.findings(**where), principal)
        # What finds nothing now says nothing about what was there before.
        counting = (row["tool"] for row in found if row["counts"] or row["tool"] == SUPPRESSIONS)
        telling = {*_METRIC_SCANNERS, *counting}
        if telling - set(names):
            # The checkers of other packages look where ty does.
            telling.add("ty")
        retained = tuple(name for name in names if name in telling)
        await bench.scan_content(principal, project, before, retained)
        # The present version is the newest again.
        where |= {"blob_hash": content.blob_hash}
        await bench.database.call(api.reuse_scans(wanted=[], **where), principal)
    await bench.database.call(
        api.set_baseline(
            path=content.path,
            commit=commit,
            blob_hash=before.blob_hash if before else None,
            project=project.name,
        ),
        principal,
    )
    return lines.reason


async def _new_lines(before: bytes, after: bytes) -> NewLines:
    try:
        return await readers().call(new_lines, before, after)
    except WorkerError as error:
        every = range(1, len(after.splitlines()) + 1)
        reason = f"The versions were not compared, so all lines count as new: {error}"
        return NewLines([*every], reason)


def committed(root: Path, path: str, base: str | None = None) -> tuple[str, Content | None]:
    """Returns the hash of a commit, and a file's version in this commit. The hash is empty if there
    is no commit; the file is None if the commit does not contain it.

    Args:
        root: root of the project.
        path: path of the file.
        base: name of the commit; None: the last commit.

    Raises:
        QmError: QM404 commit_not_found.
    """
    try:
        with open_repository(root) as repository:
            commit = _commit(repository, base)
            if commit is None:
                return "", None
            for entry in repository.tree(commit, path):
                if entry.path == path and not entry.is_link and entry.size <= MAX_BYTES:
                    for blob, data in repository.blobs([entry.blob]):
                        return commit, Content(root, path, data, blob)
            return commit, None
    except QmError:
        if base is not None:
            raise
        return "", None


def _blobs(root: Path, commit: str) -> dict[str, str]:
    """Maps the path of each file in the working directory to the hash of its version in a commit.
    The hash of a new file is empty.
    """
    with open_repository(root) as repository:
        known = {entry.path: entry.blob for entry in repository.tree(commit)}
        return {path: known.get(path, "") for path in repository.working_files()}


def _commit(repository: Repository, base: str | None) -> str | None:
    if base is None:
        return repository.head
    commit = repository.commit(base)
    if commit is None:
        raise QmError(
            404,
            "commit_not_found",
            f"The repository has no commit {printable(base)!r}.",
            "Give a branch, a tag or a commit of this repository. If the repository is a "
            "shallow clone, fetch its older commits with `git fetch --unshallow`.",
        )
    return commit


def last_commit(root: Path) -> str | None:
    """Returns the hash of a project's last commit; None if the project has no commit or no
    repository.
    """
    try:
        with open_repository(root) as repository:
            return repository.head
    except QmError:
        return None


@dataclass(frozen=True)
class Changed:
    """The source files that differ from a commit.

    Attributes:
        hashes: maps the path of each file to its present hash.
        own: the names of the project's own modules and packages.
    """

    hashes: dict[str, str]
    own: frozenset[str]


async def changed_in_session(
    bench: ProjectScanner, project: Project
) -> tuple[dict[str, dict[str, Any]] | None, str]:
    """Returns the source files that differ from the commit at which the session began. Each file
    has its present hash and the libraries that it imports. If that commit no longer exists, the
    files are compared with the last commit.

    Args:
        bench: the project scanner, which caches the imports of files.
        project: the project.

    Returns:
        The files (None if there is no commit), and the reason why the imports of some files are
        unknown.
    """
    changed = await run_sync(_changed_in_session, project)
    if changed is None:
        return None, ""
    python = {path for path in changed.hashes if path.endswith(tuple(PYTHON_SUFFIXES))}
    found = {path: bench.imported.get(changed.hashes[path]) for path in python}
    unread = sorted(path for path, imported in found.items() if imported is None)
    reason = ""
    while unread:
        contents = await run_sync(_first, project.guard, unread)
        unread = unread[len(contents) :]
        try:
            read = await readers().call(
                imported_modules, {path: each.data for path, each in contents.items() if each}
            )
        except WorkerError as error:
            reason = f"The imports of some changed files are not known: {error}"
            continue
        found |= read
        bench.imported.update(
            (each.blob_hash, read[path]) for path, each in contents.items() if each
        )
    libraries = {path: (each or set[str]()) - changed.own for path, each in found.items()}
    return {
        path: {
            "blob_hash": blob_hash,
            "imports": sorted(libraries.get(path, set[str]()) - sys.stdlib_module_names),
        }
        for path, blob_hash in changed.hashes.items()
    }, reason


def _first(guard: ProjectFileAccess, paths: Sequence[str]) -> dict[str, Content | None]:
    """Reads files in order, until they have as many bytes as a worker reads at once. A file that
    cannot be read is None.
    """
    found: dict[str, Content | None] = {}
    left = _MOST_AT_ONCE
    for path in paths:
        found[path] = None
        with suppress(QmError):
            content = found[path] = guard.read(path)
            left -= len(content.data)
        if left <= 0:
            break
    return found


def _changed_in_session(project: Project) -> Changed | None:
    if project.base_commit is not None:
        with suppress(QmError):
            return changed_files(project.guard, project.base_commit)
    return changed_files(project.guard)


def changed_files(guard: ProjectFileAccess, base: str | None = None) -> Changed | None:
    """Returns the source files that differ from a commit; None if there is no commit.

    Args:
        guard: opens the files of the project.
        base: name of the commit; None: the last commit.

    Raises:
        QmError: QM404 commit_not_found.
    """
    try:
        with open_repository(guard.root) as repository:
            commit = _commit(repository, base)
            if commit is None:
                return None
            known = {entry.path: entry.blob for entry in repository.tree(commit)}
            paths = [path for path in repository.working_files() if _is_judged(path)]
    except QmError:
        if base is not None:
            raise
        return None
    own = {PurePosixPath(path).parts[0].removesuffix(".py") for path in (*known, *paths)}
    own |= {PurePosixPath(path).stem for path in paths}
    own |= {part for path in paths for part in PurePosixPath(path).parts[:-1]}
    changed: dict[str, str] = {}
    for path in paths:
        try:
            content = guard.read(path)
        except QmError:
            continue
        if known.get(path) != content.blob_hash:
            changed[path] = content.blob_hash
    return Changed(changed, frozenset(own))


def refused_files(root: Path) -> dict[str, str]:
    """Returns the files and folders of a project that are never judged, each with the reason.

    These are source files whose names the guard refuses, and folders that the guard refuses to
    read. The paths of folders end with ``/``.

    Args:
        root: top folder of the repository.

    Raises:
        QmError: see `open_repository`.
    """
    with open_repository(root) as repository:
        paths = [path for path in repository.working_files() if _is_judged(path)]
    problems = {
        path: next(filter(None, map(name_problem, path.split("/"))), None) for path in paths
    }
    folders = {
        path: why
        for path, why in walk(ProjectFileAccess(root)).refused.items()
        if path.endswith("/")
    }
    return {path: problem for path, problem in problems.items() if problem} | folders


def _is_judged(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    if name.endswith((".md", ".rst", ".adoc", ".html")):
        return False
    return (
        path.endswith(_CODE_SUFFIXES)
        or "dockerfile" in name
        or name.startswith(("compose", "docker-"))
    )
