"""``qm eval decisions`` and ``qm eval base-rates``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import Progress

noun = Noun("Measure decisions.")


@noun.verb()
def decisions_command(
    qm: Qm,
    repository: Annotated[Path, Argument(help="Folder of a git repository.")],
    cut: Annotated[
        float, Option(min=0.1, max=0.95, help="Share of the history from which to mine.")
    ] = 0.7,
) -> Row:
    """Mine at a point of the history, and measure how later files keep what was found."""
    from quartermaster.decisions.evaluation import measure
    from quartermaster.projects.git import open_repository

    with Progress() as progress, open_repository(repository) as opened:
        found = measure(opened, cut, progress.update).as_json()
    shown = {name: str(value) for name, value in found.items() if name != "worst"}
    qm.facts("Decisions", str(repository), shown)
    qm.table(found["worst"], ("pattern", "followed", "cases"), empty="No check had a case.")
    return found


@noun.verb()
def base_rates_command(
    qm: Qm,
    folder: Annotated[Path, Argument(help="Folder of source distributions (*.tar.gz).")],
    output: Annotated[Path, Argument(help="File for the table.")],
) -> Row:
    """Count how usual decorators, keywords and names are in Python packages."""
    from quartermaster.decisions.rate_counts import write_rates

    table = write_rates(folder, output)
    qm.say(f"{len(table['rates']):,} rates from {table['packages']} packages.")
    return {"packages": table["packages"], "rates": len(table["rates"])}
