"""BM25 of pg_search, on servers that have it: none so far, so this has only ever skipped.

What it does otherwise than our own BM25 is in extensions/README.md.
"""

from __future__ import annotations

import psycopg
import pytest

pytestmark = pytest.mark.sql

_CARDS = """
select t.make_kind('words');
select t.make_card('words', 1, 'clock', 'clock', '', 'Tells the time of a city');
select t.make_card('words', 2, 'weather', 'weather', '', 'Forecast of a city');
select t.make_card('words', 3, 'editor', 'editor', '', 'Changes files');
"""
_FOUND = (
    "select array_agg(c.ref order by c.ref) from search.bm25_pg_search('words', %s, 10) as b"
    " inner join search.card as c on c.id = b.card_id"
)

Connection = psycopg.Connection[tuple[object, ...]]


@pytest.fixture
def cards(rolled_back: Connection) -> Connection:
    [(has_extension,)] = rolled_back.execute("select core.has_capability('pg_search')").fetchall()
    if not has_extension:
        pytest.skip("pg_search is not on this server: it is in no package that the tests install")
    rolled_back.execute(_CARDS)
    return rolled_back


@pytest.mark.parametrize(
    ("goal", "refs"),
    [
        ("the city of the clock", [1, 2]),
        ("forecasts", [2]),
        ("""it's "quoted": (a OR b) \\""", None),
    ],
)
def test_cards_with_a_word_of_the_goal_are_found(
    cards: Connection, goal: str, refs: list[int] | None
):
    assert cards.execute(_FOUND, [goal]).fetchall() == [(refs,)]
