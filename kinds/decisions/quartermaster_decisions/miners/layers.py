"""Layers: one part of a package never imports another part, although the other part often imports
it.

Parts are the folders and modules directly below a package. The imports are read from the source
files. No code is imported.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Final

from quartermaster_decisions.candidates import DecisionCandidate, Statistics
from quartermaster_decisions.codebase import WHOLE_TREE, CodeBase
from quartermaster_decisions.signals import Signals

_LEAST_REVERSE: Final = 10
_LEAST_FILES: Final = 5
_LEAST_IMPORTERS: Final = 3
_MOST_IMPORTERS: Final = 4
_MOST_NAMED: Final = 6


@dataclass(frozen=True)
class _Parts:
    """The parts of a code base, and the imports between them.

    Attributes:
        sizes: number of files of each part.
        edges: for two parts, the number of files of the first part that import the second part.
        importers: the parts that import each part.
    """

    sizes: Counter[str]
    edges: Counter[tuple[str, str]]
    importers: dict[str, set[str]]


def mine(signals: Signals) -> Iterator[DecisionCandidate]:
    """Yields a candidate for each part that must not import certain other parts, because imports
    only go in the opposite direction.
    """
    code = signals.code
    parts = _parts(code)
    same: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for high, lows in sorted(_lower(parts).items()):
        if len(parts.importers[high]) <= _MOST_IMPORTERS:
            same[tuple(low for low, _ in sorted(lows, key=lambda one: -one[1]))].append(high)
    for lows, highs in sorted(same.items()):
        if len(highs) > 1 or any(len(parts.importers[low]) >= _LEAST_IMPORTERS for low in lows):
            reverse = sum(parts.edges[high, low] for high in highs for low in lows)
            yield _candidate(code, lows, highs, sum(parts.sizes[low] for low in lows), reverse)


def _parts(code: CodeBase) -> _Parts:
    files = list(code.mined(tests=False))
    found = _Parts(Counter(_part(facts.module) for facts in files), Counter(), defaultdict(set))
    for facts in files:
        here = _part(facts.module)
        reached = {
            _part(_module(code, each.target)) for each in facts.imports if code.is_own(each.target)
        }
        for there in reached - {here}:
            found.edges[here, there] += 1
            found.importers[there].add(here)
    return found


def _lower(parts: _Parts) -> dict[str, list[tuple[str, int]]]:
    """Returns, for each part, the parts that it often imports and that never import it, with the
    number of importing files.
    """
    lower: dict[str, list[tuple[str, int]]] = defaultdict(list)
    for (high, low), count in sorted(parts.edges.items()):
        is_one_way = count >= _LEAST_REVERSE and not parts.edges[low, high]
        same_package = high.rpartition(".")[0] == low.rpartition(".")[0]
        if same_package and is_one_way and min(parts.sizes[low], parts.sizes[high]) >= _LEAST_FILES:
            lower[high].append((low, count))
    return lower


def _module(code: CodeBase, target: str) -> str:
    return target if target in code.modules else target.rpartition(".")[0]


def _part(module: str) -> str:
    return ".".join(module.split(".")[:2])


def _candidate(
    code: CodeBase, lows: tuple[str, ...], highs: list[str], size: int, reverse: int
) -> DecisionCandidate:
    folders = [_folder(code, low) for low in lows[:_MOST_NAMED]]
    listed = ", ".join(f"`{name}`" for name in highs[:_MOST_NAMED])
    places = ", ".join(f"`{folder}`" for folder in folders)
    return DecisionCandidate(
        pattern=f"In {places}: never import {listed}; the imports go the other way.",
        scope=f"{folders[0]}/**" if len(folders) == 1 else WHOLE_TREE,
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
