"""A scanner that reports violations of the project's canonical decisions, for the quality score."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, Final

from quartermaster.core.findings import Finding, Scan, Severity, Status
from quartermaster.core.kind_packages import KindScanner
from quartermaster.projects.guard import ProjectFileAccess
from quartermaster.projects.project_files import walk
from quartermaster.projects.threads import run_sync
from quartermaster_decisions import api
from quartermaster_decisions.checking import Violation, cases_if_possible, usable, violations
from quartermaster_decisions.codebase import module_names
from quartermaster_decisions.languages import language_of

if TYPE_CHECKING:
    from quartermaster.db import Database, Principal

_NAME: Final = "decisions"
_SEVERITIES: Final = {"high": Severity.HIGH, "medium": Severity.MEDIUM, "low": Severity.LOW}
_NEEDED_MEMBERS: Final = (
    "id", "pattern", "polarity", "instead", "rationale", "confidence", "health", "check",
)  # fmt: skip


async def canonical_decisions(
    database: Database, principal: Principal, project: str, path: str
) -> list[dict[str, Any]]:
    """Returns the canonical decisions that apply to a file, best first.

    Args:
        database, principal, project, path: see `facts`.
    """
    asked = api.find_decisions(project=project, status="canonical", path=path)
    return [row["find_decisions"] for row in await database.call(asked, principal)]


async def facts(
    database: Database, principal: Principal, project: str, guard: ProjectFileAccess, path: str
) -> bytes:
    """Returns the decisions that a file could violate and the file's module name, as JSON.

    Args:
        database: the database with the decisions.
        principal: the principal who asks.
        project: OWNER/NAME.
        guard: reads the files of the project.
        path: path of the file, below the root.

    Returns:
        The JSON. Empty if there is nothing to check.
    """
    decisions = await canonical_decisions(database, principal, project, path)
    found = [decision for decision in decisions if decision["check"]]
    if not found or language_of(path) is None:
        return b""
    found.sort(key=lambda each: each["id"])
    needed = [{name: each[name] for name in _NEEDED_MEMBERS} for each in found]
    module = await run_sync(_module_of, guard, path)
    return json.dumps({"module": module, "decisions": needed}, sort_keys=True).encode()


def _module_of(guard: ProjectFileAccess, path: str) -> str:
    """Returns the dotted name with which a file is imported. Returns an empty string if the file
    does not exist now.
    """
    return module_names(walk(guard).files).get(path, "")


def examine(path: str, data: bytes, facts: bytes) -> Scan:
    """Finds the places in a file that violate a decision. Runs in a worker.

    Args:
        path: path of the file.
        data: bytes of the file.
        facts: the result of the function `facts`.
    """
    known = json.loads(facts)
    language = language_of(path)
    assert language is not None, "of such a file there are no facts"
    file = language.read(path, known["module"], data)
    checked = usable(known["decisions"])
    cases, error = cases_if_possible(file, data, checked)
    found = tuple(_finding(each) for each in violations(path, cases))
    reasons = [error.message] if error is not None else []
    if unusable := [each["id"] for each in known["decisions"] if each not in checked]:
        numbers = ", ".join(map(str, unusable))
        reasons.append(f"The checks of these decisions cannot be used: {numbers}.")
    if reasons:
        reason = " ".join([*reasons, "Edit the decisions."])
        return Scan(_NAME, "", Status.DEGRADED, reason, found)
    return Scan(_NAME, "", Status.OK, findings=found)


def _finding(violation: Violation) -> Finding:
    decision = violation.decision
    return Finding(
        f"decision-{decision['id']}",
        " ".join(
            part
            for part in (
                f"The project has decided: {decision['pattern'].rstrip('.')}.",
                f"This place: {violation.what}.",
                f"The reason: {decision['rationale']}" if decision["rationale"] else "",
            )
            if part
        ),
        violation.line,
        _SEVERITIES[decision["confidence"]],
        # With the polarity do, `instead` says what not to do.
        remedy=(decision["instead"] if decision["polarity"] == "avoid" else "")
        or f"Follow the decision {decision['id']}, or ask a curator.",
        # The code may have left such a decision behind.
        is_hint=decision["health"] != "fresh",
    )


SCANNER: Final = KindScanner(_NAME, facts, examine)
