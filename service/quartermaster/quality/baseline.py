"""The last commit of a project: what new code is compared with, and which files have changed."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path, PurePosixPath
from typing import Any, Final

import tree_sitter_python
from anyio.to_thread import run_sync
from tree_sitter import Language, Parser, Query, QueryCursor

from quartermaster.core.errors import QmError
from quartermaster.db import Principal
from quartermaster.projects.git import open_repository
from quartermaster.projects.guard import Content, Guard
from quartermaster.quality.bench import Bench, Project

_JUDGED = (".py", ".pyi", ".js", ".jsx", ".ts", ".tsx", ".go", ".rs", ".java", ".c", ".cpp", ".rb")
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
# What says something about the whole project, and so nothing about an old version.
_OF_PROJECT = frozenset({"coverage"})


async def store_baseline(
    bench: Bench, principal: Principal, project: Project, path: str, names: Sequence[str]
) -> None:
    """Scans the version of a file in the last commit, and lets new code be compared with it.

    Without a commit, all code is new.

    Args:
        bench, principal, project: as for `Bench.scan`.
        path: path of the file, below the project's root.
        names: names of scanners.
    """
    commit, content = await run_sync(committed, project.guard.root, path)
    if content is not None:
        kept = tuple(name for name in names if name not in _OF_PROJECT)
        await bench.scan_content(principal, project, content, kept)
    await bench.database.call(
        "set_baseline",
        principal,
        path=path,
        commit=commit,
        blob_hash=content.blob_hash if content else None,
        project=project.name,
    )


def committed(root: Path, path: str) -> tuple[str, Content | None]:
    """The last commit (empty if there is none) and a file as it is there."""
    try:
        with open_repository(root) as repository:
            head = repository.head
            if head is None:
                return "", None
            for entry in repository.tree(head, path):
                if entry.path == path and not entry.is_link:
                    for blob, data in repository.blobs([entry.blob]):
                        return head, Content(root, path, data, blob)
            return head, None
    except QmError:
        return "", None


def changed_files(guard: Guard) -> dict[str, dict[str, Any]] | None:
    """The source files that differ from the last commit, with their present hash and the libraries
    that they import; None without a commit.
    """
    try:
        with open_repository(guard.root) as repository:
            if repository.head is None:
                return None
            known = {entry.path: entry.blob for entry in repository.tree(repository.head)}
            paths = [path for path in repository.working_files() if _is_judged(path)]
    except QmError:
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
            libraries = sorted(_imported(content) - own - sys.stdlib_module_names)
            changed[path] = {"blob_hash": content.blob_hash, "imports": libraries}
    return changed


def _is_judged(path: str) -> bool:
    name = path.rpartition("/")[2].lower()
    return path.endswith(_JUDGED) or "dockerfile" in name or name.startswith(("compose", "docker-"))


def _imported(content: Content) -> set[str]:
    """The top modules that a Python file imports. A file of a newer Python is read, too."""
    if not content.path.endswith((".py", ".pyi")):
        return set()
    tree = Parser(_PYTHON).parse(content.data)
    found = QueryCursor(_IMPORTS).captures(tree.root_node).get("module", [])
    names = (node.text.decode("utf-8", "replace") for node in found if node.text)
    return {name.partition(".")[0].strip() for name in names}
