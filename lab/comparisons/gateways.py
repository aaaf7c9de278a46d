"""The search of two gateways, re-stated from what they document."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Sequence
from typing import Any, cast

import bm25s
import numpy as np

from lab.comparisons.rivals import Vector
from quartermaster.eval.items import ItemSet
from quartermaster.models.embedding_model import EmbeddingModel

_TOOLHIVE_PHRASE = """
name description schema input output type properties required title id tool server meta data
content text value field column table index key primary
"""


class McpproxyGo:
    """mcpproxy-go: any word of the goal in name, `server:name`, description or parameters as JSON.

    Its index (Bleve, standard analyzer) splits at word boundaries, drops English stop words and
    does not stem; a name with underscores stays one word. The boosts for a goal that *is* a tool's
    name, or its beginning, are there; they hardly ever apply to goals in plain words.
    """

    name, embeds = "mcpproxy-go (restated)", False

    def __init__(self, tools: ItemSet) -> None:
        self._names = [str(tool["name"]).lower() for tool in tools.definitions]
        self._stop = frozenset(cast("Any", bm25s).tokenization.STOPWORDS_EN)
        self._index: Any = bm25s.BM25(method="lucene", k1=1.2, b=0.75)
        texts = [
            f"{tool['name']} {tool['origin']}:{tool['name']} {tool.get('description', '')}"
            f" {json.dumps(tool.get('input_schema', {}))}"
            for tool in tools.definitions
        ]
        self._index.index([self._words(text) for text in texts], show_progress=False)

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`."""
        known = [word for word in self._words(goal) if word in self._index.vocab_dict]
        scores = self._index.get_scores(known) if known else np.zeros(len(self._names))
        wanted = goal.strip().lower()
        for position, name in enumerate(self._names):
            if name.startswith(wanted):
                scores[position] += 8.0 if name == wanted else 3.0
        best = np.argsort(-scores, kind="stable")[:k]
        return [int(position) for position in best if scores[position] > 0]

    def _words(self, text: str) -> list[str]:
        return [word for word in re.findall(r"\w+", text.lower()) if word not in self._stop]


class ToolHive:
    """ToolHive's vMCP optimizer: half the list by vectors, then half by SQLite's FTS5 (Porter).

    Ratio 0.5 of semantic results, listed first; words of the goal joined by OR, or the goal as one
    phrase where it holds a word such as "data" or "name", as its documentation says.
    """

    name, embeds = "ToolHive (restated)", True

    def __init__(self, tools: ItemSet, model: EmbeddingModel) -> None:
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        self._database.execute(
            "create virtual table tool using fts5 (name, description, tokenize = 'porter')"
        )
        rows = [(str(t["name"]), str(t.get("description", ""))) for t in tools.definitions]
        self._database.executemany("insert into tool values (?, ?)", rows)
        prefix = model.passage_prefix
        texts = [f"{prefix}name: {name} description: {description}" for name, description in rows]
        self._matrix = model.embed(texts)

    def search(self, goal: str, vector: Vector, k: int) -> list[int]:
        """See `Rival`."""
        semantic = k // 2
        scores = self._matrix @ vector
        near = np.argsort(-scores, kind="stable")[:semantic].tolist()
        return list(dict.fromkeys([*near, *self._words(goal, k - semantic)]))[:k]

    def _words(self, goal: str, limit: int) -> Sequence[int]:
        words = goal.split()
        if not words:
            return []
        if len(words) == 1 or any(word.lower() in _TOOLHIVE_PHRASE.split() for word in words):
            words = [" ".join(words)]
        expression = " OR ".join('"' + word.replace('"', '""') + '"' for word in words)
        statement = "select rowid - 1 from tool where tool match ? order by rank limit ?"
        rows = self._database.execute(statement, (expression, limit)).fetchall()
        return [int(position) for (position,) in rows]
