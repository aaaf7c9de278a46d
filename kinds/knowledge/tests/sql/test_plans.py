"""Look-ups use the indexes that are made for them."""

from __future__ import annotations

import pytest

from tests.sql.test_plans import full as full  # noqa: PLC0414 - a fixture
from tests.sql.test_plans import plans
from tests.support.database import Database

pytestmark = pytest.mark.sql


@pytest.fixture(scope="module")
def library(full: Database) -> Database:
    with full.connect() as connection:
        connection.execute("""
            with library as (
                insert into knowledge.distribution (
                    name, version, digest, content, modules, summary, objects, unread, indexed_at
                )
                values ('acme', '1', '', '', '{acme}', '', 3000, '{}', now())
                returning id
            ),

            environment as (
                insert into knowledge.environment (folder, indexed_at) values ('/srv', now())
                returning id
            ),

            held as (
                insert into knowledge.environment_distribution (environment_id, distribution_id)
                select e.id, l.id from environment as e, library as l
            ),

            symbols as (
                insert into knowledge.symbol (
                    distribution_id, path, kind, signature, file, line, passage, parameters,
                    deprecated, is_async, is_public, priors
                )
                select l.id, 'acme.m' || n % 9 || '.f' || n, 'function', 'f()', 'acme.py', n, '',
                    '{}', '', false, true, array_fill(0::real, array[15])
                from library as l, generate_series(1, 3000) as n
                returning id, distribution_id, path
            )

            insert into knowledge.symbol_path (distribution_id, path, symbol_id)
            select s.distribution_id, replace(s.path, 'acme', 'acme.core'), s.id from symbols as s
        """)
        connection.execute("vacuum analyze knowledge.symbol, knowledge.symbol_path")
    return full


@pytest.mark.parametrize(
    "statement", ["lookup_symbols('acme', 'm7.F1285')", "compare_versions('acme', 'm7.f1285')"]
)
def test_objects_of_a_library_are_looked_up_by_the_last_part_of_their_paths(
    library: Database, statement: str
):
    seen = plans(library, f"select * from api.{statement}")
    assert "symbol_name_idx" in seen
    assert "symbol_path_name_idx" in seen


def test_vectors_of_libraries_that_are_all_there_are_not_counted(library: Database):
    statement = "select * from api.list_libraries()"
    with library.connect() as connection:
        connection.execute("""
            select search.put_cards('symbol', jsonb_agg(jsonb_build_object(
                'ref', s.id, 'name', s.path, 'fields', array[s.path, '', '', '']
            )))
            from knowledge.symbol as s
            where s.line < 10
        """)
        connection.execute("select search.claim_unembedded('small', 1)")
        assert "on embedding e" in plans(library, statement)
        connection.execute("""
            select search.store_embeddings(
                'small', array_agg(c.kind), array_agg(c.text_hash),
                array_agg(array_fill(1::real, array[16])::ext.vector::text)
            )
            from search.card as c
            where c.kind = 'symbol'
        """)
        connection.execute("select search.claim_unembedded('small', 1)")
    assert "on embedding e" not in plans(library, statement)
