"""Reads a repository: the facts of its files, and its history. Data that was read before comes from
a cache.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.git import Repository, TreeEntry
from quartermaster.projects.guard import printable
from quartermaster_decisions.codebase import CodeBase, module_names
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.file_cache import FileCache, commits_cache, facts_cache
from quartermaster_decisions.history import (
    Commit,
    History,
    Substitution,
    commit_ids,
    read_commits,
    read_substitutions,
)
from quartermaster_decisions.languages import language_of, languages
from quartermaster_decisions.linters import enforced_by
from quartermaster_decisions.miners.documents import is_document
from quartermaster_decisions.narrowing import FILE, Narrowing, read_narrowing
from quartermaster_decisions.signals import Signals

MAX_COMMITS: Final = 500
MAX_SOURCE_BYTES: Final = 1_000_000
"""Largest size of a source file that is read."""
_LARGEST_DOCUMENT: Final = 300_000
_BATCH: Final = 200
_CONFIGURATIONS: Final = frozenset(
    {"pyproject.toml", "setup.cfg", "ruff.toml", ".ruff.toml", ".flake8", "tox.ini", "mypy.ini"}
)
Step = Callable[[str, int, int], None]
"""A function that reports progress. Its arguments are what is being read, how many parts are read,
and the number of all parts.
"""


@dataclass(frozen=True)
class Options:
    """Which part of a repository to read. See `qm decisions ingest`."""

    commit: str | None = None
    max_commits: int = MAX_COMMITS
    since: str | None = None
    scope: str = ""


def read_signals(
    repository: Repository, options: Options, cache: Path | None = None, step: Step | None = None
) -> Signals:
    """Reads a repository, and returns everything that the miners need.

    Args:
        repository: the repository.
        options: limits on the files and commits to read.
        cache: file that caches the data for the next run. It can be deleted at any time.
        step: called with the progress.

    Raises:
        QmError: 422 repository_empty, argument_invalid, 404 commit_not_found, folder_not_found if
            nothing is below the scope, and the errors of git.
    """
    commit = commit_of(repository, options.commit)
    tell = step or _no_progress
    with closing(facts_cache(cache)) as cached, closing(commits_cache(cache)) as stored_before:
        tree = [entry for entry in repository.tree(commit) if not entry.is_link]
        narrowing = _narrowing(repository, tree)
        entries = [entry for entry in tree if _is_wanted(entry, narrowing)]
        sources = [
            one
            for one in entries
            if language_of(one.path) is not None and _is_below(one.path, options.scope)
        ]
        if options.scope and not sources:
            for path in repository.submodules(commit):
                if _is_below(options.scope, path):
                    raise QmError(
                        404,
                        "folder_not_found",
                        f"{printable(path)!r} is a submodule, a repository of its own.",
                        "Add it as a project of its own: qm project add PATH.",
                    )
            raise QmError(
                404,
                "folder_not_found",
                f"The commit has no source file below {printable(options.scope)!r}.",
                "Give a folder below the root of the repository, as git shows it.",
            )
        files = list(read_facts(repository, sources, cached, tell))
        history = _history(repository, commit, _narrowed(options, narrowing), stored_before, tell)
        texts = _texts(repository, entries)
    configurations = {path: text for path, text in texts.items() if not is_document(path)}
    return Signals(
        commit,
        CodeBase(files, history.added()),
        history,
        {entry.path: entry.blob for entry in entries},
        {path: text for path, text in texts.items() if is_document(path)},
        enforced_by(configurations),
    )


def _is_below(path: str, scope: str) -> bool:
    return scope in {"", ".", path} or path.startswith(f"{scope}/")


def _no_progress(what: str, done: int, total: int) -> None:
    del what, done, total


def commit_of(repository: Repository, wanted: str | None) -> str:
    """Returns the id of the wanted commit. If no commit is given, returns the current commit.

    Raises:
        QmError: 422 repository_empty, 404 commit_not_found.
    """
    if repository.head is None:
        raise QmError(
            422,
            "repository_empty",
            f"The repository {repository.root} has no commits yet.",
            "Commit something first.",
        )
    found = repository.head if wanted is None else repository.commit(wanted)
    if found is None:
        raise QmError(
            404,
            "commit_not_found",
            f"The repository {repository.root} has no commit {wanted}.",
            "Give a commit, a branch or a tag that exists. In a shallow clone, get older"
            " commits with: git fetch --unshallow.",
        )
    return found


def _narrowing(repository: Repository, tree: Sequence[TreeEntry]) -> Narrowing:
    """Returns the limits that the repository itself sets in its file `metatron.toml`."""
    found = {
        one.path: one.blob for one in tree if one.path == FILE and one.size <= _LARGEST_DOCUMENT
    }
    content = repository.contents(found).get(FILE, b"")
    return read_narrowing(content.decode("utf-8", "replace"))


def _narrowed(options: Options, narrowing: Narrowing) -> Options:
    """Combines the options of the caller with the limits of the repository. The smaller number of
    commits applies. A start day in the options takes precedence over the start day of the
    repository.
    """
    return replace(
        options,
        max_commits=min(options.max_commits, narrowing.max_commits or options.max_commits),
        since=options.since or narrowing.since,
    )


def _is_wanted(entry: TreeEntry, narrowing: Narrowing) -> bool:
    if not entry.path.isprintable():  # not UTF-8: no row can contain it
        return False
    if entry.path in _CONFIGURATIONS:
        return entry.size <= _LARGEST_DOCUMENT
    if not narrowing.is_read(entry.path):
        return False
    if is_document(entry.path):
        return entry.size <= _LARGEST_DOCUMENT
    return language_of(entry.path) is not None and entry.size <= MAX_SOURCE_BYTES


def read_facts(
    repository: Repository,
    entries: Sequence[TreeEntry],
    cached: FileCache[FileFacts],
    step: Step | None = None,
) -> Iterator[FileFacts]:
    """Yields the facts of source files, in the given order. Reads only the files that are not in
    the cache.

    Args:
        repository: the repository.
        entries: all source files of a commit.
        cached: the cache of facts.
        step: called with the progress.
    """
    tell = step or _no_progress
    modules = module_names(entry.path for entry in entries)
    keys = {entry.path: f"{entry.blob}:{entry.path}:{modules[entry.path]}" for entry in entries}
    known = cached.get(keys.values())
    missing = [entry for entry in entries if keys[entry.path] not in known]
    tell("files", len(entries) - len(missing), len(entries))
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        read: dict[str, FileFacts] = {}
        for path, content in repository.contents({one.path: one.blob for one in batch}).items():
            if language := language_of(path):
                read[keys[path]] = language.read(path, modules[path], content)
        cached.put(read)
        known |= read
        tell("files", len(entries) - len(missing) + start + len(batch), len(entries))
    for entry in entries:
        if (facts := known.get(keys[entry.path])) is not None:
            yield facts


def _history(
    repository: Repository,
    commit: str,
    options: Options,
    cached: FileCache[tuple[Commit, list[Substitution]]],
    tell: Step,
) -> History:
    ids = commit_ids(repository, commit, options.max_commits, options.since)
    known = cached.get(ids)
    missing = [each for each in ids if each not in known]
    suffixes = list(languages())
    for start in range(0, len(missing), _BATCH):
        batch = missing[start : start + _BATCH]
        changes: dict[str, list[Substitution]] = {each: [] for each in batch}
        for change in read_substitutions(repository, batch, suffixes):
            changes[batch[change.commit]].append(change)
        read: dict[str, tuple[Commit, list[Substitution]]] = {
            each.id: (each, changes[each.id]) for each in read_commits(repository, batch)
        }
        cached.put(read)
        known |= read
        tell("commits", len(ids) - len(missing) + start + len(batch), len(ids))
    history = History()
    for id_ in ids:
        if (found := known.get(id_)) is None:
            continue
        number = len(history.commits)
        history.commits.append(found[0])
        history.substitutions += [change._replace(commit=number) for change in found[1]]
    return history


def _texts(repository: Repository, entries: Sequence[TreeEntry]) -> dict[str, str]:
    wanted = {
        one.path: one.blob
        for one in entries
        if is_document(one.path) or one.path in _CONFIGURATIONS
    }
    contents = repository.contents(wanted).items()
    return {path: content.decode("utf-8", "replace") for path, content in contents}
