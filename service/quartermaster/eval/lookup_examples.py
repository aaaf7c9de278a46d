"""What the learned score of lookup tables learns from: candidates of gold pairs with features."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from quartermaster.eval.lookup_gold import Pair
from quartermaster.eval.lookup_running import Caller, Progress
from quartermaster.lookup.score import Candidates
from quartermaster.models.embedding_model import EmbeddingModel
from quartermaster.models.vector_text import vector_texts

Row = dict[str, Any]
_BATCH: Final = 200


@dataclass(frozen=True)
class Examples:
    """Pairs for which something was found, with the names found.

    Attributes:
        pairs: the queries.
        found: of each, rows of id, label, features and score without vectors, by id.
    """

    pairs: list[Pair]
    found: list[list[Row]]

    def of_table(self, table: str) -> Examples:
        """Those of one table."""
        both = zip(self.pairs, self.found, strict=True)
        own = [(pair, names) for pair, names in both if pair.table == table]
        return Examples([pair for pair, _ in own], [names for _, names in own])

    def chosen(self, numbers: NDArray[np.int64]) -> tuple[list[Pair], Candidates]:
        """Some of the pairs, and their candidates."""
        labels: dict[str, int] = {}
        features: list[list[float]] = []
        rows, queries, right, label = list[int](), list[int](), list[bool](), list[int]()
        for number in numbers:
            queries.append(len(rows))
            before = None
            expected = self.pairs[int(number)].expected
            for name in self.found[int(number)]:
                if name["id"] != before:
                    rows.append(len(features))
                    right.append(name["id"] in expected)
                    label.append(labels.setdefault(name["label"], len(labels)))
                    before = name["id"]
                features.append(name["features"])
        candidates = Candidates(
            features=np.array(features, dtype=np.float32),
            row_starts=np.array(rows),
            query_starts=np.array(queries),
            is_right=np.array(right),
            labels=np.array(label),
        )
        return [self.pairs[int(number)] for number in numbers], candidates


def gather(
    caller: Caller, pairs: Sequence[Pair], progress: Progress, model: EmbeddingModel | None = None
) -> Examples:
    """The candidates of every pair.

    Args:
        caller: to a database.
        pairs: that are asked.
        progress: told how far it is.
        model: embeds the queries, for tables whose names have vectors; None: without.

    Raises:
        QmError: of the database.
    """
    tables: dict[str, list[Pair]] = {}
    for pair in pairs:
        tables.setdefault(pair.table, []).append(pair)
    examples = Examples(list[Pair](), list[list[Row]]())
    done = 0
    for table, asked in tables.items():
        for start in range(0, len(asked), _BATCH):
            part = asked[start : start + _BATCH]
            _add(examples, caller, table, part, model)
            done += len(part)
            progress("looking up", done, len(pairs))
    return examples


def _add(
    examples: Examples,
    caller: Caller,
    table: str,
    pairs: Sequence[Pair],
    model: EmbeddingModel | None,
) -> None:
    queries = [
        {
            "query": pair.query.replace("\0", ""),
            "language": pair.language,
            "properties": pair.properties,
        }
        for pair in pairs
    ]
    vectors = {}
    if model is not None:
        texts = [model.query_prefix + str(query["query"]) for query in queries]
        vectors = {"query_vectors": vector_texts(model.embed(texts))}
    found: list[list[Row]] = [list[Row]() for _ in pairs]
    for row in caller.call("lookup_examples", lookup=table, queries=queries, **vectors):
        found[int(row["number"]) - 1].append(row)
    for pair, rows in zip(pairs, found, strict=True):
        if rows:
            examples.pairs.append(pair)
            examples.found.append(sorted(rows, key=lambda row: str(row["id"])))
