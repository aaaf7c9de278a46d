"""``qm eval lookup --ablate``: what single channels, a blend, vectors and a reranker would do."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from quartermaster import paths
from quartermaster.cli.lookup_place import Place
from quartermaster.cli.output import err, print_table
from quartermaster.errors import QmError
from quartermaster.secret_store import SecretStore
from quartermaster.settings import load

if TYPE_CHECKING:
    from quartermaster.evaluation.lookup_metrics import Answer

Ablation = dict[str, list[tuple[Any, ...]]]


def ablate(
    place: Place, answers: Sequence[Answer], data_dir: Path, settings: Path | None
) -> Ablation:
    """Recall of each channel, and of vectors and a reranker as far as the settings have them.

    Raises:
        QmError: of the database.
    """
    from quartermaster.evaluation.lookup_ablation import ablation, of_ranks
    from quartermaster.evaluation.lookup_dense import dense, rerank
    from quartermaster.evaluation.lookup_examples import gather
    from quartermaster.models.registry import open_embedding, open_reranker

    told, options = place.progress.update, load(data_dir, settings)
    found: Ablation = {"channels": [*ablation(gather(place.session, place.pairs, told), answers)]}
    where = paths.runtime_dir(data_dir), SecretStore(data_dir)
    try:
        model = open_embedding(options.embedding, *where)
        reranker = open_reranker(options.reranker, *where)
    except QmError as error:
        err.print(f"Without vectors: {error}", highlight=False)
        return found
    found["vectors"] = [
        (pays.table, pays.pairs, *(f"{figure:.3f}" for figure in figures))
        for pays in dense(answers, place.tables, model, told)
        for figures in [(*pays.dense, *pays.learned, *pays.both)]
    ]
    if reranker is not None:
        before, after = rerank(answers, place.tables, reranker, told)
        found["reranker"] = [
            (f"first {len(before):,} as found", *of_ranks(before)),
            ("reranked", *of_ranks(after)),
        ]
    return found


def print_ablation(found: Ablation) -> None:
    """A table of each part."""
    print_table(("ranked by", "core R@1", "core R@5", "real core R@1"), found["channels"])
    if "vectors" in found:
        columns = ("table", "n", "vectors R@1", "R@5", "learned R@1", "R@5", "both R@1", "R@5")
        print_table(columns, found["vectors"])
    if "reranker" in found:
        print_table(("the first five", "R@1", "R@5"), found["reranker"])
    else:
        err.print("No reranker is configured (settings: reranker).", highlight=False)
