"""Changed together: commits that add a file to a folder nearly always change a certain other file,
too.

The other file is a single file, such as a registry, a changelog or an index. It counts only if at
most 30 % of all commits change it.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.codebase import is_mined, is_test
from quartermaster_decisions.languages import language_of
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share

_LEAST_COMMITS: Final = 6
_LEAST_SHARE: Final = 0.8
_MOST_FILES: Final = 30


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each file that changes when a file is added to a folder."""
    added: dict[str, list[int]] = defaultdict(list)
    touched: dict[str, Counter[str]] = defaultdict(Counter)
    tested: Counter[str] = Counter()
    overall: Counter[str] = Counter()
    for number, commit in enumerate(signals.history.commits):
        paths = {change.path for change in commit.changes}
        overall.update(paths)
        if len(paths) > _MOST_FILES:
            continue
        folders = {
            str(PurePosixPath(change.path).parent)
            for change in commit.changes
            if change.status == "A"
            and language_of(change.path)
            and not is_test(change.path)
            and is_mined(change.path)
        }
        for folder in folders:
            added[folder].append(number)
            touched[folder].update(paths & signals.blobs.keys())
            tested[folder] += any(is_test(path) for path in paths)
    for folder, commits in sorted(added.items()):
        if len(commits) < _LEAST_COMMITS or folder == ".":
            continue
        for path, count in touched[folder].most_common(3):
            usual = overall[path] / max(len(signals.history.commits), 1)
            if count / len(commits) < _LEAST_SHARE or usual > 0.3:
                continue
            yield _candidate(signals, folder, f"change `{path}` as well", commits, count, usual)
        if tested[folder] / len(commits) >= 0.9:
            text = "add or change its tests in the same commit"
            yield _candidate(signals, folder, text, commits, tested[folder], 0.5)


def _candidate(
    signals: Signals, folder: str, text: str, commits: list[int], count: int, usual: float
) -> DecisionCandidate:
    return DecisionCandidate(
        pattern=f"When you add a module to `{folder}`, {text}.",
        scope=f"{folder}/**",
        rationale=f"{share(count, len(commits), 'commits')} that added one did so.",
        instead="adding the module alone",
        weight=1.1,
        topic=f"together:{folder}",
        keywords=[PurePosixPath(folder).name, "add"],
        statistics=Statistics(len(commits), count, len(commits), count / len(commits) - usual),
        evidence=[
            Evidence("commit", commit=commit.id, excerpt=commit.subject)
            for commit in (signals.history.commits[number] for number in commits[-3:])
        ],
    )
