"""Candidates: instructions that the miners propose, with the evidence for them."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from quartermaster_decisions.codebase import WHOLE_TREE

Confidence = Literal["low", "medium", "high"]


@dataclass
class Evidence:
    """One piece of evidence for or against a candidate."""

    kind: Literal["file", "commit", "document"]
    path: str = ""
    line: int = 0
    end_line: int = 0
    blob: str = ""
    line_hash: str = ""
    commit: str = ""
    excerpt: str = ""
    role: Literal["supports", "contradicts"] = "supports"

    def as_json(self) -> dict[str, Any]:
        """Returns the members as a dict. Unknown members are null."""
        known = {name: value or None for name, value in vars(self).items()}
        return known | {"excerpt": self.excerpt}


@dataclass
class Statistics:
    """The counts of cases at the commit that was read.

    Attributes:
        cases, followed: the number of all cases of the check, and the number of cases that follow
            it.
        files: number of files with cases.
        lift: share of cases that follow the check in this scope, minus the usual share elsewhere.
        trend: share of cases that follow the check in the newest files, minus the share in the
            other files.
    """

    cases: int = 0
    followed: int = 0
    files: int = 0
    lift: float = 0.0
    trend: float = 0.0

    @property
    def adherence(self) -> float:
        """The share of the cases that follow the check."""
        return self.followed / self.cases if self.cases else 0.0

    def as_json(self) -> dict[str, Any]:
        return vars(self) | {"lift": round(self.lift, 3), "trend": round(self.trend, 3)}


@dataclass
class DecisionCandidate:
    """A proposed decision.

    Attributes:
        weight: how much this sort of rule matters. The miner sets it.
        miner: name of the miner that found the decision.
        sort: sort of the decision, if the miner finds several sorts.
        home: glob of the package that contains all cases, if the scope is the whole project.
        worth: importance among all candidates. Each further candidate of the same sort is worth
            less.
        valid_from: the commit at which the candidate was found.
    """

    pattern: str
    scope: str = WHOLE_TREE
    check: Mapping[str, Any] | None = None
    polarity: Literal["do", "avoid"] = "do"
    rationale: str = ""
    instead: str = ""
    weight: float = 1.0
    topic: str = ""
    miner: str = ""
    sort: str = ""
    home: str = ""
    keywords: list[str] = field(default_factory=list[str])
    applies_when: str = ""
    rejected: list[str] = field(default_factory=list[str])
    statistics: Statistics = field(default_factory=Statistics)
    evidence: list[Evidence] = field(default_factory=list[Evidence])
    valid_from: str = ""
    worth: float = 0.0
    examples: list[tuple[str, int]] = field(default_factory=list[tuple[str, int]])

    @property
    def importance(self) -> float:
        """How much the candidate matters to somebody who writes new code in this code base."""
        numbers = self.statistics
        spread = math.log2(2 + min(numbers.cases, 400)) + math.log2(2 + min(numbers.files, 100))
        lift = 0.25 + max(numbers.lift, 0.0)
        return self.weight * spread * lift * (0.5 + numbers.adherence / 2)

    @property
    def confidence(self) -> Confidence:
        """The confidence, computed only from the counts."""
        numbers = self.statistics
        if self.check is None or numbers.cases < 15:
            return "low"
        return "high" if numbers.cases >= 30 and numbers.adherence >= 0.97 else "medium"

    def as_json(self) -> dict[str, Any]:
        """Returns the candidate in the form in which the database stores it."""
        return {
            "pattern": self.pattern,
            "scope": scope_json(self.scope),
            "polarity": self.polarity,
            "rationale": self.rationale,
            "instead": self.instead,
            "confidence": self.confidence,
            "keywords": self.keywords,
            "applies_when": self.applies_when,
            "rejected_alternatives": self.rejected,
            "origin": "bootstrap",
            "miner": self.miner,
            "check": None if self.check is None else dict(self.check),
            "statistics": self.statistics.as_json(),
            "importance": round(self.worth, 3),
            "valid_from": self.valid_from or None,
            "evidence": [each.as_json() for each in self.evidence],
        }


def scope_json(scope: str) -> dict[str, str]:
    """Returns the scope (as JSON) for a path glob. The glob `**` stands for the whole project."""
    return (
        {"kind": "global", "value": ""} if scope == WHOLE_TREE else {"kind": "path", "value": scope}
    )
