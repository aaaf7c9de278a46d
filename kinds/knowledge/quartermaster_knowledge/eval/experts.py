"""``qm eval experts``: measures the quality of the experts' answers automatically; no person has to
read the answers.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any, Final

from typer import Option

from quartermaster import api as core_api
from quartermaster.cli.command import Qm
from quartermaster.cli.noun import Noun
from quartermaster.cli.session import Row
from quartermaster.core.errors import argument_invalid
from quartermaster_knowledge import api

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from quartermaster.models.embedding_model import EmbeddingModel
    from quartermaster_knowledge.eval.expert_confidence import JudgedQuestion, Learned

noun = Noun()

# For each own question of so many, so many of the questions that notes answer are read.
_NEAR_EVERY: Final = 4
_NEAR_LINES: Final = 5
_WORD: Final = re.compile(r"[a-z0-9]{3,}")
_COMMON_WORDS: Final = frozenset(
    {
        *("and", "are", "but", "can", "for", "from", "has", "have", "its", "may", "must", "not"),
        *("only", "than", "that", "the", "then", "they", "this", "use", "with", "when", "which"),
        *("who", "will", "without"),
    }
)


@noun.verb()
def experts_command(
    qm: Qm,
    file: Annotated[
        Path,
        "File with questions (JSON Lines). Each object has question, domain, and either answerable"
        " or note. Optional: paraphrase, claims, and passages (the passages that answer the"
        " question; each is an array of a note and a heading).",
    ],
    any_domain: Annotated[bool, "Ask the questions without naming their domains."] = False,
) -> dict[str, Any]:
    """Measure how often experts answer, rightly decline to answer, and cite the right facts."""
    from quartermaster.cli.goal_models import embed_goals
    from quartermaster.eval.evaluation_files import read_objects

    questions = [each.members for each in read_objects(file)]
    measured: list[Row] = []
    for form in ("question", "paraphrase"):
        asked = [each for each in questions if form in each]
        if not asked:
            continue
        vectors = embed_goals(qm, [each[form] for each in asked])
        rows = [
            _ask(qm, each, form, vector, any_domain)
            for each, vector in zip(asked, vectors, strict=True)
        ]
        measured.append({"asked by": form, **_figures(rows)})
    columns = ("asked by", "questions", "silent where nothing answers", "answered")
    found = ("claim words covered", "right note in 3", "right passage first", "right passage in 3")
    qm.table(measured, (*columns, *found, "right domain", "ms p95"))
    return {"measured": measured}


@noun.verb()
def fit_experts_command(
    qm: Qm,
    file: Annotated[Path, "File with questions (JSON Lines): {question, domain, note or null}."],
    ridge: Annotated[
        float, "Penalty for large weights of vector dimensions; 0: no penalty.", Option(min=0)
    ] = 0.3,
) -> dict[str, Any]:
    """Learn the weights that experts use to compute how sure they are of an answer. The result is
    tested with questions from domains that were not used for learning.

    The notes must be loaded, their vectors must be ready, and the setting knowledge.floor must be
    0. The command prints the weights for the member "vector" of the setting knowledge.confidence,
    and for the setting knowledge.asks_fact. The built-in weights are in sql/seeds/knowledge.sql.
    The file tests/eval/experts/fitted.json contains the output of the command that learned these
    weights.
    """
    from quartermaster.cli.goal_models import active_model, embed_goals
    from quartermaster.eval.evaluation_files import read_objects
    from quartermaster_knowledge.eval.expert_confidence import PARTS, auc, learn

    model = active_model(qm)
    if model is None:
        raise argument_invalid(
            "The active embedding model is not on this machine.",
            "Run the command on the machine that runs the service. qm model list shows the active"
            " model.",
        )
    questions = [each.members for each in read_objects(file)]
    _require_domains(questions)
    literals = embed_goals(qm, [each["question"] for each in questions])
    judged, known = _judge(qm, questions, literals)
    learned = learn(judged, *_vectors(model, literals, known), ridge)
    floors = _floors(learned)
    measured = (
        "silent where nothing answers",
        "answered",
        "answered if the right note is not found",
    )
    intervals = tuple(f"{each}, interval" for each in measured)
    qm.table(floors, ("floor", "domain", *measured, *intervals))
    return {
        "questions": hashlib.sha256(file.read_bytes()).hexdigest(),
        "ridge": ridge,
        "auc": round(auc(learned.chances, _found(judged)), 4),
        "floors": floors,
        "confidence": dict(zip((*PARTS, "intercept"), learned.weights.round(3), strict=True)),
        "asks_fact": {
            model.name: {
                "intercept": round(float(learned.direction[-1]), 3),
                "weights": learned.direction[:-1].round(2).tolist(),
            }
        },
    }


def _require_domains(questions: list[dict[str, Any]]) -> None:
    from quartermaster_knowledge.eval.expert_confidence import LEFT_OUT

    if len({each["domain"] for each in questions}) <= LEFT_OUT:
        raise argument_invalid(
            f"Questions from {LEFT_OUT} or fewer domains are not enough for learning and"
            " measuring.",
            "Give questions from at least three domains.",
        )


def _judge(
    qm: Qm, questions: list[dict[str, Any]], literals: Sequence[str | None]
) -> tuple[list[JudgedQuestion], set[str]]:
    """Asks the experts all questions.

    Returns:
        The judged questions, and other questions that notes answer. These other questions are
        similar to some of the judged questions.
    """
    from quartermaster_knowledge.eval.expert_confidence import PARTS, JudgedQuestion

    judged: list[JudgedQuestion] = []
    known = set[str]()
    for place, (each, vector) in enumerate(zip(questions, literals, strict=True)):
        # Every second question is asked without its domain.
        is_domain_given = place % 2 == 0
        [answer] = qm.call(
            api.ask_expert(
                question=each["question"],
                domain=each["domain"] if is_domain_given else None,
                query_vector=vector,
            )
        )
        if answer["parts"]["floor"] > 0:
            raise argument_invalid(
                "The setting knowledge.floor hides passages from which the command learns.",
                "Set it to 0 in the table core.setting, as the owner of the database, while the"
                " command runs. Set it back afterwards.",
            )
        values = tuple(float(answer["parts"][part]) for part in PARTS[:-1])
        found = each["note"] in {passage["note"] for passage in answer["passages"]}
        judged.append(
            JudgedQuestion(each["domain"], each["note"] is not None, found, is_domain_given, values)
        )
        if place % _NEAR_EVERY == 0:
            near = qm.call(
                core_api.search_cards(
                    goal=each["question"], kinds=["question"], top=_NEAR_LINES, query_vector=vector
                )
            )
            known.update(card["brief"] for card in near)
    if len({each.found for each in judged}) < 2:
        raise argument_invalid(
            "Right notes were found for all of the questions, or for none.",
            "Load the notes, wait for their vectors (see qm docs status), and give both "
            "questions that the notes answer and questions that they do not answer.",
        )
    return judged, known


def _vectors(
    model: EmbeddingModel, literals: Sequence[str | None], known: set[str]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Returns two groups of vectors: of the given questions, and of other questions that notes
    answer.
    """
    import numpy as np

    # The vectors of the sentences of a question follow that of the whole.
    vectors = np.array(
        [json.loads(vector or "[]")[: model.dimension] for vector in literals], np.float32
    )
    others = np.zeros((0, model.dimension), np.float32)
    if known:
        others = model.embed([model.goal_text(question) for question in sorted(known)])
    return vectors, others


def _floors(learned: Learned) -> list[dict[str, Any]]:
    """Returns how the experts would answer the questions with several values of the floor, which is
    the lowest confidence of an answer.
    """
    return [
        learned.at(floor / 100, is_domain_given=is_domain_given)
        for floor in (*range(20, 75, 5), 90)
        for is_domain_given in (True, False)
    ]


def _found(judged: list[JudgedQuestion]) -> NDArray[np.bool_]:
    import numpy as np

    return np.array([each.found for each in judged])


def _ask(qm: Qm, each: Row, form: str, vector: str | None, any_domain: bool) -> Row:
    domain = None if any_domain else each["domain"]
    started = perf_counter()
    [answer] = qm.call(api.ask_expert(question=each[form], domain=domain, query_vector=vector))
    elapsed = (perf_counter() - started) * 1000
    passages: list[Row] = answer["passages"]
    said = set(_words(" ".join(passage["text"] for passage in passages)))
    claim = _words(each["claims"][0]) if each.get("claims") else []
    note: str | None = each.get("note")
    right: list[list[str]] = each.get("passages", [])
    hits = [[passage["note"], passage["heading"]] in right for passage in passages]
    return {
        "ms": elapsed,
        "answerable": each.get("answerable", note is not None),
        "silent": answer["no_answer"],
        "placed": None if domain else answer["expert"] == each["domain"],
        "covered": sum(word in said for word in claim) / len(claim) if claim else None,
        "found": None if note is None else note in {passage["note"] for passage in passages},
        "first": any(hits[:1]) if right else None,
        "in 3": any(hits) if right else None,
    }


def _words(text: str) -> list[str]:
    return [word for word in _WORD.findall(text.lower()) if word not in _COMMON_WORDS]


def _figures(rows: Sequence[Row]) -> Row:
    right = [row for row in rows if row["answerable"]]
    return {
        "questions": len(rows),
        "silent where nothing answers": _mean(row["silent"] for row in rows if row not in right),
        "answered": _mean(not row["silent"] for row in right),
        "claim words covered": _mean(row["covered"] for row in right),
        "right note in 3": _mean(row["found"] for row in right),
        "right passage first": _mean(row["first"] for row in right),
        "right passage in 3": _mean(row["in 3"] for row in right),
        "right domain": _mean(row["placed"] for row in right),
        "ms p95": round(sorted(row["ms"] for row in rows)[int(len(rows) * 0.95)], 1),
    }


def _mean(values: Any) -> float | None:
    numbers = [float(value) for value in values if value is not None]
    return round(sum(numbers) / len(numbers), 3) if numbers else None
