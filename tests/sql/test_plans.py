"""The statements that run hot use the index made for them; seen by auto_explain as they run."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Generator, Sequence

import psycopg
import pytest

from tests.support.database import Database, Server

pytestmark = pytest.mark.sql

# Enough that reading a table is dearer than reading its index.
_FILL = """
select t.make_origin('many');
select count(*) from t.put_tools((
    select jsonb_agg(jsonb_build_object(
        'origin', 'many',
        'name', 'tool_' || n || '_' || md5(n::text),
        'description', 'common words ' || md5((n + 1)::text)
    ))
    from generate_series(1, 1500) as n
));
select search.put_model('small', 16, true);
select search.store_embeddings(
    'small', array_agg(c.kind), array_agg(c.text_hash), array_agg(v.vector)
)
from search.card as c
cross join lateral (
    select array_agg(sin(c.id * i * 12.9898)::real order by i)::ext.vector::text as vector
    from generate_series(1, 16) as i
) as v;
select t.make_principal('alice');
"""


@pytest.fixture(scope="module")
def full(sql_server: Server) -> Generator[Database]:
    with sql_server.clone() as database:
        with database.connect() as connection:
            connection.execute(_FILL)
            # Also empties the pending lists of the GIN indexes, which make them look dear.
            connection.execute("vacuum analyze")
        yield database


def plans(
    database: Database,
    statement: str,
    *,
    role: str = "qm_user",
    can_read_whole_tables: bool = True,
) -> str:
    """Returns the plans of a statement and of those inside the functions it calls."""
    seen: list[str] = []
    with psycopg.connect(database.dsn) as connection:
        connection.add_notice_handler(lambda notice: seen.append(notice.message_primary or ""))
        connection.execute("load 'auto_explain'")
        for setting, value in (
            ("auto_explain.log_min_duration", "0"),
            ("auto_explain.log_nested_statements", "on"),
            ("auto_explain.log_level", "notice"),
            ("client_min_messages", "notice"),
            ("enable_seqscan", "on" if can_read_whole_tables else "off"),
        ):
            connection.execute("select set_config(%s, %s, false)", [setting, value])
        connection.execute("select t.read_as('alice', %s)", [role])
        seen.clear()
        connection.execute(statement).fetchall()
        connection.rollback()
    return "\n".join(seen)


def planned_anew(database: Database, statements: Sequence[str]) -> Counter[str]:
    """Returns the functions whose statements are planned again in the last of many similar calls.

    PostgreSQL chooses whether to keep a plan after five calls. Before version 18, it keeps none of
    a function in SQL, so these are not counted there.
    """
    contexts: list[str] = []
    with psycopg.connect(database.dsn) as connection:
        connection.add_notice_handler(lambda notice: contexts.append(notice.context or ""))
        connection.execute("set log_planner_stats = on")
        connection.execute("select t.read_as('alice', 'qm_user')")
        for statement in statements[:-1]:
            connection.execute(statement).fetchall()
        connection.execute("set client_min_messages = log")
        contexts.clear()
        connection.execute(statements[-1]).fetchall()
        retained = r"PL/pgSQL|SQL" if connection.info.server_version >= 180000 else r"PL/pgSQL"
        connection.rollback()
    functions = (re.search(r'^(\S+) function "?([\w.]+)', text, re.MULTILINE) for text in contexts)
    return Counter(
        found.group(2)
        for found in functions
        if found is not None and re.fullmatch(retained, found.group(1))
    )


def test_a_search_plans_only_what_depends_on_the_kind_and_the_model(full: Database):
    vector = "(select array_agg(sin(i * 12.9898)::real)::ext.vector from generate_series(1, 16) i)"
    # A goal that was asked before is not searched for.
    seen = planned_anew(
        full,
        [f"select * from api.select_tools('tool {n}', query_vector => {vector})" for n in range(8)],
    )
    assert seen["search.search"] == seen["search.nearest"] == 1, "the way of looking sees plans"
    # These name a function, or the index of a kind and a model.
    by_name = {"search.search", "search.nearest", "search.fuzzy", "selection.find_unavailable"}
    # A search runs in two roles, each of which has its own plan of a row policy.
    in_two_roles = {"get_setting"}
    assert set(seen) <= by_name | in_two_roles
    assert max(seen.values()) <= 2


def test_words_are_looked_up_in_their_postings(full: Database):
    seen = plans(full, "select * from search.bm25('tool', md5('17') || ' ' || md5('99'), 5)")
    assert "posting_pkey" in seen
    assert "Seq Scan on posting" not in seen
    assert "Seq Scan on lexical" not in seen


def test_names_are_looked_up_by_their_trigrams(full: Database):
    # So few labels are read as quickly; what is shown is that the index can serve.
    statement = "select * from search.fuzzy('tool', 'tool 17 ' || left(md5('17'), 20), 5)"
    seen = plans(full, statement, can_read_whole_tables=False)
    assert "card_tool_label_idx" in seen


def test_neighbours_are_looked_up_in_the_vectors_of_kind_and_model(full: Database):
    vector = "(select array_agg(sin(i * 12.9898)::real)::ext.vector from generate_series(1, 16) i)"
    seen = plans(full, f"select * from search.dense('tool', {vector}, 10, 40)")
    assert "embedding_tool_1_idx" in seen
    assert "Seq Scan on embedding" not in seen


def test_the_cards_of_an_origin_are_looked_up_by_the_origin(full: Database):
    vector = "(select array_agg(sin(i * 12.9898)::real)::ext.vector from generate_series(1, 16) i)"
    seen = plans(
        full,
        f"select * from search.search('tool', 'tool', {vector}, 5, 5, 5, 40, '{{1, 1, 1}}')",
        can_read_whole_tables=False,
    )
    assert "card_kind_origin_idx" in seen


def test_teachings_are_looked_up_by_organisation_and_kind(full: Database):
    others = "select api.put_organisation(n::text) from generate_series(1, 50) as n"
    teach = (
        "insert into search.teaching"
        " (organisation_id, kind, goal, goal_hash, ref, created_by, created_at)"
        " select o.id, 'tool', n::text, sha256(n::text::bytea), 1, p.id, now()"
        " from generate_series(1, 100) as n, policy.organisation as o, policy.principal as p"
        " where p.name = 'alice'"
    )
    with psycopg.connect(full.dsn, autocommit=True) as connection:
        connection.execute(others)
        connection.execute(teach)
        connection.execute("analyze search.teaching")
        try:
            seen = plans(
                full,
                "select * from search.search('tool', 'tool', null, 5, 5, 5, 40, '{1, 1, 1}')",
                can_read_whole_tables=False,
            )
        finally:
            connection.execute("delete from search.teaching; delete from policy.organisation")
    assert "teaching_goal_idx" in seen


def test_a_tool_is_looked_up_by_its_callable_name(full: Database):
    seen = plans(
        full,
        "select d.* from catalog.item as x"
        " cross join lateral api.describe_tool(x.public_name) as d where x.name like 'tool_17_%'",
    )
    assert "item_public_name_key" in seen


def test_the_newest_allowed_calls_are_looked_up_in_the_order_of_their_numbers(full: Database):
    statement = "select * from api.list_decisions(10, false)"
    seen = plans(full, statement, role="qm_operator", can_read_whole_tables=False)
    assert "Index Scan Backward using call_default_pkey on call_default" in seen


def test_a_page_of_receipts_is_read_in_the_order_of_time(full: Database):
    with full.connect() as connection:
        connection.execute("select t.make_principal('bob')")
        connection.execute(
            "insert into selection.receipt (created_at, principal_id, kind, goal, mode, offered,"
            " duration_ms) select '2026-01-01'::timestamptz + n * interval '1 minute', p.id,"
            " 'tool', 'goal', 'fast', '[]', 1 from generate_series(1, 5000) as n inner join"
            " policy.principal as p on p.name = case when n % 500 = 0 then 'alice' else 'bob' end"
        )
        connection.execute("vacuum analyze selection.receipt")
    page = "select * from api.list_receipts(before_id => (select max(id) - 500 from numbers))"
    with_numbers = "with numbers as (select l.receipt as id from api.list_receipts(1) as l) "
    for who, filters, index in (
        ("qm_user", "", "receipt_principal_idx"),
        ("qm_admin", "", "receipt_created_idx"),
        ("qm_admin", ", by_principal => 'alice'", "receipt_principal_idx"),
        ("qm_admin", ", since => '2026-01-02', nothing_fitted => true", "receipt_created_idx"),
    ):
        seen = plans(full, f"{with_numbers}{page[:-1]}{filters})", role=who)
        assert f"{index} on receipt" in seen
        assert "Seq Scan on receipt" not in seen


def test_a_resource_that_no_list_has_is_looked_up_by_its_uri(full: Database):
    asked = "'resources/read', 'resource', 'memo://nobody', 0, 'r', gen_random_uuid(), 'many'"
    seen = plans(full, f"select * from service.relay_begin({asked})", can_read_whole_tables=False)
    assert "item_public_name_key" in seen
    assert "Seq Scan on item" not in seen


def test_what_a_session_was_given_is_looked_up_by_the_session(full: Database):
    seen = plans(full, "select * from api.list_exposed('nobody')")
    assert "Seq Scan on item" not in seen


def test_texts_without_a_vector_are_looked_up_by_their_hashes(full: Database):
    with full.connect() as connection:
        connection.execute("delete from search.embedding as e where get_byte(e.text_hash, 0) = 7")
        connection.execute("vacuum analyze search.embedding")
    statement = "select * from api.claim_unembedded('small', 10)"
    seen = plans(full, statement, role="qm_operator", can_read_whole_tables=False)
    assert "Index Only Scan using card_text_hash_idx on card" in seen
    assert "Index Only Scan using embedding_pkey on embedding" in seen


def test_kinds_that_wait_for_no_vector_are_not_counted(full: Database):
    with full.connect() as connection:
        connection.execute("select search.claim_unembedded('small', 1)")
    seen = plans(full, "select search.count_unembedded('prompt')")
    assert "embedded_kind" in seen
    assert "embedding" not in seen.replace("embedded_kind", "")
