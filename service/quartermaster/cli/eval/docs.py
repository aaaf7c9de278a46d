"""``qm eval docs``: measures how often a look-up finds the right object of a library."""

from __future__ import annotations

import json
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

from typer import Argument, Option

from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid

noun = Noun()

_SHOWN = 100


@noun.verb()
def docs_command(
    qm: Qm,
    file: Annotated[
        Path, Argument(help="Questions: {id, distribution, topic, symbols, style} (JSON Lines).")
    ],
    folder: Annotated[
        str | None, Option(help="Folder of packages; needed if several versions are indexed.")
    ] = None,
    worst: Annotated[int, Option(help="Also list that many of the worst questions.")] = 0,
) -> dict[str, Any]:
    """Measure the share of questions whose answer comes first, or among the first five."""
    from quartermaster.cli.goal_models import embed_goals

    questions = _read(file)
    vectors = embed_goals(qm, [each["topic"] for each in questions])
    ranks: list[Row] = []
    for question, vector in zip(questions, vectors, strict=True):
        started = perf_counter()
        rows = _lookup(qm, question, vector, folder)
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


def _read(file: Path) -> list[Row]:
    try:
        return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]
    except (OSError, ValueError) as error:
        raise argument_invalid(f"{file} cannot be read: {error}.", "Give JSON Lines.") from error


def _lookup(qm: Qm, question: Row, vector: str | None, folder: str | None) -> list[Row]:
    try:
        return qm.call(
            "lookup_symbols",
            library=question["distribution"],
            topic=question["topic"],
            top=_SHOWN,
            query_vector=vector,
            folder=folder,
        )
    except QmError as error:
        if error.slug != "library_not_found":
            raise
        qm.note(f"{question['id']}: {error}")
        return []


def _rank(rows: list[Row], right: set[str]) -> int:
    """The place of the first right object; only the name counts that an agent would see."""
    names = [row["name"] for row in rows]
    return next((place for place, name in enumerate(names, 1) if name in right), _SHOWN + 1)


def _measured(style: str, ranks: list[Row]) -> Row:
    times = sorted(each["ms"] for each in ranks)
    return {
        "questions of style": style,
        "questions": len(ranks),
        "R@1": round(sum(each["rank"] == 1 for each in ranks) / len(ranks), 3),
        "R@5": round(sum(each["rank"] <= 5 for each in ranks) / len(ranks), 3),
        "ms p95": round(times[int(0.95 * (len(times) - 1))]),
    }
