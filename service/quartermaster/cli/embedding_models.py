"""``qm model``: the embedding models, and the switch from one to another."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from quartermaster.cli.options import DryRun, Yes
from quartermaster.cli.output import err, out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, open_session
from quartermaster.cli.waiting import is_service_running
from quartermaster.core import paths

Name = Annotated[str, typer.Argument(help="Name of the model, as listed.")]


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    model = typer.Typer(no_args_is_help=True, help="Embedding models, side by side.")
    model.command("list")(list_command)
    model.command("add")(add_command)
    model.command("use")(use_command)
    model.command("drop")(drop_command)
    app.add_typer(model, name="model")


def list_command(json: Json = False, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """List the models: which one answers, and how many texts wait for their vector of each."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_models")
    if json:
        print_json(rows)
        return
    columns = ("name", "dimension", "active", "missing", "source")
    shown = [row | {"active": "yes" if row["active"] else ""} for row in rows]
    print_table(columns, [[row[column] for column in columns] for row in shown])


def add_command(
    model: Annotated[str, typer.Argument(help="Name in the model folder, or path of a folder.")],
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Embed the catalog for a further model, in the background; the active one answers on."""
    from quartermaster.models.registry import open_embedding
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import load

    folder = paths.data_dir(data_dir)
    options = load(folder).embedding.model_copy(update={"model": model})
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
    out.print(
        f"Added {loaded.name}: {row['missing']} texts to embed. `qm model list` shows how far it"
        f" is, `qm model use {loaded.name}` switches.",
        markup=False,
    )
    if not is_service_running(data_dir):
        err.print("No service is running; texts are embedded when `qm up` runs next.")


def use_command(
    name: Name,
    force: Annotated[
        bool, typer.Option("--force", help="Switch though texts have no vector yet.")
    ] = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Answer goals with this model from now on."""
    with open_session(data_dir, dsn) as session:
        missing: int = session.call_value("activate_model", name=name, forced=force)
    if json:
        print_json({"name": name, "missing": missing})
        return
    wait = f"; {missing} texts wait for their vector" if missing else ""
    out.print(f"Goals are answered with {name}{wait}.", markup=False)


def drop_command(
    name: Name,
    dry_run: DryRun = False,
    yes: Yes = False,
    json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Forget a model with its vectors and indexes; the active one stays."""
    with open_session(data_dir, dsn) as session:
        [row] = session.call("drop_model", name=name, dry_run=True)
        if not json:
            _print_loss(name, row)
        if not dry_run:
            if not yes:
                typer.confirm("Drop it?", abort=True, err=True)
            session.call("drop_model", name=name)
    if json:
        print_json(row | {"name": name, "dropped": not dry_run})
    elif not dry_run:
        out.print("Dropped. Adding it again embeds everything anew.")


def _print_loss(name: str, row: dict[str, Any]) -> None:
    megabytes = row["index_bytes"] / 1e6
    out.print(f"{name}: {row['vectors']} vectors and {megabytes:.1f} MB of indexes go.")
