"""Which notices psql prints."""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.sql


@pytest.mark.parametrize(
    "statement",
    [
        "select * from api.start_task('vacuum dead row versions', project => 'shop')",
        "select * from api.ask_expert('vacuum dead row versions')",
    ],
)
def test_searches_inside_of_another_answer_say_nothing(
    rolled_back: psycopg.Connection[tuple[object, ...]], statement: str
):
    rolled_back.execute("select t.make_catalog(), t.make_project('shop', 'alice')")
    rolled_back.execute("update core.setting set value = '100000' where name = 'task.time_ms'")
    rolled_back.execute("select t.act_as('alice', 'qm_user')")
    rolled_back.execute("set local client_min_messages = notice")
    notices: list[str] = []
    rolled_back.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    rolled_back.execute("select * from api.search_cards('quokka', '{passage}')")
    assert any("nothing is offered" in notice for notice in notices), "a search that people call"
    notices.clear()
    rolled_back.execute(statement.encode())
    assert not [notice for notice in notices if not notice.startswith("searching without vectors")]
    notices.clear()
    rolled_back.execute("select * from api.search_cards('quokka', '{passage}')")
    assert any("nothing is offered" in notice for notice in notices), "the next one says it again"
