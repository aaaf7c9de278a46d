"""``qm doctor``: what database and models have and lack, and what to do about it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import typer

from quartermaster.cli.options import DataDir, Dsn, Json
from quartermaster.cli.output import err, out, print_json, print_table, say
from quartermaster.cli.session import running
from quartermaster.core import paths

if TYPE_CHECKING:
    from quartermaster.models.trial import Trial

_SANDBOX = "Tools are probed in a sandbox (bubblewrap) without network and without writable files."
_NO_SANDBOX = (
    "Tools are probed with resource limits only, not isolated from network and files. To isolate"
    " them, install bubblewrap (bwrap) and allow it to create namespaces."
)


def register(app: typer.Typer) -> None:
    """Adds the command."""
    app.command("doctor")(doctor_command)


def doctor_command(data_dir: DataDir = None, dsn: Dsn = None, json: Json = False) -> None:
    """Check the database and the models, and say what to do.

    Exit status 1: a problem was found.
    """
    from quartermaster.catalog.sandbox import bubblewrap
    from quartermaster.install.doctor import diagnose
    from quartermaster.install.kind_folders import configured_folders

    target = dsn or running(data_dir).dsn
    with err.status("checking database and models"):
        diagnosis = diagnose(target, configured_folders(data_dir))
        models = _try_models(paths.data_dir(data_dir))
    sandbox = bubblewrap()
    if json:
        found = {"models": [model.as_dict() for model in models], "sandbox": sandbox}
        print_json(diagnosis.as_dict() | found)
    else:
        say(
            f"PostgreSQL {diagnosis.server}, Quartermaster {diagnosis.installed or 'not installed'}"
        )
        print_table(
            ("capability", "state", "version", "what to do", "used for", "without it"),
            [
                (c.name, c.state, c.version, c.reason, c.used_for, c.stand_in)
                for c in diagnosis.capabilities
            ],
        )
        print_table(
            ("model for", "provider", "name", "runs on", "ms per text", "what to do"),
            [(m.use, m.provider, m.model, m.device, m.milliseconds, m.problem) for m in models],
        )
        say(_SANDBOX if sandbox else _NO_SANDBOX)
        for problem in diagnosis.problems:
            out.print(f"[bold red]Problem[/] {problem}")
        if not diagnosis.problems:
            say("All required components are installed.")
    if diagnosis.problems:
        raise typer.Exit(1)


def _try_models(folder: Path) -> list[Trial]:
    from quartermaster.models.trial import try_models
    from quartermaster.secrets.store import SecretStore
    from quartermaster.settings import load

    return try_models(load(folder), paths.runtime_dir(folder), SecretStore(folder))
