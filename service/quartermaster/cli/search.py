"""``qm search``: finds the tools for a goal, as an agent does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from typer import Option

from quartermaster import api
from quartermaster.cli.command import Command, Qm
from quartermaster.cli.noun import WORDS, Noun
from quartermaster.cli.options import AsOf, Mode
from quartermaster.cli.output import Columns, err
from quartermaster.cli.session import Row
from quartermaster.core.api_call import without_none
from quartermaster.core.errors import QmError, argument_invalid

noun = Noun()


@noun.verb()
def search_command(
    qm: Qm,
    goal: Annotated[str, "The goal in plain words.", WORDS],
    mode: Mode = "balanced",
    limit: Annotated[int | None, "Maximum number of tools.", Option(min=1, max=100)] = None,
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
    asked = without_none(
        goal=goal,
        mode=mode,
        limit=limit,
        budget_tokens=budget_tokens,
        as_of=as_of and as_of.isoformat(),
    )
    with err.status("searching"):
        found = search(qm, asked)
        rows: list[Row] = found["tools"]
        hint: str | None = None
        arriving = bool(found.pop("onTheirWay", None))
        if qm.dsn is not None and as_of is None:
            arriving = all(row["weak"] for row in rows)
        if arriving:
            [arrivals] = qm.read(api.count_arrivals())
            if hint := arrivals["hint"]:
                found["on_their_way"] = {
                    name: number for name, number in arrivals.items() if name != "hint"
                }
    if as_of is not None:
        otherwise = "another time"
    elif budget_tokens is not None:
        otherwise = "allow more tokens"
    else:
        otherwise = "add servers with: qm import FILE"
    next_step = hint or f"Try other words, or {otherwise}."
    last: Columns = [("why", _why)] if explain else ["brief"]
    empty = f"No tool was found. {next_step}"
    if note_no_fit(qm, rows, "tools") and hint:
        qm.say(hint)
    qm.table(rows, ("rank", "name", ("score", "{score:.3f}"), *last), empty=empty)
    note_unavailable(qm, rows)
    if number := found.get("receipt"):
        qm.say(f"Receipt {number}. Read it: qm receipts show {number}")
    note_faults(qm, found)
    return found


def search(qm: Command, asked: Row) -> dict[str, Any]:
    """Searches for tools or cards, and returns the answer of the service, or of the database that
    the DSN names. The database uses keywords only, unless it can embed goals itself.

    Args:
        qm: the command.
        asked: arguments of the tool search_tools.
    """
    if qm.dsn is None:
        answer = qm.service.post("/v1/search", {**asked, "full": False})
        if answer.keys().isdisjoint({"tools", "cards"}):
            raise QmError(
                502,
                "not_understood",
                "The service did not answer the search.",
                "Check the address of the service (QM_URL).",
            )
        return answer | {
            name: [_complete(row) for row in answer[name]]
            for name in ("tools", "cards")
            if name in answer
        }
    given = {"top" if name == "limit" else name: value for name, value in asked.items()}
    rows: Sequence[Row] = (
        qm.call(api.select_tools(**given))
        if "as_of" in asked
        else qm.call(api.search_cards(**given))
    )
    left_out = {"receipt", "ref"} if "kinds" in asked else {"receipt", "ref", "kind"}
    found: dict[str, Any] = {
        "cards" if "kinds" in asked else "tools": [
            {key: value for key, value in row.items() if key not in left_out} for row in rows
        ]
    }
    if "as_of" not in asked:
        goal = asked["goal"]
        found["receipt"] = (
            rows[0]["receipt"] if rows else qm.call_value(api.last_receipt(goal=goal))
        )
    advice: str | None = qm.call_value(api.advise_goal(goal=asked["goal"]))
    return found | without_none(advice=advice)


def _complete(row: Row) -> Row:
    """Returns a row with all columns that it has in SQL. The service leaves out ``weak`` and
    ``unavailable`` if they do not apply.
    """
    given = {key: value for key, value in row.items() if key != "signature"}
    return {"weak": False, "unavailable": None, **given}


def note_faults(qm: Command, found: Row) -> None:
    """Prints the notes in the answer to a search: advice, failed models, an outage."""
    for text in filter(None, [found.get("advice"), *found.get("warnings", ())]):
        qm.note(text)
    if outage := found.get("outage"):
        qm.note(outage["message"])


def note_no_fit(qm: Command, rows: Sequence[Row], what: str) -> bool:
    """Prints a note above the table if all results are weak matches; returns whether they are."""
    is_weak = bool(rows) and all(row.get("weak") for row in rows)
    if is_weak:
        qm.say(f"No {what} fit this goal. The nearest {what} are:")
    return is_weak


def note_unavailable(qm: Command, rows: Sequence[Row]) -> None:
    """Prints why some results cannot be used now."""
    for row in rows:
        if unavailable := row.get("unavailable"):
            reason, remedy = unavailable["reason"], unavailable["remedy"]
            qm.say(f"{row['name']} cannot be used now: {reason.rstrip('.')}. {remedy}")


def _why(row: Row) -> str:
    """Returns the score from each stage, and the channels that found the tool."""
    scores: dict[str, Any] = row["scores"]
    stages = [f"{stage} {value:.4g}" for stage, value in scores.items() if stage != "sources"]
    return ", ".join([*stages, f"found by {' and '.join(scores.get('sources', []))}"])
