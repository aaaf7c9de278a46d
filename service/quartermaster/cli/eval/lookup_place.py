"""What the commands that measure lookup tables share: arguments, a database, tables of tiers."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from quartermaster.cli.eval.databases import Measurement
from quartermaster.cli.progress import Progress
from quartermaster.cli.session import Session, open_session

if TYPE_CHECKING:
    from quartermaster.eval.lookup_gold import Pair
    from quartermaster.lookup.table_file import Row

Lookup = Annotated[Path, typer.Argument(help="Rows as CSV or JSON Lines, with a column `table`.")]
Gold = Annotated[Path, typer.Argument(help="CSV: table, query, expected_ids (a|b), tier, props.")]


@dataclass(frozen=True)
class Place:
    """A temporary database with the rows of lookup tables.

    Attributes:
        dsn: of its administrator.
        session: a connection to it.
        tables: the rows it holds, by table.
        pairs: the gold pairs.
        progress: a bar for each thing that is done.
    """

    dsn: str
    session: Session
    tables: dict[str, list[Row]]
    pairs: list[Pair]
    progress: Progress


@contextmanager
def loaded(qm: Measurement, lookup: Path, gold: Path) -> Generator[Place]:
    """A temporary database with all rows of a file.

    Raises:
        QmError: of the files, the server or the installation.
    """
    from quartermaster.eval.lookup_gold import read_gold
    from quartermaster.eval.lookup_running import by_table, load
    from quartermaster.install.throw_away import settle
    from quartermaster.lookup.table_file import read_rows

    settings = qm.settings()
    tables, pairs = by_table(read_rows(lookup), lookup.stem), read_gold(gold)
    with ExitStack() as stack:
        _, (database,) = qm.databases(stack, settings, 1)
        progress = stack.enter_context(Progress())
        session = stack.enter_context(open_session(None, database))
        load(session, tables, progress.update)
        settle(database)
        yield Place(database, session, tables, pairs, progress)


def show_tiers(qm: Measurement, found: dict[str, Any]) -> None:
    """Recall and mean reciprocal rank, tier by tier; then the figures of all tiers together."""
    figures = {key: f"{{{key}:.3f}}" for key in ("R@1", "R@5", "MRR")}
    rows = [{"tier": name, **tier} for name, tier in found["tiers"].items()]
    qm.table(rows, {"tier": "tier", "n": "n", **figures})
    for name, value in found.items():
        if name != "tiers":
            qm.say(f"{name}: {value}")
