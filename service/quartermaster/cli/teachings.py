"""``qm tool teach``, ``qm tool teachings``: for goals like this one, that tool."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from typer import Argument, Option

from quartermaster import api
from quartermaster.cli.command import Command, Consent, Qm
from quartermaster.cli.goal_models import embed_goals
from quartermaster.cli.noun import Noun
from quartermaster.cli.options import Reason
from quartermaster.cli.output import confirm, counted, err
from quartermaster.cli.session import Row
from quartermaster.core.errors import QmError, argument_invalid
from quartermaster.core.kinds import TOOL

_KINDS: Final = [TOOL]
_SEARCHES: Final = 200
_BATCH: Final = 500

Acting = Annotated[
    str | None,
    "Name of the operator who teaches. Only searches of the operator's organisation change.",
    Option("--as"),
]


def add_commands(noun: Noun) -> None:
    """Adds the commands that teach searches.

    Args:
        noun: noun to which the commands are added.
    """
    noun.verb()(teach_command)
    noun.verb()(teachings_command)


@dataclass(frozen=True)
class KnownGoal:
    """A goal, and the tools that are known to be right for it.

    Attributes:
        goal: the goal.
        right: names of the right tools, as origin__name or origin/name; empty if unknown.
    """

    goal: str
    right: frozenset[str] = frozenset()


@dataclass(frozen=True)
class Effect:
    """What a teaching changes for one goal.

    Attributes:
        goal: the goal.
        was: the first tool without the teaching; None if no tool was found.
        becomes: the first tool with the teaching.
        was_right: whether the first tool was right; None if nobody knows.
        becomes_right: whether the first tool is right now.
    """

    goal: str
    was: str | None
    becomes: str | None
    was_right: bool | None
    becomes_right: bool | None

    @property
    def verdict(self) -> str:
        """Whether the goal becomes right or wrong, for people."""
        if self.was_right == self.becomes_right:
            return "" if self.was_right is None else "no change"
        return "right" if self.becomes_right else "wrong"


def teach_command(
    qm: Consent,
    goal: Annotated[
        str | None, "A goal in one sentence, as agents put it, in quotes.", Argument()
    ] = None,
    tool: Annotated[str | None, "Name of the right tool for such goals.", Argument()] = None,
    instead_of: Annotated[
        str | None, "Name of a wrong tool, which ranks lower for such goals.", Option("--not")
    ] = None,
    reason: Reason = "",
    preview: Annotated[
        bool, "Show which searches would have another first tool, and teach nothing."
    ] = False,
    queries: Annotated[
        Path | None,
        "File of goals with right tools (queries.jsonl, as for qm eval run) to try, too.",
        Option("--queries"),
    ] = None,
    acting_as: Acting = None,
    forget: Annotated[int | None, "Number of a teaching to forget."] = None,
) -> Row:
    """Teach searches which tool is right for goals like this one.

    First shows which of the last 200 searches would have another first tool.
    """
    if forget is not None:
        return _forgotten(qm, forget, acting_as)
    if goal is None or tool is None:
        raise argument_invalid(
            "Name a goal and a tool, or a teaching to forget.",
            'For example: qm tool teach "show the last commits" git__git_log',
        )
    known = [] if queries is None else read_known(queries)
    asked = _Teaching(goal, tool, instead_of, reason, embed_goals(qm, [goal])[0])
    with err.status("trying the last searches"):
        searches, effects = _tried(qm, asked, known, acting_as)
    _show(qm, effects[:searches], f"of the last {counted(searches, 'search', 'searches')}")
    if known:
        _show(qm, effects[searches:], f"of {counted(len(known), 'goal')} in {queries}")
    answer: dict[str, Any] = {
        "searches": searches,
        "goals": len(known),
        "changes": [
            {
                "goal": one.goal,
                "was": one.was,
                "becomes": one.becomes,
                "was_right": one.was_right,
                "becomes_right": one.becomes_right,
            }
            for one in effects
            if one.was != one.becomes
        ],
        "teaching": None,
        "done": False,
    }
    if preview:
        return answer
    confirm(f"Teach that {tool} is right for such goals?", yes=qm.yes)
    with _as(qm, acting_as, qm.session.together()):
        [row] = qm.call(asked.call())
    number = row["teaching"]
    before = f" It replaces {row['replaced']}." if row["replaced"] else ""
    qm.say(f"Teaching {number} is stored.{before} To undo: qm tool teach --forget {number}.")
    return answer | {"teaching": number, "replaced": row["replaced"], "done": True}


def teachings_command(qm: Qm) -> Sequence[Row]:
    """List what searches were taught: goals and their right tools."""
    rows = qm.read(api.list_teachings(kinds=_KINDS))
    columns = ("teaching", "goal", "name", ("not", "instead_of"), ("by", "created_by"))
    return qm.table(rows, columns, empty="Nothing was taught yet: qm tool teach GOAL TOOL.")


@dataclass(frozen=True)
class _Teaching:
    goal: str
    tool: str
    instead_of: str | None
    reason: str
    vector: str | None

    def call(self) -> Any:
        return api.teach_item(
            kinds=_KINDS,
            goal=self.goal,
            name=self.tool,
            instead_of=self.instead_of,
            query_vector=self.vector,
            reason=self.reason,
        )


def read_known(path: Path) -> list[KnownGoal]:
    """Reads goals with right tools.

    Args:
        path: JSON Lines, each an object with the members query (or goal) and gold (names of tools).

    Raises:
        QmError: QM422 evaluation_file_invalid.
    """
    found = list[KnownGoal]()
    try:
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                one: dict[str, Any] = json.loads(line)
                goal = one["query"] if "query" in one else one["goal"]
                found.append(KnownGoal(str(goal), frozenset(map(str, one.get("gold") or ()))))
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise QmError(
            422,
            "evaluation_file_invalid",
            f"{path} cannot be read: {error}",
            'Each line must be an object such as {"query": "...", "gold": ["git__git_log"]}.',
        ) from error
    return found


def _tried(
    qm: Command, asked: _Teaching, known: Sequence[KnownGoal], acting_as: str | None
) -> tuple[int, list[Effect]]:
    """Returns the number of searches, and the effect of the teaching on each search and goal."""
    with _as(qm, acting_as, qm.session.rolled_back()):
        rows = qm.call(api.list_goals(kinds=_KINDS, maximum=_SEARCHES))
    searched = [KnownGoal(row["goal"], frozenset(row["successful"])) for row in rows]
    tried = [*searched, *known]
    goals = list(dict.fromkeys(one.goal for one in tried))
    vectors = embed_goals(qm, goals)
    with _as(qm, acting_as, qm.session.rolled_back()):
        was = _firsts(qm, goals, vectors)
        qm.call(asked.call())
        becomes = _firsts(qm, goals, vectors)
    return len(searched), [_effect(one, was[one.goal], becomes[one.goal]) for one in tried]


def _firsts(qm: Command, goals: list[str], vectors: list[str | None]) -> Mapping[str, Row]:
    """Returns the first tool for each goal."""
    found: dict[str, Row] = {}
    for start in range(0, len(goals), _BATCH):
        part = goals[start : start + _BATCH]
        known = [vector for vector in vectors[start : start + _BATCH] if vector is not None]
        # Without a model, the database has to embed all of them.
        given = known if len(known) == len(part) else None
        found |= zip(part, qm.call(api.find_first(goals=part, query_vectors=given)), strict=True)
    return found


def _effect(one: KnownGoal, was: Row, becomes: Row) -> Effect:
    def is_right(row: Row) -> bool | None:
        return bool(one.right & {row["name"], row["path"]}) if one.right else None

    return Effect(one.goal, was["name"], becomes["name"], is_right(was), is_right(becomes))


def _as(
    qm: Command, acting_as: str | None, transaction: AbstractContextManager[object]
) -> ExitStack:
    """Returns a context manager for the transaction, whose calls act as a principal."""
    stack = ExitStack()
    stack.enter_context(transaction)
    stack.enter_context(qm.session.acting_as(acting_as))
    return stack


def _forgotten(qm: Command, number: int, acting_as: str | None) -> Row:
    with _as(qm, acting_as, qm.session.together()):
        [row] = qm.call(api.forget_teaching(teaching=number))
    qm.say(f"Teaching {number} is forgotten: {row['goal']!r} no longer means {row['name']}.")
    return {"teaching": number, **row, "done": True}


def _show(qm: Command, effects: Sequence[Effect], of_what: str) -> None:
    changed = [one for one in effects if one.was != one.becomes]
    right = sum(one.verdict == "right" for one in changed)
    wrong = sum(one.verdict == "wrong" for one in changed)
    qm.say(
        f"Another tool comes first for {len(changed)} {of_what}:"
        f" {right} become right, {wrong} become wrong."
    )
    rows = [
        {"goal": one.goal, "was": one.was, "becomes": one.becomes, "verdict": one.verdict}
        for one in {one.goal: one for one in changed}.values()
    ]
    if rows:
        qm.table(rows, ("goal", "was", "becomes", "verdict"))
