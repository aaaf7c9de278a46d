"""Reads credentials from a hidden prompt or a pipe, never from an argument, and opens the secret
store.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from quartermaster.cli.output import err
from quartermaster.core import paths
from quartermaster.core.errors import QmError
from quartermaster.secrets import passphrase

if TYPE_CHECKING:
    from quartermaster.catalog.importers.origin_definition import OriginDefinition
    from quartermaster.secrets.backend import Kind
    from quartermaster.secrets.store import SecretStore


def read_value(what: str, *, twice: bool = False) -> str:
    """Reads a value from the terminal, or all of standard input without the final newline.

    Args:
        what: prompt text, such as ``Value``.
        twice: whether to ask twice, because a typing mistake would lock the user out.

    Raises:
        QmError: QM422 secret_empty.
    """
    if sys.stdin.isatty():
        value: str = typer.prompt(what, hide_input=True, err=True, confirmation_prompt=twice)
    else:
        value = sys.stdin.read().removesuffix("\n").removesuffix("\r")
    if not value:
        raise QmError(422, "secret_empty", "The value is empty.", "Type a value, or pipe it in.")
    return value


def open_store(data_dir: Path | None, becoming: Kind | None = None) -> SecretStore:
    """Opens the secret store of a data directory. If the store is a vault, asks for its passphrase
    at a terminal.

    Args:
        data_dir: data directory from the command's options.
        becoming: kind of store to which the caller moves the secrets.

    Raises:
        QmError: QM423 vault_locked: the passphrase is wrong.
    """
    from quartermaster.secrets.store import SecretStore

    store = SecretStore(paths.data_dir(data_dir))
    is_new = becoming == "vault" and store.kind != "vault"
    if (is_new or store.kind == "vault") and passphrase.find() is None and sys.stdin.isatty():
        what = "Passphrase for the new vault" if is_new else "Passphrase for the vault"
        passphrase.remember(read_value(what, twice=is_new))
        if not is_new:
            store.names()  # A wrong passphrase fails here.
    return store


def warn_of_lock(store: SecretStore) -> None:
    """Warns if the vault is locked, because the service starts nevertheless."""
    if store.kind == "vault" and passphrase.find() is None:
        locked = passphrase.locked("origins that need a credential cannot be used")
        err.print(f"{locked.message} {locked.hint}", markup=False)


def missing_values(origin: OriginDefinition) -> list[str]:
    """Returns one sentence for each value that must be set before the origin can be reached."""
    return [
        f"{origin.name}: {locator} has no value yet ({why}). "
        + (
            f"Set it with: qm secret set {locator.partition(':')[2]}."
            if locator.startswith("secret:")
            else "Set it in the environment in which qm up is started."
        )
        for locator, why in origin.missing.items()
    ]
