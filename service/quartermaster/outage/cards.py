"""Finds cards in the outage copy by name or words (BM25 in SQLite), under the caller's rights."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import weakref
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from quartermaster.snapshots.artifact import FIELD_WEIGHTS, states_of

Sight = Callable[[int, int], bool]

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
_RANKED: Final = (
    "select rowid, -bm25(words, ?, ?, ?, ?) as score from words"
    " where words match ? order by score desc, rowid"
)
_OF_KIND: Final = "select * from card where kind = ? and ifnull(?, origin) = origin and "


@dataclass(frozen=True)
class Card:
    """A card in the outage copy, as api.read_definitions returned it.

    Attributes:
        id, state, kind, public_name, own_name, origin: columns of api.read_definitions.
        body: the card's definition as JSON.
    """

    id: int
    state: int
    kind: str
    public_name: str
    own_name: str | None
    origin: str
    body: dict[str, Any]

    def columns(self) -> dict[str, Any]:
        """Return the columns that operations return."""
        definition = self.body["definition"] or self.body["said"].get("definition", {})
        names = dict.fromkeys(("name", "callable_name", "public_name"), self.public_name)
        own_names = dict.fromkeys(("tool", "target"), self.own_name)
        return {
            **definition,
            **self.body,
            **names,
            **own_names,
            "description": definition.get("description") or "",
            "definition": definition,
            "kind": self.kind,
            "origin": self.origin,
            "ref": self.body["ref"],
        }


class Cards:
    """An open file of cards, which any thread can use; it is closed when no longer used.

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
    ) -> list[tuple[Card, float]]:
        """Find the visible cards that match a goal best, with scores relative to the best match.

        Args:
            goal: the goal in plain words.
            kinds: kinds of cards.
            sees: function that tells by id and state whether the caller sees a card.
            top: largest number of cards.
            budget: largest number of tokens in all cards together; None means no limit.
        """
        found: list[tuple[Card, float]] = []
        left = budget
        with self._using:
            for card_id, score in self._file.execute(_RANKED, [*FIELD_WEIGHTS, _match(goal)]):
                if not sees(card_id, self._states[card_id]):
                    continue
                [card] = self._read("select * from card where id = ?", card_id)
                tokens = card.body["tokens"]
                if card.kind not in kinds or (left is not None and tokens > left):
                    continue
                left = None if left is None else left - tokens
                found.append((card, score))
                if len(found) == top:
                    break
        return [(card, score / found[0][1]) for card, score in found]

    def find(self, kind: str, name: str, origin: str | None, sees: Sight) -> Card | None:
        """Find the card with a name; returns None if the caller sees no such card.

        Args:
            kind: kind of the card.
            name: public name of the card.
            origin: origin whose own name for the card is given; None if the name is the public
                name.
            sees: see `search`.
        """
        found = self._of_kind(kind, origin, f"{_key(origin)} = ?", name)
        return next((card for card in found if sees(card.id, card.state)), None)

    def page(
        self, kind: str, origin: str | None, after: str | None, maximum: int | None, sees: Sight
    ) -> list[Card]:
        """Return a page of items of a kind, sorted by name.

        Args:
            kind, origin, sees: see `find`.
            after: the name after which the page begins; None for the first page.
            maximum: largest number of items; None returns all of them.
        """
        key = _key(origin)
        found = self._of_kind(
            kind, origin, f"own_name is not null and {key} > ? order by {key}", after or ""
        )
        return list(islice((card for card in found if sees(card.id, card.state)), maximum))

    def count(self, kind: str, sees: Sight) -> int:
        """Count the cards of a kind that the caller sees."""
        with self._using:
            rows = self._file.execute("select id, state from card where kind = ?", [kind])
            return sum(sees(*row) for row in rows)

    def _of_kind(self, kind: str, origin: str | None, condition: str, name: str) -> list[Card]:
        with self._using:
            return self._read(_OF_KIND + condition, kind, origin, name)

    def _read(self, query: str, *values: object) -> list[Card]:
        rows = self._file.execute(query, values)
        return [Card(*row[:-1], body=json.loads(row[-1])) for row in rows]


def _key(origin: str | None) -> str:
    return "public_name" if origin is None else "own_name"


def _match(goal: str) -> str:
    """Build a query from a goal's less common words, quoted so that none is read as syntax."""
    words = dict.fromkeys(_WORD.findall(f"{goal} {_CAMEL.sub(' ', goal)}".lower()))
    telling = [word for word in words if not _EMPTY_WORD.fullmatch(word)] or [*words]
    return " OR ".join(f'"{word}"' for word in telling[:_MOST_WORDS]) or '""'
