"""The interface of all credential stores. Callers must hold the lock of the data directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from quartermaster.core.errors import QmError

Kind = Literal["file", "keyring", "vault"]


class Backend(Protocol):
    """A store that maps names to secret values.

    Attributes:
        kind: kind of the store.
        path: file in the data directory that exists if this store is in use.
    """

    kind: Kind
    path: Path

    def names(self) -> list[str]:
        """Returns the names of all values, sorted."""
        ...

    def get(self, name: str) -> str | None:
        """Returns the value with a name; None if there is none."""
        ...

    def change(self, changes: Mapping[str, str | None]) -> None:
        """Stores values, and removes values given as None. After a crash, either all old or all new
        values are stored.
        """
        ...

    def clear(self) -> None:
        """Removes all values and the store itself."""
        ...


def applied(stored: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Returns the stored values with changes applied. The value None in `changes` removes a
    name.
    """
    merged = {**stored, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def unreadable(path: Path, why: str) -> QmError:
    """Returns the error for a file whose content is not as expected."""
    return QmError(
        500,
        "secret_store_unreadable",
        f"The credentials in {path} cannot be read: {why}.",
        "Restore the file, or remove it and set the credentials again.",
    )
