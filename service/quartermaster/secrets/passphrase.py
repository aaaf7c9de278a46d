"""The vault's passphrase, which is typed, or comes from the environment or a file.

``QM_VAULT_PASSPHRASE`` is removed from the environment when it is read, so that no process started
later inherits it. ``QM_VAULT_PASSPHRASE_FILE`` is read again each time, so that a new passphrase
needs no restart.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

from quartermaster.core.errors import QmError
from quartermaster.core.logs import register_secret

VAULT_VARIABLE: Final = "QM_VAULT_PASSPHRASE"
FILE_VARIABLE: Final = "QM_VAULT_PASSPHRASE_FILE"

_known: list[str] = []


def take_from_environment() -> None:
    """Remembers the passphrase from the environment, and removes it from the environment."""
    given = os.environ.pop(VAULT_VARIABLE, None)
    if given:
        remember(given)


def remember(passphrase: str) -> None:
    """Uses this passphrase to open the vault in this process from now on."""
    register_secret(passphrase)
    _known[:] = [passphrase]


def for_successor() -> dict[str, str]:
    """Returns the environment variable with the passphrase, for the program that replaces this
    process.
    """
    return {VAULT_VARIABLE: _known[0]} if _known else {}


def find() -> str | None:
    """Returns the passphrase; None if there is none.

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
    """Returns the error for a vault that cannot be opened."""
    return QmError(
        423,
        "vault_locked",
        f"The credential vault is locked: {why}.",
        f"Start the service with {VAULT_VARIABLE} or {FILE_VARIABLE} in its environment, or start"
        " `qm up` at a terminal and type the passphrase.",
    )
