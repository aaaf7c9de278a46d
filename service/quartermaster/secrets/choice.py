"""Chooses the credential store of a data directory by the files in it. No setting exists, because a
setting could contradict the files.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Final, cast, get_args

from quartermaster.core.paths import write_private
from quartermaster.secrets.backend import Backend, Kind, applied, unreadable

_STORE_FILES: Final[tuple[tuple[Kind, str], ...]] = (
    ("vault", "vault.json"),
    ("keyring", "keyring.json"),
)


class PlainFile:
    """Stores credentials in the unencrypted file ``secrets.json``.

    Args:
        data: the data directory.
    """

    kind: Kind = "file"

    def __init__(self, data: Path) -> None:
        self.path: Final = data / "secrets.json"

    def names(self) -> list[str]:
        """Returns the names of all values, sorted.

        Raises:
            QmError: QM500 secret_store_unreadable.
        """
        return sorted(self._read())

    def get(self, name: str) -> str | None:
        """Returns the value with a name, or None; raises the errors of `names`."""
        return self._read().get(name)

    def change(self, changes: Mapping[str, str | None]) -> None:
        """Stores and removes values; raises the errors of `names`."""
        entries = applied(self._read(), changes)
        write_private(self.path, json.dumps(entries, indent=2, sort_keys=True) + "\n")

    def clear(self) -> None:
        """See `backend.Backend.clear`."""
        self.path.unlink(missing_ok=True)

    def _read(self) -> dict[str, str]:
        try:
            found: object = json.loads(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise unreadable(self.path, type(error).__name__) from error
        if not isinstance(found, dict):
            raise unreadable(self.path, "not a JSON object")
        entries = cast("dict[str, object]", found)
        return {name: str(value) for name, value in entries.items()}


KINDS: Final[tuple[Kind, ...]] = get_args(Kind)


def make_backend(kind: Kind, data: Path) -> Backend:
    """Opens a credential store of the given kind, which need not be the store in use."""
    # These modules are imported late: few commands need cryptography or a keyring, and both are
    # slow to import.
    if kind == "vault":
        from quartermaster.secrets.vault import Vault

        return Vault(data)
    if kind == "keyring":
        from quartermaster.secrets.user_keyring import UserKeyring

        return UserKeyring(data)
    return PlainFile(data)


def find_backend(data: Path) -> Backend:
    """Opens the store in use: the vault if ``vault.json`` exists, otherwise the keyring if
    ``keyring.json`` exists, otherwise the plain file.
    """
    for kind, file in _STORE_FILES:
        if (data / file).exists():
            return make_backend(kind, data)
    return PlainFile(data)
