"""What psql says where a search finds nothing that fits yet."""

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
    rolled_back.execute(
        "select service.heartbeat(gen_random_uuid(), 'up', '1', 1, installing => 6)"
    )
    rolled_back.execute("select t.act_as('alice')")
    assert rolled_back.execute(search).fetchall() == []
    assert any("servers being installed: 6" in notice for notice in notices)


def test_weak_matches_say_what_is_on_its_way_and_matches_do_not(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    notices: list[str] = []
    rolled_back.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    rolled_back.execute(
        "select t.make_catalog(), t.make_principal('alice'), t.make_principal('op', 'operator');"
        "delete from search.coefficient; select search.put_model('test-4', 4, true);"
        "select t.embed_cards('tool', 'test-4');"
        "select t.act_as('op', 'qm_operator');"
        "select service.heartbeat(gen_random_uuid(), 'up', '1', 1, installing => 6)"
    )

    def weak(log_odds: float) -> list[object]:
        rolled_back.execute("select t.act_as_superuser()")
        rolled_back.execute(
            "select search.put_coefficients('tool', 'test-4', jsonb_build_object("
            "'score', '{\"dense\": 4, \"intercept\": -3}'::jsonb,"
            " 'confidence', jsonb_build_object('odds', 0, 'intercept', %s::float8)))",
            [log_odds],
        )
        rolled_back.execute("select t.act_as('alice')")
        found = rolled_back.execute(
            "select weak from api.select_tools("
            "'what time is it in Tokyo', query_vector => t.unit_vector(4, 2))"
        ).fetchall()
        return [row[0] for row in found]

    assert set(weak(2)) == {False}
    assert not any("soon" in notice for notice in notices)
    assert set(weak(-9)) == {True}
    assert any("servers being installed: 6" in notice for notice in notices)
