"""The code that decides what scans find: if it changes, no stored scan is used again."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

import quartermaster

_PARTS: Final = ("quality", "decisions", "projects")


@cache
def code_digest() -> str:
    """A digest of the code of our own scanners and of how others are called."""
    root = Path(quartermaster.__file__).parent
    digest = hashlib.sha256(quartermaster.__version__.encode())
    for part in _PARTS:
        for path in sorted((root / part).rglob("*.py")):
            digest.update(path.relative_to(root).as_posix().encode() + b"\0")
            digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()
