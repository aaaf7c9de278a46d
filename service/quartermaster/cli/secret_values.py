"""How credentials reach a command: typed where nobody sees them, or piped in; never an argument."""

from __future__ import annotations

import sys
from pathlib import Path

import typer

from quartermaster.cli.output import err
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets import Kind, passphrase
from quartermaster.secrets.store import SecretStore


def read_value(what: str, *, twice: bool = False) -> str:
    """A value typed at the terminal, or standard input whole, but for the end of its last line.

    Args:
        what: is asked for, such as ``Value``.
        twice: whether it is typed twice, since a mistake would lock somebody out.

    Raises:
        QmError: QM422 secret_empty.
    """
    if sys.stdin.isatty():
        value: str = typer.prompt(what, hide_input=True, err=True, confirmation_prompt=twice)
    else:
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value:
        raise QmError(422, "secret_empty", "No value was given.", "Type it, or pipe it in.")
    return value


def open_store(data_dir: Path | None, becoming: Kind | None = None) -> SecretStore:
    """The credentials of a data directory; at a terminal, a vault's passphrase is asked for.

    Args:
        data_dir: of the command's options.
        becoming: where they are to be moved.

    Raises:
        QmError: QM423 vault_locked: what was typed does not open it.
    """
    store = SecretStore(paths.data_dir(data_dir))
    is_new = becoming == "vault" and store.kind != "vault"
    if (is_new or store.kind == "vault") and passphrase.find() is None and sys.stdin.isatty():
        what = "Passphrase of the new vault" if is_new else "Passphrase of the vault"
        passphrase.remember(read_value(what, twice=is_new))
        if not is_new:
            store.names()  # A mistyped one is told at once.
    return store


def warn_of_lock(store: SecretStore) -> None:
    """Says what a service will refuse whose vault nobody has opened; it serves all the same."""
    if store.kind == "vault" and passphrase.find() is None:
        locked = passphrase.locked("origins that need a credential are refused")
        err.print(f"{locked.message} {locked.hint}", markup=False)
