"""``qm model``: manages the embedding models."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from quartermaster import api
from quartermaster.cli.command import Decision, Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import counted, err
from quartermaster.cli.session import Row

Name = Annotated[str, "Name of the model; see qm model list."]

noun = Noun("Manage the embedding models.")


@noun.verb()
def list_command(qm: Qm) -> Sequence[Row]:
    """List the models. Shows which model is active, and how many texts each model still has to
    embed.
    """
    rows = qm.read(api.list_models())
    columns = ("name", "dimension", "active", "missing", "source")
    return qm.table(rows, columns, empty="No models. The first qm up adds one.")


@noun.verb()
def add_command(
    qm: Qm,
    model: Annotated[str, "Name of a model in the model folder, or path of a folder."],
) -> Row:
    """Embed the catalog with another model in the background. The active model stays active."""
    from quartermaster.models.registry import open_embedding

    options = qm.settings().embedding.model_copy(update={"model": model})
    with err.status(f"loading {model}"):
        loaded = open_embedding(options, *qm.model_places())
    name = loaded.name
    qm.call(api.put_model(name=name, dimension=loaded.dimension, active=False, source=model))
    [row] = [row for row in qm.call(api.list_models()) if row["name"] == name]
    qm.say(
        f"Added {name}: {counted(row['missing'] or 0, 'text')} to embed. To see how many are left:"
        f" qm model list. To switch to this model: qm model use {name}. To undo: qm model drop"
        f" {name}."
    )
    if not qm.is_served:
        qm.note("No service is running. Texts are embedded when you next run: qm up.")
    return row


@noun.verb()
def use_command(
    qm: Qm,
    name: Name,
    force: Annotated[bool, "Switch even if some texts have no vector yet."] = False,
) -> Row:
    """Make a model active. All searches use the active model."""
    former = [row["name"] for row in qm.call(api.list_models()) if row["active"]]
    missing: int = qm.call_value(api.activate_model(name=name, forced=force))
    wait = f"; {counted(missing, 'text')} without a vector so far" if missing else ""
    undo = f" To undo: qm model use {former[0]}." if former not in ([], [name]) else ""
    qm.say(f"{name} is now the active model{wait}.{undo}")
    return {"name": name, "missing": missing}


@noun.verb()
def drop_command(qm: Decision, name: Name) -> Row:
    """Delete a model with its vectors and indexes. The active model cannot be deleted."""
    [row] = qm.call(api.drop_model(name=name, dry_run=True))
    vectors, megabytes = counted(row["vectors"], "vector"), row["index_bytes"] / 1e6
    qm.say(f"This deletes {vectors} and {megabytes:.1f} MB of indexes for {name}.")
    if qm.confirmed(f"Delete {name}?"):
        qm.call(api.drop_model(name=name))
        qm.say(f"Deleted. To undo: qm model add {name}. This embeds all texts again.")
    return row | {"name": name, "dropped": not qm.dry_run}
