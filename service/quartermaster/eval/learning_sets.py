"""Examples of several sets, each loaded into a throw-away database of its own."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from quartermaster.eval.catalog import Progress
from quartermaster.eval.examples import Examples, gather
from quartermaster.eval.measuring import embed_goals
from quartermaster.eval.running import loaded
from quartermaster.eval.tuning_sets import TuningSet
from quartermaster.settings import Settings


async def gather_sets(
    settings: Settings,
    data_dir: Path,
    dsns: Sequence[str],
    sets: Sequence[TuningSet],
    mode: str,
    progress: Progress,
) -> tuple[str, list[Examples]]:
    """The candidates of every goal of the sets.

    Args:
        settings, data_dir: of the service whose score learns.
        dsns: administrators' connections of throw-away databases, one a set.
        sets: one or more.
        mode: how many candidates there are.
        progress: told how far it is.

    Returns:
        The name of the embedding model, and the examples of each set.

    Raises:
        QmError: of the database or the model.
    """
    model, found = "", list[Examples]()
    for one, dsn in zip(sets, dsns, strict=True):
        async with loaded(settings, data_dir, dsn, one.tools, progress) as (asker, catalog):
            model = asker.embedding_model.name
            vectors = await embed_goals(asker, one.tasks, lambda _: None)
            told = partial(_told, progress, one.name, len(one.tasks))
            found.append(
                await gather(
                    asker,
                    one.tasks,
                    vectors,
                    mode=mode,
                    ids=catalog.ids,
                    groups=one.tools.groups,
                    progress=told,
                )
            )
    return model, found


def _told(progress: Progress, what: str, total: int, done: int) -> None:
    progress(what, done, total)
