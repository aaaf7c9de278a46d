"""Copies the packages that a project imports. Type checkers read the copies instead of the
project's environment, so no link or `.pth` file in the environment can lead a checker to other
files.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from quartermaster.projects.packages import imported_names, module_files
from quartermaster_quality.scanners.suppressions import renamed

_MOST_FILES: Final = 30_000
_MOST_BYTES: int = 500_000_000


class Packages:
    """Copies of packages that are installed in a folder.

    Args:
        source: the folder that contains the original packages.
        environment: folder of an environment that consists of the copies. Nothing else may write
            there.
    """

    def __init__(self, source: Path, environment: Path) -> None:
        self._source = source
        self._copied: set[str] = set()
        self._left = _MOST_FILES
        self._bytes_left = _MOST_BYTES
        self.environment = environment
        python = source.parent.name if source.parent.name.startswith("python3") else "python3"
        self._folder = environment / "lib" / python / "site-packages"
        shutil.rmtree(environment, ignore_errors=True)
        self._folder.mkdir(parents=True, mode=0o700)

    def add(self, names: Iterable[str]) -> None:
        """Copies packages and the packages that they import.

        Args:
            names: names under which the project imports the packages.
        """
        wanted = set(names) - self._copied
        while wanted:
            self._copied |= wanted
            found: set[str] = set()
            for content in module_files(self._source, wanted, self._left):
                if len(content.data) > self._bytes_left:
                    self._left = 0
                    return
                target = self._folder / content.path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(renamed(content.data))
                self._left -= 1
                self._bytes_left -= len(content.data)
                found |= imported_names(content.data)
            wanted = found - self._copied
