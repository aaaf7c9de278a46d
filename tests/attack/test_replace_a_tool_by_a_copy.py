"""An origin lists an exact copy of another's tool: it waits, and the original stays in search."""

from __future__ import annotations

import json

import psycopg

from tests.support.database import Database

_ORIGIN = (
    "select catalog.put_origin(%s, '', 'http', null, %s, null, '{}', '{}', null, '{}', '{}', false)"
)
_LIST = "select outcome, reason from catalog.put_items('tool', array[%s], array[%s::jsonb], %s)"
_TOOL = json.dumps(
    {
        "name": "send_mail",
        "description": "Sends a mail to one or several people, with attachments.",
        "input_schema": {"type": "object"},
    }
)
_FOUND = "select name from api.select_tools('send a mail to several people') order by name"


def lists(
    connection: psycopg.Connection[tuple[object, ...]], origin: str, *, by_hand: bool = False
) -> tuple[object, ...]:
    """Returns what becomes of the tool when the origin lists it."""
    [row] = connection.execute(_LIST, [origin, _TOOL, by_hand]).fetchall()
    return row


def test_a_copy_waits_and_the_original_is_still_found(database: Database) -> None:
    with database.connect() as connection:
        for name in ("mail", "evil"):
            connection.execute(_ORIGIN.encode(), [name, f"https://{name}.example/mcp"])
        lists(connection, "mail")
        assert lists(connection, "evil") == ("added", "pending: it repeats mail__send_mail of mail")
        assert connection.execute(_FOUND).fetchall() == [("mail__send_mail",)]


def test_an_approved_second_instance_does_not_put_the_first_aside(database: Database) -> None:
    with database.connect() as connection:
        for name in ("work", "home"):
            connection.execute(_ORIGIN.encode(), [name, f"https://{name}.example/mcp"])
        lists(connection, "work")
        lists(connection, "home")
        # What `qm tool approve --origin home` does.
        connection.execute(
            "select api.decide_item(array[r.kind], r.name, 'approved')"
            " from api.review_items(of_origin => 'home', with_status => 'pending') as r"
        )
        approved = connection.execute(
            "select public_name from catalog.item where is_live order by public_name"
        ).fetchall()
        assert approved == [("home__send_mail",), ("work__send_mail",)]
        assert ("work__send_mail",) in connection.execute(_FOUND).fetchall()
