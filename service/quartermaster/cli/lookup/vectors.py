"""``qm lookup vectors``: switches search by meaning on or off for a table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from quartermaster.cli.command import Command, Trial
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import TableName
from quartermaster.cli.output import counted
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import Row
from quartermaster.core.errors import argument_invalid

if TYPE_CHECKING:
    from quartermaster.eval.gold import Task
    from quartermaster.eval.vectors import Trial as Weighing
    from quartermaster.models.embedding_model import EmbeddingModel

noun = Noun()


class Switch(StrEnum):
    """Whether the table has vectors."""

    ON = "on"
    OFF = "off"


@noun.verb()
def vectors_command(
    qm: Trial,
    table: TableName,
    switch: Annotated[
        Switch | None, Argument(help="on or off; default: show the current state.")
    ] = None,
    gold: Annotated[
        Path | None,
        Option(help="CSV file with gold pairs, which decide whether it is on, and its weight."),
    ] = None,
) -> Row:
    """Switch search by meaning on or off for a table, or let gold pairs decide."""
    from quartermaster.eval.gold import read_pairs

    if switch is not None and gold is not None:
        raise argument_invalid(
            "--gold cannot be combined with on or off.", "Leave out one of them."
        )
    pairs = read_pairs(gold, table) if gold is not None else []
    [before] = qm.call("configure_lookup_vectors", lookup=table)
    if qm.dry_run:
        return _preview(qm, table, before, is_on=gold is not None or switch is Switch.ON)
    weighing = None
    if switch is Switch.OFF:
        qm.call("configure_lookup_vectors", lookup=table, enabled=False)
    elif switch is Switch.ON or gold is not None:
        with Progress() as progress:
            model = _embedded(qm, table, progress)
            if pairs:
                weighing = _decided(qm, table, pairs, model, progress)
    [after] = qm.call("configure_lookup_vectors", lookup=table)
    if weighing is not None:
        _show_weighing(qm, weighing)
    _say_state(qm, table, after)
    names = ("pairs", "dense", "without", "combined", "pays", "weights")
    trial = weighing and {name: getattr(weighing, name) for name in names}
    return {**after, "trial": trial}


def _embedded(qm: Command, table: str, progress: Progress) -> EmbeddingModel:
    """Switches vectors on, and creates the missing ones with the active model."""
    from quartermaster.eval.vectors import embed_names
    from quartermaster.models.registry import open_embedding

    options = qm.settings().embedding
    known = qm.call("list_models", counted=False)
    active = next((row for row in known if row["active"]), None)
    if active is not None:
        options = options.model_copy(update={"model": active["source"]})
    model = open_embedding(options, *qm.model_places())
    if active is None:
        made = {"name": model.name, "dimension": model.dimension, "source": options.model}
        qm.call("put_model", **made, active=True)
    qm.call("configure_lookup_vectors", lookup=table, enabled=True)
    embed_names(qm.session, model, progress.update)
    return model


def _decided(
    qm: Command, table: str, pairs: list[Task], model: EmbeddingModel, progress: Progress
) -> Weighing:
    """Keeps the vectors with their weight if they improve results; otherwise removes them."""
    from quartermaster.eval.lookups import gather
    from quartermaster.eval.vectors import weigh_vectors

    without = gather(qm.session, pairs, progress.update)
    weighing = weigh_vectors(without, gather(qm.session, pairs, progress.update, model))
    given = {"weights": weighing.weights} if weighing.pays else {"enabled": False}
    qm.call("configure_lookup_vectors", lookup=table, **given)
    return weighing


def _preview(qm: Command, table: str, before: Row, *, is_on: bool) -> Row:
    if is_on:
        qm.say(f"{table}: this would embed {counted(before['missing'], 'name')}.")
    else:
        gone = before["texts"] - before["missing"] if before["has_vectors"] else 0
        qm.say(f"{table}: this would delete {counted(gone, 'vector')}.")
    return {**before, "wanted": "on" if is_on else "off", "dry_run": True}


def _show_weighing(qm: Command, weighing: Weighing) -> None:
    arms = {
        "vectors only": weighing.dense,
        "without vectors": weighing.without,
        "with vectors": weighing.combined,
    }
    rows = [{"arm": name, "first": first, "five": five} for name, (first, five) in arms.items()]
    folds = f"{weighing.pairs:,} pairs, cross-validated"
    qm.table(rows, ((folds, "arm"), ("R@1", "{first:.3f}"), ("R@5", "{five:.3f}")))
    qm.say(
        "Vectors improve this table."
        if weighing.pays
        else "Vectors do not improve this table and are switched off."
    )


def _say_state(qm: Command, table: str, row: Row) -> None:
    if not row["has_vectors"]:
        qm.say(f"{table}: search by meaning is off. To switch it on: qm lookup vectors {table} on.")
        return
    weight = row["weighed"].get("score", {}).get("sem")
    weighs = f"the weight of the cosine is {weight:g}" if weight else "they only add candidates"
    waiting = f", {row['missing']:,} are missing" if row["missing"] else ""
    qm.say(
        f"{table}: search by meaning is on, with vectors for {counted(row['texts'], 'name')}"
        f"{waiting}; {weighs}. To switch it off: qm lookup vectors {table} off."
    )
