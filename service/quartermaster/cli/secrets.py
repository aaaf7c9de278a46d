"""``qm secret``: the credentials of origins, and where they are kept."""

from __future__ import annotations

from typing import Annotated

import typer

from quartermaster.cli.options import Yes
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.secret_values import open_store, read_value
from quartermaster.cli.session import DataDir, Dsn, Json, Session, open_session
from quartermaster.cli.waiting import is_service_running, print_refreshes, wait_for_refreshes
from quartermaster.secrets import Kind, passphrase
from quartermaster.secrets.locators import held_name

Name = Annotated[str, typer.Argument(help="Such as github/TOKEN.")]
Principal = Annotated[
    str | None, typer.Option(help="Whose own it is, for origins with credentials of each.")
]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    secret = typer.Typer(no_args_is_help=True, help="Credentials of origins; never shown.")
    secret.command("set")(set_command)
    secret.command("list")(list_command)
    secret.command("rm")(remove_command)
    secret.command("rotate")(rotate_command)
    secret.command("move")(move_command)
    app.add_typer(secret, name="secret")


def set_command(
    name: Name, principal: Principal = None, data_dir: DataDir = None, dsn: Dsn = None
) -> None:
    """Keep a credential; its value is asked for, or read from standard input."""
    kept = _name(name, principal, data_dir, dsn)
    store = open_store(data_dir)
    store.put(kept, read_value("Value"))
    whose = f" of {principal}" if principal else ""
    out.print(
        f"Kept{whose}. Refer to it as secret:{name}; `qm secret rotate` replaces it.", markup=False
    )


def list_command(json: Json = False, data_dir: DataDir = None) -> None:
    """List the names of the kept credentials, and where they are kept."""
    store = open_store(data_dir)
    names = store.names()
    if json:
        print_json(names)
        return
    print_table(("secret",), [(name,) for name in names])
    where = f"in the {store.kind}"
    if store.kind == "file":
        where = "in clear in secrets.json; `qm secret move vault` encrypts them"
    err.print(f"{len(names)} kept {where}.", markup=False)


def remove_command(
    name: Annotated[str, typer.Argument(help="As listed.")],
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Forget a credential."""
    store = open_store(data_dir)
    if not yes:
        typer.confirm(f"Forget {name}?", abort=True, err=True)
    store.remove(name)
    out.print(f"Forgot {name}.", markup=False)


def rotate_command(
    name: Annotated[str | None, typer.Argument(help="As listed.")] = None,
    vault: Annotated[
        bool, typer.Option("--vault", help="The passphrase of the vault instead.")
    ] = False,
    principal: Principal = None,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Replace a credential, and connect whatever uses it anew; or the passphrase of the vault."""
    if (name is None) != vault:
        raise typer.BadParameter("give the name of a credential, or --vault")
    if name is None:
        _rekey(data_dir)
        return
    kept = _name(name, principal, data_dir, dsn)
    store = open_store(data_dir)
    if kept not in store.names():
        store.remove(kept)  # Says that it is not there.
    store.put(kept, read_value("New value"))
    out.print(f"Replaced {kept}.", markup=False)
    if dsn is None and not is_service_running(data_dir):
        err.print("No service is running; what uses it gets the new value when one starts.")
        return
    with open_session(data_dir, dsn) as session:
        _renew(session, name, data_dir)


def move_command(
    to: Annotated[Kind, typer.Argument(help="file (in clear, mode 0600), keyring, or vault.")],
    yes: Yes = False,
    data_dir: DataDir = None,
) -> None:
    """Keep the credentials in another place: an encrypted vault, or the keyring of this user."""
    store = open_store(data_dir, becoming=to)
    former = store.kind
    if to == "file" and former != "file" and not yes:
        typer.confirm("They will lie in clear in secrets.json. Move them?", abort=True, err=True)
    count = store.move(to)
    out.print(f"{count} kept in the {to} now; nothing is left in other places.", markup=False)
    if to == "vault":
        err.print(
            f"A service opens it with {passphrase.VARIABLE} or {passphrase.FILE_VARIABLE}; see"
            " docs/credentials.md.",
            markup=False,
        )


def _rekey(data_dir: DataDir) -> None:
    store = open_store(data_dir)
    if store.kind == "vault":
        store.names()  # A wrong present passphrase is told before the new one is asked for.
    store.rekey(read_value("New passphrase", twice=True))
    out.print("The vault has a new passphrase. Give it to the service before its next start.")


def _renew(session: Session, name: str, data_dir: DataDir) -> None:
    rows = session.call("renew_credential", locator=f"secret:{name}")
    refreshes = {row["origin"]: row["refresh_id"] for row in rows}
    if not refreshes:
        err.print("No server refers to it.")
    elif is_service_running(data_dir):
        done = wait_for_refreshes(session, refreshes)
        print_refreshes(done)
        if any(row["status"] == "failed" for row in done):
            raise typer.Exit(1)


def _name(name: str, principal: str | None, data_dir: DataDir, dsn: Dsn) -> str:
    if principal is None:
        return name
    with open_session(data_dir, dsn) as session:
        [found] = session.call("find_principal", name=principal)
    return held_name(found["principal_id"], found["principal"], name)
