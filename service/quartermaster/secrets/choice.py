"""Chooses the place that a data directory uses. Its own files decide; no setting could contradict
them.
"""

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
    """Opens a place, whether it is in use or not."""
    # Few commands need cryptography or a keyring; both take a while to load.
    if kind == "vault":
        from quartermaster.secrets.vault import Vault

        return Vault(data)
    if kind == "keyring":
        from quartermaster.secrets.user_keyring import UserKeyring

        return UserKeyring(data)
    return PlainFile(data)


def find_backend(data: Path) -> Backend:
    """Opens the place in use: the vault if there is one, else the keyring, else the file."""
    for kind, file in _TELLING:
        if (data / file).exists():
            return make_backend(kind, data)
    return PlainFile(data)
