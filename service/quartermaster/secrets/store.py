"""Stores upstream credentials outside the database; the configuration contains only locators."""

from __future__ import annotations

import os
import re
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.locks import exclusive
from quartermaster.core.logs import register_secret
from quartermaster.secrets.backend import Backend, Kind
from quartermaster.secrets.bindings import Bindings
from quartermaster.secrets.choice import KINDS, find_backend, make_backend

_NAME: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,254}")
_SCHEMES: Final = ("secret:", "env:")


def is_locator(text: str) -> bool:
    """Returns whether a text is a locator: ``secret:NAME`` or ``env:NAME``."""
    return text.startswith(_SCHEMES)


class SecretStore:
    """The credentials of a data directory, in the store that the directory uses (see
    `backend.Backend`).

    Depending on the store, all methods raise QM500 ``secret_store_unreadable``, QM423
    ``vault_locked`` or QM423 ``keyring_unavailable``. A lock ensures that only one process changes
    the store at a time.

    Args:
        data: the data directory.

    Attributes:
        folder: the data directory.
        bindings: the addresses to which the credentials may be sent.
    """

    def __init__(self, data: Path) -> None:
        self.folder = data
        self.bindings = Bindings(data)

    @property
    def kind(self) -> Kind:
        """The kind of store that contains the values now."""
        return find_backend(self.folder).kind

    def put(self, name: str, value: str) -> str:
        """Stores a value under a name, and replaces an earlier value.

        Returns:
            The locator of the value, ``secret:NAME``.

        Raises:
            QmError: QM422 ``secret_name_invalid``.
        """
        if not _NAME.fullmatch(name):
            raise QmError(
                422,
                "secret_name_invalid",
                f"{name!r} is not a valid name for a secret.",
                "Use at most 255 letters, digits, dots, _, / and -. Start with a letter or digit.",
            )
        register_secret(value)
        with self._changing() as backend:
            backend.change({name: value})
            self.bindings.forget(name)
        return f"secret:{name}"

    def find(self, name: str) -> str | None:
        """Returns the value with a name, or None. The value is masked in later log lines."""
        value = find_backend(self.folder).get(name)
        if value is not None:
            register_secret(value)
        return value

    def resolve(self, locator: str) -> str:
        """Returns the value of a locator. The value is masked in later log lines.

        Raises:
            QmError: QM404 ``secret_not_found``; QM422 ``secret_locator_invalid``.
        """
        scheme, _, name = locator.partition(":")
        match scheme:
            case "secret":
                value = self.find(name)
                hint = f"Set it with `qm secret set {name}`."
            case "env":
                value = os.environ.get(name)
                hint = f"Start the service with the environment variable {name}."
            case _:
                # The text may be a credential given by mistake, so it is not repeated.
                raise QmError(
                    422,
                    "secret_locator_invalid",
                    "The reference to a credential does not have a known scheme.",
                    "Write secret:NAME or env:NAME.",
                )
        if value is None:
            raise _missing(locator, hint)
        register_secret(value)
        return value

    def names(self) -> list[str]:
        """Returns the names of all stored credentials, sorted; values are never listed."""
        return find_backend(self.folder).names()

    def remove(self, name: str) -> None:
        """Removes a credential.

        Raises:
            QmError: QM404 ``secret_not_found``.
        """
        with self._changing() as backend:
            if name not in backend.names():
                raise _missing(name, "See qm secret list.")
            backend.change({name: None})
            self.bindings.forget(name)

    def move(self, kind: Kind) -> int:
        """Moves all values to the given store, and deletes them in the other stores.

        If the move is interrupted, one of the stores still contains all values, and a second move
        completes the first.

        Returns:
            The number of values.
        """
        with self._changing() as former:
            target = make_backend(kind, self.folder)
            if former.kind != kind:
                values = {name: former.get(name) for name in former.names()}
                stale = [name for name in target.names() if name not in values]
                target.change({**dict.fromkeys(stale), **values})
            count = len(target.names())
            # The existing files decide which store is in use, so the old store is removed first.
            for other in sorted(KINDS, key=lambda other: other != former.kind):
                if other != kind:
                    make_backend(other, self.folder).clear()
            return count

    def rekey(self, passphrase: str) -> None:
        """Encrypts the vault with another passphrase.

        Raises:
            QmError: QM409 ``secret_not_in_vault``.
        """
        from quartermaster.secrets.vault import Vault

        with self._changing() as backend:
            if not isinstance(backend, Vault):
                raise QmError(
                    409,
                    "secret_not_in_vault",
                    f"The credentials are kept in the {backend.kind}, which has no passphrase.",
                    "Move them to a vault with: qm secret move vault.",
                )
            backend.rekey(passphrase)

    @contextmanager
    def _changing(self) -> Generator[Backend]:
        self.folder.mkdir(parents=True, exist_ok=True)
        with exclusive(self.folder / "secrets.lock"):
            yield find_backend(self.folder)


def _missing(name: str, hint: str) -> QmError:
    return QmError(404, "secret_not_found", f"There is no credential {name!r}.", hint)
