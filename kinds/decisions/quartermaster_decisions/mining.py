"""Runs the miners, checks their candidates against all files, and sorts the candidates by
importance.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Final

from quartermaster.guardrails.masking import masked_secrets
from quartermaster.projects.git import Repository
from quartermaster_decisions.candidates import DecisionCandidate, Evidence
from quartermaster_decisions.checks import Check, CheckedCase, applies_to, evaluate_facts
from quartermaster_decisions.codebase import WHOLE_TREE, folders_of_others, is_mined, is_test
from quartermaster_decisions.consensus import FEW_CASES
from quartermaster_decisions.miners import MINERS
from quartermaster_decisions.signals import Signals

_LEAST_ADHERENCE: Final = 0.85
_LEAST_RECENT: Final = 0.9
_MOST_CODE: Final = 0.5
_MAX_SUPPORTING_EXAMPLES: Final = 3
_MAX_CONTRADICTING_EXAMPLES: Final = 2
_LONGEST_EXCERPT: Final = 200
# Each further candidate of the same sort counts for less.
_MOST_OF_TOPIC: Final = 2
_SAID_ONCE: Final = ("names:", "base:", "gateway:")
_MIN_INFORMATIVE: Final = "helpers"
_SAME_SORT: Final = 0.88
_SAME_TOPIC: Final = 0.35
_SAME_AREA: Final = 0.8
_SAME_PLACE: Final = 0.99
# What holds in a single file is seldom asked for.
_ONE_FILE: Final = 0.6
_COUNTED_ELSEWHERE: Final = frozenset({"written", "layers"})


def mine(signals: Signals, miners: Iterable[str] | None = None) -> list[DecisionCandidate]:
    """Returns the candidates of a code base, the most important first.

    Args:
        signals: the data about the code base.
        miners: names of the miners to run. None runs all miners.
    """
    found: dict[str, DecisionCandidate] = {}
    for name in MINERS if miners is None else miners:
        for candidate in MINERS[name](signals):
            candidate.miner = name
            checked = _checked(signals, candidate)
            if checked is not None:
                found.setdefault(checked.pattern, checked)
    retained = _without_repetition(in_order(list(found.values())))
    return [_at_home(one) for one in retained]


def _at_home(candidate: DecisionCandidate) -> DecisionCandidate:
    """If all cases of a candidate for the whole project are in one package, limits the candidate to
    this package.
    """
    if not candidate.home or candidate.check is None:
        return candidate
    check = {**candidate.check, "paths": [candidate.home]}
    return replace(candidate, scope=candidate.home, check=check)


def _home(signals: Signals, check: Check, paths: Iterable[str]) -> str:
    """Returns the glob of the deepest folder that contains all cases and most of the code. Returns
    an empty string for tests, or if there is no such folder.
    """
    is_narrow = check.get("paths", [WHOLE_TREE]) != [WHOLE_TREE]
    if is_narrow or check.get("tests") or any(is_test(path) for path in paths):
        return ""
    mined = [PurePosixPath(one.path) for one in signals.code.mined(tests=False)]
    first, *rest = (PurePosixPath(path) for path in paths)
    for folder in map(str, first.parents):
        if folder == "." or not all(path.is_relative_to(folder) for path in rest):
            continue
        if sum(path.is_relative_to(folder) for path in mined) >= _MOST_CODE * len(mined):
            return f"{folder}/**"
    return ""


def _without_repetition(candidates: Sequence[DecisionCandidate]) -> list[DecisionCandidate]:
    """Leaves out a candidate if a better candidate says nearly the same. Each topic has at most two
    candidates.
    """
    topics: Counter[str] = Counter()
    retained: list[DecisionCandidate] = []
    said: set[str] = set()
    for one in candidates:
        most = 1 if one.topic.startswith(_SAID_ONCE) else _MOST_OF_TOPIC
        if topics[one.topic] >= most or (one.miner == _MIN_INFORMATIVE and one.keywords[0] in said):
            continue
        topics[one.topic] += 1
        said.update(_named(one))
        retained.append(one)
    return retained


def _named(candidate: DecisionCandidate) -> set[str]:
    """Returns the keywords of a candidate, and the last parts of the names that its check wants."""
    wanted: list[str] = [] if candidate.check is None else candidate.check.get("new", [])
    return {name.rpartition(".")[2] for name in (*candidate.keywords, *wanted)}


def _checked(signals: Signals, candidate: DecisionCandidate) -> DecisionCandidate | None:
    """Returns the candidate with exact counts and places. Returns None if its check does not
    confirm it.
    """
    check = candidate.check
    if check is None or check["form"] == "ruff":
        return candidate
    places, check = _places(signals, check)
    cases = [place.followed for found in places.values() for place in found]
    if not cases or not any(cases):
        return None
    # The miner counted something else than the check does.
    if len(cases) < min(FEW_CASES, candidate.statistics.cases):
        return None
    recent = [
        place.followed
        for path, found in places.items()
        if path in signals.code.recent
        for place in found
    ]
    older = len(cases) - len(recent)
    now = sum(recent) / len(recent) if recent else 0.0
    before = (sum(cases) - sum(recent)) / older if older else now
    adherence = sum(cases) / len(cases)
    if adherence < _LEAST_ADHERENCE and not (len(recent) >= 8 and now >= _LEAST_RECENT):
        return None
    if len(recent) >= 8 and now < 0.7:
        return None
    numbers = candidate.statistics
    if candidate.miner in _COUNTED_ELSEWHERE:
        numbers = replace(numbers, trend=0.0)
    else:
        numbers = replace(
            numbers,
            cases=len(cases),
            followed=sum(cases),
            files=len(places),
            trend=now - before if recent and older else 0.0,
        )
    examples = candidate.examples or _examples(signals, places, followed=True)
    evidence = [
        Evidence("file", path, line, line) for path, line in examples[:_MAX_SUPPORTING_EXAMPLES]
    ]
    evidence += [
        Evidence("file", path, line, line, role="contradicts")
        for path, line in _examples(signals, places, followed=False)[:_MAX_CONTRADICTING_EXAMPLES]
    ]
    home = _home(signals, check, places) if candidate.scope == WHOLE_TREE else ""
    return replace(
        candidate,
        home=home,
        check=check,
        statistics=numbers,
        evidence=[*candidate.evidence, *evidence],
    )


def _places(signals: Signals, check: Check) -> tuple[dict[str, Sequence[CheckedCase]], Check]:
    """Returns the cases of a check by file, and the check. If files that are not mined (such as
    migrations) violate the check, the returned check excludes their folders.
    """
    places: dict[str, Sequence[CheckedCase]] = {}
    elsewhere: set[str] = set()
    for facts in signals.code.files.values():
        if not applies_to(check, facts.path):
            continue
        result = evaluate_facts(check, facts)
        if result.applies and is_mined(facts.path):
            places[facts.path] = result.places
        elif not result.followed:
            elsewhere.add(facts.path)
    if not elsewhere:
        return places, check
    # Migrations and copies of others' code are no part of what was decided.
    return places, {**check, "except": [*check.get("except", ()), *folders_of_others(elsewhere)]}


def _examples(
    signals: Signals, places: dict[str, Sequence[CheckedCase]], *, followed: bool
) -> list[tuple[str, int]]:
    """Returns one place of evidence per file, the newest files first."""
    added = signals.code.added
    found = [
        (path, next((one.line for one in each if one.followed == followed), 0))
        for path, each in places.items()
    ]
    return sorted(
        (one for one in found if one[1]), key=lambda one: (-added.get(one[0], -1), one[0])
    )


def in_order(candidates: Sequence[DecisionCandidate]) -> list[DecisionCandidate]:
    """Returns the candidates, the most important first. Each candidate in the list lowers the
    importance of the later ones with the same sort, topic or area, so that neighbours in the list
    differ. Candidates for a single file are also less important.
    """
    rest = sorted(candidates, key=lambda one: (-one.importance, one.pattern))
    sorts: Counter[tuple[str, str]] = Counter()
    topics: Counter[str] = Counter()
    areas: Counter[str] = Counter()
    ordered: list[DecisionCandidate] = []

    def worth(one: DecisionCandidate) -> float:
        return (
            one.importance
            * (_ONE_FILE if one.scope.endswith(".py") and "*" not in one.scope else 1.0)
            * _SAME_SORT ** sorts[one.miner, one.sort]
            * _SAME_TOPIC ** topics[one.topic]
            * (_SAME_PLACE if one.scope == WHOLE_TREE else _SAME_AREA) ** areas[one.scope]
        )

    while rest:
        best = max(rest, key=worth)
        best.worth = worth(best)
        rest.remove(best)
        ordered.append(best)
        sorts[best.miner, best.sort] += 1
        topics[best.topic] += 1
        areas[best.scope] += 1
    return ordered


def complete(
    repository: Repository, signals: Signals, candidates: Sequence[DecisionCandidate]
) -> None:
    """Adds the ids of file contents (blobs), hashes of lines, and masked excerpts to the evidence
    of candidates.
    """
    paths = {each.path for one in candidates for each in one.evidence if each.path}
    blobs = {path: signals.blobs[path] for path in paths if path in signals.blobs}
    lines = {
        path: content.decode("utf-8", "replace").splitlines()
        for path, content in repository.contents(blobs).items()
    }
    for one in candidates:
        one.valid_from = signals.commit
    for each in (evidence for one in candidates for evidence in one.evidence):
        each.commit = each.commit or signals.commit
        text = lines.get(each.path, [])
        if each.kind != "commit" and 0 < each.line <= len(text):
            each.blob = blobs[each.path]
            line = text[each.line - 1].strip()
            each.line_hash = line_hash(line)
            each.excerpt = each.excerpt or line
        each.excerpt = masked_secrets(each.excerpt)[:_LONGEST_EXCERPT]
    # Other instructions consist of names in the code.
    for one in (each for each in candidates if each.check is None):
        one.pattern, one.rationale = masked_secrets(one.pattern), masked_secrets(one.rationale)


def line_hash(line: str) -> str:
    """Returns a hash by which a line is recognised after it has moved."""
    return hashlib.sha256(line.strip().encode("utf-8", "replace")).hexdigest()[:32]


def cache_of(data_dir: Path, root: Path) -> Path:
    """Returns the path of the cache for a repository. The file can be deleted at any time."""
    name = hashlib.sha256(str(root).encode()).hexdigest()[:16]
    return data_dir / "decisions" / f"{name}.cache"
