"""What a ranking is worth: recall, nDCG, MRR, completeness, and what was shown in vain."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log2
from typing import Final

POOL: Final = 100
CUTS: Final = (1, 5, 10)


@dataclass(frozen=True)
class Need:
    """One thing a goal needs.

    Attributes:
        group: of the tool that serves it.
        accepted: groups of the tools that serve it as well, its own among them.
    """

    group: str
    accepted: frozenset[str]


def needs_of(
    gold: Iterable[str],
    alternatives: Mapping[str, Collection[str]],
    groups: Mapping[str, str],
) -> tuple[Need, ...]:
    """The needs of a goal; two needed tools of one group are one need.

    Args:
        gold: ids of the needed tools.
        alternatives: ids accepted instead of a needed one, by its id.
        groups: of near-duplicates, by id; a tool that is not there is a group of its own.
    """
    accepted: dict[str, set[str]] = {}
    for tool in gold:
        group = groups.get(tool, tool)
        others = {groups.get(other, other) for other in alternatives.get(tool, ())}
        accepted.setdefault(group, {group}).update(others)
    return tuple(Need(group, frozenset(others)) for group, others in accepted.items())


def collapsed(ranking: Iterable[str], groups: Mapping[str, str]) -> list[str]:
    """The groups of a ranking of ids, best first, each where it came first."""
    return list(dict.fromkeys(groups.get(tool, tool) for tool in ranking))


def hit_ranks(ranking: Sequence[str], needs: Iterable[Need]) -> list[int]:
    """Ranks, from 1, at which a need is met that was not met before; a hit meets one need.

    Args:
        ranking: groups, best first.
        needs: of the goal.
    """
    open_needs = list(needs)
    ranks: list[int] = []
    for rank, group in enumerate(ranking, start=1):
        fitting = [need for need in open_needs if group in need.accepted]
        if fitting:
            open_needs.remove(next((need for need in fitting if need.group == group), fitting[0]))
            ranks.append(rank)
    return ranks


def measures(
    ranking: Sequence[str], needs: Sequence[Need], groups: Mapping[str, str]
) -> dict[str, float]:
    """The quality of one ranking, each number between 0 and 1.

    Recall is the share of needs met, nDCG has binary gains (Jarvelin and Kekalainen, 2002), MRR
    looks at the first hit only, completeness says whether all needs are met.

    Args:
        ranking: ids, best first, as many as the pool holds.
        needs: of the goal, one or more.
        groups: of near-duplicates, by id.
    """
    ranks = hit_ranks(collapsed(ranking, groups), needs)
    total = len(needs)
    found = {cut: sum(rank <= cut for rank in ranks) / total for cut in (*CUTS, POOL)}
    gain = sum(1 / log2(rank + 1) for rank in ranks if rank <= 10)
    ideal = sum(1 / log2(rank + 1) for rank in range(1, min(total, 10) + 1))
    return {
        **{f"Recall@{cut}": found[cut] for cut in CUTS},
        "nDCG@10": gain / ideal,
        "MRR": 1 / ranks[0] if ranks else 0.0,
        "completeness@10": float(found[10] == 1),
        "pool_recall@100": found[POOL],
    }


def exposure_waste(
    exposed: Sequence[str], needs: Sequence[Need], groups: Mapping[str, str]
) -> float:
    """Share of the tools shown that met no open need; a second near-duplicate is one of them.

    Args:
        exposed: ids as shown.
        needs: of the goal.
        groups: of near-duplicates, by id.
    """
    if not exposed:
        return 0.0
    hits = hit_ranks([groups.get(tool, tool) for tool in exposed], needs)
    return 1 - len(hits) / len(exposed)
