"""Measures how well decisions predict later code.

The decisions are mined at one commit of the history (the cut). They are then checked on the files
that later commits added.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from time import perf_counter
from typing import Any, Final

from quartermaster.core.errors import QmError
from quartermaster.eval.threshold import wilson
from quartermaster.projects.git import Repository, split
from quartermaster_decisions.candidates import DecisionCandidate
from quartermaster_decisions.checks import can_be_violated, evaluate_facts
from quartermaster_decisions.codebase import is_mined
from quartermaster_decisions.facts import FileFacts
from quartermaster_decisions.history import Substitution, commit_ids, read_substitutions
from quartermaster_decisions.ingest import Options, Step, commit_of, read_signals
from quartermaster_decisions.languages import languages
from quartermaster_decisions.miners.replaced import Replacements
from quartermaster_decisions.mining import mine

MINED_SHARE: Final = 0.7
_MOST_COMMITS: Final = 100_000
_MOST_CHANGED: Final = 20_000


@dataclass
class CheckResult:
    """The result of a check on the files that were added after the cut, the commit that was mined.
    `lift` is the share of cases that follow the check, minus the usual share elsewhere.
    """

    pattern: str
    cases: int
    followed: int
    lift: float


@dataclass
class Figures:
    """The figures that `qm eval decisions` prints."""

    ingest_s: float = 0.0
    files: int = 0
    commits: int = 0
    candidates: int = 0
    new_files: int = 0
    checks: list[CheckResult] = field(default_factory=list[CheckResult])
    replaced: int = 0
    replaced_as_said: int = 0

    def as_json(self) -> dict[str, Any]:
        """Returns the figures, and the ten checks with the lowest share of cases that follow
        them.
        """
        cases = sum(one.cases for one in self.checks)
        followed = sum(one.followed for one in self.checks)
        mean = [one.followed / one.cases for one in self.checks]
        return {
            "ingest_s": round(self.ingest_s, 2),
            "files": self.files,
            "commits": self.commits,
            "candidates": self.candidates,
            "new_files": self.new_files,
            "checks": len(self.checks),
            "cases": cases,
            "adherence": round(followed / cases, 3) if cases else None,
            "adherence_per_check": round(sum(mean) / len(mean), 3) if mean else None,
            "lift": round(sum(one.lift for one in self.checks) / len(mean), 3) if mean else None,
            "replaced": self.replaced,
            "replaced_as_said": self.replaced_as_said,
            "replaced_interval": interval(self.replaced_as_said, self.replaced),
            "worst": [
                {"pattern": one.pattern, "followed": one.followed, "cases": one.cases}
                for one in sorted(self.checks, key=lambda one: one.followed / one.cases)[:10]
            ],
        }


def interval(followed: int, cases: int) -> tuple[float, float] | None:
    """Returns the 95 % confidence interval of a share. Returns None if there are no cases."""
    low, high = wilson(followed, cases)
    return (round(low, 3), round(high, 3)) if cases else None


def measure(repository: Repository, cut: float = MINED_SHARE, step: Step | None = None) -> Figures:
    """Mines the repository at a cut of its history, and checks the files that were added after the
    cut.

    Raises:
        QmError: 422 repository_empty, and the errors of git.
    """
    figures = Figures()
    begun = perf_counter()
    now = read_signals(repository, Options(), step=step)
    figures.candidates = len(mine(now))
    figures.ingest_s = perf_counter() - begun
    figures.files = len(now.code.files)
    ids, at, candidates = mined_at(repository, cut, step)
    figures.commits = len(ids)
    added = _added_after(repository, ids[at], commit_of(repository, None))
    new = [facts for path, facts in now.code.files.items() if path in added and is_mined(path)]
    figures.new_files = len(new)
    figures.checks = list(_results(candidates, new))
    changes = read_substitutions(repository, ids[-_MOST_CHANGED:], list(languages()))
    figures.replaced, figures.replaced_as_said = replaced_as_said(changes)
    return figures


def mined_at(
    repository: Repository, cut: float, step: Step | None
) -> tuple[list[str], int, list[DecisionCandidate]]:
    """Returns the ids of all commits, oldest first, the index in this list of the commit at the
    cut, and the candidates mined at that commit.
    """
    ids = commit_ids(repository, commit_of(repository, None), _MOST_COMMITS)
    at = int(len(ids) * cut)
    before = read_signals(repository, Options(commit=ids[at], max_commits=2000), step=step)
    return ids, at, mine(before)


def _added_after(repository: Repository, old: str, new: str) -> set[str]:
    flags = ["-r", "-M", "--diff-filter=A", "--name-only", "-z"]
    try:
        paths = list(split(repository.stream("diff-tree", *flags, old, new), b"\0"))
    except QmError as error:
        if error.slug != "git_failed":
            raise
        flags[1] = "--no-renames"
        paths = list(split(repository.stream("diff-tree", *flags, old, new), b"\0"))
    return {path.decode("utf-8", "surrogateescape") for path in paths}


def _results(
    candidates: Sequence[DecisionCandidate], new: Sequence[FileFacts]
) -> list[CheckResult]:
    found: list[CheckResult] = []
    for each in candidates:
        if each.check is None or not can_be_violated(each.check):
            continue
        places = [place for facts in new for place in evaluate_facts(each.check, facts).places]
        if places:
            followed = sum(place.followed for place in places)
            usual = max(each.statistics.adherence - each.statistics.lift, 0.0)
            lift = followed / len(places) - usual
            found.append(CheckResult(each.pattern, len(places), followed, lift))
    return found


def replaced_as_said(substitutions: Iterable[Substitution]) -> tuple[int, int]:
    """Counts how often predictions about replaced names were right.

    Earlier commits predict the new name for some old names. Each file of a commit counts once.

    Returns:
        How often a later commit replaced such an old name, and how often it then used the predicted
        name.
    """
    total = as_said = 0
    known = Replacements()
    for _, group in groupby(substitutions, key=lambda one: one.commit):
        made = list(group)
        for kind, old, new in {(one.path, one.kind, one.old): one[2:] for one in made}.values():
            if (said := known.successor(kind, old)) is not None:
                total += 1
                as_said += said == new
        for one in made:
            known.add(one)
    return total, as_said
