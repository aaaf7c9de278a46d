"""``qm kind``: lists the kinds of card, and removes the kinds of a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final

from quartermaster.cli.command import Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import Columns, counted, err, tallied
from quartermaster.cli.session import Row
from quartermaster.cli.uninstall import dump_command

if TYPE_CHECKING:
    from quartermaster.install.kind_removal import KindRemoval

_KINDS: Final[Columns] = (
    "kind",
    ("folder", lambda row: row["folder"] or "built in"),
    "cards",
    ("hidden", lambda row: "yes" if row["hidden"] else ""),
)
_SCHEMAS: Final[Columns] = ("schema", ("rows", lambda row: tallied(row["rows"])))

noun = Noun("List the kinds of card, and remove your own.")


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the kinds with their folders and cards.

    A kind is hidden if kinds.folders does not name its folder any more.
    """
    from quartermaster.install.kind_removal import list_kinds

    return qm.table(list_kinds(qm.target), _KINDS)


@noun.verb()
def remove_command(
    qm: Decision, name: Annotated[str, "Name of the folder of the kinds; see qm kind list."]
) -> dict[str, Any]:
    """Remove the kinds of a folder, with all their data.

    First take the folder out of the setting kinds.folders; this only hides the data. The removal is
    one transaction: if it fails, nothing has changed.
    """
    from quartermaster.install.kind_folders import configured_folders
    from quartermaster.install.kind_removal import preview, remove

    folders = configured_folders(qm.data_dir)
    with err.status("looking at the database"):
        removal = preview(qm.target, name, folders)
    _foretell(qm, removal)
    if qm.confirmed_by_name("To remove all this, type the name of the folder", name):
        with err.status("removing"):
            removal = remove(qm.target, name, folders)
        qm.say(f"The kind folder {name} is no longer in the database {removal.database}.")
    return removal.as_dict() | {"removed": not qm.dry_run}


def _foretell(qm: Decision, removal: KindRemoval) -> None:
    """Prints what will be removed, what will stay, and how to keep a copy."""
    if not qm.json:
        title = f"To be removed from database {removal.database}"
        qm.table(removal.schemas, _SCHEMAS, title=title, empty="The folder has no schema.")
    for row in removal.kinds:
        cards, items = counted(row["cards"], "card"), counted(row["items"], "item")
        qm.foretell(f"The kind {row['kind']}, with {cards} and {items}, and their vectors.")
    for what, names in (
        ("Jobs", removal.jobs),
        ("Settings", removal.settings),
        ("Migrations in the ledger", removal.migrations),
    ):
        qm.foretell(f"{what} that go: {', '.join(names) or 'none'}.")
    for sentence in (
        "Its hooks, errors and parts of tasks went when its kinds were hidden. Its items leave the"
        " snapshots, which then differ from their seals. Searches, calls and the audit stay.",
        "Nothing brings it back but a copy of the database. To keep one, enter first:",
        f"  {dump_command(qm, removal.dump_options)}",
        *(["This is a preview; nothing was changed."] if qm.dry_run else []),
    ):
        qm.foretell(sentence)
