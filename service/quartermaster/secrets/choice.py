"""Chooses the credential store of a data directory by its files, so no setting can contradict."""

from __future__ import annotations

from pathlib import Path
from typing import Final, get_args

from quartermaster.secrets.backend import Backend, Kind
from quartermaster.secrets.plain_file import PlainFile

KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
_TELLING: Final[tuple[tuple[Kind, str], ...]] = (
    ("vault", "vault.json"),
    ("keyring", "keyring.json"),
)


def make_backend(kind: Kind, data: Path) -> Backend:
    """Open a credential store, whether it is in use or not."""
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
    """Open the store in use: the vault if it exists, else the keyring, else the plain file."""
    for kind, file in _TELLING:
        if (data / file).exists():
            return make_backend(kind, data)
    return PlainFile(data)
