"""Every operation and every table has its tests."""

from __future__ import annotations

from pathlib import Path

import psycopg
import pytest

from tests.support.sql_files import FUNCTION_FILES, FunctionFile

pytestmark = pytest.mark.sql

HERE = Path(__file__).parent
# Exercised through the functions that call them, or in Python.
THROUGH_OTHERS = {
    "calls.answer_call": "api/call_begin, claim_answer",
    "calls.find_answer": "api/call_begin",
    "calls.keep_answer": "api/call_begin",
    "calls.tend": "calls/add_partition",
    "api.get_terms": "api/set_terms",
    "api.keep_page": "api/read_page",
    "api.downrank_item": "api/downrank_tool",
    "catalog.announce_items": "api/decide_item",
    "catalog.asset_card": "api/search_cards",
    "catalog.each_definition": "catalog/put_items",
    "catalog.strings": "catalog/put_items",
    "catalog.tool_card": "catalog/cards",
    "catalog.tool_core": "catalog/put_items",
    "catalog.tool_definition": "catalog/put_items",
    "catalog.tool_labels": "catalog/put_items",
    "catalog.tool_listing": "catalog/put_items, diff_versions",
    "catalog.tool_problem": "catalog/put_items",
    "catalog.tool_texts": "catalog/item_texts",
    "search.kind_slug": "schema/error_registry",
    "catalog.asset_core": "catalog/put_items",
    "catalog.asset_texts": "catalog/scan_items",
    "catalog.match_rules": "catalog/scan_items",
    "snapshots.current_hash": "snapshots/put_snapshot, make_regular",
    "snapshots.kept": "snapshots/differences, faults",
    "snapshots.kept_hash": "snapshots/faults",
    "catalog.card_added": "catalog/classify",
    "catalog.class_changed": "catalog/classify",
    "catalog.classify_origins": "policy/visible_classes",
    "catalog.judge_items": "catalog/put_items",
    "catalog.keep_versions": "catalog/put_items",
    "catalog.past_cards": "api/search_past",
    "catalog.search_past": "api/search_past",
    "lookup.answer": "api/search_lookup",
    "lookup.alias_forms": "api/suggest_aliases",
    "lookup.curate_row": "api/add_alias",
    "lookup.curated": "api/add_alias",
    "lookup.note_curation": "api/add_alias",
    "lookup.require_batch": "api/search_lookups, reconcile_lookups",
    "lookup.require_row": "api/add_alias",
    "lookup.rows_wanted": "api/search_lookups",
    "lookup.told_problem": "api/search_lookups",
    "lookup.same_name": "api/add_alias",
    "policy.is_curator": "api/is_curator",
    "policy.require_curator": "api/is_curator",
    "lookup.unmatched_strings": "api/suggest_aliases",
    "lookup.check_rows": "api/load_lookup",
    "lookup.evaluate": "lookup/evaluate_all",
    "lookup.features": "api/lookup_examples",
    "lookup.candidates": "api/search_lookup",
    "lookup.glance": "api/search_lookup",
    "lookup.read_query": "api/search_lookup",
    "lookup.profiles_of": "api/shadow_lookups",
    "lookup.describe_row": "api/suggest_lookup_rows",
    "lookup.find_by_properties": "api/reconcile_lookups",
    "lookup.find_names": "api/search_lookup",
    "lookup.find_similar": "api/search_lookup",
    "lookup.gold_share": "lookup/evaluate_all",
    "lookup.index_names": "api/load_lookup",
    "lookup.match": "api/search_lookup",
    "lookup.meaning_of": "api/search_lookup",
    "lookup.mend_mojibake": "lookup/normalize",
    "lookup.put_rows": "api/load_lookup",
    "lookup.put_table": "api/create_lookup",
    "lookup.query_problem": "api/search_lookup, search_lookups",
    "lookup.reconcile": "api/reconcile_lookups",
    "lookup.reconcile_problem": "api/reconcile_lookups",
    "lookup.follow_source": "api/create_lookup_over, refresh_lookup",
    "lookup.note_source_change": "api/refresh_lookup",
    "lookup.read_column": "api/create_lookup_over",
    "lookup.read_source": "api/create_lookup_over",
    "lookup.switch_vectors": "api/configure_lookup_vectors",
    "lookup.unfollow_source": "api/refresh_lookup",
    "lookup.refresh": "api/refresh_lookup",
    "lookup.refresh_all": "api/refresh_lookup",
    "lookup.refuse_query": "api/search_lookup",
    "lookup.require_source": "api/create_lookup_over",
    "lookup.require_page": "api/suggest_lookup_types",
    "lookup.row_columns": "api/extend_lookup_rows",
    "lookup.visible_tables": "api/describe_reconciliation",
    "lookup.require_table": "api/search_lookup",
    "api.feature_names": "api/lookup_examples",
    "search.active_model": "search/coefficients",
    "search.put_coefficients": "api/configure_scoring, configure_lookup_score",
    "search.put_feature_set": "search/search",
    "search.read_names": "api/search_lookup",
    "search.text_candidates": "search/search",
    "search.find_names": "api/search_lookup",
    "search.forget_vectors": "api/configure_lookup_vectors",
    "search.name_lexemes": "api/load_lookup",
    "search.put_names": "api/load_lookup",
    "search.remove_names": "api/load_lookup",
    "search.weigh_names": "api/load_lookup",
    "policy.active_matchers": "policy/classify",
    "policy.drop_classes": "policy/classify/a_class_goes_with_its_rules",
    "policy.lock_rights": "tests/races",
    "policy.object_problem": "policy/rule_problem, api/put_toolset",
    "policy.put_classes": "policy/classify",
    "policy.put_matcher": "policy/classify",
    "policy.refresh_rights": "policy/rights_of",
    "policy.set_active": "api/activate_rules",
    "policy.share_rights": "tests/races",
    "policy.text_list": "policy/rule_problem",
    "search.card_class_changed": "catalog/classify",
    "search.classify_cards": "catalog/classify",
    "search.set_rights": "catalog/classify",
    "search.refuse_name": "api/describe_card",
    "search.require_kinds": "api/search_cards",
    "catalog.downrank_card": "api/downrank_tool, api/store_probe",
    "api.get_refresh": "store_items, finish_refresh",
    "search.count_terms": "put_cards/statistics_*",
    "search.count_unembedded": "claim_unembedded",
    "search.create_vector_indexes": "put_model",
    "search.document": "put_cards",
    "search.embed": "tests/sql/test_embed.py",
    "search.lock_kind": "put_cards, remove_cards",
    "search.model_id": "claim_unembedded",
    "search.query_vector": "bm25",
    "search.rerank": "tests/sql/test_rerank.py",
    "search.remove_cards": "put_cards, weigh",
}


@pytest.mark.parametrize("path", FUNCTION_FILES, ids=lambda path: FunctionFile(path).name)
def test_every_function_has_a_folder_of_tests(path: Path):
    file = FunctionFile(path)
    name = file.name
    has_tests = any(HERE.joinpath(*file.parts).glob("*.sql"))
    assert has_tests or name in THROUGH_OTHERS
    assert not (has_tests and name in THROUGH_OTHERS)


def test_every_table_has_its_test_of_row_policies(
    rolled_back: psycopg.Connection[tuple[object, ...]],
):
    rows = rolled_back.execute(
        "select c.oid::regclass::text from pg_class as c"
        " inner join pg_namespace as n on n.oid = c.relnamespace"
        " where c.relkind in ('r', 'p') and not c.relispartition"
        " and n.nspowner = 'qm_owner'::regrole"
    ).fetchall()
    assert {str(row[0]) for row in rows} == {path.stem for path in (HERE / "rls").glob("*.sql")}
