"""Role x door x kind of card: in each cell what rules hide is refused, and the rest is there."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import psycopg
import pytest
from psycopg.types.json import Jsonb

from tests.support.database import Database

pytestmark = pytest.mark.sql

ROLES = ("user", "operator", "admin")
KINDS = ("tool", "resource", "prompt", "memo")
# What each door tells: names, or texts with names in them. {card} is the name asked for.
DOORS_OF_ALL_KINDS = {
    "search": "select name from api.search_cards('open the vault of {card}', array['{kind}'])",
    "search explained": "select name"
    " from api.search_cards('{card}', array['{kind}'], explain => true)",
    "rerank": "select replace(text, ' ', '_')"
    " from api.rerank_candidates('vault {card}', 'balanced', array['{kind}'])",
    "fuzzy": "select c.name from search.fuzzy('{kind}', '{card}', 10) as f"
    " inner join search.card as c on c.id = f.card_id",
    "table": "select name from search.card where kind = '{kind}'",
    "statistics": "select c.name from search.card as c inner join selection.utility as u"
    " on u.kind = c.kind and u.ref = c.ref where c.kind = '{kind}'",
}
DOORS_OF_TOOLS = {
    "tools": "select name from catalog.item",
    "view": "select name from api.tools",
    "versions": "select definition ->> 'name' from catalog.item_version",
    "describe": "select tool from api.describe_tool('vault__{card}')",
    "describe card": "select api.describe_card('tool', 'vault__{card}')::text",
    "call": "select tool from service.call_begin('vault__{card}', 1, 'r', gen_random_uuid())",
    "exposed": "select name from api.list_exposed('a session')",
}
DOORS_OF_OPERATORS = {
    "debug": "select api.debug_select('vault {card}', kinds => array['{kind}'])::text"
}
CELLS = [
    (role, door, kind, statement)
    for role in ROLES
    for kind in KINDS
    for door, statement in (
        *DOORS_OF_ALL_KINDS.items(),
        *(DOORS_OF_TOOLS.items() if kind == "tool" else ()),
        *(DOORS_OF_OPERATORS.items() if role != "user" else ()),
    )
]


@pytest.fixture(scope="module")
def vault(schema: Database) -> Database:
    """Three cards of each kind, of which each role may not see its own."""
    cards = [f"secret_{role}" for role in ROLES]
    rules = [
        {"effect": "deny", "subject": f"role:{role}", "names": f"*secret_{role}"} for role in ROLES
    ]
    with schema.connect() as connection:
        connection.execute("select t.make_origin('vault')")
        for card in cards:
            connection.execute("select t.make_tool('vault', %s, 'Open the vault.')", [card])
        for kind in KINDS[1:]:
            given = [
                {"ref": n, "name": card, "fields": [card, "", "open the vault"]}
                for n, card in enumerate(cards)
            ]
            connection.execute("select t.make_kind(%s)", [kind])
            connection.execute("select search.put_cards(%s, %s)", [kind, Jsonb(given)])
        for role in ROLES:
            connection.execute("select t.make_principal(%s, %s)", [f"a {role}", role])
        connection.execute(
            "insert into selection.utility"
            " select c.kind, c.ref, 5, 5, 1, 1, 0, 0, now() from search.card as c"
        )
        connection.execute(
            "insert into selection.exposure (session, principal_id, kind, ref)"
            " select 'a session', p.id, c.kind, c.ref from policy.principal as p, search.card as c"
        )
        connection.execute("select t.make_rules(%s)", [Jsonb({"rules": rules})])
    return schema


@pytest.fixture(scope="module")
def session(vault: Database) -> Generator[psycopg.Connection[tuple[Any, ...]]]:
    with psycopg.connect(vault.dsn) as session:
        yield session


@pytest.fixture
def connection(
    session: psycopg.Connection[tuple[Any, ...]],
) -> Generator[psycopg.Connection[tuple[Any, ...]]]:
    """A superuser's transaction that is taken back; all share the session and its plans."""
    yield session
    session.rollback()


def report(connection: psycopg.Connection[tuple[Any, ...]], statement: str) -> str:
    """Returns all that a door tells; of an error its code."""
    try:
        return str(connection.execute(statement.encode()).fetchall())
    except psycopg.DatabaseError as error:
        return error.sqlstate or ""


@pytest.mark.parametrize(
    ("role", "door", "kind", "statement"), CELLS, ids=[f"{r}-{d}-{k}" for r, d, k, _ in CELLS]
)
def test_a_cell(
    connection: psycopg.Connection[tuple[Any, ...]],
    role: str,
    door: str,
    kind: str,
    statement: str,
):
    # What no login can read is read as an operation would.
    acts = "select t.act_as(%s, %s)" if "api." in statement else "select t.read_as(%s, %s)"
    connection.execute(acts, [f"a {role}", f"qm_{role}"])
    assert f"secret_{role}" not in report(
        connection, statement.format(card=f"secret_{role}", kind=kind)
    )
    if connection.info.transaction_status == psycopg.pq.TransactionStatus.INERROR:
        connection.rollback()
        connection.execute(acts, [f"a {role}", f"qm_{role}"])
    for other in ROLES:
        if other != role:
            assert f"secret_{other}" in report(
                connection, statement.format(card=f"secret_{other}", kind=kind)
            )
