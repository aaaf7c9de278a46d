"""What a scanner reports about one file."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How bad a finding is."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    CRITICAL = "critical"


class Status(StrEnum):
    """How a scan ended. Only OK means that the scanner read the whole file.

    DEGRADED: the scanner read a part of the file. SKIPPED: the scanner is not installed, or does
    not apply to this kind of file. ERROR: the scanner failed, hung, or could not parse the file.
    """

    OK = "ok"
    DEGRADED = "degraded"
    SKIPPED = "skipped"
    ERROR = "error"


@dataclass(frozen=True)
class FlowStep:
    """One step of data on the way from a source to a dangerous call.

    Attributes:
        line: line in the file, from 1.
        text: what happens there, in one sentence.
    """

    line: int
    text: str


@dataclass(frozen=True)
class Finding:
    """One place in a file that breaks a rule.

    Attributes:
        rule: id of the rule, such as ``S608`` or ``taint-sql``.
        message: what is wrong, in one sentence. Never contains a secret's value.
        line: first line, from 1.
        severity: how bad it is.
        column: first column, from 0.
        end_line: last line; None if it is the first.
        cwe: number of the CWE, or None.
        remedy: the change that makes the code safe or clean.
        steps: for findings of the taint pass: source, steps, sink.
        is_hint: whether the finding is only a hint, which affects no score and fails no check.
        name: the name in the code that does not exist, if the finding is about one.
        rows: the lines in which a comment can suppress the finding. If it is empty, these are the
            first to the last line.
        suppressed_by: the word in the file that tells the scanner not to report the finding; empty
            if there is none. The finding counts nevertheless, unless it is a hint.
        suppressed_at: the line of this word.
    """

    rule: str
    message: str
    line: int
    severity: Severity
    column: int = 0
    end_line: int | None = None
    cwe: int | None = None
    remedy: str = ""
    steps: tuple[FlowStep, ...] = ()
    is_hint: bool = False
    name: str = ""
    rows: tuple[int, ...] = ()
    suppressed_by: str = ""
    suppressed_at: int | None = None

    def shown(self) -> dict[str, Any]:
        """Returns the members that people see in a summary."""
        names = ("rule", "cwe", "line", "severity", "message")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True)
class Scan:
    """What one scanner says about one file.

    Attributes:
        tool: name of the scanner, such as ``ruff``.
        version: version of the scanner; empty if it is not installed.
        status: how the scan ended.
        reason: why the status is not OK, and what to do; empty if it is OK.
        findings: what it found.
        metrics: numbers that it measured, such as ``{"complexity": 7}``.
        elapsed_ms: duration in milliseconds.
    """

    tool: str
    version: str
    status: Status
    reason: str = ""
    findings: tuple[Finding, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict[str, float])
    elapsed_ms: float = 0
