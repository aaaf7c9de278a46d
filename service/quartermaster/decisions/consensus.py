"""Counting what nearly all cases of an area have in common, and how unusual that is elsewhere.

A miner describes each case by a subject (what is counted together) and its properties. For each
area, subject and property, this module counts; what at least 90 % of at least 15 cases have is a
consensus. If it held less in older files, but all of the newest files have it, it is a trend.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from quartermaster.decisions.codebase import EVERYWHERE, CodeBase
from quartermaster.decisions.facts import FileFacts

LEAST_SHARE: Final = 0.9
LEAST_CASES: Final = 15
_LEAST_FILES: Final = 3
_LEAST_RECENT: Final = 8
_RECENT_SHARE: Final = 0.97


class Case(NamedTuple):
    """Something that can have properties: its subject, and all that it has."""

    subject: Hashable
    properties: frozenset[Hashable]


@dataclass(frozen=True)
class Consensus:
    """What the cases of a subject in an area have in common.

    Attributes:
        outside: share of the same subject's cases elsewhere that have it; None if there are few.
        is_trend: whether only the newest files agree.
    """

    area: str
    subject: Hashable
    property: Hashable
    cases: int
    followed: int
    files: int
    outside: float | None
    is_trend: bool = False


Describe = Callable[[FileFacts], Iterable[Case]]


def find_consensus(
    code: CodeBase,
    files: Iterable[FileFacts],
    describe: Describe,
    least_cases: int = LEAST_CASES,
    least_share: float = LEAST_SHARE,
) -> Iterator[Consensus]:
    """All consensus of the widest areas; a narrower area within such an area is left out."""
    totals: Counter[tuple[str, Hashable]] = Counter()
    counts: Counter[tuple[str, Hashable, Hashable]] = Counter()
    recent: Counter[tuple[str, Hashable, Hashable]] = Counter()
    recent_totals: Counter[tuple[str, Hashable]] = Counter()
    in_files: dict[tuple[str, Hashable], set[str]] = defaultdict(set)
    for facts in files:
        cases = list(describe(facts))
        if not cases:
            continue
        is_recent = facts.path in code.recent
        for area in code.areas(facts.path):
            for case in cases:
                key = area, case.subject
                totals[key] += 1
                in_files[key].add(facts.path)
                counts.update((area, case.subject, each) for each in case.properties)
                if is_recent:
                    recent_totals[key] += 1
                    recent.update((area, case.subject, each) for each in case.properties)
    kept: dict[tuple[Hashable, Hashable], list[tuple[str, frozenset[str]]]] = defaultdict(list)
    for (area, subject, has), count in sorted(
        counts.items(), key=lambda item: (-totals[item[0][0], item[0][1]], str(item[0]))
    ):
        total, where = totals[area, subject], in_files[area, subject]
        if total < least_cases or len(where) < _LEAST_FILES:
            continue
        is_consensus = count / total >= least_share
        new = recent_totals[area, subject]
        is_trend = (
            not is_consensus
            and new >= _LEAST_RECENT
            and count >= least_cases
            and recent[area, subject, has] / new >= _RECENT_SHARE
            and count / total >= 0.4
        )
        if not is_consensus and not is_trend:
            continue
        files_here = frozenset(where)
        wider = kept[subject, has]
        if any(files_here <= others for _, others in wider):
            continue
        wider.append((area, files_here))
        outside = None
        rest = totals[EVERYWHERE, subject] - total
        if rest >= 10:
            outside = (counts[EVERYWHERE, subject, has] - count) / rest
        yield Consensus(area, subject, has, total, count, len(where), outside, is_trend)
