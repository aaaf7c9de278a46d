"""Measures whether the right decisions are served for the files of later commits.

A commit exercises a decision if the decision's check has a case in the added lines. For each file,
the service should serve the decisions that its commit exercises. If no decision applies to a file,
the service should serve nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from time import perf_counter
from typing import Any, Final

from quartermaster import api as core_api
from quartermaster.core.api_call import ApiCaller
from quartermaster.core.errors import QmError
from quartermaster.eval.embedding import embed_names
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.projects.git import Repository
from quartermaster_decisions import api
from quartermaster_decisions.backtest import mined_at
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checks import applies_to, evaluate_facts
from quartermaster_decisions.codebase import WHOLE_TREE
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.ingest import Step
from quartermaster_decisions.outcomes import added_lines, exercises, facts_at

MOST_COMMITS: Final = 300
_MOST_FILES: Final = 10
_SERVED_DECISIONS: Final = 8
_AT_ONCE: Final = 200
Embed = Callable[[str], Sequence[float]]


@dataclass(frozen=True)
class FileQuestion:
    """A file of a later commit, for which decisions are requested.

    Attributes:
        path: the file.
        task: the subject of the commit.
        exercised: indexes of the candidates whose checks have a case in the added lines.
        is_unrelated: whether no decision is about the file. No check has a case in it, and only
            checks for the whole project apply to it.
        is_source: whether the file is written in a language that can be read.
    """

    path: str
    task: str
    exercised: frozenset[int]
    is_unrelated: bool
    is_source: bool


@dataclass
class ServingMeasurement:
    """The measurements for all questions. `as_json` computes the figures from them."""

    decisions: int = 0
    gains: list[float] = field(default_factory=list[float])
    recalls: list[float] = field(default_factory=list[float])
    silent: dict[bool, list[bool]] = field(default_factory=lambda: {True: [], False: []})
    seconds: list[float] = field(default_factory=list[float])

    def as_json(self) -> dict[str, Any]:
        """Returns the figures. A figure is null if there were no cases."""
        every = self.silent[True] + self.silent[False]
        ordered = sorted(self.seconds)
        return {
            "served_from": self.decisions,
            "questions": len(self.gains),
            "ndcg_8": _mean(self.gains),
            "recall_8": _mean(self.recalls),
            "unrelated": len(every),
            "silence": _mean(every),
            "unrelated_sources": len(self.silent[True]),
            "silence_sources": _mean(self.silent[True]),
            "serve_ms_p95": round(1000 * ordered[int(len(ordered) * 0.95)], 1) if ordered else None,
        }


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 3) if values else None


def held_out(
    repository: Repository, cut: float, step: Step
) -> tuple[list[DecisionCandidate], list[FileQuestion]]:
    """Mines candidates at a cut of the history, and makes questions from the later commits.

    Raises:
        QmError: 422 repository_empty, and the errors of git.
    """
    ids, at, found = mined_at(repository, cut, step)
    candidates = [one for one in found if one.check is not None]
    later = ids[at + 1 :]
    chosen = later[:: max(1, math.ceil(len(later) / MOST_COMMITS))]
    questions: list[FileQuestion] = []
    for number, commit in enumerate(chosen, start=1):
        questions += _questions(repository, commit, candidates)
        step("later commits", number, len(chosen))
    return candidates, questions


def _questions(
    repository: Repository, commit: str, candidates: Sequence[DecisionCandidate]
) -> Iterator[FileQuestion]:
    subject = repository.read("log", "-1", "--format=%s", commit).decode("utf-8", "replace").strip()
    try:
        added = added_lines(repository, commit)
        found_facts = facts_at(repository, commit, list(added))
        files = {path: facts for path, facts, _ in found_facts}
    except QmError as error:
        if error.slug != "git_failed":
            raise
        return  # a partial clone has no contents of this commit
    if not 0 < len(added) <= _MOST_FILES:
        return
    for path, facts in files.items():
        if facts is None:
            yield FileQuestion(path, subject, frozenset(), is_unrelated=True, is_source=False)
        else:
            yield _question(candidates, facts, subject, added[path])


def _question(
    candidates: Sequence[DecisionCandidate], facts: FileFacts, subject: str, lines: set[int]
) -> FileQuestion:
    checks = [one.check or {} for one in candidates]
    places = [evaluate_facts(check, facts).places for check in checks]
    is_about = any(
        applies_to(check, facts.path)
        for check, one in zip(checks, candidates, strict=True)
        if one.scope != WHOLE_TREE
    )
    return FileQuestion(
        facts.path,
        subject,
        frozenset(
            number
            for number, found in enumerate(places)
            if any(exercises(checks[number], place, lines) for place in found)
        ),
        is_unrelated=not is_about and not any(places),
        is_source=True,
    )


def load(caller: ApiCaller, candidates: Sequence[DecisionCandidate], name: str) -> list[int | None]:
    """Stores candidates in a new project and approves them, in an empty database.

    Args:
        caller: calls the API of a temporary database as an administrator who is a person.
        candidates: the candidates.
        name: name of the project.

    Returns:
        The id of each decision. None if the decision was refused or contradicts an earlier
        decision.
    """
    caller.call(core_api.add_project(name=name, root=f"/{name}"))
    caller.call(core_api.appoint_curator(name="local", curates="decisions"))
    stored: list[api.PutCandidatesRow] = []
    for start in range(0, len(candidates), _AT_ONCE):
        part = [one.as_json() for one in candidates[start : start + _AT_ONCE]]
        stored += caller.call(api.put_candidates(candidates=part, project=name))
    found: list[int | None] = []
    for row in stored:
        number = row["decision"]
        if number is not None:
            try:
                caller.call(api.approve_decisions(ids=[number], project=name))
            except QmError as error:
                if error.slug != "decision_contradicted":
                    raise
                number = None
        found.append(number)
    return found


def ask(
    caller: ApiCaller,
    questions: Sequence[FileQuestion],
    ids: Sequence[int | None],
    step: Step,
    embed: Embed | None = None,
) -> ServingMeasurement:
    """Requests the decisions for each file, and compares them with the decisions that its commit
    exercised.

    Args:
        caller: calls the API as a member of the project.
        questions: files of later commits.
        ids: the id of the decision for each candidate. See `load`.
        step: called with the progress.
        embed: computes the vector of a task. If None, decisions are found by words only.
    """
    measured = ServingMeasurement(decisions=sum(number is not None for number in ids))
    for number, question in enumerate(questions, start=1):
        wanted = {one for place in question.exercised if (one := ids[place]) is not None}
        if wanted or question.is_unrelated:
            vector = None
            if embed is not None and question.task:
                vector = str(list(embed(question.task)))
            begun = perf_counter()
            rows = caller.call(
                api.decisions_for(path=question.path, task=question.task, query_vector=vector)
            )
            measured.seconds.append(perf_counter() - begun)
            served = [int(row["decision"]) for row in rows]
            if question.is_unrelated:
                measured.silent[question.is_source].append(not served)
            else:
                measured.gains.append(ndcg(served, wanted))
                measured.recalls.append(
                    len(wanted.intersection(served)) / min(len(wanted), _SERVED_DECISIONS)
                )
        step("asking", number, len(questions))
    return measured


def ndcg(served: Sequence[int], wanted: set[int]) -> float:
    """Returns the nDCG@8 of the served decisions. All wanted decisions count the same."""
    found = [rank for rank, one in enumerate(served[:_SERVED_DECISIONS]) if one in wanted]
    return _gain(found) / _gain(range(min(len(wanted), _SERVED_DECISIONS)))


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / math.log2(2 + rank) for rank in ranks)


def embedder(caller: ApiCaller, model: EmbeddingModel, step: Step) -> Embed:
    """Makes a model the active model of a temporary database, and embeds the decisions there.
    Returns the function that embeds a task.
    """
    caller.call(core_api.put_model(name=model.name, dimension=model.dimension, active=True))
    embed_names(caller, model, step)
    return lambda text: [float(one) for one in model.embed([model.goal_text(text)])[0]]
