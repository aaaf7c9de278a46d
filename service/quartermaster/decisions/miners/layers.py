"""Layers: one part of a package never imports another part, although the reverse is common.

Parts are the folders and modules directly below a package. The imports are read from the sources;
nothing is imported. Imports for type checkers and inside of functions do not count.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Final

from quartermaster.decisions.candidates import Candidate, Statistics
from quartermaster.decisions.codebase import EVERYWHERE, CodeBase, is_mined, is_test
from quartermaster.decisions.signals import Signals

_LEAST_REVERSE: Final = 10
_LEAST_FILES: Final = 5
_LEAST_IMPORTERS: Final = 3
_MOST_IMPORTERS: Final = 4
_MOST_NAMED: Final = 6


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    files = [facts for path, facts in code.files.items() if not is_test(path) and is_mined(path)]
    part_of = {facts.module: _part(facts.module) for facts in files}
    sizes: Counter[str] = Counter(part_of.values())
    edges: Counter[tuple[str, str]] = Counter()
    importers: dict[str, set[str]] = defaultdict(set)
    for facts in files:
        here = part_of[facts.module]
        reached = {
            _part(_module(code, each.target)) for each in facts.imports if code.is_own(each.target)
        }
        for there in reached - {here}:
            edges[here, there] += 1
            importers[there].add(here)
    lower: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (high, low), count in sorted(edges.items()):
        same_package = high.rpartition(".")[0] == low.rpartition(".")[0]
        if not same_package or edges[low, high] or count < _LEAST_REVERSE:
            continue
        if sizes[low] >= _LEAST_FILES and sizes[high] >= _LEAST_FILES:
            lower[high].append((low, count))
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for high, lows in sorted(lower.items()):
        if len(importers[high]) <= _MOST_IMPORTERS:
            same[tuple(low for low, _ in sorted(lows, key=lambda one: -one[1]))].append(high)
    for lows, highs in sorted(same.items()):
        if any(len(importers[low]) >= _LEAST_IMPORTERS for low in lows) or len(highs) > 1:
            reverse = sum(edges[high, low] for high in highs for low in lows)
            yield _candidate(code, lows, highs, sum(sizes[low] for low in lows), reverse)


def _module(code: CodeBase, target: str) -> str:
    return target if target in code.modules else target.rpartition(".")[0]


def _part(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _candidate(
    code: CodeBase, lows: tuple[str, ...], highs: list[str], size: int, reverse: int
) -> Candidate:
    folders = [_folder(code, low) for low in lows[:_MOST_NAMED]]
    listed = ", ".join(f"`{name}`" for name in highs[:_MOST_NAMED])
    places = ", ".join(f"`{folder}`" for folder in folders)
    return Candidate(
        miner="layers",
        pattern=f"In {places}: never import {listed}; the imports go the other way.",
        scope=f"{folders[0]}/**" if len(folders) == 1 else EVERYWHERE,
        check={
            "form": "import_contract",
            "paths": [f"{folder}/**" for folder in folders],
            "tests": False,
            "forbidden": highs[:_MOST_NAMED],
        },
        polarity="avoid",
        rationale=f"None of the {size} modules there does, while {reverse} imports go the other"
        " way.",
        instead="passing in what is needed, or moving it down",
        weight=1.0,
        topic=f"layer:{highs[0]}",
        keywords=["import", *[name.rpartition(".")[2] for name in highs[:_MOST_NAMED]]],
        statistics=Statistics(size, size, size, 0.6),
    )


def _folder(code: CodeBase, module: str) -> str:
    facts = next(
        one
        for one in code.files.values()
        if one.module == module or one.module.startswith(f"{module}.")
    )
    parts = PurePosixPath(facts.path).parts
    index = next(i for i, part in enumerate(parts) if part == module.rsplit(".", maxsplit=1)[-1])
    return "/".join(parts[: index + 1])
