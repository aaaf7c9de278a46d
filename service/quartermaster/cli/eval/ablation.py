"""``qm eval lookup --ablate``: recall of single channels, blends, vectors and a reranker."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from quartermaster.cli.eval.databases import Measurement
from quartermaster.cli.eval.lookup_place import Place
from quartermaster.cli.output import note, print_table
from quartermaster.core.errors import QmError

if TYPE_CHECKING:
    from quartermaster.eval.lookup_examples import Examples
    from quartermaster.eval.lookup_metrics import Answer
    from quartermaster.eval.lookup_vectors import Trial
    from quartermaster.models.embedding_model import EmbeddingModel

Ablation = dict[str, list[tuple[Any, ...]]]

_FEWEST: Final = 20
_TABLES: Final = {
    "channels": ("core, ranked by", "R@1", "R@5", "real R@1"),
    "vectors": (
        *("table", "n", "vectors R@1", "R@5", "score R@1", "R@5", "both R@1", "R@5", "better"),
    ),
    "reranker": ("the first five", "R@1", "R@5"),
}


def ablate(qm: Measurement, place: Place, answers: Sequence[Answer]) -> Ablation:
    """Recall of each channel, and of vectors and a reranker as far as the settings have them.

    Raises:
        QmError: of the database.
    """
    from quartermaster.eval.lookup_ablation import ablation, of_answers, of_ranks
    from quartermaster.eval.lookup_examples import gather
    from quartermaster.eval.lookup_rerank import rerank
    from quartermaster.models.registry import open_embedding, open_reranker

    told, options, where = place.progress.update, qm.settings(), qm.model_places()
    examples = gather(place.session, place.pairs, told)
    found: Ablation = {"channels": [*ablation(examples), of_answers(answers)]}
    try:
        model = open_embedding(options.embedding, *where)
        reranker = open_reranker(options.reranker, *where)
    except QmError as error:
        note(f"Vectors were not measured: {error}")
        return found
    _add_vectors(found, place, examples, model, where[0] / "evaluation" / "lookup")
    if reranker is not None:
        before, after = rerank(answers, place.tables, reranker, told)
        found["reranker"] = [
            (f"first {len(before):,} as found", *of_ranks(before)),
            ("reranked", *of_ranks(after)),
        ]
    return found


def show_ablation(qm: Measurement, found: Ablation) -> None:
    """A table of each part."""
    if qm.json:
        return
    for part, columns in _TABLES.items():
        print_table(columns, found.get(part, []))
    if "reranker" not in found:
        note("No reranker is configured (setting: reranker).")


def _add_vectors(
    found: Ablation, place: Place, examples: Examples, model: EmbeddingModel, memory: Path
) -> None:
    """Embeds the names of all tables, and measures what vectors change, table by table."""
    from quartermaster.eval.lookup_ablation import with_vectors
    from quartermaster.eval.lookup_examples import gather
    from quartermaster.eval.lookup_vectors import embed_names, weigh_vectors
    from quartermaster.eval.remembered import RememberedModel, memory_file
    from quartermaster.install.throw_away import settle, without_vector_indexes

    session, told = place.session, place.progress.update
    remembered = RememberedModel(model, memory_file(memory, model))
    session.call("put_model", name=model.name, dimension=model.dimension, active=True)
    for table in place.tables:
        session.call("configure_lookup_vectors", lookup=table, enabled=True)
    try:
        with without_vector_indexes(place.dsn):
            embed_names(session, remembered, told)
        settle(place.dsn)
        combined = gather(session, place.pairs, told, remembered)
    finally:
        remembered.save()
    trials = {
        table: weigh_vectors(examples.of_table(table), combined.of_table(table))
        for table in sorted({pair.table for pair in combined.pairs})
    }
    found["channels"] += [*with_vectors(combined), _where_they_pay(trials)]
    found["vectors"] = [
        (
            table,
            trial.pairs,
            *(
                f"{share:.3f}"
                for arm in (trial.dense, trial.without, trial.combined)
                for share in arm
            ),
            "yes" if _pays(trial) else "",
        )
        for table, trial in trials.items()
        if trial.pairs
    ]


def _where_they_pay(trials: dict[str, Trial]) -> tuple[str, ...]:
    chosen = [
        (trial.pairs, trial.combined if _pays(trial) else trial.without)
        for trial in trials.values()
    ]
    total = max(sum(pairs for pairs, _ in chosen), 1)
    shares = (sum(pairs * recall[cut] for pairs, recall in chosen) / total for cut in (0, 1))
    return "learned score, vectors where better", *(f"{share:.3f}" for share in shares), ""


def _pays(trial: Trial) -> bool:
    return trial.pays and trial.pairs >= _FEWEST
