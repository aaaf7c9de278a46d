"""``qm search``: finds the tools for a goal, as an agent does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from quartermaster.cli.command import Command, Qm
from quartermaster.cli.goal_models import embed_goal, rerank
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import AsOf
from quartermaster.cli.output import Columns, err
from quartermaster.cli.session import Row
from quartermaster.core.errors import argument_invalid

noun = Noun()


@noun.verb()
def search_command(
    qm: Qm,
    goal: Annotated[str, "The goal in plain words.", WORDS],
    mode: Annotated[str, "Mode: fast, balanced or thorough."] = "balanced",
    limit: Annotated[int | None, "Maximum number of tools, 1 to 100."] = None,
    budget_tokens: Annotated[
        int | None, "Maximum length of all tool definitions together, in tokens."
    ] = None,
    explain: Annotated[
        bool,
        "Show how each tool was found (by words, meaning or name), and the score that each stage"
        " of the search gave it.",
    ] = False,
    as_of: AsOf = None,
) -> Row:
    """Find the tools for a goal."""
    if as_of is not None and budget_tokens is not None:
        raise argument_invalid(
            "--budget-tokens cannot be combined with --as-of.", "Give only one of these options."
        )
    with err.status("searching"):
        asked: Row = {"goal": goal, "mode": mode, "query_vector": embed_goal(qm, goal)}
        if as_of is not None:
            facts: Row = {"as_of": as_of}
            rows = qm.call("select_tools", **asked, top=limit, as_of=as_of)
        else:
            further = {"top": limit, "rerank": rerank(qm, asked), "budget_tokens": budget_tokens}
            rows = qm.call("search_cards", **asked, **further)
            known = rows[0]["receipt"] if rows else qm.call_value("last_receipt", goal=goal)
            facts = {"receipt": known}
        [arrivals] = qm.call("count_arrivals")
        advice: str | None = qm.call_value("advise_goal", goal=goal)
    hint: str | None = arrivals.pop("hint")
    if hint:
        facts["on_their_way"] = arrivals
    if as_of is not None:
        otherwise = "another time"
    elif budget_tokens is not None:
        otherwise = "allow more tokens"
    else:
        otherwise = "add servers with: qm import FILE"
    if advice:
        facts["advice"] = advice
    next_step = hint or f"Try other words, or {otherwise}."
    last: Columns = [("why", _why)] if explain else ["brief"]
    empty = f"No tool was found. {next_step}"
    is_weak = note_no_fit(qm, rows, "tools")
    qm.table(rows, ("rank", "name", ("score", "{score:.3f}"), *last), empty=empty)
    if hint and is_weak:
        qm.say(hint)
    note_unavailable(qm, rows)
    if facts.get("receipt"):
        number = facts["receipt"]
        qm.say(f"Receipt {number}. Read it: qm psql --admin -c 'select show_receipt({number})'")
    if advice:
        qm.note(advice)
    left_out = {"receipt", "ref", "kind"}
    return facts | {"tools": [{k: v for k, v in r.items() if k not in left_out} for r in rows]}


def note_no_fit(qm: Command, rows: Sequence[Row], what: str) -> bool:
    """Prints a note above the table if all results are weak matches, and tells whether they are."""
    is_weak = bool(rows) and all(row["weak"] for row in rows)
    if is_weak:
        qm.say(f"No {what} fit this goal. The nearest {what} are:")
    return is_weak


def note_unavailable(qm: Command, rows: Sequence[Row]) -> None:
    """Prints why some results cannot be used now."""
    for row in rows:
        if unavailable := row["unavailable"]:
            reason, remedy = unavailable["reason"], unavailable["remedy"]
            qm.say(f"{row['name']} cannot be used now: {reason.rstrip('.')}. {remedy}")


def _why(row: Row) -> str:
    """The score from each stage, and the channels that found the tool."""
    scores: Row = row["scores"]
    stages = [f"{stage} {value:.4g}" for stage, value in scores.items() if stage != "sources"]
    return ", ".join([*stages, f"found by {' and '.join(scores.get('sources', []))}"])
