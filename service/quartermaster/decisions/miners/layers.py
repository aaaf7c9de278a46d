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
from quartermaster.decisions.codebase import CodeBase, is_mined, is_test
from quartermaster.decisions.signals import Signals

_LEAST_REVERSE: Final = 10
_LEAST_FILES: Final = 5
_LEAST_IMPORTERS: Final = 3


def mine(signals: Signals) -> Iterator[Candidate]:
    """See the module."""
    code = signals.code
    files = [
        facts for path, facts in code.files.items() if not is_test(path) and is_mined(path)
    ]
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
    upper: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (high, low), count in sorted(edges.items()):
        same_package = high.rpartition(".")[0] == low.rpartition(".")[0]
        if not same_package or edges[low, high] or count < _LEAST_REVERSE:
            continue
        if sizes[low] >= _LEAST_FILES and sizes[high] >= _LEAST_FILES:
            upper[low].append((high, count))
    for low, highs in sorted(upper.items()):
        if len(importers[low]) >= _LEAST_IMPORTERS or len(highs) > 1:
            yield _candidate(code, low, highs, sizes[low])


def _module(code: CodeBase, target: str) -> str:
    return target if target in code.modules else target.rpartition(".")[0]


def _part(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _candidate(
    code: CodeBase, low: str, highs: list[tuple[str, int]], size: int
) -> Candidate:
    facts = next(
        one for one in code.files.values() if one.module == low or one.module.startswith(f"{low}.")
    )
    parts = PurePosixPath(facts.path).parts
    depth = len(parts) - len(facts.module.split(".")) + 1
    if facts.path.endswith("__init__.py"):
        depth -= 1
    folder = "/".join(parts[: max(depth, 1) + (0 if facts.module == low else 0)])
    index = next(i for i, part in enumerate(parts) if part == low.split(".")[-1])
    folder = "/".join(parts[: index + 1])
    names = [name for name, _ in sorted(highs, key=lambda each: -each[1])[:6]]
    listed = ", ".join(f"`{name}`" for name in names)
    reverse = sum(count for _, count in highs)
    return Candidate(
        miner="layers",
        pattern=f"In `{folder}`: never import {listed}; these import `{low}`.",
        scope=f"{folder}/**",
        check={
            "form": "import_contract",
            "paths": [f"{folder}/**"],
            "tests": False,
            "forbidden": names,
        },
        polarity="avoid",
        rationale=f"None of its {size} modules does, while {reverse} imports go the other way.",
        instead="passing in what is needed, or moving it down",
        weight=1.0,
        topic=f"layer:{low}",
        keywords=["import", *[name.rpartition(".")[2] for name in names]],
        statistics=Statistics(size, size, size, 0.6),
    )
