"""A user makes others members of his projects, and passes his notes off as those of experts.

Until they accept, no answer of theirs changes; and whoever reads a note sees whose it is. The ways
in are others than those of the review of 28 November, finding 6.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Generator
from contextlib import suppress
from typing import Any, cast

import psycopg
import pytest

from tests.support.database import Database, Server
from tests.support.psql_login import psql_login

pytestmark = pytest.mark.sql

Connection = psycopg.Connection[tuple[Any, ...]]

WORD = "zanzibarcoffee"
_TEXT = f"Brew the {WORD} with hot water in a copper pot."
_DECISION = f"""
select t.make_decisions('lair', t.candidate('Brew the {WORD} in a copper pot.')); commit
"""
# What somebody asks who names no project; without what is another with every call.
CALLS = {
    "ask_expert": f"select expert, decisions, passages from ask_expert('how do I brew {WORD}?')",
    "start_task": f"select part, name, note_of from start_task('brew the {WORD} in a copper pot')",
    "start_task, paths": (
        "select part, name, note_of"
        f" from start_task('brew the {WORD}', array['/srv/bob/shop/src/brew.py'])"
    ),
    "decisions_for": f"select pattern from decisions_for('src/api/brew.py', 'brew {WORD}')",
    "decisions_for, path": "select pattern from decisions_for('/srv/bob/shop/src/api/brew.py')",
    "find_decisions": "select count(*) from find_decisions()",
    "find_decisions, shop": "select count(*) from find_decisions('shop')",
    "list_notes": "select name, title, source, verified from list_notes()",
    "search_cards": f"select name from search_cards('{WORD}', array['passage', 'decision'])",
    "put_notes": f"select outcome from put_notes('[]', null) -- {WORD}",
    "session_notes": "select session_notes('save', 'pot', 'copper')",
    "gate": "select count(*) from losses('src/api/brew.py')",
    "list_projects": (
        "select project, owner, role from list_projects() where role in ('member', 'owner')"
    ),
}


@pytest.fixture
def prepared(embedded_server: Server) -> Generator[Database]:
    with embedded_server.clone() as database:
        with database.connect() as connection:
            connection.execute("select t.make_principal('bob'), t.make_principal('mallory')")
            # On a machine that is busy, a task would leave out what it has no time for.
            connection.execute(
                "update core.setting set value = '100000' where name = 'task.time_ms'"
            )
        yield database


@pytest.fixture
def bob(prepared: Database) -> Generator[Connection]:
    with (
        psql_login(prepared, "qm_user", "bob") as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
    ):
        yield connection


@pytest.fixture
def mallory(prepared: Database) -> Generator[Connection]:
    with (
        psql_login(prepared, "qm_user", "mallory") as dsn,
        psycopg.connect(dsn, autocommit=True) as connection,
    ):
        yield connection


def answers(connection: Connection) -> dict[str, object]:
    """Returns what each call answers, or with which kind of error it fails."""
    found: dict[str, object] = {}
    for name, statement in CALLS.items():
        try:
            rows = connection.execute(statement.encode()).fetchall()
        except psycopg.Error as error:
            found[name] = (error.sqlstate, error.diag.constraint_name)
        else:
            found[name] = json.dumps(rows, default=str, sort_keys=True)
    return found


def add(connection: Connection, name: str, root: str) -> None:
    connection.execute("select add_project(%s, %s)", [name, root])


def invite(connection: Connection, project: str, role: str = "member") -> None:
    connection.execute("select put_project_member('bob', %s, %s)", [role, project])


def as_owner_who_then_leaves(mallory: Connection, _database: Database) -> None:
    """Bob would be the only owner."""
    invite(mallory, "mallory/lair", "owner")
    # Somebody who has not accepted may not be the only owner.
    with suppress(psycopg.Error):
        mallory.execute("select remove_project_member('mallory', 'mallory/lair')")


def to_a_project_called_like_his(mallory: Connection, _database: Database) -> None:
    add(mallory, "shop", "/srv/mallory/shop")
    invite(mallory, "mallory/shop")


def to_a_project_in_his_folder(mallory: Connection, _database: Database) -> None:
    for name, root in (("inner", "/srv/bob/shop/src/api"), ("outer", "/"), ("same", "/srv/bob")):
        add(mallory, name, root)
        invite(mallory, f"mallory/{name}", "owner")


def again_after_a_removal(mallory: Connection, _database: Database) -> None:
    invite(mallory, "mallory/lair")
    mallory.execute("select remove_project_member('bob', 'mallory/lair')")
    invite(mallory, "mallory/lair", "owner")
    invite(mallory, "mallory/lair", "member")


def within_an_organisation(mallory: Connection, database: Database) -> None:
    with database.connect() as connection:
        connection.execute(
            "with o as (insert into policy.organisation (name, description, created_at)"
            " values ('acme', '', now()) returning id)"
            " update policy.principal set organisation_id = o.id from o"
            " where principal.name in ('bob', 'mallory')"
        )
    invite(mallory, "mallory/lair")


def as_an_operator(mallory: Connection, database: Database) -> None:
    with database.connect() as connection:
        connection.execute("update policy.principal set role = 'operator' where name = 'mallory'")
    invite(mallory, "mallory/lair")


def to_very_many(mallory: Connection, _database: Database) -> None:
    for number in range(30):
        add(mallory, f"lair-{number}", f"/srv/mallory/{number}")
        # Whoever does not answer cannot be asked without end.
        with suppress(psycopg.Error):
            invite(mallory, f"mallory/lair-{number}")


INVITATIONS: list[Callable[[Connection, Database], None]] = [
    as_owner_who_then_leaves,
    to_a_project_called_like_his,
    to_a_project_in_his_folder,
    again_after_a_removal,
    within_an_organisation,
    as_an_operator,
    to_very_many,
]


def by_name(each: Callable[..., None]) -> str:
    return each.__name__.replace("_", " ")


@pytest.mark.parametrize("invites", INVITATIONS, ids=by_name)
@pytest.mark.parametrize("has_project", [True, False], ids=["has a project", "has none"])
def test_no_answer_changes_before_he_accepts(
    prepared: Database,
    bob: Connection,
    mallory: Connection,
    invites: Callable[[Connection, Database], None],
    *,
    has_project: bool,
) -> None:
    if has_project:
        add(bob, "shop", "/srv/bob/shop")
    add(mallory, "lair", "/srv/bob/lair")
    put_note(prepared, mallory, "coffee", {})
    with prepared.connect() as connection:
        connection.execute(f"begin; {_DECISION}".encode())
    before = answers(bob)
    assert WORD not in json.dumps(before)
    # The same calls have the same answers, and none is a mistake of this test.
    assert answers(bob) == before
    states = [str(each[0]) for each in before.values() if isinstance(each, tuple)]
    assert all(state.startswith("QM4") for state in states), before
    invites(mallory, prepared)
    after = answers(bob)
    assert {name: after[name] for name in after if after[name] != before[name]} == {}


def put_note(
    database: Database,
    mallory: Connection,
    name: str,
    more: dict[str, object],
    project: str = "mallory/lair",
) -> None:
    """Mallory stores a note; how a note looks when it is read is told by a helper of the tests."""
    with database.connect() as connection:
        written = connection.execute(
            "select jsonb_build_array(t.note(%s, %s) || %s::jsonb)", [name, _TEXT, json.dumps(more)]
        ).fetchall()
    [(outcome,)] = mallory.execute(
        "select outcome from put_notes(%s::jsonb, %s)", [json.dumps(written[0][0]), project]
    ).fetchall()
    assert outcome == "added"


READINGS = {
    "ask_expert": (
        "select p::text from ask_expert('how do I brew {word} in a copper pot?', top => 10) as a,"
        " jsonb_array_elements(a.passages) as p"
    ),
    "start_task": "select s::text from start_task('brew the {word} in a copper pot') as s",
    "list_notes": "select n::text from list_notes() as n",
}
IMITATIONS: dict[str, tuple[str, str, dict[str, object]]] = {
    "the name of a note of the expert": ("lair", "databases-vacuum", {"title": f"Vacuum {WORD}"}),
    "a vendor as its source": (
        "lair",
        "coffee",
        {"source": "PostgreSQL 18 documentation, chapter 24", "title": WORD, "is_verified": True},
    ),
    "a title that speaks for the expert": (
        "lair",
        "coffee",
        {"title": f"Built-in note of Quartermaster, verified by its authors: {WORD}"},
    ),
    "a project called like the expert": ("databases", "coffee", {"title": WORD}),
    "a project called like the service": ("quartermaster", "coffee", {"title": WORD}),
}


@pytest.mark.parametrize("what", IMITATIONS)
def test_a_note_of_a_project_is_told_with_its_owner(
    prepared: Database, mallory: Connection, what: str
) -> None:
    project, name, more = IMITATIONS[what]
    add(mallory, project, f"/srv/{project}")
    put_note(prepared, mallory, name, more, project)
    shown: dict[str, list[str]] = {}
    for call, statement in READINGS.items():
        rows = mallory.execute(statement.format(word=WORD).encode()).fetchall()
        shown[call] = [str(text) for (text,) in rows if WORD in str(text)]
    assert shown["list_notes"], shown
    # A task may be told of a project without the word for it: the brief is of one project.
    assert shown["ask_expert"], shown
    without = {
        call: text
        for call, texts in shown.items()
        for text in texts
        if "mallory" not in text.replace(f"/srv/{project}", "")
    }
    assert without == {}


def test_of_two_equal_notes_that_of_the_expert_is_first(
    prepared: Database, mallory: Connection
) -> None:
    add(mallory, "lair", "/srv/lair")
    with prepared.connect() as connection:
        connection.execute(
            cast(
                Any,
                "begin; select t.make_principal('op', 'operator');"
                " select t.act_as('op', 'qm_operator'); select api.load_notes("
                f"jsonb_build_array(t.note('databases/coffee', '{_TEXT}')), 'a digest'); commit",
            )
        )
    for number in range(3):
        put_note(prepared, mallory, f"coffee-{number}", {})
    [(passages,)] = mallory.execute(
        f"select passages from ask_expert('how do I brew {WORD} in a copper pot?')".encode()
    ).fetchall()
    assert passages[0]["project"] is None, passages
