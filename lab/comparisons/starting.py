"""How much of what a session uses the answer of start_task contains: `python -m
lab.comparisons.starting --desk FOLDER --experts FILE --symbols FILE --python PLACE`, in a
throw-away database.

No sessions are recorded, so goals stand in for them whose answer is known: the tool of a desk's
goal, the note or the first claim of a question to the experts, the object of a question about a
package, and the decisions of a task in a made-up shop. All kinds are in one database, and each goal
is asked as it stands: no library, no domain, no kind is told.

With --fit, it only learns, and prints two settings. task.scores makes the scores of tools and
symbols comparable: a logistic curve over each raw score, learned from all goals, whatever they ask
for. task.note gives the probability that a note helps: it is learned from tasks whose notes were
read one by one (lab/comparisons/task_notes.jsonl), because a question has other words than a task.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import anyio
import numpy as np
import psycopg
from anyio import to_thread
from rich.console import Console
from rich.table import Table

from kinds.decisions.tests.service.toy_gold import DECISIONS, PLACES
from quartermaster import api
from quartermaster.cli.eval.databases import workbench
from quartermaster.core import logs
from quartermaster.core.kinds import TOOL
from quartermaster.db import LOCAL_PRINCIPAL, Row
from quartermaster.db.from_thread import FromThread
from quartermaster.eval.arena import Arena, EvaluationEnvironment, open_arena
from quartermaster.eval.fitting import logistic
from quartermaster.eval.gold import GoldSet, read_tasks
from quartermaster.eval.items import read_items
from quartermaster.eval.remembered import RememberedModel, memory_dir, memory_file
from quartermaster.install.throw_away import settle, without_vector_indexes
from quartermaster.settings.settings import Settings
from quartermaster_decisions import api as decisions_api
from quartermaster_knowledge import api as knowledge_api
from quartermaster_knowledge.environment import packages_folder
from quartermaster_knowledge.indexing import index_environment
from quartermaster_knowledge.note_files import shipped_digest, shipped_notes
from tests.support.instance import shared_runtime_dir

KINDS: Final = ("tool", "note", "symbol", "decision")
BUDGETS: Final = (1000, 2000, 4000)
CURVES: Final = ("tool", "symbol")
FLOORS: Final = {
    "tool": (0.0, 0.005, 0.008, 0.01, 0.015, 0.02, 0.05),
    "note": (0.0, 0.2, 0.3, 0.35, 0.4, 0.45, 0.5),
    "symbol": (0.0, 0.001, 0.002, 0.003, 0.005, 0.008, 0.01, 0.02, 0.03),
}
# The score that the best symbol of an answer must have.
BEST_SCORES: Final = (0.01, 0.015, 0.02, 0.03)
TASK_NOTES: Final = Path(__file__).parent / "task_notes.jsonl"
# A note counts as right if it contains so much of the first claim that an answer should contain.
ENOUGH_SHARE: Final = 0.5
_TOKENS_QUERY: Final = (
    "select kind, count(*), sum(tokens) from search.card group by kind order by kind"
)
_READ_QUERY: Final = """
with found as materialized (
    select s.ref, s.score, s.rank, (s.scores ->> 'dense')::real as near
    from api.search_cards(%(goal)s, '{passage}', 'fast', 12, %(vector)s::text::ext.vector) as s
    order by s.score desc, s.rank
    limit 4
)

select n.name || ': ' || p.heading, f.parts
from (
    select
        array_agg(x.ref order by x.score desc, x.rank) as ids,
        array_agg(x.near order by x.score desc, x.rank) as near,
        array_agg(x.score order by x.score desc, x.rank) as scores
    from found as x
) as g
cross join lateral knowledge.fit_passages(%(goal)s, g.ids, g.near, g.scores) as f
inner join knowledge.passage as p on p.id = f.passage_id
inner join knowledge.note as n on n.id = p.note_id
"""
_BINS: Final = (0.0, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0)
_MIN_SCORE: Final = 1e-4
_RIDGE: Final = 1.0


@dataclass(frozen=True)
class StartingGoal:
    """What somebody wants, and what is right.

    Attributes:
        kind: of what is right.
        text: the goal.
        names: names of the rows that are right.
        claim: words that a right note contains, instead of names.
        paths: files that the task is about.
    """

    kind: str
    text: str
    names: frozenset[str] = frozenset()
    claim: frozenset[str] = frozenset()
    paths: tuple[str, ...] = ()

    def is_met_by(self, row: Row) -> bool:
        """Returns whether a row is what the goal needs."""
        if row["part"] != self.kind:
            return False
        if self.claim:
            return len(self.claim & words(row["text"])) >= ENOUGH_SHARE * len(self.claim)
        return row["name"] in self.names


@dataclass
class BudgetAnswer:
    """The answers to a goal by budget."""

    goal: StartingGoal
    rows: dict[int, list[Row]] = field(default_factory=dict[int, list[Row]])


def words(text: str) -> frozenset[str]:
    """Returns the words of a text that may say something."""
    letters = "".join(sign if sign.isalnum() else " " for sign in text.lower())
    return frozenset(word for word in letters.split() if len(word) > 3)


def read_lines(file: Path) -> list[dict[str, Any]]:
    """Returns the objects of a file of JSON lines."""
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines() if line]


def expert_goals(lines: Iterable[dict[str, Any]]) -> list[StartingGoal]:
    """Returns questions to the experts: ours name the note, others the claims of a right answer."""
    goals: list[StartingGoal] = []
    for each in lines:
        claim = words(each["claims"][0]) if each.get("claims") else frozenset[str]()
        names = frozenset({each["note"]} if each.get("note") else ())
        if each.get("answerable", True):
            goals.append(StartingGoal("note", each["question"], names, claim))
    return goals


def symbol_goals(lines: Iterable[dict[str, Any]], indexed: frozenset[str]) -> list[StartingGoal]:
    """Returns questions about packages that are indexed."""
    return [
        StartingGoal("symbol", each["topic"], frozenset(each["symbols"]))
        for each in lines
        if each["distribution"].lower() in indexed
    ]


def joined(desks: Sequence[Path], folder: Path) -> GoldSet:
    """Returns the tools and goals of several desks, as if one person had all of them."""
    for name in ("tools.jsonl", "queries.jsonl"):
        text = "".join((desk / name).read_text(encoding="utf-8") for desk in desks)
        (folder / name).write_text(text, encoding="utf-8")
    items = read_items(folder / "tools.jsonl", Settings().upstream.max_tool_bytes, TOOL)
    tasks = read_tasks(folder / "queries.jsonl", items, split=None, modes=["fast"])
    return GoldSet("desks", items, tasks)


async def store_decisions(arena: Arena, root: Path) -> list[StartingGoal]:
    """Stores the decisions of the shop; its tasks are the goals."""
    database = arena.service.database
    admin = await database.find_principal(LOCAL_PRINCIPAL)
    await database.call(api.add_project(name="shop", root=str(root)), admin)
    rows = await database.call(
        decisions_api.import_decisions(entries=list(DECISIONS.values())), admin
    )
    ids = [row["decision"] for row in sorted(rows, key=lambda row: row["place"])]
    await database.call(decisions_api.approve_decisions(ids=ids), admin)
    named = {name: f"decision {key}" for name, key in zip(DECISIONS, ids, strict=True)}
    return [
        StartingGoal("decision", task, frozenset(named[name] for name in right), paths=(path,))
        for path, task, right in PLACES
        if right
    ]


async def store_knowledge(arena: Arena, dsn: str, data: Path, options: argparse.Namespace) -> None:
    """Stores notes and packages, with their vectors."""
    database = arena.service.database
    admin = await database.find_principal(LOCAL_PRINCIPAL)
    notes = [note.row() for note in shipped_notes()]
    await database.call(knowledge_api.load_notes(notes=notes, digest=shipped_digest()), admin)
    folder = packages_folder(options.python)
    read = partial(index_environment, FromThread(database, admin), folder, only=options.packages)
    await to_thread.run_sync(read)
    model = RememberedModel(arena.model, memory_file(memory_dir(data), arena.model))
    indexes = without_vector_indexes(dsn)
    await to_thread.run_sync(indexes.__enter__)
    await arena.embed_items(model)
    await to_thread.run_sync(indexes.__exit__, None, None, None)
    await to_thread.run_sync(settle, dsn)


async def ask(
    arena: Arena, goals: Sequence[StartingGoal], budgets: Sequence[int]
) -> list[BudgetAnswer]:
    """Returns what start_task answers to each goal within each budget."""
    admin = await arena.service.database.find_principal(LOCAL_PRINCIPAL)
    answers: list[BudgetAnswer] = []
    for number, goal in enumerate(goals, 1):
        vector = await arena.service.retriever.embedder.embed_goal(goal.text)
        answer = BudgetAnswer(goal)
        for budget in budgets:
            answer.rows[budget] = await arena.service.database.call(
                api.start_task(
                    goal=goal.text,
                    paths=list(goal.paths),
                    budget_tokens=budget,
                    query_vector=vector,
                ),
                admin,
            )
        answers.append(answer)
        arena.progress("asking", number, len(goals))
    return answers


def curve(answers: Sequence[BudgetAnswer], part: str) -> list[float] | None:
    """Returns the logistic curve over the log odds of a part's raw scores; None without a right
    row.
    """
    rows = [
        (row["score"], answer.goal.is_met_by(row))
        for answer in answers
        for row in answer.rows[max(BUDGETS)]
        if row["part"] == part
    ]
    if not any(is_right for _, is_right in rows):
        return None
    raw = np.clip(np.array([score for score, _ in rows], float), _MIN_SCORE, 1 - _MIN_SCORE)
    right = np.array([is_right for _, is_right in rows], float)
    line = logistic(np.log(raw / (1 - raw))[:, None], right, np.ones(len(raw)), _RIDGE)
    return [round(float(line[1]), 3), round(float(line[0]), 3)]


async def note_weights(arena: Arena, connection: psycopg.Connection[Any]) -> dict[str, float]:
    """Returns the logistic weights of the parts of knowledge.fit_passages, from tasks that were
    read.
    """
    connection.execute(
        "select set_config('qm.principal', p.id::text, false) from policy.principal as p"
        " where p.name = %s",
        [LOCAL_PRINCIPAL],
    )
    parts: list[list[float]] = []
    right: list[bool] = []
    for task in read_lines(TASK_NOTES):
        vector = await arena.service.retriever.embedder.embed_goal(task["goal"])
        given = {"goal": task["goal"], "vector": str(vector.tolist())}
        for name, found in connection.execute(_READ_QUERY, given).fetchall():
            if name in task["fits"] or name in task["others"]:
                parts.append(found)
                right.append(name in task["fits"])
    line = logistic(np.array(parts), np.array(right, float), np.ones(len(parts)), _RIDGE)
    names = ("similar", "covered", "score", "intercept")
    return {name: round(float(weight), 3) for name, weight in zip(names, line, strict=True)}


def print_recall(console: Console, answers: Sequence[BudgetAnswer]) -> None:
    """How often what is right is in the answer, by kind and budget."""
    table = Table("goal's kind", "goals", *(f"within {b:,}" for b in BUDGETS), box=None)
    for kind in KINDS:
        of = [a for a in answers if a.goal.kind == kind and (a.goal.names or a.goal.claim)]
        if of:
            shares = (np.mean([_recall(answer, budget) for answer in of]) for budget in BUDGETS)
            table.add_row(kind, str(len(of)), *(f"{share:.3f}" for share in shares))
    sums = (
        np.mean([sum(row["tokens"] for row in answer.rows[b]) for answer in answers])
        for b in BUDGETS
    )
    table.add_row("tokens of the answer", "", *(f"{mean:.0f}" for mean in sums))
    console.print(table)


def _recall(answer: BudgetAnswer, budget: int) -> float:
    rows = [row for row in answer.rows[budget] if answer.goal.is_met_by(row)]
    needed = len(answer.goal.names) if answer.goal.kind == "decision" else 1
    return min(len(rows) / needed, 1)


def print_everything(console: Console, connection: psycopg.Connection[Any]) -> None:
    """What it would take to list all that is known."""
    table = Table("all of a kind", "cards", "tokens", box=None)
    for kind, cards, tokens in connection.execute(_TOKENS_QUERY).fetchall():
        table.add_row(kind, f"{cards:,}", f"{tokens:,}")
    console.print(table)


def print_floors(
    console: Console,
    answers: Sequence[BudgetAnswer],
    part: str,
    best: float = 0,
    budget: int = 2000,
) -> None:
    """What a floor of the score of a part would cost and spare, if its best row has so much."""
    answers = [answer for answer in answers if answer.goal.names or answer.goal.claim]
    kinds = [kind for kind in KINDS if any(answer.goal.kind == kind for answer in answers)]
    above = f", best {best:g}" if best else ""
    table = Table(f"{part}: floor{above}", *kinds, f"{part} rows", "tokens", box=None)
    highests = [
        max((row["score"] for row in answer.rows[budget] if row["part"] == part), default=0)
        for answer in answers
    ]
    for floor in FLOORS[part]:
        retained = [
            BudgetAnswer(
                answer.goal,
                {
                    budget: [
                        row
                        for row in answer.rows[budget]
                        if row["part"] != part or (row["score"] >= floor and highest >= best)
                    ]
                },
            )
            for answer, highest in zip(answers, highests, strict=True)
        ]
        recall = (
            np.mean([_recall(answer, budget) for answer in retained if answer.goal.kind == kind])
            for kind in kinds
        )
        rows = [row for answer in retained for row in answer.rows[budget]]
        table.add_row(
            f"{floor:.3f}",
            *(f"{share:.3f}" for share in recall),
            f"{sum(row['part'] == part for row in rows) / len(retained):.2f}",
            f"{sum(row['tokens'] for row in rows) / len(retained):.0f}",
        )
    console.print(table)


def print_reliability(console: Console, answers: Sequence[BudgetAnswer]) -> None:
    """Beside each other, by kind: the mean score of rows, and the share of them that is right."""
    table = Table("part", "score", "rows", "mean score", "right", box=None)
    for part in KINDS[:3]:
        rows = np.array(
            [
                (row["score"], answer.goal.is_met_by(row))
                for answer in answers
                for row in answer.rows[max(BUDGETS)]
                if row["part"] == part
            ]
        ).reshape(-1, 2)
        error = 0.0
        for low, high in pairwise(_BINS):
            of = rows[(rows[:, 0] >= low) & ((rows[:, 0] < high) | (high == 1))]
            if len(of):
                score, right = of.mean(0)
                error += abs(score - right) * len(of) / len(rows)
                bounds = f"{low} to {high}"
                table.add_row(part, bounds, str(len(of)), f"{score:.3f}", f"{right:.3f}")
        table.add_row(part, "calibration error", str(len(rows)), f"{error:.3f}", "")
    console.print(table)


async def measure(bench: EvaluationEnvironment, options: argparse.Namespace, folder: Path) -> None:
    """Fills, asks, prints."""
    console = Console(highlight=False, width=100)
    gold = joined(options.desk, folder)
    dsn = bench.dsns[0]
    with psycopg.connect(dsn, autocommit=True) as connection:
        async with open_arena(bench, gold) as arena:
            root = folder / "shop"
            root.mkdir()
            connection.execute(
                "update policy.principal set curates_decisions = true where name = %s",
                [LOCAL_PRINCIPAL],
            )
            decisions = await store_decisions(arena, root)
            await store_knowledge(arena, dsn, bench.data_dir, options)
            changed = {"task.time_ms": "100000"}
            if options.floors or options.fit:
                changed |= {
                    "task.floor": "0",
                    "task.note_floor": "0",
                    "task.symbol_floor": "0",
                    "task.best_symbol": "0",
                }
            if options.fit:
                changed |= {"task.scores": "{}"}
            for name, value in changed.items():
                change = "update core.setting set value = %s where name = %s"
                connection.execute(change, [value, name])
            public = {key: name for name, key in arena.ids.items()}
            goals = [
                StartingGoal(
                    "tool", task.goal, frozenset(public[k] for k in task.accepted if k in public)
                )
                for task in gold.tasks[:: options.every[0]]
            ]
            goals += expert_goals(read_lines(options.experts)[:: options.every[1]])
            names = frozenset(name.lower() for name in options.packages)
            goals += symbol_goals(read_lines(options.symbols)[:: options.every[2]], names)
            goals += decisions
            if options.fit:
                console.print(f"task.note: {json.dumps(await note_weights(arena, connection))}")
                answers = await ask(arena, goals, [max(BUDGETS)])
                found = {part: curve(answers, part) for part in CURVES}
                learned = json.dumps({part: line for part, line in found.items() if line})
                console.print(f"task.scores: {learned} ({len(goals)} goals)")
                return
            answers = await ask(arena, goals, BUDGETS)
            print_everything(console, connection)
            print_recall(console, answers)
            if options.floors:
                for part in FLOORS:
                    print_floors(console, answers, part)
                for best in BEST_SCORES:
                    print_floors(console, answers, "symbol", best)
            print_reliability(console, answers)


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.comparisons.starting", description=__doc__)
    parser.add_argument("--desk", type=Path, action="append", required=True)
    parser.add_argument("--experts", type=Path, required=True)
    parser.add_argument("--symbols", type=Path, required=True)
    parser.add_argument("--python", type=Path, required=True, help="folder of packages")
    parser.add_argument("--packages", nargs="+", required=True, help="that are indexed")
    parser.add_argument(
        "--every",
        type=int,
        nargs=3,
        default=(1, 1, 1),
        metavar=("DESK", "EXPERTS", "SYMBOLS"),
        help="ask every so many goals of each kind",
    )
    choice = parser.add_mutually_exclusive_group()
    choice.add_argument("--fit", action="store_true", help="only learn the settings")
    choice.add_argument("--floors", action="store_true", help="ask without floors, compare some")
    options = parser.parse_args()
    logs.configure("warning", json=False)
    os.environ["QM_RUNTIME_DIR"] = str(shared_runtime_dir())
    with (
        TemporaryDirectory() as folder,
        TemporaryDirectory() as data,
        workbench(Settings(), Path(data), None, embedded=True) as bench,
    ):
        anyio.run(measure, bench, options, Path(folder))


if __name__ == "__main__":
    main()
