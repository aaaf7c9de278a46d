"""What psql says where a search finds nothing yet."""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.sql


def test_a_search_that_finds_nothing_says_what_is_on_its_way(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    notices: list[str] = []
    rolled_back.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    search = "select * from api.select_tools('read a file')"
    rolled_back.execute(
        "select t.make_principal('alice'), t.make_principal('op', 'operator'), t.act_as('alice')"
    )
    assert rolled_back.execute(search).fetchall() == []
    assert not any("soon" in notice for notice in notices)
    rolled_back.execute("select t.act_as('op', 'qm_operator')")
    rolled_back.execute("select api.heartbeat(gen_random_uuid(), 'up', '1', 1, installing => 6)")
    rolled_back.execute("select t.act_as('alice')")
    assert rolled_back.execute(search).fetchall() == []
    assert any("servers being installed: 6" in notice for notice in notices)
