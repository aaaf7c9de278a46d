"""The table: what each client finds in each way, and the differences with their intervals."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from lab.clients.conversations import WAYS, WORDINGS, Way
from lab.clients.desks import read_desk
from lab.clients.measuring import Measured, read_all
from lab.comparisons.learning import interval
from quartermaster.eval.metrics import measures

Floats = np.ndarray[tuple[int], np.dtype[np.float64]]
_LETTERS: Final[dict[Way, str]] = {"direct": "a", "list": "b", "search": "c"}
_HEAD: Final = (
    "client",
    "way",
    "asked with",
    "R@1",
    "R@5",
    "nothing, rightly",
    "nothing, wrongly",
    "tokens",
    "our search is",
    "R@1 - (a)",
    "R@5 - (a)",
)


@dataclass(frozen=True)
class Row:
    """The figures of one client in one way.

    Attributes:
        wording: with which its search does better.
        first, best: recall at 1 and at 5 of each goal that a tool serves.
        rightly, wrongly: whether it says that nothing fits, for each goal that no tool serves, and
            for each that one does.
        tokens: in the first request, the mean over the desks; None where nobody knows.
        sees: whether the model sees our search.
    """

    wording: str
    first: Floats
    best: Floats
    rightly: Floats
    wrongly: Floats
    tokens: float | None
    sees: str


def rows(folder: Path, desks: tuple[str, ...], client: str) -> dict[Way, Row]:
    """Returns the figures of a client."""
    found: dict[Way, Row] = {}
    for way in WAYS:
        if measured := read_all(folder, desks, client, way):
            each = [_row(measured, wording) for wording in WORDINGS]
            found[way] = max(filter(None, each), key=lambda row: row.best.mean())
    return found


def _row(measured: list[tuple[str, Measured]], wording: str) -> Row | None:
    first, best = list[float](), list[float]()
    rightly, wrongly = list[float](), list[float]()
    for name, one in measured:
        desk = read_desk(name)
        for task in desk.tasks:
            answer = one.found.get((task.key, wording))
            if answer is None:
                return None
            if not task.needs:
                rightly.append(answer.says_nothing)
                continue
            wrongly.append(answer.says_nothing)
            quality = measures(answer.ids, task.needs, desk.gold.items.groups)
            first.append(quality["Recall@1"])
            best.append(quality["Recall@5"])
    tokens = [one.tokens for _, one in measured if one.tokens is not None]
    return Row(
        wording,
        np.array(first, dtype=np.float64),
        np.array(best, dtype=np.float64),
        np.array(rightly, dtype=np.float64),
        np.array(wrongly, dtype=np.float64),
        float(np.mean(tokens)) if tokens else None,
        "/".join(sorted({one.sees for _, one in measured})),
    )


def table(folder: Path, desks: tuple[str, ...], clients: tuple[str, ...]) -> str:
    """Returns the table, in Markdown."""
    lines = [_HEAD, ("---",) * len(_HEAD)]
    for client in clients:
        lines += _lines(client, rows(folder, desks, client))
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _lines(client: str, found: dict[Way, Row]) -> Iterator[tuple[str, ...]]:
    base = found.get("direct")
    for way, row in found.items():
        compared = None if way == "direct" else base
        yield (
            client,
            f"({_LETTERS[way]}) {way}",
            row.wording,
            f"{row.first.mean():.3f}",
            f"{row.best.mean():.3f}",
            f"{int(row.rightly.sum())} of {len(row.rightly)}",
            f"{int(row.wrongly.sum())} of {len(row.wrongly)}",
            "" if row.tokens is None else f"{row.tokens:,.0f}",
            row.sees,
            "" if compared is None else _difference(row.first - compared.first),
            "" if compared is None else _difference(row.best - compared.best),
        )


def _difference(differences: Floats) -> str:
    low, high = interval(differences)
    return f"{differences.mean():+.3f} ({low:+.3f} to {high:+.3f})"
