"""Stores credentials in the user's keyring: Keychain on macOS, Secret Service on Linux.

A keyring cannot list its content, so ``keyring.json`` in the data directory contains the names. A
new value is stored before its name is written to the file. A deleted name is removed from the file
before its value is deleted.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import keyring
from keyring.errors import KeyringError, PasswordDeleteError
from pydantic import BaseModel, ConfigDict, ValidationError

from quartermaster.core.errors import QmError
from quartermaster.core.paths import write_private
from quartermaster.secrets.backend import Kind, unreadable


class _Index(BaseModel):
    """The content of ``keyring.json``: the service name in the keyring, and the names of the
    values.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    service: str
    names: tuple[str, ...] = ()


class UserKeyring:
    """Stores credentials in the user's keyring (see `backend.Backend`). All methods raise QM500
    secret_store_unreadable and QM423 keyring_unavailable.

    Args:
        data: the data directory, whose path is part of the service name in the keyring.
    """

    kind: Kind = "keyring"

    def __init__(self, data: Path) -> None:
        self.path: Final = data / "keyring.json"
        self._data: Final = data

    def names(self) -> list[str]:
        """See `backend.Backend.names`."""
        return sorted(self._read().names)

    def get(self, name: str) -> str | None:
        """See `backend.Backend.get`."""
        index = self._read()
        if name not in index.names:
            return None
        with _explained():
            return keyring.get_password(index.service, name)

    def change(self, changes: Mapping[str, str | None]) -> None:
        """See `backend.Backend.change`."""
        index = self._read()
        for name, value in changes.items():
            if value is not None:
                _keep(index.service, name, value)
        forgotten = {name for name, value in changes.items() if value is None}
        self._write(index.service, {*index.names, *changes} - forgotten)
        for name in forgotten & {*index.names}:
            _forget(index.service, name)

    def clear(self) -> None:
        """See `backend.Backend.clear`."""
        index = self._read()
        # First mark the keyring as unused, then delete its values, never in the other order.
        self.path.unlink(missing_ok=True)
        for name in index.names:
            _forget(index.service, name)

    def _read(self) -> _Index:
        try:
            return _Index.model_validate_json(self.path.read_text(encoding="utf-8"))
        except FileNotFoundError:
            return _Index(service=f"quartermaster {self._data.absolute()}")
        except (OSError, ValidationError) as error:
            raise unreadable(self.path, type(error).__name__) from error

    def _write(self, service: str, names: set[str]) -> None:
        text = json.dumps({"service": service, "names": sorted(names)}, indent=2)
        write_private(self.path, text + "\n")


def _keep(service: str, name: str, value: str) -> None:
    with _explained():
        keyring.set_password(service, name, value)
        # Some keyrings accept values without storing them, such as the keyring for tests without a
        # desktop.
        if keyring.get_password(service, name) != value:
            raise KeyringError("the keyring does not store values")


def _forget(service: str, name: str) -> None:
    # The user may have deleted the entry by hand.
    with _explained(), suppress(PasswordDeleteError):
        keyring.delete_password(service, name)


@contextmanager
def _explained() -> Generator[None]:
    try:
        yield
    except KeyringError as error:
        what = str(error).partition("\n")[0] or type(error).__name__
        raise QmError(
            423,
            "keyring_unavailable",
            f"This user's keyring cannot be used: {what}.",
            "Unlock the keyring, log in to a desktop session, or use a vault: qm secret move "
            "vault.",
        ) from error
