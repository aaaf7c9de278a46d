"""Search in the database and in process, question by question, so that both meet the same load."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from statistics import fmean

import numpy as np
from numpy.typing import NDArray

from lab.bench.baselines import ExactScan, InProcessBm25
from lab.bench.rights import narrow_rights
from lab.bench.server import BenchDatabase
from lab.bench.timing import Latency, timed
from lab.bench.vectors import literal

_MODES = "select name, lexical, dense, fuzzy, ef_search from selection.mode order by lexical"
_SELECT = "select * from api.select_tools(%s, %s, query_vector => %s::ext.vector)"
_BM25 = "select * from search.bm25('tool', %s, %s)"
_DENSE_QUERY = "select * from search.dense('tool', %s::ext.vector, %s, %s)"
_FUZZY_QUERY = "select * from search.fuzzy('tool', %s, %s)"


@dataclass(frozen=True)
class EmbeddedGoal:
    """A goal with its vector, float32 [dimension]."""

    goal: str
    vector: NDArray[np.float32]


@dataclass(frozen=True)
class SearchEffort:
    """Candidates that a mode takes from each channel, and its effort in the vector index."""

    name: str
    lexical: int
    dense: int
    fuzzy: int
    ef_search: int


@dataclass(frozen=True)
class ModeResult:
    """One mode over one catalog.

    Attributes:
        total: `select_tools`, the vector given, nothing else in between.
        stages: bm25, dense, fuzzy each by itself; `rest` is what `select_tools` takes beyond them,
            in turn with them and the rivals.
        in_process: numpy and bm25s for as many results as dense and bm25.
        recall: share of the truly nearest `dense` cards that the index finds.
        narrow_recall: the same where one card in a hundred may be seen.
    """

    name: str
    total: Latency
    stages: dict[str, Latency]
    in_process: dict[str, Latency]
    recall: float
    narrow_recall: float

    @property
    def ratios(self) -> dict[str, float]:
        """Our median divided by theirs."""
        pairs = {"dense / numpy": ("dense", "numpy"), "bm25 / bm25s": ("bm25", "bm25s")}
        return {
            name: round(self.stages[ours].p50 / self.in_process[theirs].p50, 2)
            for name, (ours, theirs) in pairs.items()
        }


@dataclass(frozen=True)
class Point:
    """Searches a catalog of so many cards; building the index of bm25s took `bm25s_build_s`.

    Attributes:
        served: what a client waits over MCP in each mode; empty where this was left out.
    """

    cards: int
    bm25s_build_s: float
    modes: list[ModeResult]
    served: dict[str, Latency] = field(default_factory=dict[str, Latency])


def read_modes(bench: BenchDatabase) -> list[SearchEffort]:
    """Returns the modes of the database, the quickest first."""
    return [SearchEffort(*row) for row in bench.owner.execute(_MODES).fetchall()]


class Searches:
    """Asks a database and its in-process rivals.

    Args:
        bench: the database.
        scan, bm25: the rivals, over the same cards.
    """

    def __init__(self, bench: BenchDatabase, scan: ExactScan, bm25: InProcessBm25) -> None:
        self._bench = bench
        self._scan = scan
        self._bm25 = bm25

    def measure(self, mode: SearchEffort, questions: Sequence[EmbeddedGoal]) -> ModeResult:
        """Returns one client, one question after the other, after a round that does not count:
        first `select_tools` alone, then stages and rivals in turn, which a scan by numpy finds with
        cold caches.
        """
        for question in questions:
            self._ask(mode, question)
        total = Latency.of([self._select(mode, question)[1] for question in questions])
        asked = [self._ask(mode, question) for question in questions]
        latency = {
            name: Latency.of([seconds[name] for seconds, _ in asked])
            for name in ("bm25", "dense", "fuzzy", "rest", "numpy", "bm25s")
        }
        return ModeResult(
            name=mode.name,
            total=total,
            stages={name: latency[name] for name in ("bm25", "dense", "fuzzy", "rest")},
            in_process={name: latency[name] for name in ("numpy", "bm25s")},
            recall=round(fmean(recall for _, recall in asked), 4),
            narrow_recall=self._narrow_recall(mode, questions),
        )

    def measure_selection(self, mode: SearchEffort, questions: Sequence[EmbeddedGoal]) -> Latency:
        """`select_tools` alone, the best of three for each question: other load hardly counts."""
        rounds = [[self._select(mode, question)[1] for question in questions] for _ in range(3)]
        return Latency.of([min(seconds) for seconds in zip(*rounds, strict=True)])

    def _select(self, mode: SearchEffort, question: EmbeddedGoal) -> tuple[object, float]:
        arguments = (question.goal, mode.name, literal(question.vector))
        return timed(lambda: self._bench.service.execute(_SELECT, arguments).fetchall())

    def _narrow_recall(self, mode: SearchEffort, questions: Sequence[EmbeddedGoal]) -> float:
        with narrow_rights(self._bench):
            found = [
                self._scan.recall(q.vector, self._dense(mode, q), mode.dense, self._scan.hundredth)
                for q in questions
            ]
        return round(fmean(found), 4)

    def _dense(self, mode: SearchEffort, question: EmbeddedGoal) -> list[int]:
        arguments = (literal(question.vector), mode.dense, mode.ef_search)
        rows = self._bench.reader.execute(_DENSE_QUERY, arguments).fetchall()
        return [int(str(card)) for card, _ in rows]

    def _ask(self, mode: SearchEffort, question: EmbeddedGoal) -> tuple[dict[str, float], float]:
        """Returns seconds by stage, and the recall of the vector index."""
        goal, vector = question.goal, question.vector
        seconds: dict[str, float] = {}
        _, seconds["total"] = self._select(mode, question)
        owner = self._bench.owner
        _, seconds["bm25"] = timed(lambda: owner.execute(_BM25, (goal, mode.lexical)).fetchall())
        cards, seconds["dense"] = timed(lambda: self._dense(mode, question))
        _, seconds["fuzzy"] = timed(
            lambda: owner.execute(_FUZZY_QUERY, (goal, mode.fuzzy)).fetchall()
        )
        stages = seconds["bm25"] + seconds["dense"] + seconds["fuzzy"]
        seconds["rest"] = max(seconds["total"] - stages, 0.0)
        _, seconds["numpy"] = timed(lambda: self._scan.search(vector, mode.dense))
        _, seconds["bm25s"] = timed(lambda: self._bm25.search(goal, mode.lexical))
        return seconds, self._scan.recall(vector, cards, mode.dense)
