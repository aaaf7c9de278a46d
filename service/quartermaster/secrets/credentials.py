"""Quartermaster's own credentials: passwords and a token, in ``credentials.json``."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import cast

from quartermaster.core.locks import exclusive
from quartermaster.core.logs import register_secret
from quartermaster.core.paths import write_private


class Credentials:
    """The credentials in one data directory (mode 0600), created on first use.

    Args:
        data_dir: the data directory.
    """

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "credentials.json"

    def get(self, name: str) -> str:
        """Return a value by name; a missing one is created (32 random bytes as URL-safe text)."""
        with exclusive(self._path.with_suffix(".lock")):
            found: dict[str, str] = {}
            if self._path.exists():
                found = cast("dict[str, str]", json.loads(self._path.read_text(encoding="utf-8")))
            if name not in found:
                found[name] = secrets.token_urlsafe(32)
                write_private(self._path, json.dumps(found, indent=2) + "\n")
        register_secret(found[name])
        return found[name]
