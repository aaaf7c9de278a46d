"""What is asked of both doors of `api`, the database and what was kept, and where they differ."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from uuid import UUID, uuid4

from quartermaster import api
from quartermaster.core.api_call import ApiCall
from quartermaster.core.errors import QmError
from quartermaster.db import Database as AsyncDatabase
from quartermaster.db import Principal, Row
from quartermaster.outage.operations import Operations
from quartermaster.outage.outage import Outage
from quartermaster.outage.outage_copy import OutageCopy
from quartermaster.outage.spool import Spool
from quartermaster.upstream.breakers import Breakers
from tests.support.connected import connected
from tests.support.database import Database

ODD: Final = "it's a \\ “naïve” 名前"
TIME: Final = "time__get_current_time"
GOAL: Final = "open a ticket for a bug"
STARTED: Final = datetime(2026, 1, 1, tzinfo=UTC)
_CATALOG: Final = """
select t.make_catalog(), t.make_principal('alice'), t.make_principal('bob'),
    t.make_principal('olga', 'operator'), t.make_principal('boss', 'admin');
select t.make_origin('far', 'none'), t.make_tool('far', 'look', 'Look at the stars.');
select t.put_items('prompt', 'time', '[{"name": "greet", "description": "Greet Ada about time."},
    {"name": "Zeitansage", "title": "Zeit", "description": "Sagt die Uhrzeit: größer, 名前."}]');
select t.put_items('resource', 'tracker', '[{"uri": "memo://plan", "name": "plan",
    "description": "The plan of the tickets."}, {"uri": "memo://Ärger", "name": "trouble"}]');
select t.put_items('resource_template', 'tracker',
    '[{"uriTemplate": "memo://page/{n}", "name": "page"}]');
select t.put_items('instructions', 'time',
    '[{"name": "time", "instructions": "Ask for the time of a timezone first."}]')
"""
_RULES: Final[dict[str, Any]] = {
    "rules": [
        {"effect": "deny", "subject": "principal:bob", "origins": ["tracker"]},
        {"effect": "deny", "subject": "principal:bob", "tools": [TIME]},
    ]
}

Reply = list[Row] | dict[str, Any]


@dataclass(frozen=True)
class Ask:
    """One question.

    Attributes:
        arguments: of the operation.
        needs_database: declared: without the database it is refused where that would answer.
    """

    arguments: dict[str, Any] = field(default_factory=dict[str, Any])
    needs_database: bool = False


def ask(**arguments: Any) -> Ask:
    return Ask(arguments)


def only_database(**arguments: Any) -> Ask:
    return Ask(arguments, needs_database=True)


def _begin(**arguments: Any) -> Ask:
    known = {"argument_bytes": 2, "request_id": "r", "instance": UUID(int=1)}
    return Ask(known | arguments)


# Of these goals one card fits best; which of two that fit alike comes first is up to the engine.
SEARCHES: Final = [
    *(
        ask(goal=goal)
        for goal in (
            "what time is it in a timezone",
            "open a TICKET for a bug",
            "listTickets",
            "find tickets by owner",
            '"; -- NEAR( AND create ticket*',
            "  the stars \n",
            "uhrzeit größer 名前",
            "!?",
            "zyzzyva",
            "",
            " \t\n",
            "g" * 20_000,
            "g" * 20_001,
            "名" * 20_001,
        )
    ),
    *(ask(goal=GOAL, mode=mode) for mode in ("fast", "thorough", "Fast", "", ODD, None)),
    *(ask(goal=GOAL, top=top) for top in (-1, 0, 1, 100, 101, None)),
    *(ask(goal=GOAL, budget_tokens=budget) for budget in (-1, 0, 1, 40, 10**6, None)),
    # What is complained of first.
    ask(goal="", mode="no", top=0, budget_tokens=0),
    ask(goal=GOAL, mode="no", top=0, budget_tokens=0),
    ask(goal=GOAL, top=0, budget_tokens=0),
]
NAMES: Final = [TIME, "tracker__listTickets", "far__look", "Time__get", "", ODD, "n" * 300]
TABLE: Final[dict[str, list[Ask]]] = {
    "find_toolset": [ask(name=name) for name in ("clocks", "Clocks", "", ODD, "n" * 300)],
    "search_tools": [*SEARCHES, only_database(goal=GOAL, as_of=STARTED)],
    "search_cards": [
        *SEARCHES,
        *(
            ask(goal="Greet Ada", kinds=kinds)
            for kinds in (
                ["prompt"],
                ["resource", "resource_template"],
                ["tool", "prompt", "instructions"],
                ["lookup_table"],
                None,
                [],
                ["no_such"],
                ["tool", "zoo", "no_such"],
                [ODD],
            )
        ),
        ask(goal="", kinds=["no_such"]),
        ask(goal=GOAL, top=0, kinds=["no_such"]),
        only_database(goal="time", kinds=["lookup"]),
    ],
    "describe_card": [
        *(ask(kind="tool", name=name) for name in NAMES),
        *(ask(kind="prompt", name=name) for name in ("time__greet", "time__Zeitansage", ODD)),
        *(ask(kind="resource", name=name) for name in ("memo://plan", "memo://Ärger", "memo://x")),
        ask(kind="resource_template", name="memo://page/{n}"),
        ask(kind="instructions", name="time__time"),
        ask(kind="lookup_table", name="nobody"),
        ask(kind="no_such", name="time__greet"),
        ask(kind=ODD, name=ODD),
        only_database(kind="lookup", name="x"),
        only_database(kind="prompt", name="time__greet", as_of=datetime.now(UTC)),
    ],
    "describe_tool": [
        *(ask(name=name) for name in NAMES),
        only_database(name=TIME, as_of=STARTED),
    ],
    "get_connection": [ask(origin_id=number) for number in (1, 2, 3, 0, -1, 10**12)],
    "call_begin": [
        *(_begin(name=name) for name in NAMES),
        replace(_begin(name=TIME, idempotency_key="k"), needs_database=True),
    ],
    "call_end": [Ask({"outcome": "ok", "duration_ms": 1.0})],
    "end_calls": [ask(ends=[])],
}

# Declared: there are no vectors, no receipts and no log of calls without the database.
DIFFERENT: Final[dict[str, set[str]]] = {
    "search_tools": {"score", "scores", "receipt"},
    "search_cards": {"score", "scores", "receipt"},
    "call_begin": {"call_id", "catalog_version"},
}
# Declared: without the log nothing is sent twice, and no answer is kept.
NOT_STORED: Final = {"may_repeat", "cache_s", "is_read_only"}


@dataclass(frozen=True)
class Doors:
    """The database, and what was kept of it in the same state.

    Attributes:
        asked: the database.
        operations, outage_copy: what answers without it.
        people: who ask.
        named: how a shipped kind is called there.
    """

    asked: AsyncDatabase
    operations: Operations
    outage_copy: OutageCopy
    people: list[Principal]
    named: Callable[[str], str]

    async def reply(self, operation: str, principal: Principal, given: Ask) -> tuple[Reply, Reply]:
        """Returns what each says."""
        arguments = dict(given.arguments)
        if "kind" in arguments:
            arguments["kind"] = self.named(arguments["kind"])
        if arguments.get("kinds") is not None:
            arguments["kinds"] = [self.named(kind) for kind in arguments["kinds"]]
        if operation == "call_begin":
            arguments = arguments | {"key": uuid4(), "started_at": datetime.now(UTC)}
        if operation == "call_end":
            [begin, *_] = TABLE["call_begin"]
            started = {"key": uuid4(), "started_at": datetime.now(UTC)}
            call = begin.arguments | started | {"name": "time__convert_time"}
            [begun] = await self.asked.call(api.call_begin(**call), principal)
            arguments = arguments | {"call_id": begun["call_id"]}
            arguments |= {"started_at": started["started_at"]}

        async def database() -> list[Row]:
            own = operation == "end_calls"
            asked = ApiCall[Any](operation, arguments)
            return await self.asked.call(asked, None if own else principal)

        async def instead() -> list[Row]:
            return await self.operations.by_name[operation](principal, arguments)

        return await _reply_of(database), await _reply_of(instead)

    async def drift(self, table: dict[str, list[Ask]], askers: int | None = None) -> list[str]:
        """Returns where they differ, other than declared.

        Args:
            table: operations and what they are asked.
            askers: how many of the people ask; None: all.
        """
        found: list[str] = []
        for operation, asks in table.items():
            for principal in self.people[:askers]:
                for given in asks:
                    there, here = await self.reply(operation, principal, given)
                    if given.needs_database and _is_refused(here):
                        continue
                    there, here = _plain(operation, there), _plain(operation, here)
                    if there != here:
                        who = f"{principal.name}@{principal.toolset}"
                        found.append(f"{operation} {who} {given.arguments}:\n  {there}\n  {here}")
        return found


async def _reply_of(reply: Callable[[], Any]) -> Reply:
    try:
        return await reply()
    except QmError as error:
        return {"code": error.code, "slug": error.slug}


def _is_refused(reply: Reply) -> bool:
    """Returns whether only the database could say."""
    return isinstance(reply, dict) and reply["slug"] == "database_unavailable"


def _plain(operation: str, reply: Reply) -> Reply:
    """Returns a reply without what may differ."""
    if isinstance(reply, dict):
        return reply
    rows = [row | dict.fromkeys(DIFFERENT.get(operation, ())) for row in reply]
    for row in rows:
        if operation == "call_begin":
            row["terms"] = {k: v for k, v in (row["terms"] or {}).items() if k not in NOT_STORED}
        if row.get("unavailable"):
            row["unavailable"] = row["unavailable"].keys()  # Declared: its texts are shorter.
    return rows


@asynccontextmanager
async def open_doors(
    database: Database,
    folder: Path,
    named: Callable[[str], str] = str,
    renamed: Callable[[str], str] = str,
) -> AsyncGenerator[Doors]:
    """Provides both doors over a small catalog with people, rules and toolsets.

    Args:
        database: a new one.
        folder: where the copy is kept.
        named: how a shipped kind is called there.
        renamed: SQL with the names of kinds that the database has.
    """
    with database.connect() as connection:
        connection.execute(renamed(_CATALOG))
    async with connected(database.service_dsn) as asked:
        boss = await asked.find_principal("boss")
        await asked.call(
            api.put_toolset(
                name="clocks", pinned={"origins": ["time"]}, description="What tells the time"
            ),
            boss,
        )
        await asked.call(api.apply_rules(definition=_RULES), boss)
        await asked.call(
            ApiCall[Any]("create_lookup", {"name": "places", "description": "Places, their time"}),
            boss,
        )
        terms = {"arguments_bytes": 10, "masked": ["secret"]}
        await asked.call(api.set_terms(name="time__convert_time", terms=terms), boss)
        people = [await asked.find_principal(name) for name in ("alice", "bob", "olga", "boss")]
        outage_copy = OutageCopy(asked, folder, Outage(), timedelta(hours=1))
        await outage_copy.renew()
        instead = Operations(outage_copy, Spool(folder), Breakers())
        people.append(replace(people[0], toolset="clocks"))
        yield Doors(asked, instead, outage_copy, people, named)
