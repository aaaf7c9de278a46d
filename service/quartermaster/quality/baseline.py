"""A commit of a project: what new code is compared with, and which files have changed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from difflib import SequenceMatcher
from operator import attrgetter
from pathlib import Path, PurePosixPath
from threading import Lock
from typing import Any, Final

import tree_sitter_python
from anyio.to_thread import run_sync
from cachetools import LRUCache, cached
from tree_sitter import Language, Parser, Query, QueryCursor

from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.projects.git import Repository, open_repository
from quartermaster.projects.guard import MAX_BYTES, Content, Guard, printable
from quartermaster.projects.opening import name_problem
from quartermaster.quality.bench import Bench, Project
from quartermaster.quality.scanners.interface import PYTHON_SUFFIXES

_JUDGED = (
    *PYTHON_SUFFIXES,
    *(".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".cpp", ".rb"),
)
_PYTHON: Final = Language(tree_sitter_python.language())
# Imports of other projects: relative ones and those of __future__ are no libraries.
_IMPORTS: Final = Query(
    _PYTHON,
    """
    (import_statement name: (dotted_name) @module)
    (import_statement name: (aliased_import name: (dotted_name) @module))
    (import_from_statement module_name: (dotted_name) @module)
    """,
)
# Lines above which all lines count as new: comparing takes the square of their number.
_MOST_COMPARED: Final = 40_000
# What measures numbers that may have been worse before.
_MEASURING: Final = frozenset({"radon", "lizard"})


async def scan_new_code(
    bench: Bench,
    principal: Principal,
    project: Project,
    content: Content,
    names: Sequence[str],
    base: str | None = None,
) -> None:
    """Scans a file and, as far as it matters, its version in a commit, with which its new code is
    compared from now on.

    Without a commit, all code is new.

    Args:
        bench, principal, project: as for `Bench.scan`.
        content: the file as it is now.
        names: names of scanners.
        base: the commit; None: the last one.

    Raises:
        QmError: QM404 commit_not_found, and the errors of `Bench.scan`.
    """
    commit, before = await run_sync(committed, project.guard.root, content.path, base)
    since = await run_sync(_blobs, project.guard.root, commit) if commit else None
    lines = new_lines(before.data if before else b"", content.data)
    await bench.scan_content(principal, project, content, names, lines, since)
    if before is not None:
        where = {"path": content.path, "project": project.name}
        found = await bench.database.call("findings", principal, **where)
        # What finds nothing now says nothing about what was there before.
        telling = {*_MEASURING, *(row["tool"] for row in found if row["counts"])}
        if telling - set(names):
            # The checkers of other packages look where ty does.
            telling.add("ty")
        kept = tuple(name for name in names if name in telling)
        await bench.scan_content(principal, project, before, kept)
        # The present version is the newest again.
        where |= {"blob_hash": content.blob_hash}
        await bench.database.call("reuse_scans", principal, wanted=[], **where)
    await bench.database.call(
        "set_baseline",
        principal,
        path=content.path,
        commit=commit,
        blob_hash=before.blob_hash if before else None,
        project=project.name,
    )


def new_lines(before: bytes, after: bytes) -> list[int]:
    """The numbers, from 1, of the lines that are in the second version only."""
    old, new = before.splitlines(), after.splitlines()
    if len(old) + len(new) > _MOST_COMPARED:
        return list(range(1, len(new) + 1))
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        line + 1
        for kind, _, _, first, last in changes
        if kind != "equal"
        for line in range(first, last)
    ]


def committed(root: Path, path: str, base: str | None = None) -> tuple[str, Content | None]:
    """A commit (empty if there is none) and a file as it is there.

    Args:
        root: root of the project.
        path: path of the file.
        base: name of the commit; None: the last one.

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
    """The hashes in a commit of the files that are there now, by path; empty for a new file."""
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
    """The last commit of a project; None if there is none, or no repository."""
    try:
        with open_repository(root) as repository:
            return repository.head
    except QmError:
        return None


def changed_in_session(project: Project) -> dict[str, dict[str, Any]] | None:
    """The source files that differ from the commit on which the session began, or from the last
    one if that commit is gone. See `changed_files`.
    """
    if project.base_commit is not None:
        with suppress(QmError):
            return changed_files(project.guard, project.base_commit)
    return changed_files(project.guard)


def changed_files(guard: Guard, base: str | None = None) -> dict[str, dict[str, Any]] | None:
    """The source files that differ from a commit, with their present hash and the libraries that
    they import; None without a commit.

    Args:
        guard: of the project.
        base: name of the commit; None: the last one.

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
    changed: dict[str, dict[str, Any]] = {}
    for path in paths:
        try:
            content = guard.read(path)
        except QmError:
            continue
        if known.get(path) != content.blob_hash:
            is_python = path.endswith(tuple(PYTHON_SUFFIXES))
            imported = _imported(content) if is_python else set[str]()
            libraries = sorted(imported - own - sys.stdlib_module_names)
            changed[path] = {"blob_hash": content.blob_hash, "imports": libraries}
    return changed


def refused_files(root: Path) -> dict[str, str]:
    """Why source files of a repository are never judged: names that the guard refuses.

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
    return {path: problem for path, problem in problems.items() if problem}


def _is_judged(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    if name.endswith((".md", ".rst", ".adoc", ".html")):
        return False
    return path.endswith(_JUDGED) or "dockerfile" in name or name.startswith(("compose", "docker-"))


@cached(LRUCache[str, set[str]](1_000), key=attrgetter("blob_hash"), lock=Lock())
def _imported(content: Content) -> set[str]:
    """The top modules that a Python file imports. A file of a newer Python is read, too."""
    tree = Parser(_PYTHON).parse(content.data)
    found = QueryCursor(_IMPORTS).captures(tree.root_node).get("module", [])
    names = (node.text.decode("utf-8", "replace") for node in found if node.text)
    return {name.partition(".")[0].strip() for name in names}
