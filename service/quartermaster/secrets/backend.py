"""The interface of all places for credentials. Callers hold the lock of the data directory."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal, Protocol

from quartermaster.core.errors import QmError

Kind = Literal["file", "keyring", "vault"]


class Backend(Protocol):
    """Values by name.

    Attributes:
        kind: which one it is.
        path: the file in the data directory whose presence says that this one is in use.
    """

    kind: Kind
    path: Path

    def names(self) -> list[str]:
        """The names, sorted."""
        ...

    def get(self, name: str) -> str | None:
        """Returns a value, or None."""
        ...

    def change(self, changes: Mapping[str, str | None]) -> None:
        """Keeps values, and forgets those given as None; a crash leaves old or new, never none."""
        ...

    def clear(self) -> None:
        """Forgets everything, itself included."""
        ...


def applied(kept: Mapping[str, str], changes: Mapping[str, str | None]) -> dict[str, str]:
    """Returns the values after the changes."""
    merged = {**kept, **changes}
    return {name: value for name, value in merged.items() if value is not None}


def unreadable(path: Path, why: str) -> QmError:
    """The error for a file with unexpected content."""
    return QmError(
        500,
        "secret_store_unreadable",
        f"The credentials in {path} cannot be read: {why}.",
        "Restore the file, or remove it and set the credentials again.",
    )
