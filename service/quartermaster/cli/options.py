"""Options that commands share; those of the connection are in `session`."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import typer

from quartermaster.core.moments import parse_moment

DryRun = Annotated[bool, typer.Option("--dry-run", help="Only say what would happen.")]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Do not ask.")]
Status = Literal["approved", "pending", "quarantined", "deprecated", "gone"]
Limit = Annotated[int, typer.Option(min=1, help="How many at most.")]
AsOf = Annotated[
    datetime | None,
    typer.Option(parser=parse_moment, metavar="MOMENT", help="As it was then: 2026-08-01T12:00Z."),
]
