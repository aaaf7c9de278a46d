"""The passphrase of the vault: typed, from the environment, or from a file.

``QM_VAULT_PASSPHRASE`` is taken out of the environment as soon as it is read, so that no process
started later inherits it. ``QM_VAULT_PASSPHRASE_FILE`` is read anew each time, so that a rotated
one needs no restart.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret

VARIABLE: Final = "QM_VAULT_PASSPHRASE"
FILE_VARIABLE: Final = "QM_VAULT_PASSPHRASE_FILE"

_known: list[str] = []


def take_from_environment() -> None:
    """Remembers the passphrase in the environment, and removes it from there."""
    given = os.environ.pop(VARIABLE, None)
    if given:
        remember(given)


def remember(passphrase: str) -> None:
    """From now on this process opens the vault with it."""
    register_secret(passphrase)
    _known[:] = [passphrase]


def find() -> str | None:
    """The passphrase; None if none is given.

    Raises:
        QmError: QM423 vault_locked: the file cannot be read.
    """
    take_from_environment()
    if _known:
        return _known[0]
    file = os.environ.get(FILE_VARIABLE)
    if not file:
        return None
    try:
        found = Path(file).read_text(encoding="utf-8").rstrip("\r\n")
    except (OSError, ValueError) as error:
        raise locked(f"{file} cannot be read ({type(error).__name__})") from error
    register_secret(found)
    return found or None


def locked(why: str) -> QmError:
    """The error for a vault that cannot be opened."""
    return QmError(
        423,
        "vault_locked",
        f"The vault of credentials is locked: {why}.",
        f"Set {VARIABLE} or {FILE_VARIABLE} where the service starts, or start `qm up` at a "
        "terminal, which asks.",
    )
