"""How well what is served fits the later commits: the decisions that a commit exercises should be
served for its files, and nothing for files that no decision is about.
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
    """A file of a later commit.

    Attributes:
        path: the file.
        task: the subject of the commit.
        exercised: places in the list of candidates whose checks have a case in the added lines.
        is_unrelated: whether no check is about the file, or has any case in it.
        is_source: whether the file is written in a language that can be read.
    """

    path: str
    task: str
    exercised: frozenset[int]
    is_unrelated: bool
    is_source: bool


@dataclass
class ServingMeasurement:
    """What was measured; see `as_json`."""

    decisions: int = 0
    gains: list[float] = field(default_factory=list[float])
    recalls: list[float] = field(default_factory=list[float])
    silent: dict[bool, list[bool]] = field(default_factory=lambda: {True: [], False: []})
    seconds: list[float] = field(default_factory=list[float])

    def as_json(self) -> dict[str, Any]:
        """Returns the figures; a figure without cases is null."""
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
    """Returns the candidates at a cut of the history, and questions from later commits.

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
    """Stores candidates in a project and approves them, in an empty database.

    Args:
        caller: an administrator who is a person, in a throw-away database.
        candidates: what is stored.
        name: name of the project.

    Returns:
        The id of each decision; None for those that contradict an earlier one, or are refused.
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
    """Asks for the decisions of each file, and compares them with what its commit exercised.

    Args:
        caller: a member of the project.
        questions: files of later commits.
        ids: the decision of each candidate; see `load`.
        step: told about the progress.
        embed: makes the vector of a task; None searches by words only.
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
    """nDCG@8 where every wanted decision counts the same."""
    found = [rank for rank, one in enumerate(served[:_SERVED_DECISIONS]) if one in wanted]
    return _gain(found) / _gain(range(min(len(wanted), _SERVED_DECISIONS)))


def _gain(ranks: Iterable[int]) -> float:
    return sum(1 / math.log2(2 + rank) for rank in ranks)


def embedder(caller: ApiCaller, model: EmbeddingModel, step: Step) -> Embed:
    """Makes a model active in a throw-away database, and embeds the decisions in it."""
    caller.call(core_api.put_model(name=model.name, dimension=model.dimension, active=True))
    embed_names(caller, model, step)
    return lambda text: [float(one) for one in model.embed([model.goal_text(text)])[0]]
