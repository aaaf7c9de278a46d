-- Last: take everything away, then grant by name. Roles nest: qm_admin has what qm_operator has, which has what qm_user has.
revoke all on all tables in schema core, policy, catalog, search, selection, calls, stats, audit, jobs, snapshots, lookup, api from public, qm_service, qm_user, qm_operator, qm_admin;
revoke all on all functions in schema core, policy, catalog, search, selection, calls, stats, audit, jobs, snapshots, lookup, api from public, qm_service, qm_user, qm_operator, qm_admin;

grant usage on schema api to qm_service;
grant usage on schema core, policy, catalog, search, selection, calls, stats, audit, jobs, snapshots, lookup, api to qm_user;

-- The service's own login: to learn who is asking, to keep what it needs without a database, to hand in what it did meanwhile;
-- and what every call needs, for a principal it names, without taking a role first.
grant execute on function
api.authenticate(bytea),
api.authenticate_token(text, text, timestamptz, text, text, text, boolean),
api.find_principal(text),
api.read_outage_copy(),
api.read_definitions(bigint[]),
api.replay_calls(jsonb),
api.end_calls(jsonb),
api.relay_begin(text, text, text, integer, text, uuid, text, timestamptz, uuid),
api.call_begin(text, integer, text, uuid, bigint, uuid, timestamptz, bytea, text, boolean, boolean),
api.call_end(bigint, text, real, bigint, text, timestamptz, integer, text, bytea, boolean)
to qm_service;

-- Users: read what row policies show, select, describe, call.
grant select on core.setting, core.capability, core.error_code, core.release to qm_user;
grant select (id, name, kind, role, enabled, created_at, is_curator) on policy.principal to qm_user;
grant select (
    id, name, slug, description, transport, status, failure_class, failure, protocol_version, created_at, refreshed_at
) on catalog.origin to qm_user;
grant select on catalog.item, catalog.item_version, catalog.offer to qm_user;
grant select (origin_id, version, valid_from, valid_to, name, description, transport, is_removed) on catalog.origin_version to qm_user;
grant select (
    name, description, k1, b, fields, field_weights, feature_set, index_type, outcomes, has_outcomes, describe_function, not_found
) on search.kind to qm_user;
grant select on search.feature_set, search.card, search.coefficient, search.model to qm_user;
grant select on selection.mode, selection.receipt, selection.exposure, selection.canary, selection.utility to qm_user;
grant select on calls.call, calls.breaker to qm_user;
grant select on stats.call_hour, stats.selection_hour to qm_user;
grant execute on function
core.now(),
core.fail(text, text, text, text),
core.get_setting(text),
core.has_capability(text),
core.schema_version(),
policy.principal_id(),
policy.require_principal(),
policy.is_visible(integer, bit varying),
policy.visible_classes(),
policy.toolset_name(),
search.split_identifiers(text),
search.words(text),
search.tokenize(text),
search.fold_label(text),
search.refuse_name(text, text),
search.embed_goal(text),
search.search(text, text, ext.vector, integer, integer, integer, integer, real[], text, jsonb, real[]),
search.feature_names(text),
search.active_model(),
search.coefficients(text, text[]),
search.explain_score(text, real[], real[], text[]),
search.silence(text, real[], real[]),
search.bm25(text, text, integer),
search.dense(text, ext.vector, integer, integer),
search.fuzzy(text, text, integer),
search.count_unembedded(),
selection.require_goal(text),
selection.require_mode(text),
selection.require_rerank(jsonb),
selection.choose_mode(text, text),
selection.mode_label(selection.mode),
selection.find_pool(text, text, ext.vector, selection.mode),
selection.counters(),
selection.pool_key(text, text, ext.vector, selection.mode),
api.find_cards(text, text, text, ext.vector),
api.remember_cards(text, text, text, text, text, ext.vector),
selection.blend_rerank(bigint[], real[], jsonb, real),
search.require_kinds(text[]),
selection.value_cards(text[], search.found[], jsonb, selection.mode),
selection.diversify(selection.candidate[], real, integer, integer, integer),
selection.judge(selection.candidate[], bigint[], integer),
selection.rounded(jsonb),
selection.record_receipt(text, text, text, text, jsonb, real, text, jsonb, jsonb),
api.rerank_candidates(text, text, text[], ext.vector),
api.search_cards(text, text[], text, integer, ext.vector, text, jsonb, integer, boolean),
api.describe_card(text, text),
api.report_outcome(bigint, text, text, text, real),
api.select_tools(text, text, integer, ext.vector, integer, boolean, timestamptz),
api.search_tools(text, text, integer, ext.vector, text, jsonb, integer, boolean, timestamptz),
api.search_past(text, timestamptz, text, integer, ext.vector),
catalog.search_past(text, text, ext.vector, timestamptz, integer, integer, integer, integer, real[]),
catalog.brief(text),
api.last_receipt(text),
api.list_stages(bigint[]),
api.rerank(text, text[]),
api.describe_tool(text, timestamptz),
api.export_tools(text, integer),
api.list_exposed(text),
api.end_session(text),
api.find_origin(text),
api.list_items(text, text, text, integer),
catalog.describe_item(bigint),
api.view_digests(text),
api.relay_begin(text, text, text, integer, text, uuid, text, timestamptz, uuid),
catalog.refuse_withheld(text, text),
api.call_begin(text, integer, text, uuid, bigint, uuid, timestamptz, bytea, text, boolean, boolean),
api.claim_answer(bigint, timestamptz, bytea, text, boolean),
api.count_arrivals(),
api.record_denial(text),
api.find_toolset(text),
api.call_end(bigint, text, real, bigint, text, timestamptz, integer, text, bytea, boolean),
api.keep_page(bigint, timestamptz, text, text),
api.read_page(text, bigint, integer),
api.may_read(text, text),
api.list_origins(timestamptz),
api.list_breakers(),
api.list_modes(),
api.list_capabilities(),
api.status(),
stats.period_of(timestamptz, text),
stats.quantile(integer[], bigint[], double precision),
stats.require_listing(text, text[], text),
api.list_call_statistics(text, timestamptz, timestamptz, text),
api.list_selection_statistics(text, timestamptz, timestamptz, text)
to qm_user;

-- Lookup: read, search; operators load.
grant select on lookup.lookup_table, lookup.lookup_row, lookup.lookup_name to qm_user;
grant execute on function
lookup.normalize(text, text[]),
lookup.mend_mojibake(text),
lookup.require_table(text),
lookup.query_problem(integer, text, integer, integer, jsonb, real),
lookup.refuse_query(text[]),
lookup.require_batch(jsonb, text, text),
lookup.rows_wanted(jsonb, integer),
lookup.told_problem(text[]),
lookup.match(integer, text, integer, integer, text, boolean, text, jsonb, boolean, ext.vector, integer),
lookup.answer(integer, text, integer, integer, text, boolean, text, jsonb, boolean, real, boolean, ext.vector, integer),
lookup.meaning_of(text, ext.vector),
lookup.profiles_of(text, boolean),
api.normalize(text, text[]),
api.feature_names(text),
api.lookup_tables(),
api.lookup_rows(text, text, integer, text, boolean, integer),
api.get_by_id(text, text),
api.search_lookup(text, text, integer, integer, text, boolean, text, jsonb, boolean, double precision, boolean, ext.vector, integer),
api.search_lookups(text, jsonb, integer, integer, boolean, boolean, text[], integer)
to qm_user;

-- The reconciliation API.
grant execute on function
lookup.visible_tables(text),
lookup.require_page(integer, integer),
lookup.row_columns(),
lookup.facts(jsonb),
lookup.describe_row(text, text, jsonb),
lookup.find_by_properties(integer, jsonb, integer),
lookup.reconcile_problem(integer[], jsonb, integer),
lookup.likely_tables(integer[], text, text[]),
lookup.reconcile(integer[], jsonb, integer, ext.vector),
api.reconcile_lookups(jsonb, text, integer, text[]),
api.describe_reconciliation(text),
api.suggest_lookup_types(text, text, integer, integer),
api.suggest_lookup_properties(text, text, text[], boolean, integer, integer),
api.describe_lookup_property(text, text),
api.suggest_lookup_rows(text, text, text[], integer, integer),
api.extend_lookup_rows(jsonb, text[], text)
to qm_user;
grant execute on function
api.create_lookup(text, text, text),
api.load_lookup(text, jsonb, boolean),
api.drop_lookup(text, boolean),
api.create_lookup_over(text, text, text, text, text[], text[], text, text, boolean, interval, text, text),
api.refresh_lookup(text, boolean),
api.list_lookup_sources(),
api.lookup_examples(text, jsonb, text[]),
api.configure_lookup(text, double precision, double precision, double precision),
api.configure_lookup_vectors(text, boolean, jsonb),
api.configure_lookup_score(text, jsonb)
to qm_operator;

-- Curation of lookup tables: each asks for a curator itself.
grant execute on function
policy.is_curator(),
api.is_curator(),
api.get_by_ids(text, text[]),
api.rerank_lookup(text, jsonb, text),
api.add_alias(text, text, text, text),
api.remove_alias(text, text, text),
api.retire_row(text, text, text),
api.restore_row(text, text),
api.attach_provenance(text, text, jsonb, text),
api.list_curations(text, text, integer),
api.suggest_aliases(text, jsonb, integer)
to qm_user;

-- Lookup: what is asked and how it goes; operators measure, and try a shadow.
grant select on lookup.shadow to qm_user;
grant select on lookup.gold, lookup.evaluation to qm_operator;
grant execute on function
api.lookup_state(text),
api.shadow_lookups(text, jsonb, boolean)
to qm_user;
grant execute on function
api.configure_lookup_shadow(text, double precision, jsonb, double precision, integer),
api.load_lookup_gold(text, jsonb, boolean),
api.list_lookup_evaluations(text, integer),
api.list_lookup_statistics(timestamptz, timestamptz, text),
api.compare_lookup_shadow(timestamptz, timestamptz),
api.list_unanswered_lookups(text, timestamptz, integer)
to qm_operator;
grant execute on function api.record_lookups(jsonb) to qm_service;

-- Operators: origins, refreshes, imports, models; what the service's worker does.
grant select on core.instance, catalog.refresh, catalog.origin_version to qm_operator;
grant select on search.kind to qm_operator;
grant select on catalog.finding, catalog.scan_rule, calls.probe, calls.pace to qm_operator;
grant select on stats.evaluation, stats.evaluation_query, stats.watermark to qm_operator;
grant select on jobs.job, jobs.run to qm_operator;
grant select on selection.outcome, selection.judgement to qm_operator;
grant select on policy.organisation, policy.matcher, policy.rule_version, policy.rule_activation, policy.rule, policy.toolset, policy.decision to qm_operator;
grant execute on function
api.add_origin(text, text, text[], text, text, text, jsonb, jsonb, text, jsonb, jsonb, boolean, jsonb),
api.get_origin(text),
api.remove_origin(text),
api.reset_breaker(text),
api.get_connection(bigint),
api.get_instructions(text),
api.request_refresh(text),
api.renew_credential(text, text),
api.get_refresh(bigint),
api.claim_refresh(uuid),
api.store_items(bigint, text, jsonb),
api.reject_items(bigint, jsonb),
api.finish_refresh(bigint, text, text, text, jsonb, text, text[]),
api.import_items(text, jsonb),
catalog.item_id(text[], text),
search.kind_slug(text[], text),
catalog.flatten(jsonb),
catalog.each_definition(text, jsonb[]),
catalog.tool_listing(jsonb),
catalog.asset_core(jsonb),
catalog.diff_versions(bigint, integer, integer),
api.list_tools(text, text, integer, timestamptz),
api.review_items(text[], text, text, integer, timestamptz),
api.get_item(text[], text),
api.diff_item(text[], text, integer, integer),
api.decide_item(text[], text, text, integer, text, boolean),
api.downrank_item(text[], text, real, text, boolean),
api.approve_tool(text, integer, text, boolean),
api.quarantine_tool(text, text, boolean),
api.deprecate_tool(text, text, boolean),
api.downrank_tool(text, real, text, boolean),
api.set_approval(text, text),
api.scan_items(text[], bigint, integer, text[], boolean),
api.request_probe(text),
api.claim_probes(integer),
api.store_probe(bigint, integer, boolean, text, text),
api.put_model(text, integer, boolean, text, text),
api.list_models(boolean),
api.activate_model(text, boolean),
api.drop_model(text, boolean),
api.claim_unembedded(text, integer, uuid),
api.store_embeddings(text, text[], bytea[], text[]),
api.configure_modes(jsonb),
api.configure_scoring(text, text, jsonb),
api.configure_canary(text, real, jsonb),
api.run_job(text),
api.configure_job(text, interval, boolean),
api.list_jobs(),
api.list_queues(),
api.list_job_runs(text, integer),
jobs.require_job(text),
api.debug_select(text, text, integer, ext.vector, jsonb, integer, text),
api.list_golden_tasks(integer),
stats.bootstrap_interval(double precision[], integer, double precision, bigint),
api.store_evaluation(text, text, text, jsonb, integer, bytea, text, text, jsonb, jsonb, jsonb, jsonb, jsonb),
api.list_evaluations(integer),
api.compare_evaluations(bigint, bigint, integer, double precision),
api.heartbeat(uuid, text, text, integer, boolean, integer),
api.audit_head(),
api.sign_audit(bigint, bytea, bytea, bytea),
policy.version_document(integer),
api.list_rules(),
api.show_rules(integer, timestamptz),
api.diff_rules(integer, integer),
api.list_toolsets(),
api.list_organisations(),
api.list_decisions(integer, boolean),
api.explain_rights(text, text, text),
api.end_instance(uuid)
to qm_operator;

-- Administrators: principals, keys, the audit chain.
grant select, insert, update on policy.principal to qm_admin;
grant select on audit.record, audit.cut, audit.signature to qm_admin;
grant select on snapshots.snapshot, snapshots.member, snapshots.activation to qm_admin;
grant select on selection.mode_outcome to qm_admin;
grant execute on function
policy.put_principal(text, text, text, text, text),
policy.find_principal(text),
api.put_key(text, text, text, bytea, timestamptz, boolean),
api.list_keys(text),
api.revoke_key(bigint),
api.create_principal(text, text, text, text),
api.appoint_curator(text, boolean),
api.list_principals(),
api.enable_principal(text, boolean),
api.map_role(text, text),
api.bind_subject(text, text, text),
audit.canonical_text(audit.record),
audit.record_hash(audit.record),
audit.find_faults(),
api.verify_audit(),
api.list_audit(integer, text, text, text, bigint),
api.export_audit(bigint, integer),
api.keep_audit(integer, boolean),
api.create_snapshot(text, text),
api.keep_snapshots(integer),
api.place_snapshot(text, text),
api.seal_snapshot(text, bytea, bytea, text, bytea, bigint),
api.list_snapshots(),
api.read_snapshot(text, bigint, integer, text),
api.verify_snapshot(text),
api.diff_snapshots(text, text),
api.activate_snapshot(text, boolean),
api.drop_snapshot(text, boolean),
api.apply_rules(jsonb, text, boolean),
api.activate_rules(integer, boolean),
api.pin_rules(boolean),
api.put_toolset(text, jsonb, text),
api.remove_toolset(text),
api.put_organisation(text, text)
to qm_admin;

-- PL/Python is optional, so these grants are too.
do $do$
begin
    if to_regprocedure('search.embed(text, text)') is not null then
        revoke all on function search.embed(text, text) from public;
        grant execute on function search.embed(text, text) to qm_user;
    end if;
    if to_regprocedure('search.rerank(text, text[], text)') is not null then
        revoke all on function search.rerank(text, text[], text) from public;
        grant execute on function search.rerank(text, text[], text) to qm_user;
    end if;
end
$do$;

-- Calls: operators set what holds of them, administrators look for gaps in the log.
grant select on calls.terms to qm_operator;
grant execute on function
api.set_terms(text, jsonb, boolean),
api.get_terms(text)
to qm_operator;
grant execute on function
catalog.call_terms(bigint),
api.call_gaps(timestamptz)
to qm_admin;
