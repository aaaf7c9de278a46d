"""The searches of clients, restated: what they would find in a list, without running them.

A run of the clients takes an hour, and this takes a minute, so that presentations of a list can be
compared. How near they come to what was measured is in lab/notes/clients.md.
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, cast

import Stemmer
from bm25s.stopwords import STOPWORDS_EN_PLUS

from quartermaster.doors.mcp.whole_list import SEARCH_HINT

Json = dict[str, Any]
_MOST_WORDS: Final = 32
"""So many words of a query are read by Claude Code."""
_LONGEST_HINT: Final = 4_096
_LONGEST_DESCRIPTION: Final = 2_048
# Words as Unicode's rules for word boundaries find them: "user_name", "can't" and "3.14" are one.
_WORD: Final = re.compile(r"\w+(?:['.:]\w+)*")


@dataclass(frozen=True)
class ListedTool:
    """A tool in the list of a server.

    Attributes:
        server: name that the user gave the server.
        tool: definition, as the protocol writes it.
        instructions: of the server.
        is_alone: whether it is the only server.
    """

    server: str
    tool: Json
    instructions: str = ""
    is_alone: bool = False

    @property
    def name(self) -> str:
        """The name of the tool."""
        return str(self.tool["name"])

    @property
    def description(self) -> str:
        """The description, which may be empty."""
        return str(self.tool.get("description") or "")

    @property
    def arguments(self) -> Mapping[str, Any]:
        """The schemas of the arguments."""
        schema: Json = self.tool.get("inputSchema") or {}
        return schema.get("properties") or {}


Search = Callable[[str], list[int]]
"""Returns the positions of the tools that are found for a query, best first."""


def claude_code(tools: Sequence[ListedTool]) -> Search:
    """`ToolSearch` of Claude Code 2.1.332: points for each word of the query, whether rare or not.
    A word of the name has 16, a part of a word 10, a word of the hint 4, of the description 2.
    """
    texts = [_Named.of(one) for one in tools]

    def search(query: str) -> list[int]:
        words = query.lower().split()[:_MOST_WORDS]
        scores = [sum(text.points(word) for word in words) for text in texts]
        return [at for at in _best(scores) if scores[at]]

    return search


@dataclass(frozen=True)
class _Named:
    whole: tuple[str, str]
    parts: frozenset[str]
    hint: str
    description: str

    @classmethod
    def of(cls, one: ListedTool) -> _Named:
        whole = (one.server.lower(), one.name.lower())
        parts = frozenset(part for name in whole for part in re.split(r"[\s_.]+", name) if part)
        meta: Json = one.tool.get("_meta") or {}
        hint = str(meta.get(SEARCH_HINT, ""))[:_LONGEST_HINT].lower()
        return cls(whole, parts, hint, one.description[:_LONGEST_DESCRIPTION].lower())

    def points(self, word: str) -> int:
        """Returns the points for a word."""
        found = 0
        if word in self.parts:
            found += 12
        elif any(word in part for part in self.parts):
            found += 6
        if word in self.whole:
            found += 12
        elif any(word in name for name in self.whole):
            found += 4
        found += 4 * _has(self.hint, word) + 2 * _has(self.description, word)
        return found


def _has(text: str, word: str) -> bool:
    return word in text and _pattern(word).search(text) is not None


@cache
def _pattern(word: str) -> re.Pattern[str]:
    return re.compile(rf"\b{re.escape(word)}\b", re.ASCII)


@dataclass(frozen=True)
class _Bm25:
    """Okapi's BM25."""

    texts: Sequence[Sequence[str]]
    k1: float
    counts: list[Counter[str]] = field(default_factory=list[Counter[str]])
    documents: Counter[str] = field(default_factory=Counter[str])

    def __post_init__(self) -> None:
        self.counts.extend(Counter(text) for text in self.texts)
        for count in self.counts:
            self.documents.update(count.keys())

    def search(self, words: Iterable[str]) -> list[int]:
        """Returns positions, best first."""
        number = len(self.texts)
        mean = sum(map(len, self.texts)) / number
        scores = [0.0] * number
        for word in words:
            holding = self.documents[word]
            weight = math.log(1 + (number - holding + 0.5) / (holding + 0.5))
            for at, count in enumerate(self.counts):
                if times := count[word]:
                    norm = self.k1 * (0.25 + 0.75 * len(self.texts[at]) / mean)
                    scores[at] += weight * times * (self.k1 + 1) / (times + norm)
        return [at for at in _best(scores) if scores[at] > 0]


def _best(scores: Sequence[float]) -> list[int]:
    return sorted(range(len(scores)), key=lambda at: -scores[at])


def codex(tools: Sequence[ListedTool]) -> Search:
    """`tool_search` of Codex 0.171.0: BM25 over names, title, description, the instructions of the
    server, and the names of the arguments. A name with underscores is one word.
    """
    index = _Bm25([_codex_words(_codex_text(one)) for one in tools], 1.2)
    return lambda query: index.search(_codex_words(query))


def _codex_text(one: ListedTool) -> str:
    space = "mcp__" + re.sub(r"[^A-Za-z0-9_]", "_", one.server)
    callable_name = re.sub(r"[^A-Za-z0-9_]", "_", one.name)
    title = str(one.tool.get("title") or "")
    names = [f"{space}__{callable_name}", callable_name, one.name, one.server]
    texts = [*names, title, one.description, one.instructions, *sorted(one.arguments)]
    return " ".join(filter(None, map(str.strip, texts)))


def _codex_words(text: str) -> list[str]:
    words = (word for word in _WORD.findall(text.lower()) if word.strip("_"))
    return [_stem(word) for word in words if word not in STOPWORDS_EN_PLUS]


@cache
def _stem(word: str) -> str:
    stemmer: Any = cast("Any", Stemmer).Stemmer("english")
    return stemmer.stemWord(word)


def fastmcp(tools: Sequence[ListedTool]) -> Search:
    """The search transform of FastMCP 4.1.2: BM25 without stems over name, description and
    arguments.
    """
    index = _Bm25([_fastmcp_words(_fastmcp_text(one)) for one in tools], 1.5)
    return lambda query: index.search(_fastmcp_words(query))


def _fastmcp_text(one: ListedTool) -> str:
    texts = [one.name if one.is_alone else f"{one.server}_{one.name}", one.description]
    for name, schema in one.arguments.items():
        known = cast("Json", schema) if isinstance(schema, dict) else {}
        texts += [name, str(known.get("description") or "")]
    return " ".join(texts)


def _fastmcp_words(text: str) -> list[str]:
    return re.findall(r"[^\W_]{2,}", unicodedata.normalize("NFKC", text).casefold())


CLIENTS: Final[Mapping[str, Callable[[Sequence[ListedTool]], Search]]] = {
    "claude-code": claude_code,
    "codex": codex,
    "fastmcp": fastmcp,
}
