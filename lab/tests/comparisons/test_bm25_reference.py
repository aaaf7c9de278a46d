"""BM25 in SQL against an independent implementation, a plain scan, and the package bm25s."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass
from typing import Any

import bm25s
import numpy as np
import psycopg
import pytest
from numpy.typing import NDArray
from psycopg.types.json import Jsonb

from lab.comparisons import retrieval_sets as sets
from lab.comparisons.reference_bm25 import (
    Frequencies,
    ReferenceBm25,
    disagreements,
    read_frequencies,
    read_parameters,
)
from tests.support.database import Server

SETS = ("toolbench", "bfcl", "toollinkos", "metatool")
# Of each set: goals leave most of so many cards out.
TOOLS = 400
QUERIES = 200
LIMIT = 10
# Weights and scores are 32-bit floats.
TOLERANCE = 1e-4

Connection = psycopg.Connection[tuple[Any, ...]]
Ranking = list[tuple[int, float]]


@dataclass(frozen=True)
class Corpus:
    """A database with cards, the tokens of their fields, and goals for it."""

    connection: Connection
    frequencies: Frequencies
    goals: Sequence[str]

    def bm25(self, goal: str) -> Ranking:
        """Returns what the engine finds, best first."""
        return self._ranking("select * from search.bm25('tool', %s, %s)", goal)

    def plain_scan(self, goal: str) -> Ranking:
        """Returns the same weights, every card scored, nothing left out."""
        return self._ranking(
            "select s.card_id, s.score from ("
            " select l.card_id, (-(l.weights operator(ext.<#>) q.query))::real as score"
            " from search.lexical as l, search.read_terms('tool', %s) as q"
            " where l.kind = 'tool') as s where s.score > 0 order by 2 desc, 1 limit %s",
            goal,
        )

    def tokens(self, goal: str) -> dict[str, int]:
        """Returns tokens of a goal with their count."""
        rows = self.connection.execute(
            "select lexeme, cardinality(positions) from unnest(search.tokenize(%s))", (goal,)
        )
        return dict(rows.fetchall())

    def _ranking(self, statement: str, goal: str) -> Ranking:
        return self.connection.execute(statement.encode(), (goal, LIMIT)).fetchall()


@pytest.fixture(scope="module", params=["generated", "public sets"])
def corpus(request: pytest.FixtureRequest, embedded_server: Server) -> Generator[Corpus]:
    """Made-up cards, always; the cards of public sets, where they are."""
    if request.param == "generated":
        tools = sets.make_tools(1000)
        goals = [query.text for query in sets.make_queries(QUERIES)]
    else:
        if reason := sets.skip_reason(*SETS):
            pytest.skip(reason)
        tools = [tool for name in SETS for tool in sets.read_tools(name, TOOLS)]
        share = QUERIES // len(SETS)
        goals = [query.text for name in SETS for query in sets.read_queries(name, share)]
    assert len(goals) == QUERIES
    with embedded_server.clone() as database, database.connect() as connection:
        for start in range(0, len(tools), 500):
            batch = Jsonb(tools[start : start + 500])
            connection.execute("select count(*) from api.import_items('tool', %s)", (batch,))
        connection.execute("analyze")
        # The formula knows no limit on the tokens of a goal.
        connection.execute("update core.setting set value = '1000' where name = 'goal.max_terms'")
        yield Corpus(connection, read_frequencies(connection), goals)


def complaints(
    corpus: Corpus,
    reference: Callable[[dict[str, int]], NDArray[np.floating]],
    tolerance: float = TOLERANCE,
) -> dict[str, list[str]]:
    """By goal, where the engine differs from reference scores: tokens to float [cards]."""
    card_ids = np.array(sorted(corpus.frequencies), dtype=np.int64)
    compared = {
        goal: disagreements(
            corpus.bm25(goal), card_ids, reference(corpus.tokens(goal)), LIMIT, tolerance
        )
        for goal in corpus.goals
    }
    return {goal: found for goal, found in compared.items() if found}


def test_the_top_ten_are_those_of_the_formula(corpus: Corpus):
    reference = ReferenceBm25(corpus.frequencies, read_parameters(corpus.connection))
    with corpus.connection.transaction(force_rollback=True):
        # With the average length of now, however little it has drifted.
        corpus.connection.execute("select search.weigh('tool', null)")
        assert complaints(corpus, reference.scores) == {}


def test_kept_weights_are_as_near_to_the_formula_as_the_tolerance_says(corpus: Corpus):
    reference = ReferenceBm25(corpus.frequencies, read_parameters(corpus.connection))
    setting = "select core.get_setting('weights.tolerance')::double precision"
    [(drift,)] = corpus.connection.execute(setting).fetchall()
    assert isinstance(drift, float)
    assert complaints(corpus, reference.scores, drift + TOLERANCE) == {}


def test_leaving_cards_out_early_changes_nothing(corpus: Corpus):
    assert [goal for goal in corpus.goals if corpus.bm25(goal) != corpus.plain_scan(goal)] == []


def test_the_top_ten_are_those_of_bm25s(corpus: Corpus):
    with corpus.connection.transaction(force_rollback=True):
        # It knows no fields: all of them weigh the same.
        corpus.connection.execute("select search.put_kind('tool', 'Tools', '{1, 1, 1, 1}')")
        parameters = read_parameters(corpus.connection)
        theirs: Any = bm25s.BM25(method="lucene", k1=parameters.k1, b=parameters.b, dtype="float64")
        theirs.index(
            [
                [token for token, counts in tokens.items() for _ in range(int(counts.sum()))]
                for _, tokens in sorted(corpus.frequencies.items())
            ],
            show_progress=False,
        )

        def scores(query: dict[str, int]) -> NDArray[np.floating]:
            tokens = [token for token, count in query.items() for _ in range(count)]
            # It leaves out a constant factor of the formula, and fails on goals without tokens.
            found = theirs.get_scores(tokens) if tokens else np.zeros(len(corpus.frequencies))
            return found * (parameters.k1 + 1)

        assert complaints(corpus, scores) == {}
