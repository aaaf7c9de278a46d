"""Keeps a mirror of each project, in which type checkers read the project's files. A lock ensures
that no mirror changes while a type checker reads it.
"""

from __future__ import annotations

import shutil
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Final

import anyio

from quartermaster.core.findings import Scan, Status
from quartermaster.projects.guard import Content, ProjectFileAccess
from quartermaster.projects.packages import installed_state, packages_folder
from quartermaster.projects.project_files import walk
from quartermaster.projects.threads import run_sync
from quartermaster_quality.scanners.concurrent_scan import Scanners
from quartermaster_quality.scanners.interface import ScanOptions, SourceFile
from quartermaster_quality.scanners.mirror import Mirror
from quartermaster_quality.scanners.packages import Packages

READERS: Final = frozenset({"mypy", "ty"})
PATIENCE = 3
"""Factor by which the time limit of type checkers is larger than that of other scanners."""
# The first time, they read all that the file imports, packages too.
_FIRST_SCAN_FACTOR: Final = 5
_MOST_TOGETHER: Final = 200


class Mirrors:
    """The mirrors of all projects of one service.

    Args:
        folder: the folder of the mirrors, which is emptied at the start. Nothing else may write
            there.
    """

    def __init__(self, folder: Path) -> None:
        shutil.rmtree(folder, ignore_errors=True)
        self._folder = folder
        self._mirrors: dict[Path, Mirror] = {}
        self._packages: dict[Path, Packages] = {}
        self._states: dict[Path, str] = {}
        self._read: set[tuple[Path, Path | None]] = set()
        # By root, the last change that a type checker could not read at once.
        self._apart: dict[Path, dict[str, str]] = {}
        self._locks: dict[Path, anyio.Lock] = {}

    async def context(
        self, guard: ProjectFileAccess, content: Content, environment: Path | None = None
    ) -> str:
        """Returns a hash of everything that a type checker reads, except the checked file.

        Args:
            guard, content, environment: see `scan`.
        """
        async with self._lock(guard):
            return (await run_sync(self._updated, guard, content, environment))[1]

    async def scan(
        self,
        scanners: Scanners,
        guard: ProjectFileAccess,
        content: Content,
        settings: ScanOptions,
        names: Sequence[str],
        environment: Path | None = None,
        since: Mapping[str, str] | None = None,
    ) -> tuple[tuple[Scan, ...], str]:
        """Runs type checkers on a file. Returns the scans and a hash of everything else that the
        checkers read.

        Args:
            scanners: the scanners.
            guard: opens the files of the project.
            content: the file as it was read, even if it has changed since.
            settings: options of the scans.
            names: names of type checkers.
            environment: the environment that was set for the project.
            since: maps paths to the hashes of files in a commit. The files that differ will be
                scanned, too.
        """
        async with self._lock(guard):
            mirror, context = await run_sync(self._updated, guard, content, environment)
            packages = self._packages.get(guard.root)
            if packages is not None:
                await run_sync(packages.add, mirror.imports)
            source = SourceFile(content.path, content.data)
            read = (mirror.folder, packages.environment if packages else None)
            patience = PATIENCE if read in self._read else _FIRST_SCAN_FACTOR * PATIENCE
            patient = replace(
                settings,
                mirror=read[0],
                environment=read[1],
                timeout_s=patience * settings.timeout_s,
            )
            change = {} if since is None else _near(content.path, mirror.differing(since))
            if change == self._apart.get(guard.root):
                change = {}
            scans = await scanners.scan(source, replace(patient, together=tuple(change)), names)
            if change and _has_failed(scans):
                # Another file may be the reason: this one is read without the others.
                scans = await scanners.scan(source, patient, names)
                if not _has_failed(scans):
                    self._apart[guard.root] = change
            if _has_failed(scans):
                # A checker that was killed has to read all of it again.
                self._read.discard(read)
            else:
                self._read.add(read)
        return scans, context

    def _lock(self, guard: ProjectFileAccess) -> anyio.Lock:
        return self._locks.setdefault(guard.root, anyio.Lock())

    def _updated(
        self, guard: ProjectFileAccess, content: Content, environment: Path | None
    ) -> tuple[Mirror, str]:
        mirror = self._mirrors.get(guard.root)
        if mirror is None:
            mirror = self._mirrors[guard.root] = Mirror(guard, self._place(guard, "files"))
        context = mirror.update(walk(guard).files, but=content.path)
        mirror.put(content)
        installed = self._find_packages(guard, environment)
        return mirror, sha256(context + installed.encode()).hexdigest()

    def _find_packages(self, guard: ProjectFileAccess, environment: Path | None) -> str:
        """Returns a digest of the packages that are installed for a project. If the digest has
        changed, discards the copies of the packages. New copies will go to another folder, because
        type checkers cache what they have read.
        """
        source = packages_folder(guard.root, environment)
        state = installed_state(source) if source else ""
        if state != self._states.get(guard.root, ""):
            self._states[guard.root] = state
            known = self._packages.pop(guard.root, None)
            if known is not None:
                shutil.rmtree(known.environment, ignore_errors=True)
            if source is not None:
                place = self._place(guard, f"packages-{state[:16]}")
                self._packages[guard.root] = Packages(source, place)
        return state

    def _place(self, guard: ProjectFileAccess, name: str) -> Path:
        return self._folder / sha256(str(guard.root).encode()).hexdigest() / name


def _has_failed(scans: Sequence[Scan]) -> bool:
    return any(scan.status is Status.ERROR for scan in scans)


def _near(path: str, changed: Mapping[str, str]) -> dict[str, str]:
    """Splits the changed files into parts of limited size, and returns the part that contains a
    file, or would contain it by its path.
    """
    paths = sorted(changed)
    start = bisect_left(paths, path) // _MOST_TOGETHER * _MOST_TOGETHER
    return {each: changed[each] for each in paths[start : start + _MOST_TOGETHER]}
