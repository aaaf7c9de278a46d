"""Commands for the database itself: install, bundle, doctor, docs, psql."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from quartermaster.cli.output import out, print_json, print_table
from quartermaster.cli.session import DataDir, Dsn, Json, running
from quartermaster.core import paths
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.models.trial import Trial

_SANDBOX = "Tools are probed in a sandbox (bubblewrap): no network, nothing to write."
_NO_SANDBOX = (
    "Tools are probed with limits only, not cut off from network and files:"
    " install bubblewrap (bwrap) on this machine, and let it make namespaces."
)


def register(app: typer.Typer) -> None:
    """Adds the commands."""
    app.command("install")(install_command)
    app.command("bundle")(bundle_command)
    app.command("doctor")(doctor_command)
    app.command("docs")(docs_command)
    app.command(
        "psql", context_settings={"allow_extra_args": True, "ignore_unknown_options": True}
    )(psql_command)


def install_command(
    data_dir: DataDir = None,
    dsn: Dsn = None,
    functions_only: Annotated[
        bool, typer.Option("--functions-only", help="Only re-apply the functions.")
    ] = False,
) -> None:
    """Install or update the schema; repeatable, one transaction."""
    from quartermaster.install.apply import install, refresh_functions
    from quartermaster.install.kind_folders import kind_folders
    from quartermaster.settings import load

    target = dsn or running(data_dir).dsn
    if functions_only:
        out.print(f"{refresh_functions(target)} functions re-applied")
        return
    folders = kind_folders(map(Path, load(paths.data_dir(data_dir)).kinds.folders))
    report = install(target, progress=lambda step: out.print(f"[dim]{step}[/]"), folders=folders)
    out.print(f"Quartermaster {report.version} is installed on PostgreSQL {report.server}.")
    for name, reason in report.missing.items():
        out.print(f"without {name}: {reason}")


def bundle_command() -> None:
    """Print the installation as one psql script."""
    from quartermaster.install.bundle import bundle

    sys.stdout.write(bundle())


def docs_command(data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Print the reference (Markdown), rendered from the database's own comments."""
    from quartermaster.install.reference import reference

    sys.stdout.write(reference(dsn or running(data_dir).dsn))


def doctor_command(data_dir: DataDir = None, dsn: Dsn = None, json: Json = False) -> None:
    """What database and models have and lack, and what to do; status 1: not healthy."""
    from quartermaster.catalog.sandbox import bubblewrap
    from quartermaster.install.doctor import diagnose

    diagnosis = diagnose(dsn or running(data_dir).dsn)
    models = _try_models(paths.data_dir(data_dir))
    sandbox = bubblewrap()
    if json:
        found = {"models": [model.as_dict() for model in models], "sandbox": sandbox}
        print_json(diagnosis.as_dict() | found)
    else:
        out.print(
            f"PostgreSQL {diagnosis.server}, Quartermaster {diagnosis.installed or 'not installed'}"
        )
        print_table(
            ("capability", "state", "version", "used for", "without it", "what to do"),
            [
                (c.name, c.state, c.version, c.used_for, c.stand_in, c.reason)
                for c in diagnosis.capabilities
            ],
        )
        print_table(
            ("model for", "provider", "name", "runs on", "ms for a text", "what to do"),
            [(m.use, m.provider, m.model, m.device, m.milliseconds, m.problem) for m in models],
        )
        out.print(_SANDBOX if sandbox else _NO_SANDBOX)
        for problem in diagnosis.problems:
            out.print(f"[bold red]Problem[/] {problem}")
        if not diagnosis.problems:
            out.print("Everything that must be there is there.")
    if diagnosis.problems:
        raise typer.Exit(1)


def _try_models(folder: Path) -> list[Trial]:
    from quartermaster.models.trial import try_models
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import load

    return try_models(load(folder), paths.runtime_dir(folder), SecretStore(folder))


def psql_command(context: typer.Context, data_dir: DataDir = None, dsn: Dsn = None) -> None:
    """Open psql on the database; further arguments go to psql."""
    folder = paths.data_dir(data_dir)
    target = dsn or running(data_dir).dsn
    program, environment = _psql(paths.runtime_dir(folder))
    # The password goes through the environment: arguments can be read by every user.
    from psycopg.conninfo import conninfo_to_dict

    options = conninfo_to_dict(target)
    names = {"host": "PGHOST", "port": "PGPORT", "user": "PGUSER", "password": "PGPASSWORD"}
    for key, name in {**names, "dbname": "PGDATABASE", "sslmode": "PGSSLMODE"}.items():
        if key in options:
            environment[name] = str(options[key])
    os.execvpe(program, [program, *context.args], environment)  # noqa: S606 - psql takes over


def _psql(runtime_dir: Path) -> tuple[str, dict[str, str]]:
    import shutil

    from quartermaster.substrate.binaries import installed_at

    embedded = installed_at(runtime_dir)
    if (program := embedded / "bin" / "psql").exists():
        libraries = f"{embedded / 'lib'}:{os.environ.get('LD_LIBRARY_PATH', '')}".rstrip(":")
        return str(program), {**os.environ, "LD_LIBRARY_PATH": libraries}
    if found := shutil.which("psql"):
        return found, dict(os.environ)
    raise QmError(
        404,
        "psql_not_found",
        "there is no psql on this machine",
        "Install it (Debian: postgresql-client), or run qm up once, which brings one.",
    )
