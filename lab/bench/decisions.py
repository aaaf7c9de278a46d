"""What it costs to store, approve and serve decisions: `python -m lab.bench.decisions`, with a
throw-away server of its own. The machine should be idle. Storing 5,000 decisions takes minutes. The
exit status is 1 if serving them takes longer than it should.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Generator
from contextlib import contextmanager
from random import Random
from typing import Any, Final

import psycopg
from psycopg.types.json import Jsonb
from rich.console import Console
from rich.progress import track
from rich.table import Table

from lab.bench.timing import Latency, timed
from quartermaster.core import logs
from tests.support.database import Database, embedded

Connection = psycopg.Connection[tuple[Any, ...]]

BATCH: Final = 500
SLOWEST_MS: Final = 20.0
WARM_UP: Final = 10
_AREAS: Final = [
    "api", "billing", "cart", "orders", "users", "search", "mail", "reports", "admin", "auth",
    "files", "jobs",
]  # fmt: skip
_LAYERS: Final = ["views", "models", "forms", "services", "tasks", "queries", "schemas", "tests"]
_NOUNS: Final = [
    "serializer", "dictionary", "permission", "timeout", "retry", "transaction", "cursor",
    "page", "token", "header", "cache", "queue", "lock", "signal", "event", "template", "query",
    "migration", "index", "price", "currency", "address", "invoice",
]  # fmt: skip
_VERBS: Final = [
    "return", "build", "check", "open", "close", "send", "read", "write", "store", "load",
    "sort", "parse", "log",
]  # fmt: skip
_NAMES: Final = ("login_required", "atomic", "cached", "audited", "throttled", "versioned")

_PUT: Final = "select array_agg(decision) from api.put_candidates(%s) where outcome = 'added'"
_APPROVE: Final = "select api.approve_decisions(%s)"

console = Console()


def make_candidates(count: int, seed: int = 7) -> list[dict[str, Any]]:
    """Returns candidates as miners make them: most about one folder, a few about everything."""
    random = Random(seed)
    return [_candidate(random, number) for number in range(count)]


def _candidate(random: Random, number: int) -> dict[str, Any]:
    area, layer = random.choice(_AREAS), random.choice(_LAYERS)
    first, second, third = random.sample(_NOUNS, 3)
    folder = f"src/{area}/{layer}"
    text = (
        f"In {folder}, {random.choice(_VERBS)} every {first} with {second}_{number % 97}, and"
        f" {random.choice(_VERBS)} no {third}."
    )
    found: dict[str, Any] = {
        "pattern": text,
        "scope": {"kind": "path", "value": f"{folder}/**"},
        "polarity": "do",
        "confidence": random.choice(["low", "medium", "high"]),
        "origin": "bootstrap",
        "miner": "bench",
        "rationale": f"Of the files in {folder}, 48 of 50 do so since {2015 + number % 10}.",
        "keywords": [area, layer, first, second],
        "importance": random.random(),
        "evidence": [
            {"kind": "file", "path": f"{folder}/{first}_{each}.py", "line": 3 + each}
            for each in range(4)
        ],
    }
    if number % 50 == 0:
        found["scope"] = {"kind": "global", "value": ""}
    elif number % 3 == 0:
        found["check"] = {
            "form": "decorator",
            "subject": "function",
            "where": {"public": True},
            "decorators": [f"{area}.{random.choice(_NAMES)}_{number}"],
            "paths": [f"{folder}/**/*.py"],
        }
    elif number % 3 == 1:
        old, new = f"{area}.{third}_{number}", f"{area}.{first}_{number}"
        found["check"] = {"form": "call_through", "old": [old], "new": [new]}
    return found


def make_questions(count: int) -> list[tuple[str, str]]:
    """Returns paths and tasks; every tenth path is one that no decision is about."""
    random = Random(11)
    asked: list[tuple[str, str]] = []
    for number in range(count):
        area, layer, thing = (random.choice(each) for each in (_AREAS, _LAYERS, _NOUNS))
        path = f"src/{area}/{layer}/new_{thing}.py" if number % 10 else f"vendor/{thing}.go"
        task = f"add a {random.choice(_VERBS)} of the {thing} and its {random.choice(_NOUNS)}"
        asked.append((path, "" if number % 7 == 0 else task))
    return asked


@contextmanager
def curator(database: Database) -> Generator[Connection]:
    """Provides a project with a person who may curate it, and her connection."""
    with database.connect() as owner:
        owner.execute("select t.make_project('shop', 'cora')")
        owner.execute("update policy.principal set curates_decisions = true where name = 'cora'")
    with database.connect() as connection:
        connection.execute("begin")
        connection.execute("select t.log_in('cora')")
        connection.execute("commit")
        # The helper logs in for one transaction; this session stays.
        connection.execute("set session authorization qm_test_person")
        yield connection


def fill(connection: Connection, candidates: list[dict[str, Any]]) -> tuple[float, float]:
    """Stores candidates in batches and approves them; seconds of the last batch of each."""
    stored = approved = 0.0
    starts = range(0, len(candidates), BATCH)
    for start in track(starts, "Storing and approving", console=console):
        part = Jsonb(candidates[start : start + BATCH])
        rows, stored = timed(lambda part=part: connection.execute(_PUT, (part,)).fetchall())
        [[ids]] = rows
        _, approved = timed(lambda ids=ids: connection.execute(_APPROVE, (ids,)).fetchall())
    return stored, approved


def ask(connection: Connection, path: str, task: str) -> list[tuple[Any, ...]]:
    """Returns what is served: the columns that do not depend on the call."""
    served = "select index, decision, tier, score from api.decisions_for(%s, %s)"
    return connection.execute(served, (path, task)).fetchall()


def measure(database: Database, count: int, questions: int) -> Latency:
    """Fills a project, asks, and prints how long serving took."""
    with curator(database) as connection:
        stored, approved = fill(connection, make_candidates(count))
        with database.connect() as owner:
            owner.execute("analyze")
        asked = [
            timed(lambda q=q: ask(connection, *q))
            for q in track(make_questions(questions), "Asking", console=console)
        ]
        latency = Latency.of([seconds for _, seconds in asked][WARM_UP:])
        served = sum(1 for rows, _ in asked if rows)
    table = Table("", "", title=f"{count:,} decisions of a project, searched by words", box=None)
    table.add_row(f"storing the last {BATCH}", f"{stored:.2f} s")
    table.add_row(f"approving the last {BATCH}", f"{approved:.2f} s")
    table.add_row("decisions_for, p50", f"{latency.p50:.1f} ms")
    table.add_row("decisions_for, p95", f"{latency.p95:.1f} ms")
    table.add_row("questions, and those that got something", f"{len(asked)}, {served}")
    console.print(table)
    return latency


def main() -> int:
    """Returns the command line; the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=200)
    options = parser.parse_args()
    logs.configure("warning")
    with embedded() as server, server.clone() as database:
        latency = measure(database, options.decisions, options.questions)
    if latency.p95 > SLOWEST_MS:
        console.print(f"Slower than {SLOWEST_MS:.0f} ms.")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
