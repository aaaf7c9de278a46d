"""The mirrors of all projects: nobody changes a mirror while a type checker reads it."""

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
"""How many times as much time as other scanners type checkers have."""
# The first time, they read all that the file imports, packages too.
_FIRST_SCAN_FACTOR: Final = 5
_MOST_TOGETHER: Final = 200


class Mirrors:
    """The mirrors of one service.

    Args:
        folder: where they are; nobody else may write there. It is emptied.
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
        """Returns a hash of everything that a type checker reads besides a file.

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
        """Has type checkers read a file, and returns the scans with their context.

        Args:
            scanners: the scanners.
            guard: of the project.
            content: the file, whatever it contains now.
            settings: what the scans depend on, besides the mirror.
            names: names of type checkers.
            environment: the environment that was named for the project.
            since: the hashes of files in a commit, by path. What differs will be scanned, too.
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
        """Returns what is installed for a project, as a digest. If it has changed, packages are
        copied anew, to another folder, because type checkers remember what they have read.
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
    """Returns the part of a change with a file; a large change has several."""
    paths = sorted(changed)
    start = bisect_left(paths, path) // _MOST_TOGETHER * _MOST_TOGETHER
    return {each: changed[each] for each in paths[start : start + _MOST_TOGETHER]}
