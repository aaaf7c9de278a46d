"""``qm receipts``: what was asked, offered and called, as people and programs read it."""

from __future__ import annotations

import json
from datetime import datetime
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from quartermaster.cli.app import app, register
from quartermaster.core.errors import QmError
from tests.support.database import Database

ARRANGED = """
select t.make_catalog(), t.make_principal('alice');
insert into selection.receipt (
    created_at, principal_id, kind, goal, mode, offered, withheld, duration_ms
)
select '2026-01-01 10:00Z'::timestamptz + v.age, p.id, 'tool', v.goal, 'fast', case
    when v.name is null then '[]'
    else jsonb_build_array(jsonb_build_object(
        'rank', 1, 'name', v.name, 'score', 0.8, 'weak', v.is_weak,
        'ref', (select i.id from catalog.item as i where i.public_name = v.name)
    ))
end, '{"below_cut": 2}', 3
from (values
    ('1 hour'::interval, 'quartermaster', 'open a ticket', 'tracker__create_ticket', false),
    ('2 hours', 'alice', 'book a table', 'tracker__listTickets', true),
    ('3 hours', 'alice', 'it''s raining', null, false),
    ('4 hours', 'alice', 'what time is it', 'time__get_current_time', false)
) as v (age, principal, goal, name, is_weak)
inner join policy.principal as p on p.name = v.principal;
insert into calls.call (
    started_at, principal_id, instance_id, request_id, kind, ref, version, argument_bytes, outcome,
    ended_at, duration_ms, failure
)
select r.created_at + interval '1 minute', r.principal_id, gen_random_uuid(), 'r', 'tool',
    (r.offered #>> '{0,ref}')::bigint, 1, 0, 'tool_error', r.created_at, 12, 'the queue is full'
from selection.receipt as r where r.goal = 'open a ticket';
"""


@pytest.fixture
def asked(database: Database) -> Database:
    with database.connect() as connection:
        connection.execute(ARRANGED)
    return database


def qm(database: Database, *words: str) -> Any:
    """Runs a command as a person types it; returns what it says."""
    whole = typer.Typer(cls=app.info.cls, context_settings=app.info.context_settings)
    register(whole, "receipts")
    whole.callback()(lambda: None)
    done = CliRunner().invoke(
        whole, ["receipts", *words], env={"QM_DATABASE__DSN": database.dsn, "TZ": "UTC"}
    )
    if done.exception is not None and not isinstance(done.exception, SystemExit):
        raise done.exception
    return done


def goals(database: Database, *options: str) -> list[str]:
    rows: list[dict[str, Any]] = json.loads(qm(database, "list", *options, "--json").stdout)
    return [row["goal"] for row in rows]


def test_receipts_are_listed_with_what_came_of_them(asked: Database):
    lines = [line.split("\t") for line in qm(asked, "list").stdout.splitlines()]
    assert lines[0] == ["receipt", "at", "by", "outcome", "card", "goal"]
    assert [line[2:] for line in lines[1:]] == [
        ["alice", "not called", "time__get_current_time", "what time is it"],
        ["alice", "nothing fitted", "", "it's raining"],
        ["alice", "nothing fitted", "tracker__listTickets", "book a table"],
        ["quartermaster", "failed", "tracker__create_ticket", "open a ticket"],
    ]
    [heading, *_] = qm(asked, "list", "--by", "alice").stdout.splitlines()
    assert heading.split("\t") == ["receipt", "at", "outcome", "card", "goal"], "what differs"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        ("--by quartermaster", ["open a ticket"]),
        ("--tool tracker__listTickets", ["book a table"]),
        ("--origin tracker", ["book a table", "open a ticket"]),
        ("--kind prompt", []),
        ("--outcome failed", ["open a ticket"]),
        ("--nothing-fitted", ["it's raining", "book a table"]),
        ("--since 2026-01-01T12:30Z", ["what time is it", "it's raining"]),
        ("--since 2026-01-01T12:30Z --nothing-fitted", ["it's raining"]),
    ],
)
def test_a_filter_leaves_the_searches_that_it_names(
    asked: Database, options: str, found: list[str]
):
    assert goals(asked, *options.split()) == found


def test_a_full_page_names_the_command_for_the_next_one(asked: Database):
    first = qm(asked, "list", "--limit", "2", "--since", "2026-01-01T10:00Z", "--by", "alice")
    said = " ".join(first.stderr.split())
    _, _, command = said.partition("Older receipts: ")
    words = command[command.index("receipts list") :].split()[2:]
    assert words[:4] == ["--by", "alice", "--since", "2026-01-01T10:00:00+00:00"]
    assert goals(asked, *words) == ["book a table"]
    assert "Older receipts" not in qm(asked, "list", *words).stderr


def test_an_empty_list_says_whether_a_filter_is_why(database: Database):
    assert "No searches are recorded yet." in qm(database, "list").stderr
    assert "No such searches are recorded." in qm(database, "list", "--nothing-fitted").stderr


def test_one_receipt_is_shown_with_its_parts(asked: Database):
    [receipt] = json.loads(qm(asked, "list", "--by", "quartermaster", "--json").stdout)
    number = str(receipt["receipt"])

    shown = qm(asked, "show", number).stdout
    for text in (
        "goal\topen a ticket",
        "by\tquartermaster",
        "Offered\nrank\tname\tscore\tnote\n1\ttracker__create_ticket\t0.800\t",
        "Withheld\nwhy\n2 cards: other cards ranked higher",
        'qm tool why "GOAL" TOOL',
        "\ttracker__create_ticket\ttool_error\t12\tthe queue is full",
    ):
        assert text in shown

    document = json.loads(qm(asked, "show", number, "--json").stdout)
    assert document["goal"] == "open a ticket"
    assert document["kind"] == "tool"
    assert [card["name"] for card in document["offered"]] == ["tracker__create_ticket"]
    assert document["withheld"][0]["detail"] == {"rule": "below_cut", "cards": 2}
    assert document["called"][0]["outcome"] == "tool_error"
    assert datetime.fromisoformat(document["at"]) < datetime.fromisoformat(
        document["called"][0]["at"]
    )


def test_a_search_without_results_says_so(asked: Database):
    [receipt] = json.loads(qm(asked, "list", "--nothing-fitted", "--limit", "1", "--json").stdout)
    shown = qm(asked, "show", str(receipt["receipt"]))
    assert "Nothing was offered." in shown.stderr
    assert "Nothing was called afterwards." in shown.stderr


def test_a_receipt_that_is_not_there_is_an_error(asked: Database):
    with pytest.raises(QmError) as error:
        qm(asked, "show", "0")
    assert (error.value.slug, "qm receipts list" in error.value.hint) == ("receipt_not_found", True)
