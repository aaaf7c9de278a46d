"""Look-ups in tables use the indexes that are made for them."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tests.sql.test_plans import plans
from tests.support.database import Database, Server

pytestmark = pytest.mark.sql


@pytest.fixture(scope="module")
def taxa(sql_server: Server) -> Generator[Database]:
    """A lookup table of 1,500 names, and one that can be spelled wrong."""
    with sql_server.clone() as database, database.connect() as connection:
        connection.execute("select search.put_model('small', 16, true), t.make_principal('alice')")
        connection.execute(
            "select lookup.put_rows(lookup.put_table('taxon', null, null), ("
            " select jsonb_agg(jsonb_build_object("
            "  'id', n, 'value', initcap(translate(md5(n::text), '0123456789', 'ghijklmnop'))"
            "   || ' ' || translate(md5((-n)::text), '0123456789', 'ghijklmnop')"
            ' )) || \'[{"id": "alces", "value": "Alces alces"}]\''
            " from generate_series(1, 1500) as n"
            "), true)"
        )
        connection.execute("vacuum analyze")
        yield database


def test_rows_are_suggested_from_the_beginnings_of_their_names(taxa: Database):
    statement = "select * from api.suggest_lookup_rows('alc', 'taxon')"
    seen = plans(taxa, statement, can_read_whole_tables=False)
    assert "card_lookup_label_idx" in seen


def test_names_of_rows_are_looked_up_by_their_lexemes_and_keys(taxa: Database):
    seen = plans(taxa, "select * from api.search_lookup('taxon', 'Alces alces (L.)')")
    for index in (
        "term_kind_lexeme_key",
        "name_posting_pkey",
        "lookup_name_short_idx",
        "lookup_name_stem_idx",
        "lookup_name_second_idx",
        "lookup_name_initials_idx",
        "lookup_row_table_id_key_key",
        "lexical_pkey",
        "card_pkey",
        "lookup_row_pkey",
    ):
        assert index in seen, index
    for table in ("term", "name_posting", "lookup_name", "lookup_row", "lexical", "card"):
        assert f"Seq Scan on {table}" not in seen, table


def test_a_property_is_looked_up_in_the_facts_of_rows(taxa: Database):
    statement = """select * from api.search_lookup('taxon', 'Alces', properties => '{"x": 1}')"""
    with taxa.connect() as connection:
        connection.execute("update lookup.lookup_table set properties = '{x}' where name = 'taxon'")
    seen = plans(taxa, statement, can_read_whole_tables=False)
    assert "lookup_row_facts_idx" in seen


def test_names_near_in_meaning_are_looked_up_in_the_vectors_of_their_kind(taxa: Database):
    with taxa.connect() as connection:
        connection.execute(
            "select lookup.switch_vectors(t.id, true) from lookup.lookup_table as t"
            " where t.name = 'taxon'"
        )
        connection.execute(
            "select search.store_embeddings('small', array_agg(c.kind), array_agg(c.text_hash),"
            " array_agg(v.vector)) from search.card as c cross join lateral ("
            "  select array_agg(sin(c.id * i * 12.9898)::real order by i)::ext.vector::text"
            "  from generate_series(1, 16) as i"
            " ) as v (vector) where c.kind = 'lookup' and c.origin = 'taxon'"
        )
        connection.execute("vacuum analyze")
    vector = "(select array_agg(sin(i * 12.9898)::real)::ext.vector from generate_series(1, 16) i)"
    statement = f"select * from api.search_lookup('taxon', 'Alces alces', query_vector => {vector})"
    seen = plans(taxa, statement)
    assert "embedding_lookup_1_idx" in seen
    assert "Seq Scan on embedding" not in seen
