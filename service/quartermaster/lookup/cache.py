"""A cache of answers, valid while nothing that they depend on has changed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cachetools import TTLCache

from quartermaster.db import Row


@dataclass(frozen=True)
class Answer:
    """The answer to one query.

    Attributes:
        rows: as the database returned them, best first; the caller must not change them.
        error: slug, message and hint of what is wrong with the query; None: nothing.
        is_cached: whether the database was not asked again.
    """

    rows: Sequence[Row]
    error: Mapping[str, str] | None = None
    is_cached: bool = False


class AnswerCache:
    """The latest answers.

    The key holds the state of the table, in which are its version, its weights and what the asker
    may see: a change makes other keys, and what is under the old ones ages out.

    Args:
        rows: how many rows are kept at most, each answer counting one more; 0 keeps nothing.
        ttl_s: seconds after which an answer is forgotten.

    Attributes:
        hits, misses: queries found here, and not.
    """

    def __init__(self, rows: int, ttl_s: float) -> None:
        self.hits = self.misses = 0
        self._answers: TTLCache[bytes, Answer] = TTLCache(
            rows, ttl_s, getsizeof=lambda answer: len(answer.rows) + 1
        )

    @property
    def rows(self) -> int:
        """How many rows are kept, each answer counting one more."""
        return int(self._answers.currsize)

    def find(self, key: bytes) -> Answer | None:
        """The answer under a key, or None."""
        answer = self._answers.get(key)
        if answer is None:
            self.misses += 1
        else:
            self.hits += 1
        return answer

    def keep(self, key: bytes, answer: Answer) -> None:
        """Stores an answer, unless it is an error."""
        if answer.error is None and len(answer.rows) < self._answers.maxsize:
            self._answers[key] = answer


def key_of(state: str, operation: str, options: Mapping[str, object], query: object) -> bytes:
    """A key of everything that an answer depends on.

    Args:
        state: of the table for the asker, as api.lookup_state says it.
        operation: name of the api function.
        options: its arguments for all queries.
        query: as it is sent.
    """
    parts: list[Any] = [state, operation, options, query]
    return sha256(json.dumps(parts, sort_keys=True).encode()).digest()
