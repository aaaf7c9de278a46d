"""Options of commands that tell of a time: since when, until when, by hour or day."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Literal

import typer

from quartermaster.core.moments import parse_moment

Per = Annotated[Literal["hour", "day"] | None, typer.Option(help="A line for each, in UTC.")]
Since = Annotated[
    datetime | None,
    typer.Option(parser=parse_moment, metavar="MOMENT", help="From then on; a week ago."),
]
Until = Annotated[
    datetime | None, typer.Option(parser=parse_moment, metavar="MOMENT", help="Until then; now.")
]
