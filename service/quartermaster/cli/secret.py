"""``qm secret``: the credentials of servers, and where they are kept."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.credentials import open_store, read_value
from quartermaster.cli.options import DataDir, Dsn, Json, Yes
from quartermaster.cli.output import confirm, counted, note, print_json, print_table, say
from quartermaster.cli.session import open_session
from quartermaster.cli.waiting import is_service_running, report_refreshes
from quartermaster.secrets import Kind, passphrase
from quartermaster.secrets.locators import held_name

Name = Annotated[str, typer.Argument(help="Name of the secret, such as github/TOKEN.")]
Principal = Annotated[
    str | None,
    typer.Option(help="Owner, for servers where each principal uses their own credentials."),
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    secret = typer.Typer(
        no_args_is_help=True, help="Manage the credentials of servers; values are never shown."
    )
    secret.command("set")(set_command)
    secret.command("list")(list_command)
    secret.command("remove")(remove_command)
    secret.command("rotate")(rotate_command)
    secret.command("move")(move_command)
    app.add_typer(secret, name="secret")


def set_command(
    name: Name, principal: Principal = None, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Store a secret; its value is prompted for, or read from standard input."""
    kept = _name(name, principal, data_dir, dsn)
    store = open_store(data_dir)
    store.put(kept, read_value("Value"))
    whose = f" for {principal}" if principal else ""
    say(f"Stored{whose}. Refer to it as secret:{name}. To replace it: qm secret rotate {name}.")


def list_command(json: Json = False, data_dir: DataDir = None) -> None:
    """List the names of the secrets, and where they are kept."""
    store = open_store(data_dir)
    names = store.names()
    if json:
        print_json(names)
        return
    print_table(("secret",), [(name,) for name in names])
    where = f"in the {store.kind}."
    if store.kind == "file":
        where = "unencrypted in secrets.json. To encrypt them: qm secret move vault."
    note(f"{counted(len(names), 'secret')}, kept {where}")


def remove_command(
    name: Annotated[str, typer.Argument(help="Name of the secret; see qm secret list.")],
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Delete a secret; this cannot be undone."""
    store = open_store(data_dir)
    confirm(f"Delete {name}? Its value cannot be restored.", yes=yes)
    store.remove(name)
    say(f"Deleted {name}. To store a new value: qm secret set {name}.")


def rotate_command(
    name: Annotated[
        str | None, typer.Argument(help="Name of the secret; see qm secret list.")
    ] = None,
    vault: Annotated[
        bool, typer.Option("--vault", help="Replace the passphrase of the vault instead.")
    ] = False,
    principal: Principal = None,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Replace a secret, or with --vault the passphrase of the vault.

    Servers that use the secret are reconnected.
    """
    if (name is None) != vault:
        raise typer.BadParameter("Give either the name of a secret or --vault.")
    if name is None:
        _rekey(data_dir)
        return
    kept = _name(name, principal, data_dir, dsn)
    store = open_store(data_dir)
    if kept not in store.names():
        store.remove(kept)  # Raises QM404 secret_not_found.
    store.put(kept, read_value("New value"))
    say(f"Replaced {kept}.")
    if dsn is None and not is_service_running(data_dir):
        note("No service is running. Servers get the new value when you next run: qm up.")
        return
    with open_session(data_dir, dsn) as session:
        requested = session.call("renew_credential", locator=f"secret:{name}")
        if requested:
            report_refreshes(session, requested, data_dir)
        else:
            note("No server uses it.")


def move_command(
    to: Annotated[Kind, typer.Argument(help="file (unencrypted, mode 0600), keyring or vault.")],
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Move all secrets to another store: an encrypted vault, your keyring, or a plain file."""
    store = open_store(data_dir, becoming=to)
    former = store.kind
    if to == "file" and former != "file" and not yes:
        confirm("The secrets will be unencrypted in secrets.json. Move them?", yes=False)
    count = store.move(to)
    undo = f" To undo: qm secret move {former}." if former != to else ""
    say(f"{counted(count, 'secret')} moved to the {to}; no other store keeps a copy.{undo}")
    if to == "vault":
        note(
            f"To let the service open the vault, set {passphrase.VARIABLE} or"
            f" {passphrase.FILE_VARIABLE}; see docs/credentials.md."
        )


def _rekey(data_dir: DataDir) -> None:
    store = open_store(data_dir)
    if store.kind == "vault":
        store.names()  # A wrong passphrase fails here, before the new one is asked for.
    store.rekey(read_value("New passphrase", twice=True))
    say("The vault has a new passphrase. Give it to the service before its next start.")


def _name(name: str, principal: str | None, data_dir: DataDir, dsn: Dsn) -> str:
    if principal is None:
        return name
    with open_session(data_dir, dsn) as session:
        [found] = session.call("find_principal", name=principal)
    return held_name(found["principal_id"], found["principal"], name)
