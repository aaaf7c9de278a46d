"""Errors raised in an outage, with the limits and hints that the outage copy contains."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from quartermaster.core.errors import QmError
from quartermaster.outage.rights import Rights


def needs_database(what: str, instead: str) -> QmError:
    """Return QM503 database_unavailable.

    Args:
        what: the information that only the database has.
        instead: what the caller can do; "when the database is back" is appended.
    """
    return QmError(
        503,
        "database_unavailable",
        f"The database is unavailable, and only it knows {what}.",
        f"{instead} when the database is back.",
    )


def quoted(value: object, longest: int | None = None) -> str:
    """Quote a value as the database's messages do: shortened, then quoted like %L in format().

    Args:
        value: the value to quote.
        longest: largest number of characters to show; None shows all of them.
    """
    if value is None:
        return "NULL"
    text = str(value)[:longest].replace("'", "''")
    return f"'{text}'" if "\\" not in text else "E'" + text.replace("\\", "\\\\") + "'"


def require_search(rights: Rights, arguments: Mapping[str, Any]) -> tuple[str, int, int | None]:
    """Check the goal, the number of cards and their budget, as api.search_cards does.

    Raises:
        QmError: QM413 goal_too_long, QM422 goal_empty, mode_unknown, argument_invalid.
    """
    goal = (arguments["goal"] or "").strip()
    longest: int = rights.facts["longest_goal"]
    if not goal:
        raise rights.error("goal_empty", "the goal is empty")
    if len(goal) > longest:
        told = f"the goal is {len(goal)} characters long, the limit is {longest}"
        raise rights.error("goal_too_long", told)
    modes: dict[str, int] = dict(rights.facts["modes"])
    mode: str | None = arguments.get("mode", "balanced")
    if mode not in modes:
        told = f"there is no mode called {quoted(mode)}"
        raise rights.error("mode_unknown", told, f"Use one of: {', '.join(modes)}.")
    top: int | None = arguments.get("top")
    if top is None:
        top = modes[mode]
    if not 1 <= top <= 100:
        told = f"the number of cards must be between 1 and 100, got {top}"
        raise rights.error("argument_invalid", told, "Ask for 1 to 100, or leave it out.")
    budget: int | None = arguments.get("budget_tokens")
    if budget is not None and budget < 1:
        raise rights.error(
            "argument_invalid",
            f"budget_tokens must be above 0, got {budget}",
            "A tool definition is typically a few hundred tokens long; "
            "omit budget_tokens for no limit.",
        )
    return goal, top, budget


def require_kinds(rights: Rights, kinds: list[str]) -> list[str]:
    """Check that the kinds exist and are in the outage copy.

    Raises:
        QmError: QM404 kind_not_found, QM503 database_unavailable.
    """
    known: Mapping[str, Mapping[str, Any]] = rights.facts["kinds"]
    unknown = [kind for kind in kinds if kind not in known]
    if unknown or not kinds:
        told = f"there is no kind of card called {quoted(min(unknown, default=None), 200)}"
        raise rights.error("kind_not_found", told, f"Use one of: {', '.join(sorted(known))}.")
    for kind in kinds:
        if not known[kind]["is_kept"]:
            raise needs_database(f"the cards of kind {kind}", "Search for them")
    return kinds
