"""How long the guardrails take for 10 kB: `python -m lab.bench.guarding`.

Only the first part runs, which searches every guarded result: no encoder is asked. The texts are
the manual, and made-up results in many languages and formats, most of them with personal data; no
text is searched twice. Time of the processor does not count what other processes use.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, process_time
from typing import Final

from rich.console import Console
from rich.table import Table

from lab.bench.timing import Latency
from lab.training.personal_texts import made_texts
from quartermaster.guardrails.scan import find_spans
from quartermaster.guardrails.spans import KINDS, Kind

SIZE: Final = 10_000
_WARM_UP: Final = 10
_MANUAL_FOLDER: Final = Path(__file__).parents[2] / "docs"
_SEARCHES: Final[tuple[tuple[str, tuple[Kind, ...]], ...]] = (
    ("instructions", ("instructions",)),
    ("secrets", ("secrets",)),
    ("personal data", ("personal",)),
    ("all", KINDS),
)


def pieces(text: str) -> list[str]:
    """Returns the text in pieces of 10,000 bytes, without the rest."""
    data = text.encode()
    starts = range(0, len(data) - SIZE + 1, SIZE)
    return [data[start : start + SIZE].decode(errors="replace") for start in starts]


def measure(texts: Sequence[str], kinds: Sequence[Kind]) -> tuple[Latency, Latency]:
    """Searches each text once; returns the time of the processor, and the time that passes."""
    used: list[float] = []
    passed: list[float] = []
    for number, text in enumerate(texts):
        begun, began = process_time(), perf_counter()
        find_spans(text, kinds)
        took = process_time() - begun, perf_counter() - began
        if number >= _WARM_UP:
            used.append(took[0])
            passed.append(took[1])
    return Latency.of(used), Latency.of(passed)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.guarding", description=__doc__)
    parser.add_argument("--texts", type=int, default=100, metavar="N", help="results to make up")
    options = parser.parse_args()
    manual = pieces(
        "".join(path.read_text("utf-8") for path in sorted(_MANUAL_FOLDER.glob("*.md")))
    )
    # Each search has texts of its own, because the forms of words are kept.
    made = pieces("\n\n".join(each.text for each in made_texts(240 * options.texts)))
    table = Table("p50/p95 ms for 10 kB", "texts", "processor", "time", box=None)
    for number, (name, kinds) in enumerate(_SEARCHES):
        results = made[number :: len(_SEARCHES)]
        for source, texts in (("manual", manual), ("results", results)):
            used, passed = measure(texts, kinds)
            table.add_row(
                f"{name}, {source}",
                str(used.count),
                *(f"{each.p50:.2f}/{each.p95:.2f}" for each in (used, passed)),
            )
    Console().print(table)


if __name__ == "__main__":
    main()
