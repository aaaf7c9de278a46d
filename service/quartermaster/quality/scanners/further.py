"""Checks of files that other packages add. They are asked in every full scan."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Final

from quartermaster.db import Database, Principal
from quartermaster.quality.findings import Scan
from quartermaster.quality.scanners.interface import Source

Check = Callable[[Database, Principal, str, Source], Awaitable[tuple[Scan, ...]]]
"""Takes the database, who asks, the project (OWNER/NAME) and the file."""

FURTHER: Final[list[Check]] = []
