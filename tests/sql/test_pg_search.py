"""BM25 of pg_search, on servers that have it; elsewhere these tests skip.

`tests/sql/search/store_words` tests the texts that it indexes, which needs no extension.
"""

from __future__ import annotations

import psycopg
import pytest

from quartermaster.install.apply import install
from quartermaster.install.doctor import diagnose
from tests.support.database import Server

pytestmark = pytest.mark.sql

_MISSING = "pg_search is not on this server: it is in no package that the tests install"
_CARDS = """
update core.setting set value = '0' where name = 'pg_search.from_cards';
select t.make_principal('alice');
select t.make_kind('words');
select t.make_card('words', 1, 'clock', 'clock', '', 'Tells the time of a city');
select t.make_card('words', 2, 'weather', 'weather', '', 'Forecast of a city');
select t.make_card('words', 3, 'editor', 'editor', '', 'Changes files');
select t.act_as('alice');
"""
_HIDDEN = """
select t.make_rules('{"rules": [{"effect": "deny", "subject": "everyone", "names": "hidden"}]}')
"""
_FOUND = (
    "select coalesce(array_agg(c.ref order by b.score desc, c.ref), '{}')"
    " from search.bm25('words', %s, %s) as b inner join search.card as c on c.id = b.card_id"
)

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def cards(rolled_back: Connection) -> Connection:
    [(has_extension,)] = rolled_back.execute("select core.has_capability('pg_search')").fetchall()
    if not has_extension:
        pytest.skip(_MISSING)
    rolled_back.execute(_CARDS)
    return rolled_back


def found(cards: Connection, goal: str, limit: int = 10) -> object:
    [(refs,)] = cards.execute(_FOUND, [goal, limit]).fetchall()
    return refs


@pytest.mark.parametrize(
    ("goal", "refs"),
    [
        ("the city of the clock", [1, 2]),
        ("forecasts", [2]),
        ("changeFiles", [3]),
        ("""it's "quoted": (a OR b) \\""", []),
    ],
)
def test_cards_with_a_word_of_the_goal_are_found(cards: Connection, goal: str, refs: list[int]):
    assert found(cards, goal) == refs


def test_scores_are_our_own(cards: Connection):
    asked = "select b.card_id, b.score from search.bm25('words', 'city clock', 10) as b"
    theirs = cards.execute(asked).fetchall()
    cards.execute("select t.act_as_superuser()")
    cards.execute("update core.setting set value = '100' where name = 'pg_search.from_cards'")
    cards.execute("select t.act_as('alice')")
    assert theirs == cards.execute(asked).fetchall()


def test_cards_that_may_not_be_seen_do_not_starve_the_result(cards: Connection):
    cards.execute("select t.act_as_superuser()")
    cards.execute(
        "select t.make_card('words', 100 + i, 'hidden', 'city', '', 'city')"
        " from generate_series(1, 50) as i"
    )
    cards.execute("select t.act_as('alice')")
    assert found(cards, "city", 2) == [101, 102]
    cards.execute("select t.act_as_superuser()")
    cards.execute(_HIDDEN)
    cards.execute("select t.act_as('alice')")
    assert found(cards, "city", 2) == [1, 2]


def test_changed_and_removed_cards_are_followed(cards: Connection):
    cards.execute("select t.act_as_superuser()")
    cards.execute("select t.make_card('words', 3, 'editor', 'editor', '', 'Paints pictures')")
    cards.execute("select search.remove_cards('words', '{2}')")
    cards.execute("select t.act_as('alice')")
    assert found(cards, "files") == []
    assert found(cards, "pictures") == [3]
    assert found(cards, "city") == [1]


def test_an_installation_over_the_extension_answers_for_the_kinds_that_ship(sql_server: Server):
    with sql_server.empty() as database:
        with database.connect() as connection:
            offered = "select from pg_available_extensions where name = 'pg_search'"
            if not connection.execute(offered).fetchall():
                pytest.skip(_MISSING)
        install(database.dsn)
        with database.connect() as connection:
            connection.execute("create extension pg_search")
        assert any("pg_search" in problem for problem in diagnose(database.dsn).problems)
        install(database.dsn)
        assert diagnose(database.dsn).problems == []
        with database.connect() as connection:
            assert connection.execute("select core.has_capability('pg_search')").fetchone() == (
                True,
            )
            assert (
                connection.execute(
                    "select count(*) from search.kind as k, search.match_words(k.name, 'clock', 10)"
                    " as m where m = '{}'"
                ).fetchone()
                == connection.execute("select count(*) from search.kind").fetchone()
            )
