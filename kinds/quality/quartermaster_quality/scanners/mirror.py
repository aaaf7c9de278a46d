"""Makes copies of a project's Python files, which type checkers read instead of the project.

Only files that the guard allows are copied, so no link leads a checker outside the project. No
settings are copied, so the project cannot make a checker load code. The copies contain no comments
that tell a checker to hide findings.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.projects.guard import Content, ProjectFileAccess
from quartermaster.projects.packages import imported_names
from quartermaster.projects.project_files import Facts
from quartermaster_quality.scanners.interface import PYTHON_SUFFIXES
from quartermaster_quality.scanners.suppressions import without_suppressions

_MARKER: Final = "py.typed"


class Mirror:
    """The copies of one project.

    Args:
        guard: opens the files of the project.
        folder: the folder of the copies. Nothing else may write there.
    """

    def __init__(self, guard: ProjectFileAccess, folder: Path) -> None:
        self._guard = guard
        self.folder = folder
        self._hashes: dict[str, tuple[int, int, str]] = {}
        self._imports: dict[str, frozenset[str]] = {}
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True, mode=0o700)

    def update(self, files: Mapping[str, Facts], but: str = "") -> bytes:
        """Copies changed files, and removes the copies of files that no longer exist.

        Args:
            files: the files of the project, with their facts.
            but: the path of the checked file, which `put` copies.

        Returns:
            A hash of all copies except the checked file: the context of a type check.
        """
        wanted = {path for path in files if _is_copied(path)}
        for path in self._hashes.keys() - wanted:
            self._remove(path)
        for path in sorted(wanted - {but}):
            self._copy_if_changed(path, files[path])
        total = sha256()
        for path, (_, _, blob_hash) in sorted(self._hashes.items()):
            if path != but:
                total.update(f"{path}\0{blob_hash}\0".encode())
        return total.digest()

    @property
    def imports(self) -> frozenset[str]:
        """The names of all top-level modules that the copied files import."""
        return frozenset[str]().union(*self._imports.values())

    def differing(self, blobs: Mapping[str, str]) -> dict[str, str]:
        """Maps the path of each copy that differs from a commit to the copy's hash.

        Args:
            blobs: maps paths to the hashes of files in the commit; the hash of a new file is empty.
        """
        return {
            path: blob_hash
            for path, (_, _, blob_hash) in sorted(self._hashes.items())
            if blobs.get(path, blob_hash) != blob_hash and not path.endswith(_MARKER)
        }

    def put(self, content: Content) -> None:
        """Copies the bytes of one file as they were read, even if the file has changed since."""
        if _is_copied(content.path):
            known = self._hashes.get(content.path)
            if known is None or known[2] != content.blob_hash:
                self._write(content)
            # Not the facts of the file: the bytes may be those of another version.
            self._hashes[content.path] = (-1, -1, content.blob_hash)

    def _copy_if_changed(self, path: str, facts: Facts) -> None:
        known = self._hashes.get(path)
        if known and known[:2] == facts:
            return
        try:
            content = self._guard.read(path)
        except QmError:
            self._remove(path)
            return
        if known is None or known[2] != content.blob_hash:
            self._write(content)
        self._hashes[path] = (*facts, content.blob_hash)

    def _write(self, content: Content) -> None:
        target = self.folder / content.path
        target.parent.mkdir(parents=True, exist_ok=True)
        temporary = target.with_name(f"{target.name}.qm-new")
        temporary.write_bytes(without_suppressions(content.data))
        temporary.replace(target)
        self._imports[content.path] = imported_names(content.data)

    def _remove(self, path: str) -> None:
        self._hashes.pop(path, None)
        self._imports.pop(path, None)
        (self.folder / path).unlink(missing_ok=True)


def _is_copied(path: str) -> bool:
    return path.endswith(tuple(PYTHON_SUFFIXES)) or path.rpartition("/")[2] == _MARKER
