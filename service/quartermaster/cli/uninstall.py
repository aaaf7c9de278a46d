"""``qm uninstall``: removes Quartermaster from a database."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Annotated, Any, Final

from quartermaster.cli.command import Command, Decision
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import Columns, err, tallied
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.install.removal import Removal

_SCHEMAS: Final[Columns] = [
    "schema",
    "tables",
    ("what people have made", lambda row: tallied({k: n for k, n in row["rows"].items() if n})),
]
# What of a connection string is printed; everything else could be a secret.
_PUBLIC_OPTIONS: Final = frozenset(
    {"host", "hostaddr", "port", "dbname", "user", "sslmode", "sslrootcert"}
)
# The longest statement that is shown; --json shows all of it.
_SHOWN_CHARACTERS: Final = 100

noun = Noun()


@noun.verb()
def uninstall_command(
    qm: Decision,
    keep_data: Annotated[
        bool, "Take only the functions. The next qm install brings them back; all data stay."
    ] = False,
) -> dict[str, Any]:
    """Take Quartermaster out of a database, and give back the rights that the installation took.

    The removal is one transaction: if it fails, nothing has changed. It never drops an object of
    others.
    """
    from quartermaster.install.uninstall import preview, remove_functions, uninstall

    _require_other_server(qm)
    with err.status("looking at the database"):
        removal = preview(qm.target)
    if keep_data:
        qm.foretell(
            f"This drops the functions of Quartermaster in the database {removal.database}, and"
            " ends the sessions of the service and of psql logins. Nothing works until qm install"
            f" brings them back. All data stay{qm.preview}."
        )
        functions = 0
        if qm.confirmed("Drop the functions?"):
            functions = remove_functions(qm.target)
            qm.say(f"{functions} functions dropped. To bring them back: qm install.")
        return {"database": removal.database, "functions": functions}
    _foretell(qm, removal)
    if qm.confirmed_by_name("To remove all this, type the name of the database", removal.database):
        with err.status("uninstalling"):
            removal = uninstall(qm.target)
        qm.say(f"Quartermaster is no longer in the database {removal.database}.")
        for role, reason in removal.retained_roles.items():
            qm.say(f"The role {role} stays: {reason}.")
    return removal.as_dict() | {"uninstalled": not qm.dry_run}


def _require_other_server(qm: Command) -> None:
    """Refuses to remove the installation from a database server that exists only for it.

    Raises:
        QmError: QM409 database_embedded.
    """
    folder = qm.folder
    is_named = qm.dsn is not None or qm.is_elsewhere or qm.settings().database.dsn is not None
    if not is_named and (folder / "postgres").is_dir():
        raise QmError(
            409,
            "database_embedded",
            f"The database server in {folder} exists only for Quartermaster.",
            "To remove both with all data, press Ctrl-C in the terminal in which qm up runs, then"
            f" enter: rm -rf {shlex.quote(str(folder))}. docs/runbooks.md says how to keep a copy."
            " If you mean another database, name it with --dsn.",
        )


def _foretell(qm: Command, removal: Removal) -> None:
    """Prints what will be removed, what will stay, and how to keep a copy."""
    if not qm.json:
        qm.table(removal.schemas, _SCHEMAS, title=f"To be removed from database {removal.database}")
    for sentence in _sentences(qm, removal):
        qm.foretell(sentence)


def _sentences(qm: Command, removal: Removal) -> list[str]:
    said = [
        f"Extensions that go: {_listed(removal.extensions)}.",
        *(
            f"The extension {name} stays: {why}."
            for name, why in removal.retained_extensions.items()
        ),
        f"Roles that go: {_listed(removal.roles)}.",
        *(f"The role {name} stays: {why}." for name, why in removal.retained_roles.items()),
    ]
    if removal.administrator_statements:
        said.append(
            "If these extensions were made for Quartermaster only (qm install --print-admin-sql),"
            f" their owner may run afterwards: {' '.join(removal.administrator_statements)}"
        )
    if removal.members:
        said.append(f"Logins that lose one of these roles: {_listed(removal.members)}.")
    if removal.sessions:
        ended = ", ".join(f"{count} of {login}" for login, count in removal.sessions.items())
        said += [
            f"Sessions that are ended: {ended}.",
            "Stop each service first, with Ctrl-C in its terminal. Until then, it goes on with its"
            " copy of the catalog (docs/outage.md), and if it starts again, it installs again.",
        ]
    said.append("Rights and settings that are given back:")
    said += [f"* {_shortened(each)}" for each in removal.statements]
    if not removal.is_recorded:
        said.append(
            "An older release has installed here and has not noted what was there before, so this"
            " is what a new database of PostgreSQL has."
        )
    return [
        *said,
        "To keep a copy of everything, enter first (docs/runbooks.md names more files):",
        f"  {dump_command(qm, removal.dump_options)}",
        "To keep a signed copy of the catalog only: qm snapshot create NAME.",
        *(["This is a preview; nothing was changed."] if qm.dry_run else []),
    ]


def dump_command(qm: Command, further: list[str]) -> str:
    """Returns the command that copies the database; the command does not contain the password."""
    options = ["--format=custom", "--file=quartermaster.dump", *further]
    return f"pg_dump {shlex.join(options)} {_without_password(qm.target)}"


def _without_password(dsn: str) -> str:
    from psycopg.conninfo import conninfo_to_dict, make_conninfo

    retained = {
        name: value for name, value in conninfo_to_dict(dsn).items() if name in _PUBLIC_OPTIONS
    }
    return shlex.quote(make_conninfo("", **retained))


def _listed(names: list[str]) -> str:
    return ", ".join(names) or "none"


def _shortened(statement: str) -> str:
    return (
        statement if len(statement) <= _SHOWN_CHARACTERS else f"{statement[:_SHOWN_CHARACTERS]}..."
    )
