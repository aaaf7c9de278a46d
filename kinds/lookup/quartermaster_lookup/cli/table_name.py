"""The argument that names a lookup table."""

from __future__ import annotations

from typing import Annotated

from typer import Argument

TableName = Annotated[str, Argument(help="Name of the lookup table; see qm lookup list.")]
