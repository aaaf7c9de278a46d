"""The file of cards: finds cards by name or words (BM25 by SQLite), under the caller's rights."""

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
# Words of nearly every text: they take most of the time and decide nothing.
_EMPTY_WORD: Final = re.compile(
    "an?|and|are|as|at|be|by|can|do|for|from|how|i|in|is|it|me|my|of|on|or|that|the|this|to|what"
    "|with|you"
)
# Bodies are large, so only those of the few shown cards are read.
_RANKED: Final = (
    "select rowid, -bm25(words, ?, ?, ?, ?) as score from words"
    " where words match ? order by score desc, rowid"
)
_OF_KIND: Final = "select * from card where kind = ? and ifnull(?, origin) = origin and "


@dataclass(frozen=True)
class Card:
    """A card as it was kept, row of api.read_definitions.

    Attributes:
        id, state, kind, public_name, own_name, origin: as there.
        body: its JSON.
    """

    id: int
    state: int
    kind: str
    public_name: str
    own_name: str | None
    origin: str
    body: dict[str, Any]

    def columns(self) -> dict[str, Any]:
        """The columns that operations return."""
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
    """An open file of cards, usable in any thread; closed when it is no longer used.

    Args:
        path: of the file, verified.
    """

    def __init__(self, path: Path) -> None:
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        self._file = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._using = threading.Lock()
        self._states = states_of(path)
        # A search may still be under way when the outage is over.
        weakref.finalize(self, self._file.close)

    def search(
        self, goal: str, kinds: Collection[str], sees: Sight, top: int, budget: int | None
    ) -> list[tuple[Card, float]]:
        """The visible cards whose words fit best, with their scores as shares of the best.

        Args:
            goal: in plain words.
            kinds: of cards.
            sees: whether the asker sees a card, by id and state.
            top: how many at most.
            budget: how many tokens they may have together; None: any.
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
        """The card with a name; None if the caller sees none.

        Args:
            kind: of the card.
            name: as the whole catalog knows it.
            origin: whose own name it is instead; None: nobody's.
            sees: as for `search`.
        """
        found = self._of_kind(kind, origin, f"{_key(origin)} = ?", name)
        return next((card for card in found if sees(card.id, card.state)), None)

    def page(
        self, kind: str, origin: str | None, after: str | None, maximum: int | None, sees: Sight
    ) -> list[Card]:
        """Items of a kind by name.

        Args:
            kind, origin, sees: as for `find`.
            after: the name after which the page begins; None: at the first.
            maximum: how many at most; None: all.
        """
        key = _key(origin)
        found = self._of_kind(
            kind, origin, f"own_name is not null and {key} > ? order by {key}", after or ""
        )
        return list(islice((card for card in found if sees(card.id, card.state)), maximum))

    def count(self, kind: str, sees: Sight) -> int:
        """The number of cards of a kind that the caller sees."""
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
    """The words of a goal except the most common ones, each in quotes, so that none is syntax."""
    words = dict.fromkeys(_WORD.findall(f"{goal} {_CAMEL.sub(' ', goal)}".lower()))
    telling = [word for word in words if not _EMPTY_WORD.fullmatch(word)] or [*words]
    return " OR ".join(f'"{word}"' for word in telling[:_MOST_WORDS]) or '""'
