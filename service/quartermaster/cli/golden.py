"""``qm eval export-golden``: goals and the tools that did them, as tasks for ``qm eval run``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
import yaml

from quartermaster.cli.output import err, out
from quartermaster.cli.session import DataDir, Dsn, open_session
from quartermaster.errors import QmError


def export_golden_command(
    to: Annotated[
        Path | None, typer.Option("--to", help="File to write; left out: standard output.")
    ] = None,
    minimum: Annotated[
        int, typer.Option(min=1, help="Successful calls that make a tool right for a goal.")
    ] = 1,
    with_negatives: Annotated[
        bool, typer.Option("--with-negatives", help="Also tools offered above and not called.")
    ] = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Write what receipts have taught as YAML tasks: goal, gold_tools, mode, notes."""
    with open_session(data_dir, dsn) as session:
        rows = session.call("list_golden_tasks", minimum=minimum)
    kept = ("goal", "gold_tools", "mode", "notes", *(("hard_negatives",) * with_negatives))
    tasks = [{name: row[name] for name in kept} for row in rows]
    text = yaml.safe_dump(tasks, allow_unicode=True, sort_keys=False, width=100)
    if to is None:
        out.out(text, end="", highlight=False)
        return
    try:
        to.write_text(text, encoding="utf-8")
    except OSError as error:
        raise QmError(
            422,
            "file_not_writable",
            f"{to} cannot be written: {error.strerror}.",
            "Name a file in a folder that is there and yours.",
        ) from error
    err.print(f"{len(tasks)} tasks written to {to}")
