"""What the project has decided: canonical decisions with a check, as rules. Runs in a worker."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

from quartermaster.decisions.checking import Violation, cases_if_possible, usable, violations
from quartermaster.decisions.languages import language_of
from quartermaster.quality.findings import Finding, Scan, Severity, Status
from quartermaster.quality.scanners.interface import Source
from quartermaster.quality.scanners.parsing import unparsed

_SEVERITIES: Final = {"high": Severity.HIGH, "medium": Severity.MEDIUM, "low": Severity.LOW}
_NEEDED: Final = (
    "id", "pattern", "polarity", "instead", "rationale", "confidence", "health", "check",
)  # fmt: skip


def rules_of(decisions: Sequence[Mapping[str, Any]], module: str) -> bytes:
    """What `examine` has to know besides the file, as JSON.

    Args:
        decisions: decisions as api.find_decisions returns them.
        module: name by which the file is imported.
    """
    needed = [{name: each[name] for name in _NEEDED} for each in decisions]
    return json.dumps({"module": module, "decisions": needed}, sort_keys=True).encode()


def examine(source: Source, _settings: object, rules: bytes) -> Scan:
    """Looks for places in a file that do not follow a decision.

    Args:
        source: the file.
        rules: see `rules_of`.
    """
    known = json.loads(rules)
    language = language_of(source.path)
    if not known["decisions"] or language is None:
        return Scan("decisions", "", Status.OK)
    if wrong := unparsed(source, "decisions"):
        return wrong
    facts = language.read(source.path, known["module"], source.data)
    checked = usable(known["decisions"])
    cases, error = cases_if_possible(facts, source.data, checked)
    found = tuple(_finding(each) for each in violations(source.path, cases))
    reasons = [error.message] if error is not None else []
    if unusable := [each["id"] for each in known["decisions"] if each not in checked]:
        numbers = ", ".join(map(str, unusable))
        reasons.append(f"The checks of these decisions cannot be used: {numbers}.")
    if reasons:
        reason = " ".join([*reasons, "Edit the decisions."])
        return Scan("decisions", "", Status.DEGRADED, reason, found)
    return Scan("decisions", "", Status.OK, findings=found)


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
