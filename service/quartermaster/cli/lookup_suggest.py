"""``qm lookup suggest-aliases``: names that rows may lack, for a curator to look through."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Any, Final

import typer

from quartermaster.cli.output import err, out, print_rows
from quartermaster.cli.session import DataDir, Dsn, Json, open_session

_MOST_STRINGS: Final = 1_000

Table = Annotated[str, typer.Argument(help="Name of the lookup table.")]


def suggest_command(
    table: Table,
    file: Annotated[
        Path | None, typer.Argument(help="Strings that people use, one a line, repeated or not.")
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many.")] = 20,
    as_json: Json = False,
    data_dir: DataDir = None,
    dsn: Dsn = None,
) -> None:
    """Suggest names that rows may lack: what is no match today. Adds nothing."""
    from quartermaster.lookup.table_file import read_text

    given: dict[str, Any] = {}
    if file is not None:
        lines = (line.strip() for line in read_text(file).splitlines())
        counted = Counter(line for line in lines if line)
        given["asked"] = dict(counted.most_common(_MOST_STRINGS))
        if len(counted) > _MOST_STRINGS:
            err.print(f"Of {len(counted):,} strings the {_MOST_STRINGS:,} most frequent count.")
    with open_session(data_dir, dsn) as session, err.status("looking at names"):
        rows = session.call("suggest_aliases", lookup=table, maximum=limit, **given)
    if not as_json and not rows:
        out.print("Nothing to suggest: whatever was looked at finds its row, or none.")
        return
    if not as_json:
        rows = [row | {"score": f"{row['score']:.2f}"} for row in rows]
    print_rows(rows, ("id", "value", "alias", "form", "times", "score"), as_json)
