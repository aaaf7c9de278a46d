"""Reads the packages of an environment and stores their objects."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from quartermaster.core.api_call import ApiCaller
from quartermaster.core.errors import QmError
from quartermaster_knowledge import api
from quartermaster_knowledge.environment import (
    InstalledDistribution,
    imported_by,
    installed,
    normalised,
    state_of,
)
from quartermaster_knowledge.readers import read_all

_FIRST_BATCH, _LARGEST_BATCH = 2000, 20_000
# What the environment shares with others can be removed while it is read.
_MOST_TRIES: Final = 3
_REMOVED_MEANWHILE: Final = ("distribution_gone", "environment_not_found")

Report = Callable[[str, int, int], None]


def index_environment(
    database: ApiCaller,
    folder: Path,
    *,
    project: str | None = None,
    only: Sequence[str] = (),
    root: Path | None = None,
    report: Report | None = None,
) -> dict[str, Any]:
    """Stores every distribution of an environment that is not stored yet.

    Each distribution can be looked up as soon as it is stored.

    Args:
        database: the database.
        folder: the package folder.
        project: the project that uses the environment. If None, everybody may read the packages.
        only: names of distributions. Empty means all of them. Other distributions stay unchanged.
        root: folder of the project. Packages that its files import are read first. The sources of
            editable installs must be inside this folder.
        report: function that is called with the step, the number of finished packages, and the
            number of all packages.

    Returns:
        The number of distributions in the environment, the number of distributions that this call
        read, and the number of their objects.

    Raises:
        QmError: 404 library_not_installed if `only` names a distribution that is not installed; 409
            distribution_gone or 404 environment_not_found if others keep removing the stored data;
            and the errors of the database.
    """
    about: dict[str, Any] = {"folder": str(folder), "project": project}
    for _ in range(_MOST_TRIES - 1):
        try:
            return _index(database, folder, about, only, root, report)
        except QmError as error:
            if error.slug not in _REMOVED_MEANWHILE:
                raise
    return _index(database, folder, about, only, root, report)


def _index(
    database: ApiCaller,
    folder: Path,
    about: dict[str, Any],
    only: Sequence[str],
    root: Path | None,
    report: Report | None,
) -> dict[str, Any]:
    state = state_of(folder, root)
    first = imported_by(root) if root is not None else frozenset[str]()
    found = _readable(folder, only, root)
    environment = database.call_value(api.put_environment(**about, contents=[], complete=False))
    known = {
        bytes(row["digest"]): bytes(row["content"])
        for row in database.call(
            api.known_distributions(
                environment=environment, digests=[each.digest for each in found]
            )
        )
    }
    contents = list(known.values())
    database.call_value(api.put_environment(**about, contents=contents, complete=False))
    missing = sorted(
        (each for each in found if each.digest not in known),
        key=lambda each: (first.isdisjoint(each.modules), -each.size),
    )
    objects, stored = store(database, environment, _read_all(missing, report))
    contents += stored
    if not only:
        database.call_value(api.put_environment(**about, contents=contents, state=state))
    return {"distributions": len(found), "read": len(missing), "objects": objects}


def read_environment(
    folder: Path, only: Sequence[str] = (), report: Report | None = None
) -> Iterator[dict[str, Any]]:
    """Yields a row for every distribution of an environment, in the form that `store` expects.

    Raises:
        QmError: 404 library_not_installed.
    """
    return _read_all(_readable(folder, only), report)


def _readable(
    folder: Path, only: Sequence[str], within: Path | None = None
) -> list[InstalledDistribution]:
    """Returns the distributions that have modules. Includes distributions with only compiled
    modules, which cannot be read, so that the status can name them.

    Raises:
        QmError: 404 library_not_installed.
    """
    wanted = {normalised(name): name for name in only}
    found = list(installed(folder, wanted.keys(), within))
    missing = wanted.keys() - {normalised(each.name) for each in found}
    if missing:
        names = ", ".join(sorted(wanted[name] for name in missing))
        raise QmError(
            404,
            "library_not_installed",
            f"{names} {'is' if len(missing) == 1 else 'are'} not installed in {folder}.",
            "Give the name of the package, as pip list prints it.",
        )
    return [each for each in found if each.modules or each.compiled]


def store(
    database: ApiCaller, environment: int, distributions: Iterable[dict[str, Any]]
) -> tuple[int, list[bytes]]:
    """Stores distributions of an environment.

    Returns:
        The number of stored objects, and the digests of the stored contents.
    """
    objects, contents = 0, list[bytes]()
    for batch in _batches(distributions):
        objects += sum(len(each["symbols"]) for each in batch)
        contents += database.call_value(
            api.store_distributions(environment=environment, distributions=batch)
        )
    return objects, contents


def _batches(distributions: Iterable[dict[str, Any]]) -> Iterator[list[dict[str, Any]]]:
    """Yields the distributions in batches. The first batch is small, so that its objects can be
    looked up soon. Later batches are larger, and are yielded while other distributions are read.

    When the number of documents has doubled, the database computes the weights of all documents
    again. Each batch is twice as large as the previous batch. So these computations cost little
    more than with a single batch. A batch never waits for more than twice the number of stored
    objects.
    """
    batch: list[dict[str, Any]] = []
    waiting, enough = 0, _FIRST_BATCH
    for each in distributions:
        batch.append(each)
        waiting += len(each["symbols"])
        if waiting >= enough:
            yield batch
            batch, waiting, enough = [], 0, min(2 * enough, _LARGEST_BATCH)
    if batch:
        yield batch


def _read_all(
    missing: Sequence[InstalledDistribution], report: Report | None
) -> Iterator[dict[str, Any]]:
    def done(number: int) -> None:
        if report is not None and missing:
            report("reading packages", number, len(missing))

    done(0)
    for number, read in enumerate(read_all(missing), 1):
        done(number)
        yield read.distribution_row()
