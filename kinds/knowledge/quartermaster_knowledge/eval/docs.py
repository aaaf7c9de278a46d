"""``qm eval docs``: measures how often a lookup finds the right object of a library."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any
from zlib import crc32

from typer import Option

from quartermaster import api as core_api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.output import print_table
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError
from quartermaster_knowledge import api

if TYPE_CHECKING:
    from quartermaster.eval.examples import CandidateName
    from quartermaster.eval.gold import Task

noun = Noun()

_RESULT_COUNT = 100
_FOLDS = 4


@noun.verb()
def docs_command(
    qm: Qm,
    file: Annotated[
        Path, "File with questions (JSON Lines): {id, distribution, topic, symbols, style}."
    ],
    folder: Annotated[
        str | None,
        "Folder that contains the packages; needed if several versions of a package are indexed.",
    ] = None,
    worst: Annotated[int, "Number of questions to list, those with the worst answers first."] = 0,
    rerank: Annotated[
        bool, "Let the embedding model compare the best objects with the topic again, word by word."
    ] = True,
) -> dict[str, Any]:
    """Measure how often a lookup in the documentation ranks a correct object, such as a class or
    function, first or among the first five.
    """
    from quartermaster.cli.goal_models import active_model, embed_goals
    from quartermaster.eval.evaluation_files import read_objects
    from quartermaster_knowledge.symbol_ranking import rerank_symbols

    questions = [each.members for each in read_objects(file)]
    vectors = embed_goals(qm, [each["topic"] for each in questions])
    model = active_model(qm) if rerank else None
    ranks: list[Row] = []
    for question, vector in zip(questions, vectors, strict=True):
        started = perf_counter()
        rows = _lookup(qm, question, vector, folder, for_comparison=model is not None)
        rows = rerank_symbols(qm, model, question["topic"], rows)
        ranks.append(
            {
                "id": question["id"],
                "style": question.get("style", ""),
                "rank": _rank(rows, set(question["symbols"])),
                "ms": (perf_counter() - started) * 1000,
                "topic": question["topic"],
                "right": question["symbols"][0],
                "came": [row["name"] for row in rows[:3]],
            }
        )
    styles = ["", *sorted({each["style"] for each in ranks} - {""})]
    measured = [
        _measured(style or "all", [each for each in ranks if style in ("", each["style"])])
        for style in styles
    ]
    qm.table(measured, ("questions of style", "questions", "R@1", "R@5", "ms p95"))
    shown = sorted(ranks, key=lambda each: -each["rank"])[:worst]
    if shown:
        qm.table(shown, ("id", "rank", "topic", "right", "came"))
    return {"measured": measured, "worst": shown}


@noun.verb()
def fit_docs_command(
    qm: Qm,
    file: Annotated[
        Path,
        "File with questions about indexed packages (JSON Lines): {id, distribution, topic,"
        " symbols}.",
    ],
    penalty: Annotated[float, "Penalty for large weights; 0: no penalty.", Option(min=0)] = 0.01,
) -> dict[str, Any]:
    """Learn the weights with which lookups in the documentation rank objects, such as classes and
    functions.

    The packages must be indexed, and their vectors must be ready. The command prints the weights.
    It also learns weights from some of the packages, and prints how well these weights work for the
    other packages. The built-in weights are in sql/kinds/symbol.sql.
    """
    from quartermaster.cli.goal_models import embed_goals
    from quartermaster.eval.evaluation_files import read_objects
    from quartermaster.eval.examples import RankingExamples
    from quartermaster.eval.fitting import fit_cards

    questions = [each.members for each in read_objects(file)]
    vectors = embed_goals(qm, [each["topic"] for each in questions])
    found = [
        _candidates(qm, question, vector)
        for question, vector in zip(questions, vectors, strict=True)
    ]
    names = qm.call_value(core_api.feature_names(kind="symbol"))
    examples = RankingExamples.of(names, [one for one in found if any(c.is_right for c in one[1])])
    ranks: list[int] = []
    for fold in range(_FOLDS):
        scopes = {task.scope for task in examples.tasks}
        held = {scope for scope in scopes if crc32(scope.encode()) % _FOLDS == fold}
        retained = examples.where(lambda task, held=held: task.scope not in held)
        asked = examples.where(lambda task, held=held: task.scope in held)
        if held:
            ranks += asked.ranks(fit_cards(retained, penalty, fusion=0)).tolist()
    weights = fit_cards(examples, penalty, fusion=0)
    learned = {name: round(weight, 4) for name, weight in weights.items()}
    left_out = {
        "questions": len(ranks),
        "without the right object": len(questions) - len(ranks),
        **_recalls(ranks),
    }
    if not qm.json:
        print_table(("feature", "weight"), learned.items())
    qm.table([left_out], tuple(left_out))
    return {"weights": learned, "left_out": left_out}


def _candidates(qm: Qm, question: Row, vector: str | None) -> tuple[Task, list[CandidateName]]:
    from quartermaster.eval.examples import CandidateName
    from quartermaster.eval.gold import Task

    right = set(question["symbols"])
    rows = qm.call(
        api.symbol_examples(
            library=question["distribution"], topic=question["topic"], query_vector=vector
        )
    )
    task = Task(question["id"], question["topic"], (), scope=question["distribution"])
    return task, [
        CandidateName(
            row["name"], row["name"], bool(right & {row["name"], *row["paths"]}), row["features"]
        )
        for row in rows
    ]


def _lookup(
    qm: Qm, question: Row, vector: str | None, folder: str | None, *, for_comparison: bool
) -> Sequence[Row]:
    try:
        return qm.call(
            api.lookup_symbols(
                library=question["distribution"],
                topic=question["topic"],
                top=_RESULT_COUNT,
                query_vector=vector,
                folder=folder,
                for_comparison=for_comparison,
            )
        )
    except QmError as error:
        if error.slug != "library_not_found":
            raise
        qm.note(f"{question['id']}: {error}")
        return []


def _rank(rows: Sequence[Row], right: set[str]) -> int:
    """Returns the rank of the first correct object. An object is correct only if its name, as an
    agent sees it, is correct.
    """
    names = [row["name"] for row in rows]
    return next((place for place, name in enumerate(names, 1) if name in right), _RESULT_COUNT + 1)


def _measured(style: str, ranks: Sequence[Row]) -> Row:
    times = sorted(each["ms"] for each in ranks)
    return {
        "questions of style": style,
        "questions": len(ranks),
        **_recalls([each["rank"] for each in ranks]),
        "ms p95": round(times[int(0.95 * (len(times) - 1))]),
    }


def _recalls(ranks: list[int]) -> Row:
    from quartermaster.eval.metrics import recalls

    first, fifth = recalls(ranks)
    return {"R@1": round(first, 3), "R@5": round(fifth, 3)}
