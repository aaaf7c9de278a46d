"""Writes decisions as text for models and for people."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from quartermaster_decisions import api

_NEGATION: Final = re.compile(
    r"\b(never|no|not|none|nothing|avoid|without|only|don't|cannot|forbidden)\b", re.IGNORECASE
)


def decisions_text(rows: Sequence[api.DecisionsForRow]) -> str:
    """Returns the decisions as text for a model: numbered instructions, with places that serve as
    examples.
    """
    if not rows:
        return "No decision applies. Follow the code around the place that you change."
    lines = [_line(row) for row in rows]
    return "\n".join([*lines, f"Receipt {rows[0]['receipt']}: rate them with rate_decisions."])


def instruction(row: Mapping[str, Any]) -> str:
    """Returns the pattern of a decision as an instruction. If the pattern describes something
    forbidden, the instruction begins with AVOID.
    """
    forbids = row["polarity"] == "avoid" and not _NEGATION.search(row["pattern"])
    return f"AVOID: {row['pattern']}" if forbids else str(row["pattern"])


def alternative(row: Mapping[str, Any]) -> str:
    """Returns what a decision says to avoid or, if its pattern is forbidden, what it says to do
    instead. Returns an empty string if the decision does not say this.
    """
    word = "Instead" if row["polarity"] == "avoid" else "Not"
    return f"{word}: {row['instead'].rstrip('.')}." if row["instead"] else ""


def _line(row: api.DecisionsForRow) -> str:
    instead = f" {text}" if (text := alternative(row)) else ""
    flag = "" if row["health"] == "fresh" else f" ({row['health']}: check before you rely on it)"
    places = [place for each in row["evidence"] if (place := _place(each))]
    see = f" See {', '.join(places)}." if places else ""
    reason = f" Because: {row['rationale']}" if row["rationale"] else ""
    return f"[{row['index']}] {instruction(row)}{instead}{flag} ({row['scope']}).{reason}{see}"


def _place(evidence: Mapping[str, Any]) -> str:
    if "path" in evidence:
        line = f":{evidence['line']}" if "line" in evidence else ""
        return f"{evidence['path']}{line}"
    return f"commit {evidence['commit'][:12]}" if "commit" in evidence else ""
