"""The mirrors of all projects: nobody changes a mirror while a type checker reads it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

import anyio
from anyio.to_thread import run_sync

from quartermaster.projects.files import walked_facts
from quartermaster.projects.guard import Content, Guard
from quartermaster.quality.findings import Scan
from quartermaster.quality.scanners.interface import Settings, Source
from quartermaster.quality.scanners.mirror import Mirror
from quartermaster.quality.scanners.together import Scanners

READERS: Final = frozenset({"mypy", "ty"})
# The first time, they read the whole project: a large one needs more time than a file.
_PATIENCE: Final = 3


class Mirrors:
    """The mirrors of one service.

    Args:
        folder: where they are; nobody else may write there.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._mirrors: dict[Path, Mirror] = {}
        self._locks: dict[Path, anyio.Lock] = {}

    async def context(self, guard: Guard, content: Content) -> str:
        """A hash of everything that a type checker reads besides a file."""
        async with self._lock(guard):
            return (await run_sync(self._updated, guard, content))[1]

    async def scan(
        self,
        scanners: Scanners,
        guard: Guard,
        content: Content,
        settings: Settings,
        names: Sequence[str],
    ) -> tuple[tuple[Scan, ...], str]:
        """Has type checkers read a file, and returns the scans with their context.

        Args:
            scanners: the scanners.
            guard: of the project.
            content: the file, whatever it contains now.
            settings: what the scans depend on, besides the mirror.
            names: names of type checkers.
        """
        async with self._lock(guard):
            folder, context = await run_sync(self._updated, guard, content)
            source = Source(content.path, content.data)
            patient = replace(settings, mirror=folder, timeout_s=_PATIENCE * settings.timeout_s)
            scans = await scanners.scan(source, patient, names)
        return scans, context

    def _lock(self, guard: Guard) -> anyio.Lock:
        return self._locks.setdefault(guard.root, anyio.Lock())

    def _updated(self, guard: Guard, content: Content) -> tuple[Path, str]:
        mirror = self._mirrors.get(guard.root)
        if mirror is None:
            name = hashlib.sha256(str(guard.root).encode()).hexdigest()
            mirror = self._mirrors[guard.root] = Mirror(guard, self._folder / name)
        context = mirror.update(walked_facts(guard), but=content.path)
        mirror.put(content)
        return mirror.folder, context.hex()
