"""A cache of answers. An answer is valid until something that it depends on changes."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from cachetools import TTLCache

from quartermaster.db import Row


@dataclass(frozen=True)
class LookupAnswer:
    """The answer to one query.

    Attributes:
        rows: the rows from the database, best first. The caller must not change them.
        error: slug, message and hint of the error in the query. None if there is no error.
        is_cached: whether the answer came from the cache.
        retired: the retired rows that the query names. If there are any, `rows` is empty.
    """

    rows: Sequence[Row]
    error: Mapping[str, str] | None = None
    is_cached: bool = False
    retired: Sequence[Row] = ()


class AnswerCache:
    """Caches the latest answers.

    The key of an answer contains the version of the table, its weights and the rights of the
    caller. If one of these changes, the key changes, too. The answers under the old key are then
    not used any more, and expire.

    Args:
        rows: maximum number of cached rows. Each answer counts as the number of its rows plus one.
            0 disables the cache.
        ttl_s: seconds after which an answer expires.

    Attributes:
        hits, misses: number of queries with and without an answer in the cache.
    """

    def __init__(self, rows: int, ttl_s: float) -> None:
        self.hits = self.misses = 0
        self._answers: TTLCache[bytes, LookupAnswer] = TTLCache(
            rows, ttl_s, getsizeof=lambda answer: len(answer.rows) + 1
        )

    @property
    def rows(self) -> int:
        """The number of cached rows, plus one for each answer."""
        return int(self._answers.currsize)

    def find(self, key: bytes) -> LookupAnswer | None:
        """Returns the answer under a key, or None if there is none."""
        answer = self._answers.get(key)
        if answer is None:
            self.misses += 1
        else:
            self.hits += 1
        return answer

    def keep(self, key: bytes, answer: LookupAnswer) -> None:
        """Stores an answer, unless it is an error."""
        if answer.error is None and len(answer.rows) < self._answers.maxsize:
            self._answers[key] = answer


def key_of(state: str, operation: str, options: Mapping[str, object], query: object) -> bytes:
    """Builds a key from everything that an answer depends on.

    Args:
        state: state of the table for the caller, from api.lookup_state.
        operation: name of the api function.
        options: arguments of the function that apply to all queries.
        query: the query as the client sent it.
    """
    parts: list[Any] = [state, operation, options, query]
    return sha256(json.dumps(parts, sort_keys=True).encode()).digest()
