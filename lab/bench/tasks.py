"""What starting a task and looking something up take where much is known:
`python -m lab.bench.tasks`, with a throw-away server of its own that has 100,000 tools, 100,000
symbols, 5,000 decisions and the notes that come with Quartermaster. The machine should be idle;
filling takes a quarter of an hour. The exit status is 1 if something takes longer than its budget,
or if start_task takes much longer in a project with an environment of its own.

Tools and symbols are made up: their words are those of the notes, as often as there, and their
vectors are those of notes with noise.
"""

from __future__ import annotations

import argparse
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from time import perf_counter
from typing import Any, Final

import anyio
import numpy as np
import psycopg
from mcp import Client
from psycopg.types.json import Jsonb
from rich.console import Console

from lab.bench import decisions, vectors
from lab.bench.budgets import over_budget, read_budget
from lab.bench.quality import connected
from lab.bench.timing import Latency, timed
from quartermaster.core import logs
from quartermaster.db import LOCAL_PRINCIPAL
from quartermaster.settings.settings import Settings
from quartermaster_knowledge.note_files import shipped_digest, shipped_notes
from quartermaster_knowledge.settings import Documents, Knowledge
from tests.support.context7_server import context7
from tests.support.database import Database, embedded
from tests.support.waiting import wait_until

Connection = psycopg.Connection[tuple[Any, ...]]

BUDGET: Final = (
    "start_task=150,name=30,missing=350,question=120,reranked=350,fetched=5000,cached=500,"
    "consult=2000,experts=100"
)
WARM_UP: Final = 10
IDLE_LOAD: Final = 0.8
BATCH: Final = 2500
LIBRARIES: Final = 60
# Of the libraries, those in the environment of a project.
INSTALLED_PACKAGES: Final = 20
# How many times as long start_task may take if the project has this environment.
MOST_TIMES: Final = 1.3
_WORD: Final = re.compile(r"[A-Za-z]{2,}")
_IMPORT: Final = "select count(*) from api.import_items('tool', %s) where outcome = 'added'"
_PATH: Final = "src/orders/views/new_price.py"
_NOT_INSTALLED: Final = "letter-post"
_SECTIONS: Final = 20
_LOG_IN: Final = """
select set_config('qm.principal', principal_id::text, false)
from api.find_principal('quartermaster')
"""
_MEMBER: Final = """
insert into projects.member (project_id, principal_id, role)
select p.id, q.id, 'member'
from projects.project as p, policy.principal as q
where q.name = %s
"""

_LIBRARY: Final = """
insert into knowledge.distribution as d
    (name, version, digest, content, modules, summary, objects, unread, indexed_at)
values (
    %(name)s, '1.0', sha256(%(digest)s), sha256(%(digest)s), array[%(name)s], '', %(objects)s, '{}',
    now()
)
returning d.id
"""
_SYMBOLS: Final = """
with given as (
    select s.place, s.path, s.passage
    from unnest(%(paths)s::text[], %(passages)s::text[]) with ordinality as s (path, passage, place)
),

stored as (
    insert into knowledge.symbol (
        distribution_id, path, kind, signature, file, line, passage, parameters, deprecated,
        is_async, is_public, priors
    )
    select %(library)s::bigint, g.path, 'function', 'f(a, b)', 'core.py', g.place, g.passage,
        '{a,b}', '', false, true, '{1,0,0,1,4,0,0,0,1,0,0,0,0,0,1}'
    from given as g
    returning id, path, passage
)

select search.put_cards('symbol', jsonb_agg(jsonb_build_object(
    'ref', s.id, 'name', s.path, 'origin', %(name)s::text, 'brief', s.passage,
    'embedding_text', s.path || ': ' || s.passage,
    'fields', jsonb_build_array(s.path, s.passage, 'a b', '')
)))
from stored as s
"""
_SOME_NAME: Final = """
select s.path
from knowledge.symbol as s
inner join knowledge.distribution as d on d.id = s.distribution_id
where d.name = %s
order by md5(s.path)
limit 1
offset %s
"""
_INSTALL: Final = """
with environment as (
    insert into knowledge.environment (folder, project_id, indexed_at)
    select '/srv/mill', p.id, now() from projects.project as p where p.name = 'mill'
    returning id
)

insert into knowledge.environment_distribution (environment_id, distribution_id)
select e.id, d.id
from environment as e
cross join (select x.id from knowledge.distribution as x order by x.id limit %s) as d
"""
_START: Final = (
    "select part from api.start_task(%s, array[%s], 2000, %s, query_vector => %s::text::ext.vector)"
)
_LIMIT: Final = "select value::text from core.setting where name = 'task.time_ms'"
_SET_LIMIT: Final = "update core.setting set value = %s::jsonb where name = 'task.time_ms'"
_OWNER: Final = """
update knowledge.environment as e
set project_id = p.id
from projects.project as p
where e.folder = '/srv/mill' and p.name = %s
"""
_LOOK_UP: Final = "select name from api.lookup_symbols(%s, %s, 20, %s::text::ext.vector)"
_VECTORS: Final = """
insert into search.embedding (model_id, kind, text_hash, vector)
select distinct on (c.text_hash, c.kind)
    m.id, c.kind, c.text_hash, ext.l2_normalize(b.vector operator(ext.+) n.vector)
from search.card as c
inner join search.model as m on m.active
inner join base as b on b.id = c.id % (select count(*) from base)
inner join noise as n on n.id = c.id % (select count(*) from noise)
on conflict do nothing
"""

console = Console(markup=False, highlight=False, soft_wrap=True)


@dataclass
class Words:
    """Texts of words that are as frequent as in the notes."""

    random: np.random.Generator = field(default_factory=lambda: np.random.default_rng(5))

    def __post_init__(self) -> None:
        counts = Counter(
            word.lower()
            for note in shipped_notes()
            for passage in note.passages
            for word in _WORD.findall(passage.text)
        )
        self._words = np.array(list(counts))
        self._shares = np.array(list(counts.values()), float)
        self._shares /= self._shares.sum()

    def texts(self, count: int, length: int) -> Iterator[list[str]]:
        """Returns words of so many texts."""
        lengths = self.random.poisson(length, count) + 1
        drawn = self.random.choice(self._words, int(lengths.sum()), p=self._shares)
        return (part.tolist() for part in np.split(drawn, np.cumsum(lengths)[:-1]))


def questions(count: int) -> list[str]:
    """Returns what people ask, in the words of the notes."""
    asked = [p.asked or p.heading for note in shipped_notes() for p in note.passages]
    random = np.random.default_rng(7)
    return [asked[place] for place in random.permutation(len(asked))[:count]]


def add_tools(connection: Connection, words: Words, count: int) -> None:
    """Tools of 400 origins."""
    tools = [
        {
            "origin": f"origin-{number % 400}",
            "name": f"{text[0]}_{text[-1]}_{number}",
            "description": " ".join(text),
            "input_schema": {"type": "object"},
        }
        for number, text in enumerate(words.texts(count, 25))
    ]
    for start in range(0, count, BATCH):
        connection.execute(_IMPORT, (Jsonb(tools[start : start + BATCH]),))
        console.print(f"tools: {min(start + BATCH, count):,}", end="\r")


def add_symbols(connection: Connection, words: Words, count: int) -> None:
    """Symbols of libraries that everybody may see."""
    row = connection.execute(
        "insert into knowledge.environment (folder, indexed_at) values ('/srv', now()) returning id"
    ).fetchone()
    assert row is not None
    each = count // LIBRARIES
    for number in range(LIBRARIES):
        name = f"library{number}"
        about = {"name": name, "digest": name.encode(), "objects": each}
        found = connection.execute(_LIBRARY, about).fetchone()
        assert found is not None
        texts = list(words.texts(each, 20))
        given = {
            "name": name,
            "library": found[0],
            "paths": [f"{name}.{t[0]}_{t[-1]}_{place}" for place, t in enumerate(texts)],
            "passages": [" ".join(text) for text in texts],
        }
        connection.execute(_SYMBOLS, given)
        held = "insert into knowledge.environment_distribution values (%s, %s)"
        connection.execute(held, (row[0], found[0]))
        console.print(f"symbols: {each * (number + 1):,}", end="\r")


def add_vectors(connection: Connection) -> None:
    """A vector for each text: that of a passage with noise; the indexes are built afterwards."""
    model, _ = vectors.load_model()
    connection.execute("select search.put_model(%s, %s, true)", (model.name, model.dimension))
    base = model.embed([p.text for note in shipped_notes() for p in note.passages][:1000])
    noise = np.random.default_rng(9).standard_normal((997, model.dimension)).astype(np.float32)
    noise *= 0.4 / np.linalg.norm(noise, axis=1, keepdims=True)
    for name, rows in (("base", base), ("noise", noise)):
        connection.execute(f"create temp table {name} (id bigint, vector ext.vector)".encode())
        with connection.cursor().copy(f"copy {name} from stdin".encode()) as copy:
            for number, row in enumerate(rows):
                copy.write_row((number, vectors.literal(row)))
    connection.execute("set maintenance_work_mem = '1GB'")
    for (index,) in connection.execute(vectors.VECTOR_INDEXES).fetchall():
        connection.execute(f"drop index {index}".encode())
    connection.execute(_VECTORS.encode())
    connection.execute("select search.create_vector_indexes()")


def fill(database: Database, options: argparse.Namespace) -> None:
    """Everything that is known."""
    words = Words()
    with decisions.curator(database) as connection:
        decisions.fill(connection, decisions.make_candidates(options.decisions))
    with database.connect() as owner:
        owner.execute(_LOG_IN)
        owner.execute("select t.make_project('mill', 'dora')")
        owner.execute(_MEMBER, (LOCAL_PRINCIPAL,))
        notes = Jsonb([note.row() for note in shipped_notes()])
        owner.execute("select api.load_notes(%s, %s)", (notes, shipped_digest()))
        for what, add, count in (
            ("symbols", add_symbols, options.symbols),
            ("tools", add_tools, options.tools),
        ):
            _, seconds = timed(lambda add=add, count=count: add(owner, words, count))
            console.print(f"{count:,} {what} in {seconds:.0f} s")
        owner.execute(_INSTALL, (INSTALLED_PACKAGES,))
        _, seconds = timed(lambda: add_vectors(owner))
        console.print(f"vectors in {seconds:.0f} s")
        owner.execute("vacuum analyze")
        # Every question is to be searched for.
        owner.execute("update core.setting set value = '\"0 s\"' where name = 'pool.ttl'")


def calls(connection: Connection, count: int) -> dict[str, list[tuple[str, dict[str, Any]]]]:
    """For each name the calls of tools that are made.

    A look-up of a name that exists searches for nothing; one of a name that is missing, and one of
    a question, let the model read the first objects. For a library that is not installed, a
    provider on this machine is asked, and then the cache answers the same questions.
    """
    asked = questions(count)
    project = {"paths": [_PATH], "project": "cora/shop"}
    libraries = [f"library{place % LIBRARIES}" for place in range(count)]
    names = [
        str(path)
        for place, name in enumerate(libraries)
        for (path,) in connection.execute(_SOME_NAME, (name, place)).fetchall()
    ]
    topics = {
        "name": names,
        "missing": [f"{name}_gone" for name in names],
        "reranked": asked,
    }
    look_ups = {
        name: [
            ("tapps_lookup_docs", {"library": library, "topic": topic})
            for library, topic in zip(libraries, each, strict=True)
        ]
        for name, each in topics.items()
    }
    elsewhere = [
        ("tapps_lookup_docs", {"library": _NOT_INSTALLED, "topic": topic}) for topic in asked
    ]
    return {
        "start_task": [("start_task", {"goal": goal, **project}) for goal in asked],
        **look_ups,
        "fetched": elsewhere,
        "cached": elsewhere,
        "consult": [("tapps_consult_expert", {"question": goal}) for goal in asked],
        "experts": [("tapps_list_experts", {})] * count,
    }


def ask_without_rerank(connection: Connection, count: int) -> list[float]:
    """Returns seconds of look-ups of questions as psql makes them, with the vector of the
    question.
    """
    model, _ = vectors.load_model()
    connection.execute(_LOG_IN)
    seconds = list[float]()
    for place, goal in enumerate(questions(count)):
        begun = perf_counter()
        vector = vectors.literal(model.embed([model.goal_text(goal)])[0])
        connection.execute(_LOOK_UP, (f"library{place % LIBRARIES}", goal, vector)).fetchall()
        seconds.append(perf_counter() - begun)
    return seconds


def compare_environments(connection: Connection, count: int) -> list[str]:
    """Compares start_task in a project without and with an environment of its own, in turn, and
    without a limit of time, so that no part is left out; returns what takes too long.
    """
    model, _ = vectors.load_model()
    limit = connection.execute(_LIMIT).fetchone()
    assert limit is not None
    connection.execute(_SET_LIMIT, ("100000",))
    connection.execute(_LOG_IN)
    owners = ("mill", "shop")
    seconds: dict[str, list[float]] = {owner: [] for owner in owners}
    for place, goal in enumerate(questions(count)):
        vector = vectors.literal(model.embed([model.goal_text(goal)])[0])
        for owner in owners[:: 1 if place % 2 else -1]:
            connection.execute(_OWNER, (owner,))
            begun = perf_counter()
            connection.execute(_START, (goal, _PATH, "cora/shop", vector)).fetchall()
            seconds[owner].append(perf_counter() - begun)
    connection.execute(_OWNER, ("mill",))
    connection.execute(_SET_LIMIT, limit)
    without, within = (Latency.of(seconds[owner][WARM_UP:]) for owner in owners)
    times = within.p50 / without.p50
    message = f"an environment of {INSTALLED_PACKAGES} libraries: {times:.2f} times as long"
    console.print(f"{message} ({without.p50:.1f} and {within.p50:.1f} ms, p50, in psql)")
    return [f"{message}, at most {MOST_TIMES:g}"] if times > MOST_TIMES else []


async def measure(
    database: Database, root: Path, budget: dict[str, float], count: int
) -> list[str]:
    """Asks, and prints; returns what took longer than its budget."""
    taken: dict[str, Latency] = {}
    with database.connect() as connection:
        wanted = calls(connection, count)
        slower = compare_environments(connection, count)
        taken["question"] = latency_of("question", ask_without_rerank(connection, count), budget)
    with provider() as documents:
        async with connected(database, root, "knowledge", Knowledge(documents=documents)) as client:
            for name, asked in wanted.items():
                seconds, late = await _ask(client, asked)
                taken[name] = latency_of(name, seconds, budget)
                for part, times in late.items():
                    console.print(f"           left out: {part} {times} times of {len(asked)}")
    return over_budget(taken, budget) + slower


@contextmanager
def provider() -> Generator[Documents]:
    """Provides settings for a provider on this machine, which has one library."""
    passages = [p for note in shipped_notes() for p in note.passages][:_SECTIONS]
    with context7() as server:
        server.titles["/bench/letters"] = _NOT_INSTALLED
        server.texts["/bench/letters"] = "\n\n".join(
            f"### {passage.heading}\n\n{passage.text}" for passage in passages
        )
        yield Documents(context7_url=server.url, networks=("127.0.0.0/8",))


def latency_of(name: str, seconds: list[float], budget: dict[str, float]) -> Latency:
    """Returns the latency of calls, which is printed."""
    latency = Latency.of(seconds[WARM_UP:])
    console.print(
        f"{name:10} p50 {latency.p50:7.1f} ms  p95 {latency.p95:7.1f} ms  "
        f"budget {budget.get(name, 0):g} ms"
    )
    return latency


async def _ask(
    client: Client, asked: Sequence[tuple[str, dict[str, Any]]]
) -> tuple[list[float], Counter[str]]:
    seconds, late = list[float](), Counter[str]()
    for tool, arguments in asked:
        begun = perf_counter()
        answer = await client.call_tool(tool, arguments)
        seconds.append(perf_counter() - begun)
        assert not answer.is_error, answer.content
        if tool == "start_task":
            body: dict[str, Any] = answer.structured_content or {}
            late.update(row["name"] for row in body["parts"] if row["part"] == "left_out")
    return seconds, late


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m lab.bench.tasks", description=__doc__)
    parser.add_argument("--tools", type=int, default=100_000)
    parser.add_argument("--symbols", type=int, default=100_000)
    parser.add_argument("--decisions", type=int, default=5_000)
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--budget", type=read_budget, default=read_budget(BUDGET))
    options = parser.parse_args()
    logs.configure("warning")
    with (
        tempfile.TemporaryDirectory(prefix="qm-bench-") as folder,
        embedded(Settings().postgres.shared_buffers) as server,
        server.clone() as database,
    ):
        fill(database, options)
        # The server has still to do what filling left, such as automatic analyses.
        wait_until(lambda: os.getloadavg()[0] < IDLE_LOAD, within_s=300)
        console.print(f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores")
        late = anyio.run(
            measure, database, Path(folder).resolve(), options.budget, options.questions
        )
    if late:
        sys.exit("over budget: " + "; ".join(late))


if __name__ == "__main__":
    main()
