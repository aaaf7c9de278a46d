"""Finds properties that nearly all cases of an area have and that are rare elsewhere.

A case is a place in the code, such as a class or a call. An area is a folder or file, or a name of
files. A miner gives each case a subject (the group in which the case is counted) and properties.
This module counts the cases for each area, subject and property. A property is a consensus if at
least 90 % of at least 15 cases have it. If the property is rare elsewhere, 8 cases are enough, but
95 % of them must have it. A property is a trend if nearly all of the newest files have it, but
fewer of the older files.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase, is_test
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.words import area_of, sentence

if TYPE_CHECKING:
    from quartermaster_decisions.checks import Check

LEAST_SHARE: Final = 0.9
LEAST_CASES: Final = 15
FEW_CASES: Final = 8
FEW_SHARE: Final = 0.95
_RARE_SHARE: Final = 0.1
_LEAST_FILES: Final = 3
_LEAST_RECENT: Final = 8
_RECENT_SHARE: Final = 0.97
_LEAST_TREND: Final = 0.6
_LARGE_AREA_CASES: Final = 20


Property = str | tuple[str, ...]
"""A property that can be counted: a name, or a sort and a name."""


class ConsensusCase(NamedTuple):
    """A case for counting: its subject, and all its properties."""

    subject: Property
    properties: frozenset[Property]


@dataclass(frozen=True)
class Consensus:
    """A property that nearly all cases of a subject in an area have.

    Attributes:
        has: the property.
        outside: share of the subject's cases outside the area that have the property. None if there
            are few such cases.
        is_trend: whether the property is a trend: only the newest files agree.
    """

    area: str
    subject: Property
    has: Property
    cases: int
    followed: int
    files: int
    outside: float | None
    is_trend: bool = False

    @property
    def share(self) -> float:
        """The share of the cases that have the property."""
        return self.followed / self.cases

    def candidate(
        self, text: str, check: Check, lift: float, *, tests: bool = False, **more: Any
    ) -> DecisionCandidate:
        """Returns a candidate with an instruction for the area.

        Args:
            text: the instruction for code in the area.
            check: form of the check, and its demands. The function adds the area to the check.
            lift: see `Statistics`.
            tests: whether the instruction applies to the tests in the area, or to the other files.
            more: other members of the candidate.
        """
        return DecisionCandidate(
            pattern=sentence(area_of(self.area, tests=tests), text),
            scope=self.area,
            check={"paths": [self.area], "tests": tests, **check},
            statistics=Statistics(self.cases, self.followed, self.files, lift),
            **more,
        )


Describe = Callable[[FileFacts], Iterable[ConsensusCase]]


class _Counts:
    """Counts the cases of each subject, and of each pair of a subject and a property, in each area:
    in all files, and in the newest files.
    """

    def __init__(self, code: CodeBase, files: Iterable[FileFacts], describe: Describe) -> None:
        self.totals: Counter[tuple[str, Property]] = Counter()
        self.counts: Counter[tuple[str, Property, Property]] = Counter()
        self.recent: Counter[tuple[str, Property, Property]] = Counter()
        self.recent_totals: Counter[tuple[str, Property]] = Counter()
        self.in_files: dict[tuple[str, Property], set[str]] = defaultdict(set)
        for facts in files:
            if cases := list(describe(facts)):
                for area in code.areas(facts.path):
                    self._add(area, facts.path, cases, is_recent=facts.path in code.recent)

    def _add(self, area: str, path: str, cases: list[ConsensusCase], *, is_recent: bool) -> None:
        for case in cases:
            key = area, case.subject
            self.totals[key] += 1
            self.in_files[key].add(path)
            self.counts.update((area, case.subject, each) for each in case.properties)
            if is_recent:
                self.recent_totals[key] += 1
                self.recent.update((area, case.subject, each) for each in case.properties)

    def is_trend(self, area: str, subject: Property, has: Property, least_cases: int) -> bool:
        """Returns whether nearly all cases in the newest files have a property."""
        count, total = self.counts[area, subject, has], self.totals[area, subject]
        new = self.recent_totals[area, subject]
        return (
            area != WHOLE_TREE
            and new >= _LEAST_RECENT
            and count >= least_cases
            and self.recent[area, subject, has] / new >= _RECENT_SHARE
            and count / total >= _LEAST_TREND
        )


def find_consensus(
    code: CodeBase,
    files: Iterable[FileFacts],
    describe: Describe,
    least_cases: int = LEAST_CASES,
    least_share: float = LEAST_SHARE,
) -> Iterator[Consensus]:
    """Yields each consensus of an area. If a wider area has the same consensus and contains the
    same files, only the wider area is used.
    """
    found = _Counts(code, files, describe)
    retained: dict[tuple[Property, Property], list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for (area, subject, has), count in sorted(
        found.counts.items(), key=lambda item: (-found.totals[item[0][0], item[0][1]], str(item[0]))
    ):
        total, where = found.totals[area, subject], found.in_files[area, subject]
        is_small = total < least_cases
        if total < FEW_CASES or len(where) < _least_files(code, area, total):
            continue
        outside = _outside(found, area, subject, has)
        is_consensus = count / total >= (FEW_SHARE if is_small else least_share) and not (
            is_small and (outside is None or outside > _RARE_SHARE)
        )
        is_trend = (
            not is_consensus and not is_small and found.is_trend(area, subject, has, least_cases)
        )
        if not is_consensus and not is_trend:
            continue
        files_here = frozenset(where)
        wider = retained[subject, has]
        if any(files_here <= others for _, others in wider):
            continue
        wider.append((area, files_here))
        yield Consensus(area, subject, has, total, count, len(where), outside, is_trend)


def _least_files(code: CodeBase, area: str, cases: int) -> int:
    """Returns the minimum number of files that an area must have for a consensus. A single file
    (such as `views.py`) is enough if it has many cases.
    """
    is_large = area in code.files and not is_test(area) and cases >= _LARGE_AREA_CASES
    return 1 if is_large else _LEAST_FILES


def _outside(found: _Counts, area: str, subject: Property, has: Property) -> float | None:
    """Returns the share of the subject's cases outside the area that have the property. Returns
    None if there are few such cases.
    """
    rest = found.totals[WHOLE_TREE, subject] - found.totals[area, subject]
    if rest < 10:
        return None
    return (found.counts[WHOLE_TREE, subject, has] - found.counts[area, subject, has]) / rest
