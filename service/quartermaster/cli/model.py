"""``qm model``: the embedding models, and switching between them."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.options import DataDir, DryRun, Dsn, Json, Yes
from quartermaster.cli.output import confirm, counted, err, note, print_json, print_rows, say
from quartermaster.cli.session import open_session
from quartermaster.cli.waiting import is_service_running
from quartermaster.core import paths

Name = Annotated[str, typer.Argument(help="Name of the model; see qm model list.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    model = typer.Typer(no_args_is_help=True, help="Manage the embedding models.")
    model.command("list")(list_command)
    model.command("add")(add_command)
    model.command("use")(use_command)
    model.command("drop")(drop_command)
    app.add_typer(model, name="model")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the models: which one is active, and how many texts each has yet to embed."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_models")
    columns = ("name", "dimension", "active", "missing", "source")
    print_rows(rows, columns, json, empty="No models. The first qm up adds one.")


def add_command(
    model: Annotated[
        str, typer.Argument(help="Name in the model folder, or path of a model folder.")
    ],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Embed the catalog with another model, in the background; the active one stays."""
    from quartermaster.models.registry import open_embedding
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import load

    folder = paths.data_dir(data_dir)
    options = load(folder).embedding.model_copy(update={"model": model})
    with err.status(f"loading {model}"):
        loaded = open_embedding(options, paths.runtime_dir(folder), SecretStore(folder))
    with open_session(data_dir, dsn) as session:
        session.call(
            "put_model",
            name=loaded.name,
            dimension=loaded.dimension,
            active=False,
            source=model,
        )
        [row] = [row for row in session.call("list_models") if row["name"] == loaded.name]
    if json:
        print_json(row)
        return
    say(
        f"Added {loaded.name}: {counted(row['missing'], 'text')} to embed. To see how many are"
        f" left: qm model list. To switch: qm model use {loaded.name}. To undo: qm model drop"
        f" {loaded.name}."
    )
    if not is_service_running(data_dir):
        note("No service is running. Texts are embedded when you next run: qm up.")


def use_command(
    name: Name,
    force: Annotated[
        bool, typer.Option("--force", help="Switch even if texts have no vector yet.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Make a model the active one, which all searches use."""
    with open_session(data_dir, dsn) as session:
        former = [row["name"] for row in session.call("list_models") if row["active"]]
        missing: int = session.call_value("activate_model", name=name, forced=force)
    if json:
        print_json({"name": name, "missing": missing})
        return
    wait = f"; {counted(missing, 'text')} still without a vector" if missing else ""
    undo = f" To undo: qm model use {former[0]}." if former not in ([], [name]) else ""
    say(f"{name} is now the active model{wait}.{undo}")


def drop_command(
    name: Name,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Delete a model with its vectors and indexes; the active model cannot be deleted."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("drop_model", name=name, dry_run=True)
        if not json:
            _print_loss(name, row)
        if not dry_run:
            confirm(f"Delete {name}?", yes=yes)
            session.call("drop_model", name=name)
    if json:
        print_json(row | {"name": name, "dropped": not dry_run})
    elif not dry_run:
        say(f"Deleted. To undo: qm model add {name}, which embeds all texts again.")


def _print_loss(name: str, row: dict[str, Any]) -> None:
    megabytes = row["index_bytes"] / 1e6
    vectors = counted(row["vectors"], "vector")
    say(f"This deletes {vectors} of {name} and {megabytes:.1f} MB of indexes.")
