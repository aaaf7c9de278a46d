"""Computes a digest of all code that determines findings. If this code changes, no stored scan is
used again.
"""

from __future__ import annotations

import hashlib
import inspect
from functools import cache
from pathlib import Path
from typing import Final

import quartermaster
from quartermaster_quality.scanners.of_kinds import of_kinds

_PARTS: Final = ("quality", "projects")


@cache
def code_digest() -> str:
    """Returns a digest of the code of Quartermaster's own scanners, of the scanners of other kinds,
    and of the code that calls external scanners.
    """
    root = Path(quartermaster.__file__).parent
    digest = hashlib.sha256(quartermaster.__version__.encode())
    folders = [Path(inspect.getfile(each.examine)).parent for each in of_kinds().values()]
    for folder in (*(root / part for part in _PARTS), *folders):
        for path in sorted(folder.rglob("*.py")):
            digest.update(path.relative_to(folder.parent).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
