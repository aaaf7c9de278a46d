"""``qm eval lookup`` and ``qm eval fit-lookup``: measure lookup tables, and learn the weights of
their score.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final, TypeVar

from typer import Option

from quartermaster import api as core_api
from quartermaster.cli.eval.databases import Learning, Measurement
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import note, print_table
from quartermaster.cli.session import AdminSession, Row, open_session
from quartermaster.core.errors import QmError
from quartermaster_lookup import api

if TYPE_CHECKING:
    from quartermaster.eval.arena import EvaluationEnvironment
    from quartermaster.eval.examples import RankingExamples
    from quartermaster.eval.gold import Task
    from quartermaster.eval.metrics import RankedAnswer
    from quartermaster.models.embedding_model import EmbeddingModel
    from quartermaster_lookup.eval.vectors import VectorTrial

Lookup = Annotated[Path, "File with rows (CSV or JSON Lines), with a column `table`."]
Gold = Annotated[
    Path, "CSV file with the columns table, query, expected_ids (separated by |), tier, props."
]
AskResult = TypeVar("AskResult")
Ablation = dict[str, list[tuple[Any, ...]]]

_MIN_PAIRS: Final = 20
_LEFT_OUT: Final = ("table left out", "n", "R@1", "R@5", "trigram R@1", "trigram R@5")
_ARMS: Final = ("vectors R@1", "R@5", "score R@1", "R@5", "both R@1", "R@5")
_ABLATION_COLUMNS: Final = {
    "channels": ("channels used", "R@1", "R@5", "real R@1"),
    "vectors": ("table", "n", *_ARMS, "better"),
    "reranker": ("order of the first five rows", "R@1", "R@5"),
}

noun = Noun(after="calibrate")


@noun.verb()
def lookup_command(
    qm: Measurement,
    lookup: Lookup,
    gold: Gold,
    single: Annotated[
        bool,
        "Also measure each way of finding candidates separately, and how much the vectors and the"
        " reranker improve the results.",
        Option("--ablate"),
    ] = False,
    plot: Annotated[
        Path | None, "Write a plot of precision against recall to this PNG file."
    ] = None,
    speed: Annotated[bool, "Also measure queries per second over two connections."] = False,
    large: Annotated[
        Path | None,
        "Also measure how long queries take in a table of 225,000 rows, made by repeating the rows"
        " of this file.",
    ] = None,
    hard: Annotated[
        bool,
        "Also measure how often matches are right. This uses gold pairs (strings whose right rows"
        " are known), and strings that are hard to match, which are made from row names.",
    ] = False,
    by_table: Annotated[
        bool,
        "Also measure each table with weights learned from the other tables.",
        Option("--leave-table-out"),
    ] = False,
) -> Row:
    """In a temporary database, measure how often lookup tables find the right rows.

    The command uses gold pairs: strings whose right rows are known.
    """
    from quartermaster.eval.metrics import summary
    from quartermaster_lookup.eval.lookups import ask
    from quartermaster_lookup.eval.plot import draw
    from quartermaster_lookup.eval.speed import batch_ms, large_table_ms, per_second
    from quartermaster_lookup.table_file import read_rows

    repeated: Sequence[dict[str, Any]] = read_rows(large) if large is not None else []
    with _loaded(qm, lookup, gold) as place:
        session, tasks, show_progress = place.session, place.tasks, place.bench.progress
        answers, latency = ask(session, tasks, show_progress)
        if (batch := batch_ms(session, tasks)) is not None:
            latency["batch_of_50"] = batch
        found = summary(answers, latency, apart=_of_several_names(place))
        if speed:
            found["queries_per_second"] = per_second(
                lambda: open_session(None, place.dsn), tasks, place.tables, show_progress
            )
        if repeated:
            found["large_table_ms"] = large_table_ms(session, repeated, show_progress)
        judged: Row = _judged(place, plot) if hard else {}
        left_out = _left_out(place) if by_table else None
        ablated = _ablated(qm, place, answers) if single else None
    if plot is not None:
        draw(answers, plot)
        note(f"Plot written to {plot}.")
    _show_figures(qm, found)
    found |= judged
    _show_judged(qm, judged)
    if left_out is not None:
        qm.table(left_out, _LEFT_OUT)
        found["tables"] = left_out
    if ablated is None:
        return found
    if not qm.json:
        _print_ablation(ablated)
    return found | {"ablation": ablated}


@noun.verb()
def fit_lookup_command(
    qm: Measurement,
    learning: Learning,
    lookup: Lookup,
    gold: Gold,
    table: Annotated[
        str, "Table that uses the weights; default: all tables without weights of their own."
    ] = "default",
) -> Row:
    """Learn the weights of the lookup score from gold pairs (strings whose right rows are known),
    and cross-validate the result.

    For the probability of a match, the command adds generated strings: row names that were changed
    so that they are hard to match.
    """
    from quartermaster.eval.metrics import summary
    from quartermaster_lookup.eval.fitting import fit_names
    from quartermaster_lookup.eval.lookups import SCORE

    with _loaded(qm, lookup, gold) as place:
        examples = place.examples().without(SCORE)
        first, second = place.of_hard(place.examples)
        strings = first.and_also(second).without(SCORE)
        fitted, answers = fit_names(examples, partial(place.bench.progress, "learning"), strings)
        apart = _of_several_names(place)
    learned = {
        part: {name: round(weight, 4) for name, weight in weights.items()}
        for part, weights in fitted.items()
    }
    held_out = summary(answers, {}, apart=apart)
    learning.keep(qm, learned, api.configure_lookup_score(profile=table, weights=learned))
    _show_figures(qm, {name: value for name, value in held_out.items() if name != "latency_ms"})
    return {"weights": learned, "held_out": held_out}


@dataclass(frozen=True)
class _LookupDatabase:
    """A temporary database that contains the rows of the lookup tables.

    Attributes:
        bench: the set of temporary databases that contains this database.
        dsn: connection string of the administrator.
        session: connection to the database.
        tables: the rows in the database, by table.
        tasks: the gold pairs.
    """

    bench: EvaluationEnvironment
    dsn: str
    session: AdminSession
    tables: dict[str, list[dict[str, Any]]]
    tasks: list[Task]

    def examples(
        self, tasks: Sequence[Task] | None = None, model: EmbeddingModel | None = None
    ) -> RankingExamples:
        """Returns the candidates for gold pairs or other strings. See `gather`."""
        from quartermaster_lookup.eval.lookups import gather

        asked = self.tasks if tasks is None else tasks
        return gather(self.session, asked, self.bench.progress, model)

    def of_hard(self, ask: Callable[[Sequence[Task]], AskResult]) -> tuple[AskResult, AskResult]:
        """Calls a function with two groups of hard strings, and returns both results. See
        `with_removed`.
        """
        from quartermaster_lookup.eval.hard_answers import with_removed
        from quartermaster_lookup.eval.hard_lookups import make_hard

        return with_removed(self.session, self.tables, make_hard(self.tables), ask)


@contextmanager
def _loaded(qm: Measurement, lookup: Path, gold: Path) -> Generator[_LookupDatabase]:
    """Creates a temporary database with all rows of a file.

    Raises:
        QmError: any error of the files, the server or the installation.
    """
    from quartermaster.install.throw_away import settle
    from quartermaster_lookup.eval.gold_pairs import read_pairs
    from quartermaster_lookup.eval.lookups import by_table, load
    from quartermaster_lookup.table_file import read_rows

    settings = qm.settings()
    tables, tasks = by_table(read_rows(lookup), lookup.stem), read_pairs(gold)
    with qm.bench(settings) as bench, open_session(None, bench.dsns[0]) as session:
        load(session, tables, bench.progress)
        settle(bench.dsns[0])
        yield _LookupDatabase(bench, bench.dsns[0], session, tables, tasks)


def _of_several_names(place: _LookupDatabase) -> frozenset[str]:
    """Returns the gold pairs that have several right rows with different names. For these pairs, no
    single row can be the match.
    """
    from quartermaster_lookup.eval.hard_lookups import fold

    names = {
        (table, row["id"]): fold(row["value"])
        for table, rows in place.tables.items()
        for row in rows
    }
    return frozenset(
        task.key
        for task in place.tasks
        if len({names.get((task.scope, key)) for key in task.accepted}) > 1
    )


def _judged(place: _LookupDatabase, plot: Path | None) -> Row:
    """Returns figures about the matches of gold pairs and of hard strings.

    Raises:
        QmError: any error of the database.
    """
    from quartermaster_lookup.eval.hard_answers import ask_all, by_class, macro, of_gold
    from quartermaster_lookup.eval.plot import draw_confidence

    show_progress = place.bench.progress
    apart = _of_several_names(place)
    pairs = [task for task in place.tasks if task.goal.strip() and task.key not in apart]
    gold = ask_all(place.session, pairs, show_progress)
    first, second = place.of_hard(lambda tasks: ask_all(place.session, tasks, show_progress))
    if plot is not None:
        draw_confidence(gold, [*first, *second], plot)
    classes = by_class([*first, *second])
    return {"gold_matches": of_gold(gold), "hard": classes, "hard_macro": macro(classes)}


def _show_judged(qm: Measurement, judged: Row) -> None:
    """Prints the figures about matches for each class of strings, and then for all classes
    together.
    """
    if not judged:
        return
    rows = [{"class": name, **row} for name, row in judged["hard"].items()]
    qm.table(
        rows,
        (
            "class",
            "n",
            ("coverage", "{coverage:.3f}"),
            ("precision", lambda row: _share(row["precision"])),
            "matched",
            "wrong",
            (".9+", "sure"),
            ("right", lambda row: _share(row["sure_right"])),
            ("sum", "{largest_sum:.3f}"),
            ("held", "held_n"),
            ("held wrong", "held_wrong"),
        ),
    )
    for part in ("hard_macro", "gold_matches"):
        for name, value in judged[part].items():
            qm.say(
                f"{part} {name}: {value:.4f}" if isinstance(value, float) else f"{name}: {value}"
            )


def _left_out(place: _LookupDatabase) -> list[Row]:
    """Returns the recall on the core goals of each larger table, with weights that were learned
    from the other tables.

    Raises:
        QmError: any error of the database.
    """
    from quartermaster_lookup.eval.ablation import leave_tables_out
    from quartermaster_lookup.eval.lookups import SCORE

    show_progress = partial(place.bench.progress, "leaving out one table at a time")
    rows = leave_tables_out(place.examples().without(SCORE), show_progress)
    return [dict(zip(_LEFT_OUT, row, strict=True)) for row in rows]


def _share(value: float | None) -> str:
    return "" if value is None else f"{value:.3f}"


def _ablated(qm: Measurement, place: _LookupDatabase, answers: Sequence[RankedAnswer]) -> Ablation:
    """Returns the recall of each way to find candidates (channel). Adds the recall with vectors and
    with the reranker, if they are configured.

    Raises:
        QmError: any error of the database.
    """
    from quartermaster.models.registry import open_embedding, open_reranker
    from quartermaster_lookup.eval.ablation import FEATURE_ARMS, of_answers, rank_by, rerank, shown

    examples = place.examples()
    found: Ablation = {"channels": [*rank_by(examples, FEATURE_ARMS), of_answers(answers)]}
    try:
        model = open_embedding(place.bench.settings.embedding, *qm.model_places())
        reranker = open_reranker(place.bench.settings.reranker, *qm.model_places())
    except QmError as error:
        note(f"Search with vectors could not be evaluated: {error}")
        return found
    _add_vectors(qm, found, place, examples, model)
    if reranker is not None:
        before, after = rerank(answers, place.tables, reranker, place.bench.progress)
        found["reranker"] = [
            (f"first {len(before):,} queries, not reranked", *shown(before)),
            ("reranked", *shown(after)),
        ]
    return found


def _add_vectors(
    qm: Measurement,
    found: Ablation,
    place: _LookupDatabase,
    examples: RankingExamples,
    model: EmbeddingModel,
) -> None:
    """Embeds the names in all tables, and measures the effect of vectors on each table."""
    from quartermaster.eval.embedding import embed_names
    from quartermaster.eval.remembered import RememberedModel, memory_dir, memory_file
    from quartermaster.install.throw_away import settle, without_vector_indexes
    from quartermaster_lookup.eval.ablation import VECTOR_ARMS, rank_by
    from quartermaster_lookup.eval.vectors import core_of, weigh_vectors

    session = place.session
    file = memory_file(memory_dir(qm.folder) / "lookup", model)
    remembered = RememberedModel(model, file)
    session.call(core_api.put_model(name=model.name, dimension=model.dimension, active=True))
    for table in place.tables:
        session.call(api.configure_lookup_vectors(lookup=table, enabled=True))
    try:
        with without_vector_indexes(place.dsn):
            embed_names(session, remembered, place.bench.progress)
        settle(place.dsn)
        combined = place.examples(model=remembered)
    finally:
        remembered.save()
    trials = {
        table: weigh_vectors(
            *(one.where(lambda task, own=table: task.scope == own) for one in (examples, combined))
        )
        for table in sorted({task.scope for task in core_of(combined).tasks})
    }
    found["channels"] += [*rank_by(combined, VECTOR_ARMS), _where_they_pay(trials)]
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
    ]


def _where_they_pay(trials: dict[str, VectorTrial]) -> tuple[str, ...]:
    chosen = [
        (trial.pairs, trial.combined if _pays(trial) else trial.without)
        for trial in trials.values()
    ]
    total = max(sum(pairs for pairs, _ in chosen), 1)
    shares = (sum(pairs * recall[cut] for pairs, recall in chosen) / total for cut in (0, 1))
    return "learned score, with vectors where they help", *(f"{share:.3f}" for share in shares), ""


def _pays(trial: VectorTrial) -> bool:
    return trial.pays and trial.pairs >= _MIN_PAIRS


def _show_figures(qm: Measurement, found: Row) -> None:
    """Prints recall and mean reciprocal rank for each tier, and then the figures of the whole
    evaluation.
    """
    figures = [(key, f"{{{key}:.3f}}") for key in ("R@1", "R@5", "MRR")]
    rows = [{"tier": name, **tier} for name, tier in found["tiers"].items()]
    qm.table(rows, ("tier", "n", *figures))
    for name, value in found.items():
        if name != "tiers":
            qm.say(f"{name}: {value}")


def _print_ablation(found: Ablation) -> None:
    for part, columns in _ABLATION_COLUMNS.items():
        print_table(columns, found.get(part, []))
    if "reranker" not in found:
        note("No reranker is configured (setting: reranker).")
