"""``qm secret``: manages the credentials for servers, and the store that contains them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from typer import Argument

from quartermaster import api
from quartermaster.cli.command import Command, Decision, Local, Qm
from quartermaster.cli.credential_prompt import open_store, read_value
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Yes
from quartermaster.cli.output import confirm, counted
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import finish_refreshes
from quartermaster.secrets import passphrase
from quartermaster.secrets.backend import Kind
from quartermaster.secrets.locators import held_name

if TYPE_CHECKING:
    from quartermaster.catalog.importers.plain_secrets import PlainSecrets
    from quartermaster.secrets.store import SecretStore

Name = Annotated[str, "Name of the secret, such as github/TOKEN."]
Principal = Annotated[
    str | None, "Owner of the secret, if each principal uses their own credentials."
]

noun = Noun("Manage the credentials for servers. Their values are never shown.")


@noun.verb()
def set_command(qm: Qm, name: Name, principal: Principal = None) -> Row:
    """Store a secret. Its value is read from a prompt or from standard input."""
    retained = _name(qm, name, principal)
    open_store(qm.data_dir).put(retained, read_value("Value"))
    whose = f" for {principal}" if principal else ""
    qm.say(f"Stored{whose}. Refer to it as secret:{name}. To replace it: qm secret rotate {name}.")
    return {"secret": retained, "locator": f"secret:{name}"}


@noun.verb()
def list_command(qm: Local) -> list[str]:
    """List the names of the secrets, and show where the secrets are kept."""
    store = open_store(qm.data_dir)
    names = store.names()
    qm.table([{"secret": name} for name in names], ("secret",))
    where = f"in the {store.kind}."
    if store.kind == "file":
        where = "unencrypted in secrets.json. To encrypt them: qm secret move vault."
    qm.say(f"{counted(len(names), 'secret')}, kept {where}")
    return names


@noun.verb()
def remove_command(
    qm: Local, name: Annotated[str, "Name of the secret; see qm secret list."], yes: Yes = False
) -> Row:
    """Delete a secret. This cannot be undone."""
    store = open_store(qm.data_dir)
    confirm(f"Delete {name}? Its value cannot be restored.", yes=yes)
    store.remove(name)
    qm.say(f"Deleted {name}. To store a new value: qm secret set {name}.")
    return {"secret": name, "done": True}


@noun.verb()
def rotate_command(
    qm: Qm,
    name: Annotated[str | None, "Name of the secret; see qm secret list.", Argument()] = None,
    vault: Annotated[bool, "Replace the vault passphrase instead."] = False,
    principal: Principal = None,
) -> Row:
    """Replace a secret or, with --vault, the vault passphrase.

    Servers that use the secret are reconnected.
    """
    if (name is None) != vault:
        raise typer.BadParameter("Give either the name of a secret or --vault.")
    if name is None:
        _rekey(qm)
        return {"vault": True}
    retained = _name(qm, name, principal)
    store = open_store(qm.data_dir)
    if retained not in store.names():
        store.remove(retained)  # Raises QM404 secret_not_found.
    store.put(retained, read_value("New value"))
    qm.say(f"Replaced {retained}.")
    requested: list[Row] = []
    if qm.dsn is None and not qm.is_served:
        qm.note("No service is running. Servers get the new value when you next run: qm up.")
    elif rows := qm.call(api.renew_credential(locator=f"secret:{name}")):
        requested = list(finish_refreshes(qm, rows))
    else:
        qm.note("No server uses this secret.")
    return {"secret": retained, "servers": requested}


@noun.verb()
def move_command(
    qm: Local,
    to: Annotated[Kind, 'New store: "file" (unencrypted, mode 0600), "keyring" or "vault".'],
    yes: Yes = False,
) -> Row:
    """Move all secrets to another store: an encrypted vault, your keyring, or a plain file."""
    store = open_store(qm.data_dir, becoming=to)
    former = store.kind
    if to == "file" and former != "file":
        confirm("The secrets will be unencrypted in secrets.json. Move them?", yes=yes)
    count = store.move(to)
    undo = f" To undo: qm secret move {former}." if former != to else ""
    qm.say(f"{counted(count, 'secret')} moved to the {to}; no other store keeps a copy.{undo}")
    if to == "vault":
        qm.note(
            f"To let the service open the vault, set {passphrase.VAULT_VARIABLE} or"
            f" {passphrase.FILE_VARIABLE}; see docs/credentials.md."
        )
    return {"moved": count, "from": former, "to": to}


@noun.verb()
def extract_command(
    qm: Decision,
    origin: Annotated[str | None, "Name of the server; default: all servers.", Argument()] = None,
) -> list[Row]:
    """Move the secrets in the arguments and URLs of servers to the secret store.

    The definitions of the servers then refer to them, in all versions. The audit log, snapshots and
    backups cannot be changed, so replace these secrets at their providers, too.
    """
    store = open_store(qm.data_dir)
    found = [each for each in plain_secrets(qm, store) if origin in {None, each.arguments["name"]}]
    rows: list[Row] = [
        {"origin": each.arguments["name"], "secret": name}
        for each in found
        for name in each.secrets
    ]
    qm.table(rows, ("origin", "secret"), empty="No server has a secret in its arguments or URL.")
    if rows and qm.confirmed(f"Move {counted(len(rows), 'secret')} to the {store.kind}?"):
        for each in found:
            # Secrets are stored before the origin, because its first refresh needs them.
            for name, value in each.secrets.items():
                store.put(name, value)
        with qm.together():
            for each in found:
                qm.call(api.add_origin(**each.arguments, replace=True))
                qm.call(api.hide_texts(origin=each.arguments["name"], texts=dict(each.texts)))
        qm.say(
            "Moved. The audit log, snapshots and backups still have these values: get new ones from"
            " the providers, and store them with qm secret rotate."
        )
    return rows


def plain_secrets(qm: Command, store: SecretStore | None = None) -> list[PlainSecrets]:
    """Returns the secrets in plain text in the definitions of all servers except starters.

    Args:
        qm: the command.
        store: the secret store. Names that it already contains are not proposed.
    """
    from quartermaster.catalog.importers.plain_secrets import find_plain_secrets

    names = [row["name"] for row in qm.call(api.list_origins())]
    origins = [qm.call_value(api.get_origin(name=name)) for name in names]
    found = [find_plain_secrets(origin, store) for origin in origins if not origin["is_starter"]]
    return [each for each in found if each is not None]


def _rekey(qm: Command) -> None:
    store = open_store(qm.data_dir)
    if store.kind == "vault":
        store.names()  # A wrong passphrase fails here, before the new one is asked for.
    store.rekey(read_value("New passphrase", twice=True))
    qm.say(
        "The vault has a new passphrase. Give the new passphrase to the service before the next"
        " start."
    )


def _name(qm: Command, name: str, principal: str | None) -> str:
    if principal is None:
        return name
    [found] = qm.call(api.find_principal(name=principal))
    return held_name(found["principal_id"], found["principal"], name)
