"""BM25F by the book: numpy, double precision, every card scored, no index."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import psycopg
from numpy.typing import NDArray

# Tokens of the four fields of each card, as PostgreSQL's parser gives them; nothing of the index.
_TOKENS = """
select c.id, f.field::integer, u.lexeme, cardinality(u.positions)
from jsonb_array_elements(
    catalog.cards('tool', array(select i.id from catalog.item as i where i.kind = 'tool'))
) as t (card)
inner join search.card as c on c.kind = 'tool' and c.ref = (t.card ->> 'ref')::bigint
cross join lateral jsonb_array_elements_text(t.card -> 'fields') with ordinality as f (text, field)
cross join lateral unnest(search.tokenize(left(f.text, 20000))) as u
"""
_PARAMETERS = b"select k1, b, field_weights from search.kind where name = 'tool'"


Frequencies = dict[int, dict[str, NDArray[np.float64]]]


@dataclass(frozen=True)
class Parameters:
    """k1, b and the weight of each field."""

    k1: float
    b: float
    field_weights: tuple[float, ...]


class ReferenceBm25:
    """Scores by BM25F with Lucene's inverse document frequency.

    Args:
        frequencies: of each card, its tokens with their count in each field, float64 [4].
        parameters: of the formula.

    Attributes:
        card_ids: int64 [cards], in the order of the scores.
    """

    def __init__(
        self,
        frequencies: Frequencies,
        parameters: Parameters,
    ) -> None:
        k1, b = parameters.k1, parameters.b
        weights = np.array(parameters.field_weights)
        self.card_ids = np.array(sorted(frequencies), dtype=np.int64)
        lengths = np.array(
            [
                sum(float(counts @ weights) for counts in frequencies[card].values())
                for card in self.card_ids.tolist()
            ]
        )
        saturation = k1 * (1 - b + b * lengths / lengths.mean())
        self._postings: dict[str, tuple[list[int], list[float]]] = {}
        for row, card in enumerate(self.card_ids.tolist()):
            for token, counts in frequencies[card].items():
                tf = float(counts @ weights)
                rows, values = self._postings.setdefault(token, ([], []))
                rows.append(row)
                values.append(tf * (k1 + 1) / (tf + float(saturation[row])))

    def scores(self, query: Mapping[str, int]) -> NDArray[np.float64]:
        """Returns the score of every card, float64 [cards]; query: tokens with their count."""
        found, cards = np.zeros(len(self.card_ids)), len(self.card_ids)
        for token, count in query.items():
            rows, values = self._postings.get(token, ([], []))
            idf = np.log(1 + (cards - len(rows) + 0.5) / (len(rows) + 0.5))
            found[rows] += count * idf * np.array(values)
        return found


def read_parameters(connection: psycopg.Connection[tuple[Any, ...]]) -> Parameters:
    """Returns what the kind `tool` is configured with."""
    [(k1, b, field_weights)] = connection.execute(_PARAMETERS).fetchall()
    return Parameters(k1, b, tuple(field_weights))


def read_frequencies(
    connection: psycopg.Connection[tuple[Any, ...]],
) -> Frequencies:
    """Returns tokens of every tool's card with their count in each of the four fields."""
    found: Frequencies = {}
    rows: list[tuple[int, int, str, int]] = connection.execute(_TOKENS).fetchall()
    for card, field, token, count in rows:
        counts = found.setdefault(card, {}).setdefault(token, np.zeros(4))
        counts[field - 1] += count
    return found


def disagreements(
    ours: Sequence[tuple[int, float]],
    card_ids: NDArray[np.int64],
    scores: NDArray[np.floating],
    limit: int,
    tolerance: float,
) -> list[str]:
    """Returns what differs between a ranking and the best of all scores; the order within ties is
    free.

    Args:
        ours: cards with their scores, best first.
        card_ids: int64 [cards].
        scores: reference scores [cards].
        limit: how many were asked for.
        tolerance: relative difference of two scores that counts as none.
    """
    best = np.sort(scores[scores > 0])[::-1][:limit]
    if len(ours) != len(best):
        return [f"{len(ours)} cards instead of {len(best)}"]
    row_of = {card: row for row, card in enumerate(card_ids.tolist())}
    found: list[str] = []
    for rank, ((card, score), expected) in enumerate(zip(ours, best.tolist(), strict=True), 1):
        own = float(scores[row_of[card]])
        if abs(own - expected) > tolerance * expected:
            found.append(f"rank {rank}: card {card} scores {own}, the reference has {expected}")
        if abs(score - own) > tolerance * own:
            found.append(f"rank {rank}: card {card} scores {score}, by the reference {own}")
    return found
