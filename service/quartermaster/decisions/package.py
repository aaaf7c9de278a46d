"""What decisions add to Quartermaster: the door ``decisions`` and the command ``qm decisions``."""

from __future__ import annotations

from typing import Final

import typer

from quartermaster.core.kind_packages import Door, KindPackage
from quartermaster.decisions.tools import TOOLS

INSTRUCTIONS: Final = """\
This code base has decided things that its code alone does not tell. Before you write or change a
file, call get_decisions_for_context with its path and your task, and follow what it returns. When
you find a decision that is not known yet, propose it with submit_candidate_decision and its
sources. People decide which proposals hold.
"""

DOOR: Final = Door(
    name="decisions",
    title="Decisions",
    description="What the code bases of your projects have decided, for the file at hand.",
    instructions=INSTRUCTIONS,
    tools=TOOLS,
)


def _register(app: typer.Typer) -> None:
    """Adds ``qm decisions``, and the shorter ``qm candidates``."""
    from quartermaster.decisions import candidates_cli, cli

    app.add_typer(cli.noun, name="decisions")
    app.add_typer(candidates_cli.noun, name="candidates")


PACKAGE: Final = KindPackage(register=_register, door=DOOR)
