"""Lexical search in the file of definitions: BM25 by SQLite, under the rights of the asker."""

from __future__ import annotations

import json
import re
import sqlite3
import threading
import weakref
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from quartermaster.outage.rights import Asset
from quartermaster.snapshots.artifact import FIELD_WEIGHTS, split_words, versions_of

Sight = Callable[[int, int], bool]
Row = dict[str, Any]

_WORD: Final = re.compile(r"\w+")
_MOST_WORDS: Final = 64
# In nearly every text: they cost most of the time and decide nothing.
_EMPTY_WORD: Final = re.compile(
    "an?|and|are|as|at|be|by|can|do|for|from|how|i|in|is|it|me|my|of|on|or|that|the|this|to|what"
    "|with|you"
)
# Definitions are large: those of the few that are shown are read when the order is known.
_RANKED: Final = (
    "select rowid, -bm25(tool_text, ?, ?, ?, ?) as score from tool_text"
    " where tool_text match ? order by score desc, rowid"
)


class Definitions:
    """An open file of definitions, for any thread; closed when nobody has it any more.

    Args:
        path: of the file, verified.
    """

    def __init__(self, path: Path) -> None:
        uri = f"{path.as_uri()}?mode=ro&immutable=1"
        self._file = sqlite3.connect(uri, uri=True, check_same_thread=False)
        self._file.row_factory = sqlite3.Row
        self._using = threading.Lock()
        self._versions = versions_of(path)
        # A search may still be under way when the outage is over.
        weakref.finalize(self, self._file.close)

    def search(self, goal: str, sees: Sight, top: int, budget_tokens: int | None) -> list[Row]:
        """The visible tools whose words fit best.

        Args:
            goal: in plain words.
            sees: whether the asker sees a tool, by id and version.
            top: how many at most.
            budget_tokens: how many tokens their definitions may have together, at four
                characters each; None: any.

        Returns:
            Rows as of api.search_tools, best first, scores as shares of the best.
        """
        rows: list[Row] = []
        left = budget_tokens
        with self._using:
            for tool_id, score in self._file.execute(_RANKED, [*FIELD_WEIGHTS, _match(goal)]):
                if not sees(tool_id, self._versions[tool_id]):
                    continue
                found = self._file.execute("select * from tool where id = ?", [tool_id]).fetchone()
                tokens = len(found["definition"]) // 4
                if left is not None and tokens > left:
                    continue
                left = None if left is None else left - tokens
                rows.append(_found(found, len(rows) + 1, score))
                if len(rows) == top:
                    break
        best = rows[0]["score"] if rows else 0
        return [row | {"score": row["score"] / best if best else 0.0} for row in rows]

    def find(self, name: str, sees: Sight) -> Row | None:
        """The tool of this callable name, with its definition; None where the asker sees none."""
        with self._using:
            row = self._file.execute("select * from tool where callable_name = ?", [name])
            found: sqlite3.Row | None = row.fetchone()
        if found is None or not sees(found["id"], found["version"]):
            return None
        return dict(found) | {"definition": json.loads(found["definition"])}


def search_items(
    goal: str, kind: str, items: Mapping[str, Asset], origins: Mapping[int, str]
) -> list[Row]:
    """The items of a kind that say words of a goal, by the share that they say.

    Args:
        goal: in plain words.
        kind: of the items.
        items: those that the asker sees, by name.
        origins: names of origins, by id.

    Returns:
        Rows as of api.search_cards, best first.
    """
    wanted = set(_telling(goal))
    rows: list[Row] = []
    for name, item in items.items():
        text = json.dumps([name, item.definition], ensure_ascii=False)
        said = wanted.intersection(_WORD.findall(split_words(text).lower()))
        if said:
            about = str(item.definition.get("description") or item.definition.get("title") or "")
            rows.append(
                {
                    "name": name,
                    "origin": origins[item.origin_id],
                    "brief": about[:160],
                    "score": len(said) / len(wanted),
                    "scores": {"lexical": len(said)},
                    "receipt": None,
                    "kind": kind,
                }
            )
    return sorted(rows, key=lambda row: (-row["score"], row["name"]))


def within(rows: Iterable[Row], top: int, budget_tokens: int | None) -> list[Row]:
    """The first rows that fit into a budget, at four characters a token, with their ranks."""
    chosen: list[Row] = []
    left = budget_tokens
    for row in rows:
        tokens = len(json.dumps(row, ensure_ascii=False, default=str)) // 4
        if len(chosen) < top and (left is None or tokens <= left):
            left = None if left is None else left - tokens
            chosen.append(row | {"rank": len(chosen) + 1})
    return chosen


def _telling(goal: str) -> list[str]:
    """The words of a goal that say something."""
    words = dict.fromkeys(_WORD.findall(split_words(goal).lower()))
    return ([word for word in words if not _EMPTY_WORD.fullmatch(word)] or [*words])[:_MOST_WORDS]


def _match(goal: str) -> str:
    """Any of the words of a goal, each in quotes: nothing in it is syntax."""
    return " OR ".join(f'"{word}"' for word in _telling(goal)) or '""'


def described(row: Row) -> Row:
    """The members of a definition as columns, as the catalog's operations return them."""
    definition: Row = row["definition"]
    return {
        "title": definition.get("title"),
        "description": definition.get("description") or "",
        "input_schema": definition.get("input_schema"),
        "output_schema": definition.get("output_schema"),
        "annotations": definition.get("annotations"),
        "extra": definition.get("extra") or {},
    }


def _found(row: sqlite3.Row, rank: int, score: float) -> Row:
    found: Row = {
        "rank": rank,
        "name": row["callable_name"],
        "origin": row["origin"],
        "brief": row["brief"],
        "score": score,
        "scores": {"lexical": round(score, 4)},
        "receipt": None,
    }
    return found | described({"definition": json.loads(row["definition"])})
