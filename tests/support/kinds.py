"""The kinds that are shipped, and the domains that know none of them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from tests.support.sql_files import OPERATION_SCHEMAS, ROOT, files, place_of

DECLARED: Final = {path.stem: path for path in files("sql/kinds/*.sql")}
"""The kinds that are shipped, each with the file that declares it."""
SHIPPED: Final = sorted(DECLARED)
ENGINE: Final = (
    "audit",
    "calls",
    "core",
    "jobs",
    "policy",
    "search",
    "selection",
    "snapshots",
    "stats",
)
# The pgTAP files of these domains.
TESTS_OF_ENGINE: Final = sorted(
    path
    for domain in (*ENGINE, *(f"{each}/{name}" for each in OPERATION_SCHEMAS for name in ENGINE))
    for path in (ROOT / "tests" / "sql" / domain).rglob("*.sql")
)
# The api functions that are about one kind and may therefore name it: their names say tools, or
# they serve tools/list, a past tools/list, and the goals for which tools are known.
OF_TOOLS: Final = re.compile(r"tools?$|^(list_exposed|search_past|list_golden_tasks)$")
# In a file of rules, tools is short for names of kind tool.
RULE_SYNTAX: Final = ROOT / "functions" / "policy" / "put_matcher.sql"

_NEW_NAMES: Final = {kind: f"kind_{chr(97 + place)}" for place, kind in enumerate(SHIPPED)}
# Guardrails have a member "instructions", which is no kind, and a schema may be called like one.
_NAMED: Final = re.compile(
    rf"(?<=['\"{{,])(?!instructions\": \")({'|'.join(SHIPPED)})(?=['\"}}, ])(?!'::regnamespace)"
)


def is_of_engine(path: Path) -> bool:
    """Tells whether a file below functions/ belongs to the engine, which names no kind."""
    folder, *further = path.relative_to(place_of(path) / "functions").parts[:-1]
    if folder not in OPERATION_SCHEMAS:
        return folder in ENGINE and path != RULE_SYNTAX
    return further[0] in (*ENGINE, "catalog") and not OF_TOOLS.search(path.stem)


def renamed(text: str) -> str:
    """SQL in which every shipped kind has another name."""
    return _NAMED.sub(lambda match: _NEW_NAMES[match.group()], text)


def new_name(kind: str) -> str:
    """Returns the other name of a shipped kind; any other word as it is."""
    return _NEW_NAMES.get(kind, kind)
