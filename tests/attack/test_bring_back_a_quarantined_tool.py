"""A snapshot from before a quarantine is activated: the quarantine is not lifted silently."""

from __future__ import annotations

from tests.support.database import Database

_STATUS = "select status from catalog.item where public_name = 'mail__send_mail'"
_RECORDS = """
select action, after ->> 'status' from audit.record
where table_name = 'catalog.item' and object = 'mail__send_mail' order by id
"""


def test_a_quarantine_is_lifted_by_name_and_recorded(database: Database) -> None:
    with database.connect() as connection:
        connection.execute("select t.make_origin('mail'), t.make_tool('mail', 'send_mail')")
        connection.execute("select api.create_snapshot('before')")
        connection.execute("select api.decide_item('{tool}', 'mail__send_mail', 'quarantined')")
        activate = "select returned, quarantined from api.activate_snapshot('before', lift => %s)"
        silent = connection.execute(activate, [[]]).fetchall()
        assert silent == [(0, ["mail__send_mail"])]
        assert connection.execute(_STATUS).fetchall() == [("quarantined",)]
        named = connection.execute(activate, [["mail__send_mail"]]).fetchall()
        assert named == [(1, [])]
        assert connection.execute(_STATUS).fetchall() == [("approved",)]
        assert connection.execute(_RECORDS).fetchall() == [
            ("update", "quarantined"),
            ("update", "approved"),
        ]
