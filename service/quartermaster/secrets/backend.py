"""The interface of all credential stores; callers must have locked the data directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from quartermaster.core.errors import QmError

Kind = Literal["file", "keyring", "vault"]


class Backend(Protocol):
    """A store of values by name.

    Attributes:
        kind: kind of the store.
        path: file in the data directory that exists if this store is in use.
    """

    kind: Kind
    path: Path

    def names(self) -> list[str]:
        """Returns the names, sorted."""
        ...

    def get(self, name: str) -> str | None:
        """Returns a value, or None."""
        ...

    def change(self, changes: Mapping[str, str | None]) -> None:
        """Stores values, and remove values given as None; after a crash, either all old or all new
        values are stored.
        """
        ...

    def clear(self) -> None:
        """Removes all values and the store itself."""
        ...


def applied(stored: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Returns the values after the changes."""
    merged = {**stored, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def unreadable(path: Path, why: str) -> QmError:
    """Returns the error for a file with unexpected content."""
    return QmError(
        500,
        "secret_store_unreadable",
        f"The credentials in {path} cannot be read: {why}.",
        "Restore the file, or remove it and set the credentials again.",
    )
