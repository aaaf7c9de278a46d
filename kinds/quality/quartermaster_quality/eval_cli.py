"""The command ``qm eval quality``, which measures how well security scans find weaknesses."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Annotated

import anyio
from typer import Argument

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.cli.waiting import Progress

noun = Noun("Measure code quality.")


@noun.verb()
def quality_command(
    qm: Qm,
    corpus: Annotated[
        Path,
        "Vulnerable and safe Python files (JSON Lines): {pair, cwe, code, label}.",
        Argument(metavar="CORPUS.jsonl", exists=True, dir_okay=False),
    ],
) -> Row:
    """Measure how well security scans distinguish vulnerable files from safe files."""
    from quartermaster_quality.scan_evaluation import measure, read_cases

    with Progress() as progress:
        cases = read_cases(corpus)
        found = anyio.run(partial(measure, cases, partial(progress.update, "scanning")))
    shown = {name: str(value) for name, value in found.items() if name != "classes"}
    qm.facts("Quality", corpus.name, shown)
    qm.table(found["classes"], ("cwe", "vulnerable", "found", "safe", "false", "youden"))
    return found
