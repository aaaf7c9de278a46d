"""Mirrors: the path of a module determines the path of its tests.

The tests of `shop/pay/card.py` may be in `tests/unit/shop/pay/card_test.py`, or in
`shop/pay/tests/test_card.py`. The name and the folder of nearly all test files must follow from the
name and the folder of the tested module.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Evidence, Statistics
from quartermaster_decisions.signals import Signals
from quartermaster_decisions.words import share

_LEAST_TESTS: Final = 15
_LEAST_SHARE: Final = 0.7
_FOLDERS: Final = ("tests", "test")


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate if most test files follow the same rule."""
    sources = {facts.path for facts in signals.code.mined(tests=False)}
    tests = [facts.path for facts in signals.code.mined(tests=True) if facts.tests()]
    found: dict[str, list[tuple[str, str]]] = defaultdict(list)
    tops = sorted({top for path in sources for top in _tops(path)})
    for path in tests:
        for place, source in _places(path, tops):
            if source in sources:
                found[place].append((path, source))
    if len(tests) < _LEAST_TESTS or not found:
        return
    place, pairs = max(found.items(), key=lambda item: (len(item[1]), item[0]))
    # Functional and other tests that follow no module are in folders of their own.
    root = place.partition("|")[0]
    near = [path for path in tests if path.startswith(root)]
    if len(pairs) < max(_LEAST_TESTS, _LEAST_SHARE * len(near)):
        return
    newest = sorted(pairs, key=lambda pair: (-signals.code.added.get(pair[0], -1), pair))
    path, source = newest[0]
    yield DecisionCandidate(
        pattern=f"Put the tests of a module where its path says: those of `{source}` are in"
        f" `{path}`.",
        rationale=f"{share(len(pairs), len(near), 'files of tests')} are in such a place.",
        instead="a file of tests elsewhere or under another name",
        weight=1.2,
        topic="mirrors",
        keywords=["test", "tests", "file"],
        statistics=Statistics(len(near), len(pairs), len(pairs), 0.6),
        evidence=[Evidence("file", path, 1, 1) for path, _ in newest[:3]],
    )


def _tops(path: str) -> Iterator[str]:
    """Yields the folders whose structure the tests may mirror: the root, the first folder, or a
    package in `src` or `lib`.
    """
    parts = path.split("/")[:-1]
    yield ""
    if parts:
        yield f"{parts[0]}/"
    if len(parts) > 1 and parts[0] in {"src", "lib"}:
        yield f"{parts[0]}/{parts[1]}/"


def _places(path: str, tops: list[str]) -> Iterator[tuple[str, str]]:
    """Yields the rules that a test file may follow, each with the module that the file would
    test.
    """
    parts = path.split("/")
    name = parts[-1]
    if name.startswith("test_"):
        style, stem = "test_*", name.removeprefix("test_")
    elif name.endswith("_test.py"):
        style, stem = "*_test", name.removesuffix("_test.py") + ".py"
    else:
        return
    yield f"|beside|{style}", "/".join((*parts[:-1], stem))
    if len(parts) > 2 and parts[-2] in _FOLDERS:
        yield f"|{parts[-2]} beside|{style}", "/".join((*parts[:-2], stem))
    for depth in range(1, min(4, len(parts))):
        if parts[0] in _FOLDERS:
            root = "/".join(parts[:depth])
            rest = "/".join((*parts[depth:-1], stem))
            for top in tops:
                yield f"{root}/|{top}|{style}", f"{top}{rest}"
