"""``qm lookup vectors``: switches search by meaning on or off for a table."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, TableName
from quartermaster.cli.output import counted, print_json, print_table, say
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import Session, open_session
from quartermaster.core import paths
from quartermaster.core.errors import argument_invalid

if TYPE_CHECKING:
    from quartermaster.eval.gold import Task
    from quartermaster.eval.vectors import Trial
    from quartermaster.models.embedding_model import EmbeddingModel

Row = dict[str, Any]


class Switch(StrEnum):
    """Whether the table has vectors."""

    ON = "on"
    OFF = "off"


def register(group: typer.Typer) -> None:
    """Adds the command to ``qm lookup``."""
    group.command("vectors")(vectors_command)


def vectors_command(
    table: TableName,
    switch: Annotated[
        Switch | None, typer.Argument(help="Default: show the present state.")
    ] = None,
    gold: Annotated[
        Path | None,
        typer.Option(help="Decide by these gold pairs (CSV), and learn the weight of vectors."),
    ] = None,
    dry_run: DryRun = False,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Switch search by meaning on or off for a table, or let gold pairs decide."""
    from quartermaster.eval.gold import read_pairs

    if switch is not None and gold is not None:
        raise argument_invalid(
            "--gold cannot be combined with on or off.", "Leave out one of them."
        )
    pairs = read_pairs(gold, table) if gold is not None else []
    with open_session(data_dir, dsn) as session:
        [before] = session.call("configure_lookup_vectors", lookup=table)
        trial = None
        if dry_run:
            wanted = "on" if gold is not None or switch is Switch.ON else "off"
            _preview(table, before, wanted, as_json)
            return
        if switch is Switch.OFF:
            session.call("configure_lookup_vectors", lookup=table, enabled=False)
        elif switch is Switch.ON or gold is not None:
            with Progress() as progress:
                model = _embedded(session, table, data_dir, progress)
                if pairs:
                    trial = _decided(session, table, pairs, model, progress)
        [after] = session.call("configure_lookup_vectors", lookup=table)
    if as_json:
        print_json(_as_json(after, trial))
        return
    if trial is not None:
        _print_trial(trial)
    _print_state(table, after)


def _embedded(
    session: Session, table: str, data_dir: Path | None, progress: Progress
) -> EmbeddingModel:
    """Switches vectors on and makes those that are missing, with the model that answers."""
    from quartermaster.eval.vectors import embed_names
    from quartermaster.models.registry import open_embedding
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import load

    folder = paths.data_dir(data_dir)
    options = load(folder).embedding
    known = session.call("list_models", counted=False)
    active = next((row for row in known if row["active"]), None)
    if active is not None:
        options = options.model_copy(update={"model": active["source"]})
    model = open_embedding(options, paths.runtime_dir(folder), SecretStore(folder))
    if active is None:
        session.call(
            "put_model", name=model.name, dimension=model.dimension, active=True,
            source=options.model,
        )  # fmt: skip
    session.call("configure_lookup_vectors", lookup=table, enabled=True)
    embed_names(session, model, progress.update)
    return model


def _decided(
    session: Session, table: str, pairs: list[Task], model: EmbeddingModel, progress: Progress
) -> Trial:
    """Keeps the vectors with what they weigh where they pay, else takes them away."""
    from quartermaster.eval.lookups import gather
    from quartermaster.eval.vectors import weigh_vectors

    without = gather(session, pairs, progress.update)
    trial = weigh_vectors(without, gather(session, pairs, progress.update, model))
    given = {"weights": trial.weights} if trial.pays else {"enabled": False}
    session.call("configure_lookup_vectors", lookup=table, **given)
    return trial


def _preview(table: str, before: Row, wanted: str, as_json: bool) -> None:
    if as_json:
        print_json({**before, "wanted": wanted, "dry_run": True})
    elif wanted == "off":
        gone = before["texts"] - before["missing"] if before["has_vectors"] else 0
        say(f"{table}: this would delete {counted(gone, 'vector')}.")
    else:
        say(f"{table}: this would embed {counted(before['missing'], 'name')}.")


def _as_json(after: Row, trial: Trial | None) -> Row:
    if trial is None:
        return {**after, "trial": None}
    names = ("pairs", "dense", "without", "combined", "pays", "weights")
    return {**after, "trial": {name: getattr(trial, name) for name in names}}


def _print_trial(trial: Trial) -> None:
    arms = {
        "vectors only": trial.dense,
        "without vectors": trial.without,
        "with vectors": trial.combined,
    }
    rows = [(name, *(f"{figure:.3f}" for figure in figures)) for name, figures in arms.items()]
    print_table((f"{trial.pairs:,} pairs, folds", "R@1", "R@5"), rows)
    say(
        "Vectors improve this table."
        if trial.pays
        else "Vectors do not improve this table and are switched off."
    )


def _print_state(table: str, row: Row) -> None:
    if not row["has_vectors"]:
        say(f"{table}: search by meaning is off. To switch it on: qm lookup vectors {table} on.")
        return
    weight = row["weighed"].get("score", {}).get("sem")
    weighs = f"the weight of the cosine is {weight:g}" if weight else "they only add candidates"
    waiting = f", {row['missing']:,} are missing" if row["missing"] else ""
    say(
        f"{table}: search by meaning is on, with vectors of {counted(row['texts'], 'name')}"
        f"{waiting}; {weighs}. To switch it off: qm lookup vectors {table} off."
    )
