"""Rights for measurements: a toolset that shows one tool in a hundred, and a thousand rules."""

from __future__ import annotations

import random
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from psycopg.types.json import Jsonb

from lab.bench.server import BenchDatabase
from lab.bench.timing import Latency, timed

RULES = 1_000
_CATEGORY = "one in a hundred"
# Tools that came since the last time are marked too; the trigger gives them their class.
_MARK = f"""
update catalog.item set categories = '{{{_CATEGORY}}}'
where id % 100 = 0 and not categories @> '{{{_CATEGORY}}}'
"""


@contextmanager
def narrow_rights(bench: BenchDatabase) -> Generator[None]:
    """For the length of the block, the service's sessions see every hundredth tool only."""
    bench.owner.execute(_MARK)
    if not bench.owner.execute("select from api.list_toolsets()").fetchall():
        pinned = Jsonb({"categories": _CATEGORY})
        bench.owner.execute("select api.put_toolset('hundredth', %s)", [pinned])
    for asking in (bench.service, bench.reader):
        asking.execute("select set_config('qm.toolset', 'hundredth', false)")
    try:
        yield
    finally:
        for asking in (bench.service, bench.reader):
            asking.execute("select set_config('qm.toolset', '', false)")


@dataclass(frozen=True)
class Applied:
    """A thousand rules made to hold: seconds that took, and the classes of tools they make."""

    seconds: float
    classes: int


@contextmanager
def many_rules(bench: BenchDatabase, seed: int = 5) -> Generator[Applied]:
    """For the length of the block, a thousand rules hold; they deny about one tool in fifty."""
    names, origins = (
        [str(name) for (name,) in bench.owner.execute(query).fetchall()]
        for query in (
            "select public_name from catalog.item order by public_name",
            "select name from catalog.origin order by name",
        )
    )
    rules = _make_rules(names, origins, random.Random(seed))
    statement = "select api.apply_rules(%s)"
    _, seconds = timed(lambda: bench.owner.execute(statement, [Jsonb({"rules": rules})]))
    [(classes,)] = bench.owner.execute("select count(*) from policy.rights_class").fetchall()
    try:
        yield Applied(round(seconds, 2), int(str(classes)))
    finally:
        bench.owner.execute("select api.activate_rules()")


@dataclass(frozen=True)
class RightsCost:
    """Selection under a thousand rules beside the same without, and what making them hold took.

    Attributes:
        apply_s: seconds of api.apply_rules.
        classes: of cards that the rules make.
        without, under: of each mode.
    """

    apply_s: float
    classes: int
    without: dict[str, Latency]
    under: dict[str, Latency]

    @property
    def ratios(self) -> dict[str, float]:
        """95th percentile under the rules divided by that without, of each mode."""
        return {
            mode: round(under.p95 / self.without[mode].p95, 2) for mode, under in self.under.items()
        }


def _make_rules(
    names: list[str], origins: list[str], chance: random.Random
) -> list[dict[str, Any]]:
    """Returns what organisations write: single tools, tools of one beginning, whole servers."""
    rules: list[dict[str, Any]] = []
    for number in range(RULES):
        rule: dict[str, Any] = {
            "effect": "allow" if number % 4 == 3 else "deny",
            "subject": chance.choice(("everyone", "role:operator", "role:user", "role:admin")),
        }
        if number % 10 < 6:
            rule["tools"] = [chance.choice(names)]
        elif number % 10 < 8:
            rule["tools"] = [chance.choice(names)[:-3] + "*"]
        else:
            rule["origins"] = [chance.choice(origins)]
            rule["destructive"] = True
        rules.append(rule)
    return rules
