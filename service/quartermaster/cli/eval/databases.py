"""Temporary databases of the commands that measure, and the options these commands share."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer

from quartermaster.cli.interruption import raise_on_signals
from quartermaster.cli.output import err
from quartermaster.core import logs
from quartermaster.settings import Settings, load

Sets = Annotated[
    list[Path],
    typer.Argument(help="Folders with tools.jsonl and queries.jsonl, or pairs of such files."),
]
LearningSplit = Annotated[str, typer.Option(help="Split to learn from: dev or train.")]
Embedded = Annotated[
    bool,
    typer.Option("--embedded", help="Use a temporary database server, even if one is running."),
]


def prepared(data_dir: Path, file: Path | None) -> Settings:
    """The settings; from here on only warnings are logged, and SIGTERM acts like Ctrl-C.

    Raises:
        QmError: QM422 settings_invalid.
    """
    logs.configure("warning", json=False)
    raise_on_signals()
    return load(data_dir, file)


def databases(
    stack: ExitStack,
    settings: Settings,
    data_dir: Path,
    dsn: str | None,
    count: int,
    *,
    embedded: bool = False,
) -> tuple[str | None, list[str]]:
    """Temporary databases that are dropped when the stack closes.

    Returns:
        The DSN of a database that can keep results, or None, and the DSNs of the temporary ones.

    Raises:
        QmError: of the server or the installation.
    """
    from quartermaster.eval.place import find_place
    from quartermaster.install.throw_away import throw_away_database

    with err.status("starting a database"):
        place = stack.enter_context(find_place(settings, data_dir, dsn, embedded=embedded))
        made = [stack.enter_context(throw_away_database(place.dsn)) for _ in range(count)]
    return place.dsn if place.keeps else None, made
