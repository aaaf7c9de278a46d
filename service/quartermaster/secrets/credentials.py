"""Quartermaster's own credentials: passwords and a token, stored in ``credentials.json``."""

from __future__ import annotations

import json
import secrets
from pathlib import Path
from typing import Final, cast

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.core.logs import register_secret
from quartermaster.core.paths import write_private


class ServiceCredentials:
    """The credentials in one data directory (mode 0600), created on first use.

    All functions raise QM500 credentials_unreadable.

    Args:
        data_dir: the data directory.

    Attributes:
        path: path of the file.
    """

    def __init__(self, data_dir: Path) -> None:
        self.path: Final = data_dir / "credentials.json"

    def get(self, name: str) -> str:
        """Returns a value by name. A missing value is created from 32 random bytes, as URL-safe
        text.
        """
        with exclusive(self.path.with_suffix(".lock")):
            if (known := self.find(name)) is not None:
                return known
            made = secrets.token_urlsafe(32)
            register_secret(made)
            write_private(self.path, json.dumps({**self._read(), name: made}, indent=2) + "\n")
        return made

    def find(self, name: str) -> str | None:
        """Returns a value by name; None if there is none."""
        found = self._read().get(name)
        if not isinstance(found, str):
            return None
        register_secret(found)
        return found

    def _read(self) -> dict[str, object]:
        try:
            found: object = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except ValueError as error:
            raise QmError(
                500,
                "credentials_unreadable",
                f"{self.path} is not JSON.",
                "Restore that file from a backup.",
            ) from error
        return cast("dict[str, object]", found) if isinstance(found, dict) else {}
