"""Finds cards in the outage copy by name or words (BM25 in SQLite), under the caller's rights."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final

from quartermaster.snapshots.artifact import FIELD_WEIGHTS, states_of

Sight = Callable[[int, int], bool]
Row = dict[str, Any]

_CAMEL: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_WORD: Final = re.compile(r"[^\W_]+")
_MOST_WORDS: Final = 64
# Words that occur in almost every text are skipped: they take most of the time and hardly change
# the result.
_EMPTY_WORD: Final = re.compile(
    "an?|and|are|as|at|be|by|can|do|for|from|how|i|in|is|it|me|my|of|on|or|that|the|this|to|what"
    "|with|you"
)
# Bodies are large, so only the bodies of the cards that are returned are read.
_RANKED_QUERY: Final = (
    "select rowid, -bm25(words, ?, ?, ?, ?) as score from words"
    " where words match ? order by score desc, rowid"
)
_CARD: Final = "select id, state, kind, public_name, own_name, origin, body from card where "


class Cards:
    """An open file of cards, which any thread can use; it is closed when no longer used.

    A card is a row with the columns that operations return.

    Args:
        path: path of the file, which has been verified.
    """

    def __init__(self, path: Path) -> None:
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        self._file = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._using = threading.Lock()
        self._states = states_of(path)
        # A search may still be running when the outage is over.
        weakref.finalize(self, self._file.close)

    def search(
        self, goal: str, kinds: Collection[str], sees: Sight, top: int, budget: int | None
    ) -> list[tuple[Row, float]]:
        """Finds the visible cards that match a goal best, with scores relative to the best match.

        Args:
            goal: the goal in plain words.
            kinds: kinds of cards.
            sees: function that tells by id and state whether the caller sees a card.
            top: maximum number of cards.
            budget: maximum number of tokens in all cards together; None means no limit.
        """
        found: list[tuple[Row, float]] = []
        left = budget
        with self._using:
            for card_id, score in self._file.execute(_RANKED_QUERY, [*FIELD_WEIGHTS, _match(goal)]):
                if not sees(card_id, self._states[card_id]):
                    continue
                [card] = map(_card, self._file.execute(f"{_CARD} id = ?", [card_id]))
                tokens = card["tokens"]
                if card["kind"] not in kinds or (left is not None and tokens > left):
                    continue
                left = None if left is None else left - tokens
                found.append((card, score))
                if len(found) == top:
                    break
        return [(card, score / found[0][1]) for card, score in found]

    def find(self, kind: str, name: str, sees: Sight) -> Row | None:
        """Finds the card with a name; returns None if the caller sees no such card.

        Args:
            kind: kind of the card.
            name: public name of the card.
            sees: see `search`.
        """
        with self._using:
            rows = self._file.execute(f"{_CARD} kind = ? and public_name = ?", [kind, name])
            return next((_card(row) for row in rows if sees(row[0], row[1])), None)


def _card(row: tuple[Any, ...]) -> Row:
    _, _, kind, name, own_name, origin, body = row
    known: Row = json.loads(body)
    definition: Row = known["definition"] or known["said"].get("definition", {})
    named = {"kind": kind, "name": name, "callable_name": name, "tool": own_name, "origin": origin}
    described = {"description": definition.get("description") or ""}
    return definition | known | named | described


def _match(goal: str) -> str:
    """Builds a full-text query from a goal's less common words. Each word is quoted, so that SQLite
    never reads it as syntax.
    """
    words = dict.fromkeys(_WORD.findall(f"{goal} {_CAMEL.sub(' ', goal)}".lower()))
    telling = [word for word in words if not _EMPTY_WORD.fullmatch(word)] or [*words]
    return " OR ".join(f'"{word}"' for word in telling[:_MOST_WORDS]) or '""'
