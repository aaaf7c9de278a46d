"""What psql says of a goal that could be put better."""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.sql


def test_a_goal_that_is_not_in_english_is_answered_with_a_notice(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    notices: list[str] = []
    rolled_back.add_notice_handler(lambda notice: notices.append(notice.message_primary or ""))
    rolled_back.execute("select t.make_catalog(), t.make_principal('alice'), t.act_as('alice')")
    rolled_back.execute("select * from api.select_tools('what time is it in Tokyo')")
    assert not [notice for notice in notices if "English" in notice]
    rolled_back.execute("select * from api.select_tools('ajoute un fichier dans le dossier')")
    assert "This goal seems to be in French. Ask in English for better results." in notices
