"""One session of a client: the stand-in asks for many goals, and what was found for each is read.

There are three ways to connect the servers of a desk: to the client itself (`direct`), through
Quartermaster, whose list then has all tools (`list`), or through Quartermaster's search (`search`).
In the first two, the client's own search finds tools, if it has one.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, Literal, cast

from bm25s.tokenization import STOPWORDS_EN

from lab.clients.desks import SHORTENED, Desk, plain
from quartermaster.clients.own_entry import SERVER
from quartermaster.doors.mcp.bridge_tools import SEARCH_TOOLS
from tests.clients.programs import Address, Program
from tests.clients.stand_in import silent
from tests.clients.wires import Call, Offer

Way = Literal["direct", "list", "search"]
WAYS: Final[tuple[Way, ...]] = ("direct", "list", "search")
WORDINGS: Final = ("goal", "keywords")
"""How a model may ask the search of its client: with the goal, or with its words that say most."""

# So many goals are asked for at once, and so often if a call fails.
_BATCH: Final = 20
_TRIES: Final = 3
# Before the name of a tool that is not of the desk, such as one of Quartermaster's own.
UNKNOWN_TOOL: Final = "?"


@dataclass(frozen=True)
class Found:
    """What was found for a goal.

    Attributes:
        ids: of the tools, best first; `UNKNOWN_TOOL` and the name for one that is not of the desk.
        says_nothing: whether the answer says that nothing fits.
    """

    ids: tuple[str, ...]
    says_nothing: bool


def worded(goal: str, wording: str) -> str:
    """Returns the query for a goal."""
    if wording == "goal":
        return goal
    words = re.findall(r"[^\W_]+", goal)
    return " ".join(word for word in words if word.lower() not in STOPWORDS_EN) or goal


class Asking:
    """A script that asks for every goal of a desk.

    Args:
        program: the client.
        desk: the desk.
        way: how its servers are connected.
    """

    def __init__(self, program: Program, desk: Desk, way: Way) -> None:
        self._program, self._desk, self._way = program, desk, way
        self._is_ours = way == "search"
        wordings = WORDINGS[:1] if self._is_ours else WORDINGS
        self._waiting = [(task.key, one) for one in wordings for task in desk.tasks]
        if not self._is_ours and program.search is None:
            self._waiting = []
        self._goals = {task.key: task.goal for task in desk.tasks}
        self._asked: dict[tuple[str, str], list[Call]] = {}
        self._answers: dict[str, Any] = {}
        self._times: Counter[tuple[str, str]] = Counter()
        self._is_first = True

    def next(self, offer: Offer) -> list[Call]:
        """The script."""
        self._answers |= offer.results
        self._ask_again()
        if self._is_first and self._is_ours and offer.sees(SEARCH_TOOLS) != "loaded":
            self._is_first = False
            return self._program.load(SERVER, SEARCH_TOOLS)
        self._is_first = False
        batch, self._waiting = self._waiting[:_BATCH], self._waiting[_BATCH:]
        for key, wording in batch:
            query = worded(self._goals[key], wording)
            self._asked[key, wording] = self._calls(query)
            self._times[key, wording] += 1
        return [call for one in batch for call in self._asked[one]]

    def _ask_again(self) -> None:
        """Puts goals back whose call failed, such as by a closed connection; a few times each."""
        if not self._is_ours:
            return
        for asked, [call] in self._asked.items():
            failed = call.id in self._answers and not is_ours(str(self._answers[call.id]))
            if failed and self._times[asked] < _TRIES and asked not in self._waiting:
                self._waiting.append(asked)

    def _calls(self, query: str) -> list[Call]:
        if self._is_ours:
            return [self._program.call(SERVER, SEARCH_TOOLS, {"goal": query})]
        assert self._program.search is not None
        return self._program.search(query)

    def found(self) -> dict[tuple[str, str], Found]:
        """Returns what was found for each goal and wording.

        Raises:
            KeyError: a call was not answered.
        """
        return {
            asked: self._read([self._answers[call.id] for call in calls])
            for asked, calls in self._asked.items()
        }

    def _read(self, answers: Sequence[Any]) -> Found:
        if self._is_ours:
            return read_ours(str(answers[0]), self._desk.ids)
        # Text instead of names says that there are none.
        lists = [cast("list[str]", one) if isinstance(one, list) else [] for one in answers]
        ids = known(
            dict.fromkeys(name for names in lists for name in names),
            self._desk.ids,
            ("mcp", f"mcp{SERVER}"),
        )
        return Found(tuple(ids), not ids)


def known(
    names: Iterable[str], ids: Mapping[str, str], prefixes: Collection[str] = ("",)
) -> list[str]:
    """Returns the ids of tools by the names that a client gave them. Tools of the client itself
    are left out.

    Args:
        names: the names.
        ids: see `Desk.ids`.
        prefixes: which the client puts before the names of tools of servers.
    """
    found: list[str] = []
    for name in map(plain, names):
        if any(name.startswith(prefix) for prefix in prefixes):
            spellings = [*(name.removeprefix(prefix) for prefix in prefixes), name[-SHORTENED:]]
            found.append(next((ids[one] for one in spellings if one in ids), UNKNOWN_TOOL + name))
    return found


def is_ours(answer: str) -> bool:
    """Returns whether it is an answer of search_tools."""
    try:
        read_ours(answer, {})
    except (ValueError, KeyError):
        return False
    return True


def read_ours(answer: str, ids: Mapping[str, str]) -> Found:
    """Reads an answer of search_tools. A client shows its model the structured content, or the
    text.

    Args:
        answer: as the model sees it.
        ids: see `Desk.ids`.

    Raises:
        ValueError: it is neither.
    """
    start = answer.find('{"')
    if start >= 0:
        tools: list[dict[str, Any]] = json.JSONDecoder().raw_decode(answer[start:])[0]["tools"]
        names = [str(tool["name"]) for tool in tools]
        return Found(tuple(known(names, ids)), all(tool.get("weak") for tool in tools))
    names = re.findall(r"^\d+\. (.+?)\(", answer, re.MULTILINE)
    says_nothing = re.search(r"^No tools? (fit|was found)", answer, re.MULTILINE) is not None
    if not names and not says_nothing:
        raise ValueError(f"no answer of {SEARCH_TOOLS}: {answer[:200]}")
    return Found(tuple(known(names, ids)), says_nothing)


@dataclass(frozen=True)
class Session:
    """What came of a session.

    Attributes:
        first: what the client sent its model first.
        found: what was found for each goal and wording.
    """

    first: Offer
    found: dict[tuple[str, str], Found]


def hold(program: Program, desk: Desk, way: Way, servers: Mapping[str, Address]) -> Session:
    """Runs a session of a client for all goals of a desk.

    Args:
        program: the client.
        desk: the desk.
        way: how its servers are connected.
        servers: what the client connects to.
    """
    script = Asking(program, desk, way)
    model = program.run(servers, script.next)
    return Session(model.offers[0], script.found())


@cache
def bare(program: Program) -> int:
    """Returns how many characters a client shows its model without any server."""
    return program.run({}, silent).offers[0].characters
